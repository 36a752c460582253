package csvdir

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"pgregory.net/rapid"
)

var lastDay = panel.DateOf(panel.LastYear, time.December, 31)

// text draws texts that need care in CSV.
var text = rapid.StringOfN(rapid.RuneFrom([]rune("ab ,;\"\n\r|&é漢\ufeff'")), 0, 12, -1)

var term = rapid.StringMatching(`[a-zé ,"]{0,5}[a-z]`)

func some(s *rapid.Generator[string]) *rapid.Generator[string] {
	return rapid.Map(s, func(s string) string { return "x" + s + "x" })
}

var (
	price  = rapid.Map(rapid.Int64Range(0, 1e11), func(v int64) panel.Price { return panel.Price(v) })
	number = rapid.Float64Range(0, 1e300)
	fixed  = rapid.Custom(func(t *rapid.T) panel.Fixed {
		if rapid.Bool().Draw(t, "null") {
			return panel.Fixed{}
		}
		return panel.FixedOf(rapid.Int64Range(-1e12, 1e12).Draw(t, "units"))
	})
	moment = rapid.Custom(func(t *rapid.T) time.Time {
		return time.Unix(rapid.Int64Range(0, lastDay.Time(time.UTC).Unix()+86399).Draw(t, "second"), rapid.Int64Range(0, 999_999_999).Draw(t, "nano")).UTC()
	})
	id   = rapid.Int64Range(1, 1<<62)
	noID = rapid.Int64Range(0, 1<<62)
)

var observation = rapid.Custom(func(t *rapid.T) obs {
	return obs{
		ID: noID.Draw(t, "id"), Listing: id.Draw(t, "listing"), Store: id.Draw(t, "store"),
		Regular: price.Draw(t, "regular"), Sale: price.Draw(t, "sale"), Effective: max(1, price.Draw(t, "effective")),
		UnitPrice: number.Draw(t, "unit"), PackageSize: text.Draw(t, "size"), InStock: panel.Tri(rapid.IntRange(0, 2).Draw(t, "stock")),
		OnSale: rapid.Bool().Draw(t, "sale"), SaleEndsOn: panel.Date(rapid.Int32Range(0, int32(lastDay)).Draw(t, "ends")),
		SaleCondition: panel.SaleCondition(rapid.IntRange(0, 2).Draw(t, "condition")), ScrapedName: text.Draw(t, "name"),
		ObservedAt: moment.Draw(t, "at"), RegularSource: panel.RegularSource(rapid.IntRange(0, 3).Draw(t, "source")),
		PromoDetail: rapid.SampledFrom([]string{"", "{}", `{"packagePrice": 1.50, "regularPriceBasisUnavailable":true}`}).Draw(t, "promo"),
	}
})

var product = rapid.Custom(func(t *rapid.T) basket.Product {
	return basket.Product{
		ID: rapid.IntRange(1, 1<<40).Draw(t, "id"), Name: some(text).Draw(t, "name"), NameFr: text.Draw(t, "fr"),
		Aliases:  rapid.SliceOfN(term, 0, 3).Draw(t, "aliases"),
		Category: rapid.SampledFrom(basket.Categories()).Draw(t, "category"), Subcategory: text.Draw(t, "sub"),
		StandardSize: rapid.Float64Range(0.001, 1e5).Draw(t, "size"), Unit: basket.Unit(rapid.IntRange(1, 3).Draw(t, "unit")),
		Weight: rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(1e-9, 10)).Draw(t, "weight"), SoldBy: basket.SoldBy(rapid.IntRange(1, 2).Draw(t, "by")), Active: rapid.Bool().Draw(t, "active"),
	}
})

var listing = rapid.Custom(func(t *rapid.T) panel.Listing {
	return panel.Listing{
		ID: id.Draw(t, "id"), ProductID: rapid.IntRange(1, 1<<40).Draw(t, "product"), Banner: some(text).Draw(t, "banner"), SKU: text.Draw(t, "sku"),
		Name: text.Draw(t, "name"), Brand: text.Draw(t, "brand"), IsStoreBrand: panel.Tri(rapid.IntRange(0, 2).Draw(t, "own")), Active: rapid.Bool().Draw(t, "active"),
	}
})

var spec = rapid.Custom(func(t *rapid.T) basket.Spec {
	terms := rapid.SliceOfN(term, 1, 3)
	s := basket.Spec{ProductID: rapid.IntRange(1, 99).Draw(t, "product"), MinSize: rapid.Float64Range(0, 10).Draw(t, "min")}
	s.Require = rapid.SliceOfN(terms, 0, 3).Draw(t, "require")
	if rapid.Bool().Draw(t, "forbids") {
		s.Forbid = terms.Draw(t, "forbid")
	}
	if rapid.Bool().Draw(t, "bounded") {
		s.MaxSize = s.MinSize + rapid.Float64Range(0.5, 10).Draw(t, "more")
	}
	return s
})

var entry = rapid.Custom(func(t *rapid.T) panel.Quarantine {
	q := panel.Quarantine{
		Listing: id.Draw(t, "listing"), Store: noID.Draw(t, "store"), Observation: noID.Draw(t, "observation"),
		Rule: panel.QuarantineRule(rapid.IntRange(0, 3).Draw(t, "rule")), Reason: text.Draw(t, "reason"), Released: rapid.Bool().Draw(t, "released"),
	}
	if rapid.Bool().Draw(t, "dated") {
		q.FoundAt = moment.Draw(t, "found")
	}
	return q
})

var event = rapid.Custom(func(t *rapid.T) panel.ShrinkEvent {
	return panel.ShrinkEvent{
		ID: id.Draw(t, "id"), Listing: id.Draw(t, "listing"), OldPackageSize: text.Draw(t, "old"), NewPackageSize: text.Draw(t, "new"),
		OldSize: number.Draw(t, "oldsize"), NewSize: number.Draw(t, "newsize"), SizeUnit: text.Draw(t, "unit"), PctSizeChange: fixed.Draw(t, "pct"),
		OldUnitPrice: number.Draw(t, "oldprice"), NewUnitPrice: number.Draw(t, "newprice"), PctUnitPriceChange: fixed.Draw(t, "pctprice"),
		ShelfPrice: price.Draw(t, "shelf"), DetectedAt: moment.Draw(t, "at"), Observations: rapid.SliceOfN(id, 0, 3).Draw(t, "rows"),
	}
})

var pilotRow = rapid.Custom(func(t *rapid.T) panel.PilotRow {
	r := panel.PilotRow{
		Date: panel.DefaultBaseWeek.Add(rapid.IntRange(-2000, 2000).Draw(t, "week")), Category: rapid.SampledFrom(basket.Slices()).Draw(t, "category"),
		IndexValue: panel.FixedOf(rapid.Int64Range(1, 1e9).Draw(t, "value")), BasketCost: fixed.Draw(t, "cost"), WoW: fixed.Draw(t, "wow"), MoM: fixed.Draw(t, "mom"),
		ItemCount: rapid.IntRange(-1, 50).Draw(t, "items"), TotalItems: rapid.IntRange(-1, 50).Draw(t, "total"),
	}
	if level := rapid.IntRange(0, 2).Draw(t, "level"); level > 0 {
		r.City = some(text).Draw(t, "city")
		if level > 1 {
			r.Banner = some(text).Draw(t, "banner")
		}
	}
	return r
})

func TestRoundTrip(t *testing.T) {
	t.Run("observations", func(t *testing.T) { roundTrip(t, Observations, observation) })
	t.Run("products", func(t *testing.T) { roundTrip(t, Products, product) })
	t.Run("listings", func(t *testing.T) { roundTrip(t, Listings, listing) })
	t.Run("specs", func(t *testing.T) { roundTrip(t, Specs, spec) })
	t.Run("quarantine", func(t *testing.T) { roundTrip(t, QuarantineEntries, entry) })
	t.Run("events", func(t *testing.T) { roundTrip(t, ShrinkEvents, event) })
	t.Run("pilot", func(t *testing.T) { roundTrip(t, Pilot, pilotRow) })
}

// roundTrip writes rows and reads them back the same, in the table's order.
func roundTrip[T any](t *testing.T, table *Table[T], row *rapid.Generator[T]) {
	rapid.Check(t, func(rt *rapid.T) {
		rows := rapid.SliceOfN(row, 0, 4).Draw(rt, "rows")
		var b strings.Builder
		if err := encode(&b, table, each(rows)); err != nil {
			rt.Fatal(err)
		}
		s := newSplitter(strings.NewReader(b.String()))
		r := &Reader[T]{name: table.FileName(), split: s, check: table.check}
		err := readHeader(s, r.name, func(h []string) (err error) { r.order, err = table.match(h); return err })
		if err != nil {
			rt.Fatal(err)
		}
		s.want = len(r.order)
		var got []T
		for r.Next() {
			if r.Reject() != nil {
				rt.Fatal(*r.Reject())
			}
			got = append(got, *r.Record())
		}
		if d := cmp.Diff(rows, got, cmpopts.EquateEmpty()); d != "" {
			rt.Fatalf("%s\n%s", d, b.String())
		}
	})
}

// A carriage return is kept wherever it stands in a text, at the end of a row
// too.
func TestCarriageReturns(t *testing.T) {
	for _, province := range []string{"O\rN", "O\r\nN", "O\n\rN"} {
		want := []basket.City{{Slug: "a", Name: "A\rA", Province: province}, {Slug: "b", Name: "B", Province: "ON"}}
		var b strings.Builder
		if err := encode(&b, Cities, each(want)); err != nil {
			t.Fatal(err)
		}
		got, rejects := readAll(t, folder(t, map[string]string{"cities.csv": b.String()}), Cities)
		if d := cmp.Diff(want, got); d != "" || len(rejects) > 0 {
			t.Errorf("%s%v", d, rejects)
		}
	}
	want := []panel.Quarantine{{Listing: 1, Reason: "a\r"}}
	short := &Table[panel.Quarantine]{name: QuarantineEntries.name, optional: true, columns: QuarantineEntries.columns[:4]}
	var b strings.Builder
	if err := encode(&b, short, each(want)); err != nil {
		t.Fatal(err)
	}
	got, rejects := readAll(t, folder(t, map[string]string{"quarantine.csv": b.String()}), QuarantineEntries)
	if d := cmp.Diff(want, got); d != "" || len(rejects) > 0 {
		t.Errorf("%s%v in %q", d, rejects, b.String())
	}
}

func TestWeightZero(t *testing.T) {
	p := basket.Product{ID: 1, Name: "Salt", Category: basket.Categories()[1], StandardSize: 1, Unit: basket.Gram, SoldBy: basket.ByPackage}
	var b strings.Builder
	if err := encode(&b, Products, each([]basket.Product{p})); err != nil {
		t.Fatal(err)
	}
	got, rejects := readAll(t, folder(t, map[string]string{"products.csv": b.String()}), Products)
	if len(rejects) > 0 || len(got) != 1 || got[0].Weight != 0 || !strings.Contains(b.String(), ",g,0,package,") {
		t.Errorf("%q: %v, %v", b.String(), got, rejects)
	}
}

func each[T any](rows []T) func(func(*T, error) bool) {
	return func(yield func(*T, error) bool) {
		for i := range rows {
			if !yield(&rows[i], nil) {
				return
			}
		}
	}
}

func TestWriter(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	for _, gz := range []bool{false, true} {
		w, err := Create(dir, WriteOptions{Gzip: gz})
		if err != nil {
			t.Fatal(err)
		}
		cities := []basket.City{{Slug: "b", Name: `Bee, "B"`, Province: "ON"}, {Slug: "a", Name: "Ay", Province: "QC"}}
		for _, err := range []error{
			WriteSorted(w, Cities, cities), WriteSorted(w, Settings, nil), WriteSorted(w, Products, nil), WriteSorted(w, Banners, nil),
			WriteSorted(w, Stores, nil), WriteSorted(w, Listings, nil), WriteSorted(w, Observations, nil), w.Commit(),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		w.Abort()
		got, _ := readAll(t, dir, Cities)
		slices.Reverse(got)
		if d := cmp.Diff(cities, got); d != "" {
			t.Error(d)
		}
		if !gz {
			b, _ := os.ReadFile(filepath.Join(dir, "cities.csv"))
			if want := "slug,name,province\na,Ay,QC\nb,\"Bee, \"\"B\"\"\",ON\n"; string(b) != want {
				t.Errorf("got %q, want %q", b, want)
			}
		}
		if entries, _ := os.ReadDir(dir); len(entries) != 6 {
			t.Errorf("files: %v", entries)
		}
		os.RemoveAll(dir)
	}
}

func TestWriterLeavesNothing(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	w, err := Create(dir, WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	boom := errors.New("boom")
	if err := Write(w, Cities, func(yield func(*basket.City, error) bool) { yield(nil, boom) }); !errors.Is(err, boom) {
		t.Errorf("got %v", err)
	}
	if err := WriteSorted(w, Cities, []basket.City{{Slug: "a", Name: "\xff"}}); err == nil || !strings.Contains(err.Error(), "cities.csv, row 1: a text is not UTF-8") {
		t.Errorf("got %v", err)
	}
	w.Abort()
	if entries, _ := os.ReadDir(parent); len(entries) > 0 {
		t.Errorf("left behind: %v", entries)
	}
	os.Mkdir(dir, 0o755)
	os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o644)
	if _, err := Create(dir, WriteOptions{}); err == nil || !strings.Contains(err.Error(), "is not empty (it has notes.txt); give a new or an empty folder") {
		t.Errorf("got %v", err)
	}
}
