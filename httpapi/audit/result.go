package audit

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// columns are the numbers of an index row: the level, the counts, then the others.
var columns = func() []table.Column {
	list := slices.DeleteFunc(table.Columns(), func(c table.Column) bool { return c.Number == nil })
	rank := func(c table.Column) int {
		return slices.Index([]string{table.TotalItems, table.ItemCount, table.IndexValue}, c.Name)
	}
	slices.SortStableFunc(list, func(a, b table.Column) int { return rank(b) - rank(a) })
	return list
}()

// Recomputation is the index of one week, computed from pages. Check answers for
// those of its cells that the pages hold all prices of.
type Recomputation struct {
	Panel *panel.Panel // that the pages make; cities have slugs of their own: pages have none
	*Evidence
	table      *jevons.Table
	base, week panel.Week
}

// Recompute computes the index of a week on a base week. It fails when rows of
// the pages contradict each other.
func (e *Evidence) Recompute(base, week panel.Week) (*Recomputation, error) {
	p, err := e.panel(base)
	if err != nil {
		return nil, err
	}
	index, err := jevons.Compute(p, jevons.Options{Through: week})
	return &Recomputation{p, e, index, base, week}, err
}

// hold reports whether the pages hold every price of a cell's place and products in a week.
func (r *Recomputation) hold(week panel.Week, cell jevons.Cell) bool {
	for day := week.Date() - 6; day <= week.Date(); day++ {
		for _, product := range r.products {
			held := func(p *Page) bool {
				return p.passes(day, "city", cell.City, "banner", cell.Banner, "product_id", strconv.Itoa(product.ID))
			}
			if (cell.Category == basket.Overall || product.Category == cell.Category.String()) && !slices.ContainsFunc(r.prices, held) {
				return false
			}
		}
	}
	return true
}

// Suffices fails when the pages do not hold every price that the level of the
// cell needs. The error says what to download.
//
// A level needs the week and the base week. A headline needs every week up to its
// entry week instead of the base week: they show that none before had enough
// products.
func (r *Recomputation) Suffices(cell jevons.Cell) error {
	// lack fails when a week is missing, and asks for all up to last.
	lack := func(week, last panel.Week) error {
		if r.hold(week, cell) {
			return nil
		}
		name := map[jevons.Level]string{jevons.National: "the whole country", jevons.City: cell.City, jevons.Banner: cell.Banner + " in " + cell.City}[cell.Level]
		from, to := (week.Date() - 6).String(), last.String()
		return fmt.Errorf("the pages do not hold all prices of %s from %s to %s; download all pages of %s and add their files",
			name, from, to, address(wire.PricesEndpoint, "city", cell.City, "banner", cell.Banner, "from", from, "to", to))
	}
	if err := lack(r.base, r.base); err != nil && r.week > r.base {
		return errors.Join(err, lack(r.week, r.week))
	} else if err != nil {
		return err
	}
	for w := r.base; cell.Category == basket.Overall && w < r.week && r.table.Base(cell) != w; {
		if w = w.Add(1); !r.hold(w, cell) {
			return lack(w, r.week) // the entry week may be any
		}
	}
	return lack(r.week, r.week)
}

// needs returns the prices that the pages lack for a figure beside the level.
func (r *Recomputation) needs(column string, cell jevons.Cell) wire.Text {
	w := r.week
	switch column {
	case table.BasketCost:
		if !r.hold(w, jevons.Cell{Category: cell.Category}) {
			return wire.Text(fmt.Sprintf("week %s of the whole country", w))
		}
		return ""
	case table.ChangeWoW:
		// A headline's change counts from its previous published week.
		for w = w.Add(-1); cell.Category == basket.Overall && w >= r.table.Base(cell) && r.hold(w, cell) && r.table.Find(w, cell) == nil; {
			w = w.Add(-1)
		}
	case table.ChangeMoM:
		w = w.Add(-4)
	case table.ChangeYoY:
		w = w.Add(-52)
	}
	if w < r.table.Base(cell) || r.hold(w, cell) {
		return ""
	}
	return wire.Text(fmt.Sprintf("week %s", w))
}

// Result is the outcome of checking one cell in one week. Its JSON is what
// "larder verify --format json" prints.
type Result struct {
	Date      panel.Week           `json:"date"`
	City      wire.Text            `json:"city"`
	Retailer  wire.Text            `json:"retailer"`
	Category  wire.Text            `json:"category"`
	Level     string               `json:"level"`
	Match     *bool                `json:"matches"` // nil when there was nothing to compare with
	Reason    wire.Text            `json:"not_published"`
	Figures   []Figure             `json:"figures"` // of Row, the level first
	SinceBase *table.Decomposition `json:"since_base"`
	Stores    []StoreRelative      `json:"store_relatives"` // behind Row, by product id and then relative
	Sources   Sources              `json:"sources"`

	Row          *jevons.Row `json:"-"` // recomputed; nil when no row may be published
	NotPublished error       `json:"-"` // why there is no Row: it wraps jevons.ErrNotPublished
	Published    Published   `json:"-"` // nil when there was nothing to compare with
	differing    []string    // the figures that were compared and differ
}

// Figure is one number of a row, recomputed and published, as the server writes it.
type Figure struct {
	Name       string      `json:"figure"`
	Recomputed wire.Number `json:"recomputed"`
	Published  wire.Number `json:"published"`
	Match      *bool       `json:"matches"` // nil unless both are known
	Needs      wire.Text   `json:"needs"`   // the prices that the pages lack for this figure, in words
	Given      bool        `json:"-"`       // Published is known; it may be null
}

// StoreRelative is the relative of one product at one store, as in
// jevons.StoreRelative.
type StoreRelative struct {
	ProductID int     `json:"product_id"`
	Product   string  `json:"-"` // name
	StoreID   int64   `json:"store_id"`
	Banner    string  `json:"banner"`               // key
	City      string  `json:"city"`                 // display name
	Listings  []int64 `json:"retailer_product_ids"` // matched
	Base      float64 `json:"base_price"`           // dollars in the cell's base week
	Price     float64 `json:"price"`                // dollars in the row's week
	Relative  float64 `json:"relative"`             // Price / Base
	Trimmed   bool    `json:"trimmed"`
}

// Check recomputes a cell and compares it with what was published, unless that is
// nil. It fails when the pages do not suffice. A figure that differs is no error: it is in
// the result.
func (r *Recomputation) Check(cell jevons.Cell, published Published) (*Result, error) {
	if err := r.Suffices(cell); err != nil {
		return nil, err
	}
	x := &Result{
		Date: r.week, City: wire.Text(cell.City), Retailer: wire.Text(cell.Banner), Level: cell.Level.String(),
		Published: published, Figures: []Figure{}, Stores: []StoreRelative{}, Sources: r.sources,
	}
	if cell.Category != basket.Overall {
		x.Category = wire.Text(cell.Category.String())
	}
	x.Sources.Verified = r.Panel.Counts().OutsideIndex
	e, err := r.table.Explain(r.week, cell)
	if errors.Is(err, jevons.ErrNotPublished) {
		x.NotPublished, x.Reason = err, wire.Text(err.Error())
	} else if err != nil {
		return nil, err
	} else if err := r.explained(x, cell, e); err != nil {
		return nil, err
	}
	if published != nil {
		x.Match = new((x.Row == nil) == (len(published) == 0) && len(x.differing) == 0)
	}
	return x, nil
}

func (r *Recomputation) explained(x *Result, cell jevons.Cell, e *jevons.Explanation) error {
	stores, err := r.table.StoreRelatives(r.week, cell)
	cities := map[string]string{}
	for _, c := range r.Panel.Cities() {
		cities[c.Slug] = c.Name
	}
	for _, s := range stores {
		x.Stores = append(x.Stores, StoreRelative{
			s.Product.ID, s.Product.Name, s.Store.ID, s.Store.Banner, cities[s.Store.City], s.Listings, s.Base, s.Price, s.Relative, s.Trimmed,
		})
	}
	x.Row, x.SinceBase = &e.Row, &table.Decomposition{Decomposition: &e.SinceBase}
	for _, c := range columns {
		number := func(v panel.Fixed) (n wire.Number) {
			if v.Valid {
				n = wire.Number(v.Append(nil, c.Decimals))
			}
			return n
		}
		was, given := x.Published[c.Name]
		f := Figure{Name: c.Name, Published: number(was), Needs: r.needs(c.Name, cell), Given: given}
		if now := c.Number(x.Row); f.Needs == "" {
			f.Recomputed = number(now)
			if given {
				f.Match = new(now == was)
			}
			if given && now != was {
				x.differing = append(x.differing, c.Name)
			}
		}
		x.Figures = append(x.Figures, f)
	}
	return err
}

// Matches reports whether something was published, and everything that could be
// compared is as published.
func (r *Result) Matches() bool { return r.Match != nil && *r.Match }

// Verdict says in words whether the cell matches.
func (r *Result) Verdict() string {
	switch row := r.Row; {
	case row == nil && r.Published == nil:
		return r.NotPublished.Error()
	case r.Published == nil:
		return fmt.Sprintf("index %s, %d of %d products; nothing was given to compare with", row.Index, row.ItemCount, row.TotalItems)
	case row == nil && len(r.Published) == 0:
		return "matches: no row is published, and none may be\n" + r.NotPublished.Error()
	case row == nil:
		return fmt.Sprintf("DOES NOT MATCH: %s is published, and no row may be\n%s", r.Published[table.IndexValue], r.NotPublished)
	case len(r.Published) == 0:
		return fmt.Sprintf("DOES NOT MATCH: index %s is recomputed, and no row is published", row.Index)
	case !r.Matches():
		return "DOES NOT MATCH in " + strings.Join(r.differing, ", ")
	default:
		return fmt.Sprintf("matches: index %s, %d of %d products", row.Index, row.ItemCount, row.TotalItems)
	}
}

// Kept returns the range of a product's store relatives that were not trimmed, by
// the product's id. Without any, low is +Inf and high is -Inf.
func (r *Result) Kept(product int) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range r.Stores {
		if s.ProductID == product && !s.Trimmed {
			low, high = min(low, s.Relative), max(high, s.Relative)
		}
	}
	return low, high
}
