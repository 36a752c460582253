package jevons

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// ErrNotPublished is the error, wrapped with the reason, for a cell that has no
// row in the week.
var ErrNotPublished = errors.New("not published")

// Explanation takes one row apart.
type Explanation struct {
	Row       Row
	SinceBase Decomposition
	WoW       *Decomposition // nil when the row has no week-over-week change
}

// Explain takes one row of the table apart. The table must be Compute's for this
// panel. For a cell without a row in that week it returns ErrNotPublished with
// the reason.
func (t *Table) Explain(p *panel.Panel, week panel.Week, cell Cell) (*Explanation, error) {
	x, row, err := t.explainer(p, week, cell)
	if err != nil {
		return nil, err
	}
	now := x.relatives(week, week, week)
	e := &Explanation{Row: *row, SinceBase: x.sinceBase(row, now)}
	if row.WoW.Valid {
		wow := x.weekOverWeek(row, now)
		e.WoW = &wow
	}
	return e, nil
}

// StoreRelative is the price of one product at one store against its base price:
// step 2 of the estimator, before the trim.
type StoreRelative struct {
	Product  basket.Product
	Store    panel.Store
	Listings []int64 // ids of the matched listings, ascending; nearly always one
	Base     float64 // dollars in the cell's base week; of several listings the geometric mean
	Price    float64 // the same in the row's week
	Relative float64 // Price / Base
	Trimmed  bool
}

// StoreRelatives returns the store relatives behind one row of the table, by
// product id, then relative, then store id. Of relatives that are equal where
// the trim cuts, those of the lower ids count as the lower ones, which changes
// no mean.
//
// The table must be Compute's for this panel. For a cell without a row in that
// week it returns ErrNotPublished with the reason.
func (t *Table) StoreRelatives(p *panel.Panel, week panel.Week, cell Cell) ([]StoreRelative, error) {
	x, _, err := t.explainer(p, week, cell)
	if err != nil {
		return nil, err
	}
	base, now := x.logs(x.base), x.logs(week)
	var all []StoreRelative
	for _, m := range x.match(week, week, week) {
		r := StoreRelative{Product: p.Products()[m.product], Store: p.Stores()[m.store], Relative: math.Exp(m.log)}
		var before, after []float64
		for _, i := range m.series {
			r.Listings = append(r.Listings, p.Listings()[p.Series()[i].Listing].ID)
			before, after = append(before, base[i]), append(after, now[i])
		}
		r.Base, r.Price = math.Exp(mean(before)), math.Exp(mean(after))
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b StoreRelative) int {
		return cmp.Or(cmp.Compare(a.Product.ID, b.Product.ID), cmp.Compare(a.Relative, b.Relative), cmp.Compare(a.Store.ID, b.Store.ID))
	})
	for lo, hi := 0, 0; lo < len(all); lo = hi {
		for hi < len(all) && all[hi].Product.ID == all[lo].Product.ID {
			hi++
		}
		for k := range t.Options.Trim.Of(hi - lo) {
			all[lo+k].Trimmed, all[hi-1-k].Trimmed = true, true
		}
	}
	return all, nil
}

// explainer computes one cell again, product by product, in the plain way.
type explainer struct {
	table *Table
	panel *panel.Panel
	cell  Cell
	place geography
	base  panel.Week
}

// explainer returns what takes the row of a cell apart, with the row.
func (t *Table) explainer(p *panel.Panel, week panel.Week, cell Cell) (*explainer, *Row, error) {
	x := &explainer{table: t, panel: p, cell: cell, place: geography{cell.Level, -1, -1}, base: t.Base(cell)}
	for i, c := range p.Cities() {
		if c.Name == cell.City {
			x.place.city = int32(i)
		}
	}
	for i, b := range p.Banners() {
		if b.Key == cell.Banner {
			x.place.banner = int32(i)
		}
	}
	var errs []error
	if cell.Level < National || cell.Level > Banner {
		errs = append(errs, fmt.Errorf("no such level: %s", cell.Level))
	}
	if wants := cell.Level >= City; (cell.City != "") != wants || (wants && x.place.city < 0) {
		errs = append(errs, fmt.Errorf("city %q: a %s cell needs %s", cell.City, cell.Level, oneOrNone(wants, "a city of the panel, by display name")))
	}
	if wants := cell.Level == Banner; (cell.Banner != "") != wants || (wants && x.place.banner < 0) {
		errs = append(errs, fmt.Errorf("banner %q: a %s cell needs %s", cell.Banner, cell.Level, oneOrNone(wants, "a banner of the panel, by key")))
	}
	if int(cell.Category) >= numSlices {
		errs = append(errs, fmt.Errorf("no such category: %s", cell.Category))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, nil, fmt.Errorf("jevons: explain: %w", err)
	}
	row := t.Find(week, cell)
	if row == nil {
		return nil, nil, x.whyNot(week)
	}
	return x, row, nil
}

func oneOrNone(wanted bool, what string) string {
	if wanted {
		return what
	}
	return "none"
}

// whyNot says why the cell has no row in the week.
func (x *explainer) whyNot(week panel.Week) error {
	reason := func(format string, a ...any) error {
		return fmt.Errorf("jevons: %s, week %s: %w: %s", x.cell, week, ErrNotPublished, fmt.Sprintf(format, a...))
	}
	switch o := x.table.Options; {
	case o.Through < o.Base:
		return reason("no week from the base week %s on has closed", o.Base)
	case week < o.Base || week > o.Through:
		return reason("the table runs from %s to %s", o.Base, o.Through)
	case x.logs(week) == nil:
		return reason("no price counts in that week")
	case x.cell.Category != basket.Overall && x.logs(x.base) == nil:
		return reason("no price counts in the base week %s, so no category can be matched with it", x.base)
	}
	if x.cell.Category == basket.Overall {
		switch {
		case x.base == 0:
			return reason("in no week so far are %s of the products priced", x.table.Options.Floor)
		case week < x.base:
			return reason("the series starts in its entry week, %s", x.base)
		}
	}
	items, total := 0, 0
	for _, r := range x.relatives(week, week, week) {
		total++
		if r.stores > 0 {
			items++
		}
	}
	return reason("%d of %d products are matched with week %s, under the floor of %s", items, total, x.base, x.table.Options.Floor)
}

// matched is one product at one store, over its series that are priced in all of
// some weeks.
type matched struct {
	product, store int32   // indices into the panel's lists
	series         []int32 // ascending
	log            float64 // mean of ln P(week) - ln P(base)
}

// match returns the store relatives of the cell's active products in a week, over
// the series priced in the base week, that week, u and w. They are by product;
// the panel keeps the series of a product at a store together.
func (x *explainer) match(week, u, w panel.Week) (all []matched) {
	base, now := x.logs(x.base), x.logs(week)
	needed := [...][]float64{base, now, x.logs(u), x.logs(w)}
	priced := func(i int) bool {
		return !slices.ContainsFunc(needed[:], func(logs []float64) bool { return logs == nil || math.IsNaN(logs[i]) })
	}
	for i, s := range x.panel.Series() {
		if !x.wants(&x.panel.Products()[s.Product]) || !x.place.holds(s) || !priced(i) {
			continue
		}
		last := len(all) - 1
		if last < 0 || all[last].product != s.Product || all[last].store != s.Store {
			all, last = append(all, matched{product: s.Product, store: s.Store}), last+1
		}
		all[last].series = append(all[last].series, int32(i))
	}
	for k := range all {
		var logs []float64
		for _, i := range all[k].series {
			logs = append(logs, now[i]-base[i])
		}
		all[k].log = mean(logs)
	}
	return all
}

// wants reports whether the product counts in the cell's slice.
func (x *explainer) wants(p *basket.Product) bool {
	return p.Active && (x.cell.Category == basket.Overall || x.cell.Category == p.Category)
}

// holds reports whether the series belongs to the geography.
func (g geography) holds(s panel.Series) bool {
	return (g.level < City || g.city == s.City) && (g.level < Banner || g.banner == s.Banner)
}

// logs returns the log prices of a week, or nil when it has no prices.
func (x *explainer) logs(w panel.Week) []float64 {
	if k, ok := slices.BinarySearch(x.panel.Weeks(), w); ok {
		return x.panel.LogPrices(k)
	}
	return nil
}

func mean(x []float64) float64 { return sum(x) / float64(len(x)) }

// relative is the elementary aggregate of one active product in a cell.
type relative struct {
	product         basket.Product
	rho             float64 // 0 when it is not matched
	stores, trimmed int
}

// relatives returns the elementary aggregates of all active products of the
// cell's slice, by product id, over the same series as match.
func (x *explainer) relatives(week, u, w panel.Week) (all []relative) {
	stores := x.match(week, u, w)
	for i := range x.panel.Products() {
		product := &x.panel.Products()[i]
		if !x.wants(product) {
			continue
		}
		r := relative{product: *product}
		var logs []float64
		for ; len(stores) > 0 && stores[0].product == int32(i); stores = stores[1:] {
			logs = append(logs, stores[0].log)
		}
		if r.stores = len(logs); r.stores > 0 {
			r.rho, r.trimmed = trimmedMean(logs, x.table.Options.Trim)
		}
		all = append(all, r)
	}
	return all
}
