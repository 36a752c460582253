package jevons

import (
	"errors"
	"fmt"
	"math"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// ErrNotPublished is what Explain returns, wrapped with the reason, for a cell
// that has no row in the week.
var ErrNotPublished = errors.New("not published")

// Explanation takes one row apart.
type Explanation struct {
	Row       Row
	SinceBase Decomposition
	WoW       *Decomposition // nil when the row has no week-over-week change
}

// Decomposition splits a change of a level among the products behind it.
type Decomposition struct {
	From     panel.Week     // the week that the change is counted from
	Change   float64        // percent, before rounding
	Products []Contribution // by product id
}

// Contribution is one product's part in a change.
//
// With a level 100 * exp(rho) and rho = Σ share_i * rho_i, the change
// 100 * (exp(rho) - 1) is split in proportion to share_i * rho_i: the
// logarithmic-mean decomposition, which leaves no residual (Balk, Price and
// Quantity Index Numbers, 2008, sec. 4.4).
type Contribution struct {
	Product  basket.Product
	Relative float64 // the product's relative against the cell's base, in the row's week; 0: not matched
	Before   float64 // the same in the week From (1 in the base week); 0: not matched
	Share    float64 // its normalized weight in the row's week; shares sum to 1
	Stores   int     // stores with a matched relative
	Trimmed  int     // of these, how many were dropped, both ends together
	// Points is the contribution in percentage points. Added up in this
	// order, the products' Points are the Change.
	Points float64
	// Rounded is Points rounded to four decimals such that the products' sum
	// is the published change: Index - 100, or WoW.
	Rounded panel.Fixed
}

// Explain takes one row of the table apart. The table must be Compute's for
// this panel. For a cell without a row in that week it returns
// ErrNotPublished with the reason.
func (t *Table) Explain(p *panel.Panel, week panel.Week, cell Cell) (*Explanation, error) {
	x, err := newExplainer(t, p, cell)
	if err != nil {
		return nil, err
	}
	row := t.Find(week, cell)
	if row == nil {
		return nil, x.whyNot(week)
	}
	now := x.relatives(week, week, week)
	since := x.sinceBase(row, now)
	if !row.WoW.Valid {
		return &Explanation{Row: *row, SinceBase: since}, nil
	}
	wow := x.weekOverWeek(row, now)
	return &Explanation{Row: *row, SinceBase: since, WoW: &wow}, nil
}

// explainer recomputes one cell, product by product, in the plain way.
type explainer struct {
	table *Table
	panel *panel.Panel
	cell  Cell
	place geography
	base  panel.Week
}

func newExplainer(t *Table, p *panel.Panel, cell Cell) (*explainer, error) {
	x := &explainer{table: t, panel: p, cell: cell, place: geography{cell.Level, -1, -1}, base: t.Options.Base}
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
		return nil, fmt.Errorf("jevons: explain: %w", err)
	}
	if cell.Category == basket.Overall {
		if entry := t.first(cell); entry != nil {
			x.base = entry.Week
		}
	}
	return x, nil
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
		switch entry := x.table.first(x.cell); {
		case entry == nil:
			return reason("in no week so far are %s of the products priced", x.table.Options.Floor)
		case week < entry.Week:
			return reason("the series starts in its entry week, %s", entry.Week)
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

// sinceBase splits the change since the cell's base.
func (x *explainer) sinceBase(row *Row, now []relative) Decomposition {
	shares := x.shares(now)
	d := Decomposition{From: x.base}
	rho := 0.0
	for i, r := range now {
		if r.stores > 0 {
			rho += shares[i] * r.rho
			d.Products = append(d.Products, Contribution{
				Product: r.product, Relative: math.Exp(r.rho), Before: 1, Share: shares[i],
				Stores: r.stores, Trimmed: r.trimmed, Points: shares[i] * r.rho,
			})
		}
	}
	d.Change = 100 * math.Expm1(rho)
	d.scale(row.Index.Units - 100*unitsPerOne)
	return d
}

// weekOverWeek splits the published change against the week before. A
// headline's is same-composition: both levels on the series priced in the base
// week, the previous published week and this one. A category's is the ratio of
// two published levels, each with its own matched products, so one that is
// matched in one of them only takes part too.
func (x *explainer) weekOverWeek(row *Row, now []relative) Decomposition {
	previous := x.table.before(row.Week, x.cell)
	d := Decomposition{From: previous.Week}
	var before []relative
	if x.cell.Category == basket.Overall {
		before = x.relatives(previous.Week, previous.Week, row.Week)
		now = x.relatives(row.Week, previous.Week, row.Week)
	} else {
		before = x.relatives(previous.Week, previous.Week, previous.Week)
	}
	sharesNow, sharesBefore := x.shares(now), x.shares(before)
	rho := 0.0
	for i, r := range now {
		b := before[i]
		if r.stores == 0 && b.stores == 0 {
			continue
		}
		c := Contribution{
			Product: r.product, Share: sharesNow[i], Stores: r.stores, Trimmed: r.trimmed,
			Points: sharesNow[i]*r.rho - sharesBefore[i]*b.rho,
		}
		if r.stores > 0 {
			c.Relative = math.Exp(r.rho)
		}
		if b.stores > 0 {
			c.Before = math.Exp(b.rho)
		}
		rho += c.Points
		d.Products = append(d.Products, c)
	}
	if x.cell.Category == basket.Overall {
		d.Change = 100 * math.Expm1(rho)
	} else {
		d.Change = 100 * float64(row.Index.Units-previous.Index.Units) / float64(previous.Index.Units)
	}
	d.scale(row.WoW.Units)
	return d
}
