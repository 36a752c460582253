package release_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
)

// world is a small panel that can be edited.
type world struct {
	base     panel.Week
	weeks    int // closed ones, from base on
	products []basket.Product
	cities   []basket.City
	banners  []basket.Banner
	stores   []panel.Store
	listings []panel.Listing
	specs    []basket.Spec
	entries  []panel.Quarantine
	rows     []panel.Observation
	gate     string
	gates    *[]judged // of this panel and its copies, since to judge all labels takes long; nil: none is kept
}

// judged is a gate with the records that it has.
type judged struct {
	records [5]any
	*panel.Gate
}

// gateOf returns the gate of the panel's records.
func (w *world) gateOf() *panel.Gate {
	records := [5]any{w.products, w.stores, w.listings, w.specs, w.entries}
	for i := 0; w.gates != nil && i < len(*w.gates); i++ {
		if g := (*w.gates)[i]; reflect.DeepEqual(g.records, records) {
			return g.Gate
		}
	}
	g := panel.NewGate(panel.Calendar{}, w.products, w.stores, w.listings, w.specs, w.entries)
	if w.gates != nil {
		*w.gates = append(*w.gates, judged{records, g})
		*w.gates = (*w.gates)[max(0, len(*w.gates)-4):]
	}
	return g
}

var base = panel.DefaultBaseWeek

// noon returns the Wednesday noon of a week numbered from base.
func noon(week int) time.Time {
	return (base.Add(week).Date() - 4).Time(panel.Calendar{}.Zone()).Add(12 * time.Hour).UTC()
}

// newWorld has the given number of weeks, two cities, three banners with three stores
// in each, and four products in each of three categories. One row in twelve is missing.
// Banner z has its first rows in Zed in week 3, so its headline there starts late. Banner x
// has none in Alma in week 2.
// One listing is set aside, and one product is inactive.
func newWorld(seed uint64, weeks int) *world {
	r := rand.New(rand.NewPCG(seed, 15))
	w := &world{base: base, weeks: weeks, gate: "gate-1"}
	for id := int64(1); id <= 12; id++ {
		w.products = append(w.products, basket.Product{
			ID: id, Name: fmt.Sprint("product ", id), Category: basket.Categories(nil).Slugs()[(id-1)/4], StandardSize: 1,
			Unit: basket.Count, Weight: float64(10+r.IntN(40)) / 1000, SoldBy: basket.ByPackage, Active: true,
		})
	}
	w.products[11].Active = false
	w.entries = []panel.Quarantine{{Listing: 205}}
	w.cities = []basket.City{{Slug: "a", Name: "Alma", Province: "QC"}, {Slug: "z", Name: "Zed", Province: "ON"}}
	for i, key := range []string{"x", "y", "z"} {
		w.banners = append(w.banners, basket.Banner{Key: key, Name: key, Retailer: key, InIndex: true})
		for _, p := range w.products {
			w.listings = append(w.listings, panel.Listing{ID: int64(100*(i+1)) + p.ID, ProductID: p.ID, Banner: key, Active: true})
		}
		for n := range 6 {
			w.stores = append(w.stores, panel.Store{ID: int64(10*(i+1) + n), Banner: key, City: w.cities[n%2].Slug, Active: true})
		}
	}
	for week := -1; week < weeks+1; week++ {
		for _, s := range w.stores {
			for _, l := range w.listings {
				late := s.Banner == "z" && s.City == "z" && week < 3
				if l.Banner != s.Banner || late || r.IntN(12) == 0 {
					continue
				}
				price := panel.Price(20_000 + 1000*l.ProductID + 10*r.Int64N(500))
				if gap := s.Banner == "x" && s.City == "a" && week == 2; !gap {
					w.add(l.ID, s.ID, week, price)
				}
			}
		}
	}
	return w
}

// add adds a row of a week, with the next id.
func (w *world) add(listing, store int64, week int, price panel.Price) {
	w.rows = append(w.rows, panel.Observation{
		ID: int64(len(w.rows) + 1), Listing: listing, Store: store, Effective: price, ScrapedName: "a title", ObservedAt: noon(week),
	})
}

func (w *world) clone() *world {
	c := *w
	c.products, c.cities, c.banners = slices.Clone(w.products), slices.Clone(w.cities), slices.Clone(w.banners)
	c.stores, c.listings, c.specs = slices.Clone(w.stores), slices.Clone(w.listings), slices.Clone(w.specs)
	c.entries, c.rows = slices.Clone(w.entries), slices.Clone(w.rows)
	return &c
}

// snapshot judges the rows and computes the table.
func (w *world) snapshot(t testing.TB) *release.Snapshot {
	t.Helper()
	b := panel.NewBuilder(w.base)
	addAll(b.AddProduct, w.products)
	addAll(b.AddCity, w.cities)
	addAll(b.AddBanner, w.banners)
	addAll(b.AddStore, w.stores)
	addAll(b.AddListing, w.listings)
	gate := w.gateOf()
	rows, screenOf := panel.NewRowsBuilder(gate), screens()
	for i := range w.rows {
		o := w.rows[i]
		screen := screenOf(gate, &o)
		o.Verdict = screen.Judge(o.Store, o.ID, o.ObservedAt).Verdict
		orPanic(rows.Add(screen, &o))
		orPanic(b.Observe(&o))
	}
	s := &release.Snapshot{
		Rows: rows.Build(), Quarantine: w.entries, Gate: w.gate, Method: "method-1",
	}
	s.Panel = must(b.Build())
	s.Table = must(jevons.Compute(s.Panel, jevons.Options{Through: base.Add(w.weeks - 1)}))
	return s
}

// screens returns a function that screens rows. It remembers the last label of each listing.
func screens() func(*panel.Gate, *panel.Observation) *panel.LabelGate {
	known := map[int64]*panel.LabelGate{}
	return func(gate *panel.Gate, o *panel.Observation) *panel.LabelGate {
		s := known[o.Listing]
		if label := o.Label(); s == nil || s.Label != label {
			s = gate.ForLabel(label)
			known[o.Listing] = s
		}
		return s
	}
}

func addAll[T any](add func(T) error, list []T) {
	for _, x := range list {
		orPanic(add(x))
	}
}

// must returns the result of a call that works, or panics.
func must[T any](x T, err error) T {
	orPanic(err)
	return x
}

func orPanic(err error) {
	if err != nil {
		panic(err)
	}
}

// edit is a change of one kind that a publisher can make.
type edit struct {
	name   string
	causes []release.Cause
	apply  func(w *world, r *rand.Rand)
}

// edits is every kind of change. Those of rows go to closed weeks.
var edits = []edit{
	{"a late row", of(release.AddedRows), func(w *world, r *rand.Rand) {
		l := w.listings[r.IntN(11)]
		w.add(l.ID, w.stores[r.IntN(6)].ID, r.IntN(w.weeks), 90_000)
	}},
	{"late rows of a new listing", of(release.AddedRows), func(w *world, r *rand.Rand) {
		w.listings = append(w.listings, panel.Listing{ID: 999, ProductID: 1 + r.Int64N(11), Banner: "x", Active: true})
		for _, week := range r.Perm(w.weeks)[:3] {
			w.add(999, w.stores[r.IntN(6)].ID, week, 70_000)
		}
	}},
	{"rows that were lost", of(release.AddedRows), func(w *world, r *rand.Rand) {
		w.rows = slices.DeleteFunc(w.rows, func(panel.Observation) bool { return r.IntN(200) == 0 })
	}},
	{"the base of a late place", of(release.AddedRows), func(w *world, r *rand.Rand) {
		for _, l := range w.listings[24:35] {
			w.add(l.ID, 31, 2, 50_000)
		}
	}},
	{"a week that was missing", of(release.AddedRows), func(w *world, r *rand.Rand) {
		for _, l := range w.listings[:11] {
			w.add(l.ID, 10, 2, 50_000)
		}
	}},
	{"a row set aside", of(release.Quarantine), func(w *world, r *rand.Rand) {
		o := w.rows[w.row(206, r.IntN(w.weeks))]
		w.entries = append(w.entries, panel.Quarantine{Listing: o.Listing, Observation: o.ID})
	}},
	{"a listing set aside", of(release.Quarantine), func(w *world, r *rand.Rand) {
		w.entries = append(w.entries, panel.Quarantine{Listing: w.listings[r.IntN(11)].ID, Rule: panel.WrongProduct})
	}},
	{"a banner's week set aside in a city", of(release.Quarantine), func(w *world, r *rand.Rand) {
		day := base.Add(r.IntN(w.weeks)).Date()
		w.entries = append(w.entries, panel.Quarantine{Banner: "x", City: "a", From: day - 6, To: day})
	}},
	{"an entry released", of(release.Quarantine), func(w *world, _ *rand.Rand) { w.entries[0].Released = true }},
	{"a correction", of(release.AddedRows, release.Quarantine), func(w *world, r *rand.Rand) {
		o := w.rows[w.row(101+int64(r.IntN(11)), r.IntN(w.weeks))]
		w.entries = append(w.entries, panel.Quarantine{Listing: o.Listing, Observation: o.ID})
		o.ID, o.Effective = 1<<52, o.Effective*2
		w.rows = append(w.rows, o)
	}},
	{"a weight", of(release.Reference), func(w *world, r *rand.Rand) { w.products[r.IntN(11)].Weight *= 3 }},
	{"a product that goes", of(release.Reference), func(w *world, r *rand.Rand) { w.products[r.IntN(11)].Active = false }},
	{"a product that comes", of(release.Reference), func(w *world, _ *rand.Rand) { w.products[11].Active = true }},
	{"a product of another category", of(release.Reference), func(w *world, _ *rand.Rand) { w.products[1].Category = "household" }},
	{"a listing of another product", of(release.Reference), func(w *world, r *rand.Rand) {
		l := &w.listings[r.IntN(11)]
		l.ProductID = 1 + l.ProductID%11
	}},
	{"a retired listing", of(release.Reference), func(w *world, r *rand.Rand) { w.listings[r.IntN(11)].Active = false }},
	{"a store in another city", of(release.Reference), func(w *world, _ *rand.Rand) { w.stores[3].City = "a" }},
	{"a closed store", of(release.Reference), func(w *world, r *rand.Rand) { w.stores[r.IntN(6)].Active = false }},
	{"a banner outside the index", of(release.Reference), func(w *world, _ *rand.Rand) { w.banners[1].InIndex = false }},
	{"a city of another name", of(release.Reference), func(w *world, _ *rand.Rand) { w.cities[0].Name = "Zz" }},
	{"a spec", of(release.Reference), func(w *world, r *rand.Rand) {
		w.specs = append(w.specs, basket.Spec{ProductID: 1 + r.Int64N(11), Require: [][]string{{"something else"}}})
	}},
	{"the base week", of(release.Settings), func(w *world, _ *rand.Rand) { w.base = w.base.Add(1) }},
	{"an earlier base week", of(release.NewWeek, release.Settings), func(w *world, _ *rand.Rand) { w.base = w.base.Add(-1) }},
	{"a new week", of(release.NewWeek), func(w *world, _ *rand.Rand) { w.weeks++ }},
	{"another gate", of(release.Method), func(w *world, _ *rand.Rand) {
		w.gate, w.specs = "gate-2", append(w.specs, basket.Spec{ProductID: 1, Require: [][]string{{"something else"}}})
	}},
}

func of(c ...release.Cause) []release.Cause { return c }

// row returns the place of a listing's first row in a week, or of any row.
func (w *world) row(listing int64, week int) int {
	return max(0, slices.IndexFunc(w.rows, func(o panel.Observation) bool {
		return o.Listing == listing && o.ObservedAt.Equal(noon(week))
	}))
}

// renumbered gives the rows other ids. Entries for single rows follow.
func (w *world) renumbered(r *rand.Rand) *world {
	c := w.clone()
	ids := map[int64]int64{}
	for i, n := range r.Perm(len(c.rows)) {
		ids[c.rows[i].ID] = int64(n + 1)
		c.rows[i].ID = int64(n + 1)
	}
	for i := range c.entries {
		c.entries[i].Observation = ids[c.entries[i].Observation]
	}
	return c
}
