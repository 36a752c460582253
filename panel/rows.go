package panel

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"sort"
	"time"
)

// Rows holds all observations of a panel, whatever their verdict, in order of
// time, then id, each with the gate's judgement. Readers of single rows need it;
// the index needs a Panel only. It is immutable and safe for concurrent use.
type Rows struct {
	screens []*Screen
	promos  []string // promo details; the first is empty
	rows    []packedRow
}

// packedRow is an observation in 72 bytes: a panel has millions.
type packedRow struct {
	id, at                   int64 // at: Unix nanoseconds
	effective, regular, sale Price
	unitPrice                float64
	store                    int64
	screen                   int32 // place in Rows.screens
	promo                    int32 // place in Rows.promos
	saleEndsOn               Date
	flags                    rowFlags
}

// rowFlags holds the members of an observation that have few values.
type rowFlags struct {
	verdict Verdict
	stock   Tri
	on      bool // sale
	terms   uint8
}

// NewRows collects observations, in any order, and has the gate judge them. The
// verdicts that they come with are ignored. An error of the sequence ends it and
// is returned.
func NewRows(gate *Gate, observations iter.Seq2[*Observation, error]) (*Rows, error) {
	b := NewRowsBuilder(0)
	for o, err := range observations {
		if err != nil {
			return nil, err
		}
		b.Add(b.Label(gate.Screen(o.Label())), o)
	}
	return b.Build(), nil
}

// RowsBuilder collects observations whose labels are already screened, such as
// those of a snapshot. NewRows is for others.
type RowsBuilder struct {
	rows    *Rows
	screens map[*Screen]int
	promos  map[string]int32
}

// NewRowsBuilder makes room for n rows.
func NewRowsBuilder(n int) *RowsBuilder {
	return &RowsBuilder{
		rows:    &Rows{promos: []string{""}, rows: make([]packedRow, 0, n)},
		screens: map[*Screen]int{}, promos: map[string]int32{},
	}
}

// Label takes in a label by its screen, if it is new, and returns its place.
func (b *RowsBuilder) Label(s *Screen) int {
	at, ok := b.screens[s]
	if !ok {
		at = len(b.rows.screens)
		b.screens[s] = at
		b.rows.screens = append(b.rows.screens, s)
	}
	return at
}

// Add adds an observation, with the place of its label, which judges it.
func (b *RowsBuilder) Add(label int, o *Observation) {
	r := b.rows
	s := r.screens[label]
	promo := int32(0)
	if o.PromoDetail != "" { // as most have none
		ok := false
		promo, ok = b.promos[o.PromoDetail]
		if !ok {
			promo = int32(len(r.promos))
			b.promos[o.PromoDetail] = promo
			r.promos = append(r.promos, o.PromoDetail)
		}
	}
	r.rows = append(r.rows, packedRow{
		id: o.ID, at: o.ObservedAt.UnixNano(), effective: o.Effective, regular: o.Regular, sale: o.Sale,
		unitPrice: o.UnitPrice, store: o.Store, screen: int32(label), promo: promo, saleEndsOn: o.SaleEndsOn,
		flags: rowFlags{s.Verdict(o.Store, o.ID, o.ObservedAt), o.InStock, o.OnSale, uint8(o.SaleCondition)<<4 | uint8(o.RegularSource)},
	})
}

// Build returns the rows. The builder must not be used afterwards.
func (b *RowsBuilder) Build() *Rows {
	r := b.rows
	slices.SortFunc(r.rows, func(a, b packedRow) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id)) })
	b.rows = nil
	return r
}

// Len returns how many rows there are.
func (r *Rows) Len() int { return len(r.rows) }

// At returns the i-th row, as collected, with its verdict.
func (r *Rows) At(i int) Observation {
	x := &r.rows[i]
	l := &r.screens[x.screen].Label
	return Observation{
		ID: x.id, Listing: l.Listing, Store: x.store, Regular: x.regular, Sale: x.sale, Effective: x.effective,
		UnitPrice: x.unitPrice, PackageSize: l.PackageSize, InStock: x.flags.stock, OnSale: x.flags.on,
		SaleEndsOn: x.saleEndsOn, SaleCondition: SaleCondition(x.flags.terms >> 4), ScrapedName: l.ScrapedName,
		ObservedAt: time.Unix(0, x.at).UTC(), RegularSource: RegularSource(x.flags.terms & 15),
		PromoDetail: r.promos[x.promo], Verdict: x.flags.verdict,
	}
}

// Labels returns the number of distinct labels.
func (r *Rows) Labels() int { return len(r.screens) }

// Label returns the number of the i-th row's label, from 0 up to Labels. Rows
// with the same number have the same listing, title and size.
func (r *Rows) Label(i int) int { return int(r.rows[i].screen) }

// Listing returns the id of the i-th row's listing.
func (r *Rows) Listing(i int) int64 { return r.screens[r.rows[i].screen].Listing }

// Store returns the id of the i-th row's store.
func (r *Rows) Store(i int) int64 { return r.rows[i].store }

// Effective returns the i-th row's effective price.
func (r *Rows) Effective(i int) Price { return r.rows[i].effective }

// UnixNano returns the i-th row's time.
func (r *Rows) UnixNano(i int) int64 { return r.rows[i].at }

// Source returns where the i-th row's regular price comes from.
func (r *Rows) Source(i int) RegularSource { return RegularSource(r.rows[i].flags.terms & 15) }

// Verdict returns the gate's verdict on the i-th row.
func (r *Rows) Verdict(i int) Verdict { return r.rows[i].flags.verdict }

// Judge returns the gate's judgement of the i-th row.
func (r *Rows) Judge(i int) Judgement {
	x := &r.rows[i]
	return r.screens[x.screen].judge(x.store, x.id, x.at)
}

// Between returns the half-open range [lo, hi) of the rows observed in
// [from, to).
func (r *Rows) Between(from, to time.Time) (lo, hi int) {
	start, end := unixNano(from), unixNano(to)
	lo = sort.Search(len(r.rows), func(i int) bool { return r.rows[i].at >= start })
	hi = lo + sort.Search(len(r.rows)-lo, func(i int) bool { return r.rows[lo+i].at >= end })
	return lo, hi
}

// unixNano is t.UnixNano, bounded to an int64: the years 1678 to 2262. All rows
// lie between.
func unixNano(t time.Time) int64 {
	switch year := t.Year(); {
	case year < 1678:
		return math.MinInt64
	case year > 2261:
		return math.MaxInt64
	}
	return t.UnixNano()
}
