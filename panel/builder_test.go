package panel

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
)

var noon = time.Date(2026, 7, 15, 12, 0, 0, 0, Toronto)

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
	for id := 3; id >= 1; id-- {
		must(b.AddProduct(basket.Product{
			ID: id, Name: "p", Category: basket.Dairy, StandardSize: 1, Unit: basket.Count, Weight: 1,
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

func TestBuilderRefuses(t *testing.T) {
	product := basket.Product{ID: 9, Name: "p", Category: basket.Dairy, StandardSize: 1, Unit: basket.Count, Weight: 1, SoldBy: basket.ByPackage}
	seen := func(m, s int64, price Price, at time.Time) *Observation {
		return &Observation{ID: 77, Listing: m, Store: s, Effective: price, ObservedAt: at}
	}
	for _, c := range []struct {
		name string
		add  func(b *Builder) error
		want []string
	}{
		{"product id taken", func(b *Builder) error { p := product; p.ID = 1; return b.AddProduct(p) }, []string{"product 1 (number 4 added)", "taken"}},
		{"product with no number for a weight", func(b *Builder) error { p := product; p.Weight = math.NaN(); return b.AddProduct(p) }, []string{"product 9", "basket_weight NaN"}},
		{"city slug taken", func(b *Builder) error { return b.AddCity(basket.City{Slug: "a", Name: "New", Province: "XX"}) }, []string{`city "a"`, "slug is taken"}},
		{"city name taken", func(b *Builder) error { return b.AddCity(basket.City{Slug: "c", Name: "Bee", Province: "XX"}) }, []string{`city "c"`, `name "Bee" is taken`}},
		{"banner key", func(b *Builder) error { return b.AddBanner(basket.Banner{Key: "A b", Name: "n", Retailer: "r"}) }, []string{`banner "A b"`, "lowercase"}},
		{"store of nobody nowhere", func(b *Builder) error { return b.AddStore(Store{ID: 9, Banner: "z", City: "q"}) }, []string{"store 9", `banner "z" is unknown`, `city "q" is unknown`}},
		{"store id taken", func(b *Builder) error { return b.AddStore(Store{ID: 1, Banner: "x", City: "a"}) }, []string{"store 1", "taken"}},
		{"store id 0", func(b *Builder) error { return b.AddStore(Store{Banner: "x", City: "a"}) }, []string{"not above 0"}},
		{"listing of no product", func(b *Builder) error { return b.AddListing(Listing{ID: 9, ProductID: 99, Banner: "x"}) }, []string{"listing 9", "product 99 is unknown"}},
		{"listing id taken", func(b *Builder) error { return b.AddListing(Listing{ID: 5_000_000, ProductID: 1, Banner: "x"}) }, []string{"listing 5000000", "taken"}},
		{"unknown listing", func(b *Builder) error { return b.Observe(seen(99, 1, 1, noon)) }, []string{"observation 77, listing 99 at store 1 (number 1 added)", "listing 99 is unknown"}},
		{"unknown store", func(b *Builder) error { return b.Observe(seen(1, 99, 1, noon)) }, []string{"store 99 is unknown"}},
		{"another banner's store", func(b *Builder) error { return b.Observe(seen(1, 3, 1, noon)) }, []string{`listing 1 is of banner "x", store 3 of banner "y"`}},
		{"price 0", func(b *Builder) error { return b.Observe(seen(1, 1, 0, noon)) }, []string{"effective price 0"}},
		{"price below 0", func(b *Builder) error { return b.Observe(seen(1, 1, -5, noon)) }, []string{"effective price -5"}},
		{"no time", func(b *Builder) error { return b.Observe(seen(1, 1, 1, time.Time{})) }, []string{"not in the years 1970 to 2199"}},
		{"no such verdict", func(b *Builder) error {
			o := seen(1, 1, 1, noon)
			o.Verdict = 9
			return b.Observe(o)
		}, []string{"no such verdict"}},
		{"quarantined without a price", func(b *Builder) error {
			o := seen(1, 1, 0, noon)
			o.Verdict = Quarantined
			return b.Observe(o)
		}, []string{"effective price 0"}},
		{"unknown listing and store", func(b *Builder) error { return b.Observe(seen(99, 99, 1, noon)) }, []string{"listing 99 is unknown", "store 99 is unknown"}},
		{"pilot row of a city and a banner that nobody knows", func(b *Builder) error {
			return b.AddPilot(PilotRow{Date: DefaultBaseWeek, City: "q", Banner: "z", IndexValue: FixedOf(1)})
		}, []string{`city "q" is unknown`, `banner "z" is unknown`}},
		{"pilot row below 0", func(b *Builder) error {
			return b.AddPilot(PilotRow{Date: DefaultBaseWeek, City: "a", Banner: "x", IndexValue: FixedOf(0)})
		}, []string{"index value is not above 0"}},
		{"pilot row on a Monday", func(b *Builder) error {
			return b.AddPilot(PilotRow{Date: DefaultBaseWeek + 1, IndexValue: FixedOf(1)})
		}, []string{"no Sunday"}},
		{"pilot row of a banner nowhere", func(b *Builder) error {
			return b.AddPilot(PilotRow{Date: DefaultBaseWeek, Banner: "x", IndexValue: FixedOf(1)})
		}, []string{"needs a city"}},
		{"pilot row without a value", func(b *Builder) error { return b.AddPilot(PilotRow{Date: DefaultBaseWeek}) }, []string{"index value is not above 0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := goodBuilder(t)
			err := c.add(b)
			var record *RecordError
			if !errors.As(err, &record) {
				t.Fatalf("got %v, want a RecordError", err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
			for line := range strings.Lines(err.Error()) {
				if !slices.ContainsFunc(c.want, func(want string) bool { return strings.Contains(line, want) }) {
					t.Errorf("%q says %q too", err, line)
				}
			}
			// The builder goes on as if the record had not been offered.
			if err := b.Observe(seen(1, 1, 1, noon)); err != nil {
				t.Fatal(err)
			}
			if p, err := b.Build(); err != nil || p.Counts().Used != 1 {
				t.Errorf("afterwards: %v", err)
			}
		})
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
	if m := p.MissingWeeks(DefaultBaseWeek.Add(9)); len(m) != 1 || m[0] != DefaultBaseWeek.Add(1) {
		t.Errorf("missing weeks %v", m)
	}
	nan := math.NaN()
	for k, wanted := range [][]float64{{3, nan, 4, 5, 2}, {nan, 2, nan, nan, nan}} { // 4 = sqrt(8 * 2), 2 = sqrt(4 * 1)
		for i, log := range p.LogPrices(k) {
			if got := math.Exp(log); math.IsNaN(wanted[i]) != math.IsNaN(log) || math.Abs(got-wanted[i]) > 1e-12 {
				t.Errorf("week %d, series %d: price %v, want %v", k, i, got, wanted[i])
			}
		}
	}
	cover := p.Coverage()
	if cover[0].City != "Ay" || cover[0].Products[0] != 1 || cover[0].Stores[0] != 1 || cover[1].Products[0] != 2 || cover[1].Products[1] != 0 {
		t.Errorf("coverage %+v", cover)
	}
	if n := p.ActiveProducts(); n != 2 {
		t.Errorf("%d active products", n)
	}
}

func TestBuildOnce(t *testing.T) {
	b := goodBuilder(t)
	if p, err := b.Build(); err != nil || len(p.Weeks()) != 0 {
		t.Fatalf("an empty panel: %v", err)
	}
	if _, err := b.Build(); err == nil {
		t.Error("a builder was used twice")
	}
	if err := b.AddCity(basket.City{Slug: "z", Name: "Zee", Province: "XX"}); err == nil {
		t.Error("a record was added to a used builder")
	}
	b = NewBuilder(DefaultBaseWeek + 1)
	if _, err := b.Build(); err == nil || b.AddBanner(basket.Banner{}) == nil {
		t.Error("a base week that is no Sunday was taken")
	}
	var zero Builder
	if err := zero.AddCity(basket.City{Slug: "z", Name: "Zee", Province: "XX"}); err != nil {
		t.Error(err)
	}
	if p, err := zero.Build(); err != nil || p.BaseWeek() != DefaultBaseWeek {
		t.Errorf("the zero Builder: %v", err)
	}
}

// Many prices fill several chunks. Every series keeps its own, whatever the
// order in which series and weeks came.
func TestManyPrices(t *testing.T) {
	b := goodBuilder(t)
	series := [][2]int64{{1, 1}, {2, 2}, {5_000_000, 1}, {3, 3}, {2, 1}, {1, 2}, {5_000_000, 2}}
	price := func(i, week int) Price { return Price(10_000*(i+1) + week) }
	const weeks = 12_000 / 7 * 7
	for k := range weeks {
		week := (k * 5003) % weeks // every week once
		for i, s := range series {
			at := time.Unix(0, 0).AddDate(0, 0, 3+7*week).UTC()
			if err := b.Observe(&Observation{Listing: s[0], Store: s[1], Effective: price(i, week), ObservedAt: at}); err != nil {
				t.Fatal(err)
			}
		}
	}
	p, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSortedFunc(p.Series(), Series.compare) || len(p.Series()) != len(series) || len(p.Weeks()) != weeks || p.Counts().Used != weeks*len(series) {
		t.Fatalf("%d weeks of %v", len(p.Weeks()), p.Series())
	}
	for at, s := range p.Series() {
		i := slices.Index(series, [2]int64{p.Listings()[s.Listing].ID, p.Stores()[s.Store].ID})
		for k := range p.Weeks() {
			if got, want := p.LogPrices(k)[at], price(i, k).Log(); got != want {
				t.Fatalf("series %v, week %d: %v, want %v", series[i], k, got, want)
			}
		}
	}
}

func TestSeriesOrder(t *testing.T) {
	// Ascending: each differs from the next in one member, and is above it in the members after that.
	order := []Series{{1, 9, 9, 9, 9}, {2, 1, 9, 9, 9}, {2, 2, 1, 9, 9}, {2, 2, 2, 1, 9}, {2, 2, 2, 2, 1}, {2, 2, 2, 2, 2}}
	for i, a := range order {
		for j, b := range order {
			if got := a.compare(b); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%v compared with %v is %d", a, b, got)
			}
		}
	}
}
