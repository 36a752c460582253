package panel

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
)

var noon = time.Date(2026, 7, 15, 12, 0, 0, 0, Calendar{}.Zone())

// TestNotMade uses builders that NewBuilder did not make, and one that is used up.
func TestNotMade(t *testing.T) {
	used := NewBuilder(0)
	if _, err := used.Build(); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]*Builder{"nil": nil, "zero": {}, "used": used} {
		_, built := b.Build()
		for i, err := range []error{
			built, b.AddSetting(Setting{"publisher", "x"}), b.AddProduct(basket.Product{ID: 1}), b.AddCity(basket.City{}),
			b.AddBanner(basket.Banner{}), b.AddStore(Store{}), b.AddListing(Listing{}), b.AddPilot(PilotRow{}),
			b.AddWord(basket.Word{}), b.AddMatch(Match{}), b.Observe(&Observation{}), b.Observe(nil),
		} {
			if err == nil {
				t.Errorf("%s: number %d is no error", name, i)
			}
		}
	}
	var none *Panel
	if _, err := none.Regular(nil); err == nil {
		t.Error("a nil panel has regular prices")
	}
}

// goodBuilder has products 1 to 3 (3 inactive), cities a and b, banners in the
// index (x, y) and outside it (out), stores 1 to 5 (5 inactive; 4 of out) and
// listings 1 to 6.
func goodBuilder(t *testing.T) *Builder {
	t.Helper()
	b := NewBuilder(0)
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	for id := int64(3); id >= 1; id-- {
		must(b.AddProduct(basket.Product{
			ID: id, Name: "p", Category: "dairy", StandardSize: 1, Unit: basket.Count, Weight: 1,
			SoldBy: basket.ByPackage, Active: id < 3,
		}))
	}
	must(b.AddCity(basket.City{Slug: "b", Name: "Bee", Province: "XX"}))
	must(b.AddCity(basket.City{Slug: "a", Name: "Ay", Province: "XX"}))
	for _, key := range []string{"y", "x", "out"} {
		must(b.AddBanner(basket.Banner{Key: key, Name: key, Retailer: key, InIndex: key != "out"}))
	}
	for _, s := range []Store{
		{ID: 3, Banner: "y", City: "a", Active: true},
		{ID: 1, Banner: "x", City: "b", Active: true},
		{ID: 2, Banner: "x", City: "a", Active: true},
		{ID: 4, Banner: "out", City: "a", Active: true},
		{ID: 5, Banner: "x", City: "a"},
	} {
		must(b.AddStore(s))
	}
	for _, m := range []Listing{
		{ID: 1, ProductID: 2, Banner: "x", Active: true},
		{ID: 2, ProductID: 1, Banner: "x", Active: true},
		{ID: 3, ProductID: 1, Banner: "y", Active: true},
		{ID: 4, ProductID: 1, Banner: "out", Active: true},
		{ID: 5, ProductID: 3, Banner: "x", Active: true},
		{ID: 6, ProductID: 1, Banner: "x"}, // retired
		{ID: 5_000_000, ProductID: 1, Banner: "x", Active: true},
	} {
		must(b.AddListing(m))
	}
	return b
}

// TestBuilderRefuses adds bad records. Each refusal names the record and every reason, and
// the builder stays as it was.
func TestBuilderRefuses(t *testing.T) {
	product := func(id int64, weight float64) func(*Builder) error {
		p := basket.Product{ID: id, Name: "p", Category: "dairy", StandardSize: 1, Unit: basket.Count, Weight: weight, SoldBy: basket.ByPackage}
		return func(b *Builder) error { return b.AddProduct(p) }
	}
	city := func(c basket.City) func(*Builder) error { return func(b *Builder) error { return b.AddCity(c) } }
	store := func(s Store) func(*Builder) error { return func(b *Builder) error { return b.AddStore(s) } }
	listing := func(l Listing) func(*Builder) error { return func(b *Builder) error { return b.AddListing(l) } }
	pilot := func(r PilotRow) func(*Builder) error { return func(b *Builder) error { return b.AddPilot(r) } }
	seen := func(listing, store int64, price Price, at time.Time, v Verdict) func(*Builder) error {
		o := Observation{ID: 77, Listing: listing, Store: store, Effective: price, ObservedAt: at, Verdict: v}
		return func(b *Builder) error { return b.Observe(&o) }
	}
	const badPrice = ` ten-thousandths: not above 0 and up to 10000000.00`
	for _, c := range []struct {
		add  func(*Builder) error
		want string
	}{
		{product(1, 1), "product 1 (number 4 added): the id is taken"},
		{product(9, math.NaN()), "product 9 (number 4 added): basket_weight NaN is not a number of at least 0"},
		{city(basket.City{Slug: "a", Name: "New", Province: "XX"}), `city "a" (number 3 added): the slug is taken`},
		{city(basket.City{Slug: "c", Name: "Bee", Province: "XX"}), `city "c" (number 3 added): the name "Bee" is taken`},
		{func(b *Builder) error { return b.AddBanner(basket.Banner{Key: "A b", Name: "n", Retailer: "r"}) },
			`banner "A b" (number 4 added): key "A b" is not lowercase letters, digits, "-", "_" and "."`},
		{store(Store{ID: 9, Banner: "z", City: "q"}), "store 9 (number 6 added): banner \"z\" is unknown; add it first\ncity \"q\" is unknown; add it first"},
		{store(Store{ID: 1, Banner: "x", City: "a"}), "store 1 (number 6 added): the id is taken"},
		{store(Store{ID: -1, Banner: "x", City: "a"}), "store -1 (number 6 added): the id is not above 0"},
		{store(Store{Banner: "x", City: "a"}), "store 0 (number 6 added): the id is not above 0"},
		{listing(Listing{ID: 9, ProductID: 99, Banner: "x"}), "listing 9 (number 8 added): product 99 is unknown; add it first"},
		{listing(Listing{ID: 5_000_000, ProductID: 1, Banner: "x"}), "listing 5000000 (number 8 added): the id is taken"},
		{seen(99, 1, 1, noon, Pass), "observation 77, listing 99 at store 1 (number 1 added): listing 99 is unknown; add it first"},
		{seen(1, 99, 1, noon, Pass), "observation 77, listing 1 at store 99 (number 1 added): store 99 is unknown; add it first"},
		{seen(99, 98, 1, noon, Pass), "observation 77, listing 99 at store 98 (number 1 added): listing 99 is unknown; add it first\nstore 98 is unknown; add it first"},
		{seen(1, 3, 1, noon, Pass), `observation 77, listing 1 at store 3 (number 1 added): listing 1 is of banner "x", store 3 of banner "y"`},
		{seen(1, 1, 0, noon, Pass), "observation 77, listing 1 at store 1 (number 1 added): effective price 0" + badPrice},
		{seen(1, 1, -5, noon, Pass), "observation 77, listing 1 at store 1 (number 1 added): effective price -5" + badPrice},
		{seen(1, 1, 0, noon, Quarantined), "observation 77, listing 1 at store 1 (number 1 added): effective price 0" + badPrice},
		{seen(1, 1, 1, time.Time{}, Pass), "observation 77, listing 1 at store 1 (number 1 added): observed at 0001-01-01 00:00:00 +0000 UTC: not in the years 1970 to 2199"},
		{seen(1, 1, 1, noon, 9), "observation 77, listing 1 at store 1 (number 1 added): no such verdict: Verdict(9)"},
		{pilot(PilotRow{Date: DefaultBaseWeek, City: "q", Banner: "z", IndexValue: FixedOf(1)}),
			"pilot row 2026-07-19 (number 1 added): city \"q\" is unknown; add it first\nbanner \"z\" is unknown; add it first"},
		{pilot(PilotRow{Date: DefaultBaseWeek, City: "a", Banner: "x", IndexValue: FixedOf(0)}), "pilot row 2026-07-19 (number 1 added): the index value is not above 0"},
		{pilot(PilotRow{Date: DefaultBaseWeek + 1, IndexValue: FixedOf(1)}), "pilot row 2026-07-20 (number 1 added): the date is no Sunday"},
		{pilot(PilotRow{Date: DefaultBaseWeek, Banner: "x", IndexValue: FixedOf(1)}), "pilot row 2026-07-19 (number 1 added): a banner's row needs a city"},
		{pilot(PilotRow{Date: DefaultBaseWeek}), "pilot row 2026-07-19 (number 1 added): the index value is not above 0"},
	} {
		b := goodBuilder(t)
		err := c.add(b)
		if _, ok := errors.AsType[*RecordError](err); !ok || err.Error() != c.want {
			t.Errorf("got %v, want the RecordError %s", err, c.want)
		}
		if err := seen(1, 1, 1, noon, Pass)(b); err != nil {
			t.Fatal(err)
		}
		if p, err := b.Build(); err != nil || p.Counts().Used != 1 {
			t.Errorf("after %q: %v", c.want, err)
		}
	}
}

func TestLayoutAndCounts(t *testing.T) {
	b := goodBuilder(t)
	week := 7 * 24 * time.Hour
	for _, o := range []Observation{
		{Listing: 1, Store: 1, Effective: 2_0000, ObservedAt: noon},
		{Listing: 2, Store: 2, Effective: 3_0000, ObservedAt: noon},
		{Listing: 3, Store: 3, Effective: 4_0000, ObservedAt: noon.Add(2 * week)},
		{Listing: 2, Store: 1, Effective: 8_0000, ObservedAt: noon},
		{Listing: 2, Store: 1, Effective: 2_0000, ObservedAt: noon.Add(time.Hour)},
		{Listing: 5_000_000, Store: 1, Effective: 5_0000, ObservedAt: noon},
		{Listing: 4, Store: 4, Effective: 1, ObservedAt: noon},
		{Listing: 2, Store: 5, Effective: 1, ObservedAt: noon},
		{Listing: 5, Store: 1, Effective: 1, ObservedAt: noon},
		{Listing: 6, Store: 1, Effective: 1, ObservedAt: noon},
		{Listing: 2, Store: 1, Effective: 1, ObservedAt: noon, Verdict: Quarantined},
		{Listing: 2, Store: 1, Effective: 1, ObservedAt: noon, Verdict: FailsIdentity},
		{Listing: 6, Store: 1, Effective: 1, ObservedAt: noon, Verdict: Quarantined},
		{Listing: 3, Store: 3, Effective: 1_0000, ObservedAt: noon.Add(2 * week)},
	} {
		if err := b.Observe(&o); err != nil {
			t.Fatal(err)
		}
	}
	p, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	want := Counts{
		Observations: 14, InactiveStore: 1, RetiredListing: 2, InactiveProduct: 1, OutsideIndex: 1,
		Quarantined: 1, FailsIdentity: 1, Used: 7,
	}
	if got := p.Counts(); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
	// By product, city, banner, store, listing.
	var series [][5]int64
	for _, s := range p.Series() {
		series = append(series, [5]int64{
			int64(p.Products()[s.Product].ID), int64(s.City), int64(s.Banner),
			p.Stores()[s.Store].ID, p.Listings()[s.Listing].ID,
		})
	}
	wantSeries := [][5]int64{{1, 0, 1, 2, 2}, {1, 0, 2, 3, 3}, {1, 1, 1, 1, 2}, {1, 1, 1, 1, 5_000_000}, {2, 1, 1, 1, 1}}
	if !slices.Equal(series, wantSeries) {
		t.Errorf("series %v, want %v", series, wantSeries)
	}
	if w := p.Weeks(); len(w) != 2 || w[0] != DefaultBaseWeek || w[1] != DefaultBaseWeek.Add(2) {
		t.Errorf("weeks %v", w)
	}
	nan := math.NaN()
	for k, wanted := range [][]float64{{3, nan, 4, 5, 2}, {nan, 2, nan, nan, nan}} { // 4 = sqrt(8 * 2), 2 = sqrt(4 * 1)
		for i, log := range p.LogPrices(k) {
			if got := math.Exp(log); math.IsNaN(wanted[i]) != math.IsNaN(log) || math.Abs(got-wanted[i]) > 1e-12 {
				t.Errorf("week %d, series %d: price %v, want %v", k, i, got, wanted[i])
			}
		}
	}
}

func TestBuildOnce(t *testing.T) {
	b, aliases := goodBuilder(t), []string{"lait"}
	milk := basket.Product{
		ID: 9, Name: "Milk", Aliases: aliases, Category: "dairy", StandardSize: 1, Unit: basket.Count, SoldBy: basket.ByPackage,
	}
	if err := b.AddProduct(milk); err != nil {
		t.Fatal(err)
	}
	if aliases[0] = "mine"; b.p.products[3].Aliases[0] != "lait" {
		t.Error("the caller's slice is the panel's")
	}
	if p, err := b.Build(); err != nil || len(p.Weeks()) != 0 {
		t.Fatalf("an empty panel: %v", err)
	}
	b = NewBuilder(DefaultBaseWeek + 1)
	if _, err := b.Build(); err == nil || b.AddBanner(basket.Banner{}) == nil {
		t.Error("a base week that is no Sunday was taken")
	}
}
