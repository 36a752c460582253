package panel

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
)

// seen is an observation of a listing at a store, so many weeks after noon.
type seen struct {
	listing, store int64
	week           int
	price          Price
}

func (s seen) observation() *Observation {
	return &Observation{Listing: s.listing, Store: s.store, Effective: s.price, ObservedAt: noon.AddDate(0, 0, 7*s.week)}
}

// lateRecords adds a city, a banner, stores and a listing that sort before,
// between and after those of goodBuilder.
func lateRecords(t *testing.T, b *Builder) {
	t.Helper()
	for _, err := range []error{
		b.AddCity(basket.City{Slug: "c", Name: "Az", Province: "XX"}),
		b.AddBanner(basket.Banner{Key: "a", Name: "a", Retailer: "a", InIndex: true}),
		b.AddStore(Store{ID: 9, Banner: "a", City: "c", Active: true}),
		b.AddStore(Store{ID: 6, Banner: "x", City: "a", Active: true}),
		b.AddListing(Listing{ID: 4_000_000, ProductID: 1, Banner: "a", Active: true}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func build(t *testing.T, b *Builder, list ...seen) *Panel {
	t.Helper()
	for _, s := range list {
		if err := b.Observe(s.observation()); err != nil {
			t.Fatal(err)
		}
	}
	p, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestExtendEqualsBuildingAtOnce(t *testing.T) {
	first := []seen{{1, 1, 0, 19900}, {2, 2, 0, 10000}, {2, 2, 0, 40000}, {3, 3, 2, 30000}, {2, 1, 2, 55000}, {4, 4, 2, 10000}}
	second := []seen{{2, 2, 3, 70000}, {1, 1, 3, 10000}}
	third := []seen{{4_000_000, 9, 5, 20000}, {1, 6, 5, 20000}, {2, 6, 5, 20000}, {3, 3, 5, 10000}, {6, 1, 5, 10000}}

	old := build(t, goodBuilder(t), first...)
	next := build(t, Extend(old), second...)
	b := Extend(next)
	lateRecords(t, b)
	last := build(t, b, third...)

	b = goodBuilder(t)
	lateRecords(t, b)
	want := build(t, b, slices.Concat(first, second, third)...)

	sameFloat := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
	if diff := cmp.Diff(want, last, cmp.AllowUnexported(Panel{}), cmp.Comparer(sameFloat), cmp.FilterPath(
		func(p cmp.Path) bool { return p.Last().String() == ".lineage" }, cmp.Ignore())); diff != "" {
		t.Errorf("-at once +extended\n%s", diff)
	}
	if &old.LogPrices(1)[0] != &next.LogPrices(1)[0] {
		t.Error("no series is new, and yet the earlier weeks are not shared")
	}
	if len(old.Weeks()) != 2 || len(next.Weeks()) != 3 || len(old.Series()) != 4 {
		t.Errorf("the extended panels changed: %v %v", old.Weeks(), next.Weeks())
	}

	for _, c := range []struct {
		p, q *Panel
		want bool
	}{{old, old, true}, {next, old, true}, {last, old, true}, {last, next, true}, {old, next, false}, {want, old, false}, {&Panel{}, &Panel{}, false}} {
		if got := c.p.Extends(c.q); got != c.want {
			t.Errorf("Extends = %v, want %v", got, c.want)
		}
	}
	if other := build(t, Extend(old), second...); other.Extends(next) || !other.Extends(old) {
		t.Error("two panels that extend the same one are taken for each other")
	}
}

func TestExtendRefuses(t *testing.T) {
	b := Extend(build(t, goodBuilder(t), seen{1, 1, 0, 19900}, seen{1, 1, 2, 19900}))
	for _, week := range []int{-1, 0, 1, 2} {
		err := b.Observe(seen{2, 2, week, 10000}.observation())
		if err == nil || !strings.Contains(err.Error(), "one of the panel that is extended") {
			t.Errorf("week %d: %v", week, err)
		}
	}
	err := b.AddProduct(basket.Product{
		ID: 77, Name: "p", Category: basket.Dairy, StandardSize: 1, Unit: basket.Count, Weight: 1, SoldBy: basket.ByPackage, Active: true,
	})
	if err == nil || !strings.Contains(err.Error(), "build it anew") {
		t.Errorf("a new product: %v", err)
	}
	if err := b.AddStore(Store{ID: 1, Banner: "x", City: "a"}); err == nil || !strings.Contains(err.Error(), "taken") {
		t.Errorf("a store that is there: %v", err)
	}
	p := build(t, b)
	if got, want := p.Weeks()[1], WeekOf(noon.Add(14*24*time.Hour)); len(p.Weeks()) != 2 || got != want {
		t.Errorf("nothing was added, and the weeks are %v", p.Weeks())
	}
}
