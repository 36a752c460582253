package panel

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
	"unsafe"
)

// TestRowBlocks packs rows of several blocks, in order and out of it, with members far apart,
// alike, and without a common step. Every member of every row comes back.
func TestRowBlocks(t *testing.T) {
	const n = 3*blockRows + 17
	r := rand.New(rand.NewPCG(1, 2))
	prices := []float64{0, 0.93, 17.89, 0.00175, 1e-8, math.Copysign(0, -1), 1.0 / 3, 1e300}
	gate := NewGate(Calendar{}, nil, nil, nil, nil, nil)
	screens := []*LabelGate{gate.ForLabel(Label{Listing: 5}), gate.ForLabel(Label{Listing: 6, ScrapedName: "Lait", PackageSize: "2 L"})}
	var want []Observation
	for i := range n {
		o := Observation{
			ID: int64(i), Store: 7, Effective: Price(100 * (1 + r.IntN(90_000))), UnitPrice: prices[r.IntN(4)],
			ObservedAt: time.Unix(int64(1_800_000_000+2*i), 0).UTC(),
		}
		switch i / blockRows {
		case 1: // far apart
			o.ID, o.Store = r.Int64(), 1+r.Int64N(math.MaxInt64)
			o.ObservedAt = time.Unix(r.Int64N(endSecond), r.Int64N(1e9)).UTC()
			o.Regular, o.Sale, o.UnitPrice = Price(r.Int64N(int64(maxPrice))), maxPrice, prices[r.IntN(len(prices))]
		case 2: // every member of few values
			o.UnitPrice = []float64{2.49, math.Copysign(0, -1)}[r.IntN(2)]
			o.InStock, o.OnSale = Tri(r.IntN(3)), r.IntN(2) == 0
			o.SaleCondition, o.RegularSource = SaleCondition(r.IntN(3)), RegularSource(r.IntN(4))
			o.SaleEndsOn, o.PromoDetail = Date(r.IntN(9)-4), []string{"", "{}", `{"packagePrice":4}`}[r.IntN(3)]
		case 3: // alike
			o = Observation{ID: math.MaxInt64, Store: 1, Effective: 1, ObservedAt: time.Unix(1_900_000_000, 1).UTC()}
		}
		l := screens[r.IntN(2)].Label
		o.Listing, o.ScrapedName, o.PackageSize = l.Listing, l.ScrapedName, l.PackageSize
		want = append(want, o)
	}
	inOrder := func(a, b Observation) int {
		return cmp.Or(a.ObservedAt.Compare(b.ObservedAt), cmp.Compare(a.ID, b.ID))
	}
	for range 2 {
		b := NewRowsBuilder(gate)
		for i := range want {
			if err := b.Add(gate.ForLabel(want[i].Label()), &want[i]); err != nil {
				t.Fatal(err)
			}
		}
		rows := b.Build()
		slices.SortStableFunc(want, inOrder) // the second time they are added in order
		for i := range want {
			got, w := rows.At(i), want[i]
			if got != w || math.Signbit(got.UnitPrice) != math.Signbit(w.UnitPrice) {
				t.Fatalf("row %d: got %+v, want %+v", i, got, w)
			}
			if rows.Listing(i) != w.Listing || rows.Store(i) != w.Store || rows.Effective(i) != w.Effective ||
				rows.UnixNano(i) != w.ObservedAt.UnixNano() || rows.Source(i) != w.RegularSource || rows.Judge(i).Verdict != w.Verdict {
				t.Fatalf("row %d: members asked for alone differ from %+v", i, w)
			}
		}
		if len(want) != rows.Len() {
			t.Errorf("%d rows, want %d", rows.Len(), len(want))
		}
	}
}

// bytesOf returns the bytes that the rows take, without the labels.
func (r *Rows) bytesOf() (n int) {
	for i := range r.blocks {
		n += int(unsafe.Sizeof(r.blocks[i])) + 8*cap(r.blocks[i].words)
	}
	return n
}

// TestRowBytes bounds what a row takes in memory: a server has millions. The rows are like
// those of a crawl: one store after the other, cents, two seconds from price to price.
func TestRowBytes(t *testing.T) {
	const n, most = 20 * blockRows, 17.0
	r := rand.New(rand.NewPCG(3, 4))
	gate := NewGate(Calendar{}, nil, nil, nil, nil, nil)
	b := NewRowsBuilder(gate)
	for i := range n {
		screen := gate.ForLabel(Label{Listing: int64(1 + r.IntN(1200))})
		price := Price(100 * (100 + r.IntN(3000)))
		o := Observation{
			ID: int64(i + 1), Store: int64(1 + i/42), Effective: price, Regular: price, UnitPrice: float64(1+r.IntN(3000)) / 100,
			InStock: Yes, ObservedAt: time.Unix(int64(1_800_000_000+2*i), 0),
		}
		o.Listing = screen.Listing
		if r.IntN(8) == 0 {
			o.OnSale, o.Sale, o.SaleEndsOn = true, price, Date(20_600+r.IntN(20))
		}
		if err := b.Add(screen, &o); err != nil {
			t.Fatal(err)
		}
	}
	if each := float64(b.Build().bytesOf()) / n; each > most {
		t.Errorf("a row takes %.1f bytes, more than %v", each, most)
	}
}
