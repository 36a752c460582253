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
//
// A panel has millions of rows, so they are packed. A row takes about 16 bytes, and reading
// a member takes some nanoseconds.
type Rows struct {
	labels []*LabelGate
	promos []promo // promo details; the first is empty
	blocks []rowBlock
	n      int
}

// rowField is a member of a row as blocks keep it.
type rowField int

const (
	fieldID rowField = iota
	fieldAt          // Unix nanoseconds
	fieldStore
	fieldLabel // place in Rows.labels
	fieldVerdict
	fieldStock
	fieldOnSale
	fieldCondition
	fieldSource
	fieldEffective
	fieldRegular
	fieldSale
	fieldUnitPrice // bits of the float64, or whole unitPriceScale-ths
	fieldSaleEnds  // a Date
	fieldPromo     // place in Rows.promos
	rowFields      // how many there are
)

type rowValues [rowFields]int64

type promo struct {
	text         string
	unknownBasis bool // it says that the basis of the regular price is unknown
}

// NewRows collects observations, in any order, and has the gate judge them. The
// verdicts that they come with are ignored. An error of the sequence, or an observation
// that a Builder would refuse for a value of its own, ends it and is returned.
func NewRows(gate *Gate, observations iter.Seq2[*Observation, error]) (*Rows, error) {
	b := NewRowsBuilder(gate)
	for o, err := range observations {
		if err == nil {
			err = b.Add(gate.ForLabel(o.Label()), o)
		}
		if err != nil {
			return nil, err
		}
	}
	return b.Build(), nil
}

// RowsBuilder collects observations whose labels are already screened, such as
// those of a snapshot. NewRows is for others.
type RowsBuilder struct {
	gate     *Gate
	rows     *Rows
	last     []rowValues // those that no block has yet
	at, id   int64       // of the row before
	unsorted bool        // the rows came in another order
	words    []uint64    // of the block at hand
	others   []rowBlock  // blocks that may be shared, by place
	promos   map[string]int64
}

// NewRowsBuilder starts a collection of rows that the gate judges.
func NewRowsBuilder(gate *Gate) *RowsBuilder {
	return &RowsBuilder{
		gate: gate, rows: &Rows{promos: []promo{{}}}, last: make([]rowValues, 0, blockRows), promos: map[string]int64{},
	}
}

// Share lets the rows share memory with others where both are the same.
func (b *RowsBuilder) Share(others *Rows) { b.others = others.blocks }

// Add adds an observation, with the gate of its label, which judges it. It refuses an
// observation with a value that none can have with a *RecordError.
func (b *RowsBuilder) Add(s *LabelGate, o *Observation) error {
	r := b.rows
	if err := o.check(); err != nil {
		return refused(o, r.n+len(b.last), err)
	}
	at := int64(0)
	if o.PromoDetail != "" { // as most have none
		ok := false
		if at, ok = b.promos[o.PromoDetail]; !ok {
			at = int64(len(r.promos))
			b.promos[o.PromoDetail] = at
			r.promos = append(r.promos, promo{o.PromoDetail, basisUnavailable(o.PromoDetail)})
		}
	}
	onSale := int64(0)
	if o.OnSale {
		onSale = 1
	}
	b.add(rowValues{
		fieldID: o.ID, fieldAt: o.ObservedAt.UnixNano(), fieldStore: o.Store, fieldLabel: int64(s.place),
		fieldVerdict: int64(s.Judge(o.Store, o.ID, o.ObservedAt).Verdict), fieldStock: int64(o.InStock),
		fieldOnSale: onSale, fieldCondition: int64(o.SaleCondition), fieldSource: int64(o.RegularSource),
		fieldEffective: int64(o.Effective), fieldRegular: int64(o.Regular), fieldSale: int64(o.Sale),
		fieldUnitPrice: int64(math.Float64bits(o.UnitPrice)), fieldSaleEnds: int64(o.SaleEndsOn), fieldPromo: at,
	})
	return nil
}

func (b *RowsBuilder) add(v rowValues) {
	if len(b.last) == blockRows {
		b.pack()
	}
	b.last = append(b.last, v)
	at, id := v[fieldAt], v[fieldID]
	b.unsorted = b.unsorted || at < b.at || at == b.at && id < b.id
	b.at, b.id = at, id
}

// pack makes a block of the rows that none has yet.
func (b *RowsBuilder) pack() {
	r := b.rows
	if len(b.last) == 0 {
		return
	}
	r.n += len(b.last)
	var block rowBlock
	block, b.words = packRows(b.last, b.words)
	if k := len(r.blocks); k < len(b.others) && block.equal(&b.others[k]) {
		block = b.others[k]
	} else {
		block.words = slices.Clone(block.words)
	}
	r.blocks = append(r.blocks, block)
	b.last = b.last[:0]
}

// Build returns the rows. The builder must not be used afterwards.
func (b *RowsBuilder) Build() *Rows {
	b.pack()
	r := b.rows
	b.rows, r.labels = nil, b.gate.list
	if b.unsorted { // those of a snapshot mostly are in order
		order := make([]int32, r.n)
		for i := range order {
			order[i] = int32(i)
		}
		slices.SortStableFunc(order, func(i, j int32) int {
			return cmp.Or(cmp.Compare(r.UnixNano(int(i)), r.UnixNano(int(j))), cmp.Compare(r.ID(int(i)), r.ID(int(j))))
		})
		again := RowsBuilder{rows: &Rows{}, last: b.last, others: b.others}
		for _, i := range order {
			again.add(r.row(int(i)))
		}
		again.pack()
		r.blocks = again.rows.blocks
	}
	return r
}

// Len returns how many rows there are.
func (r *Rows) Len() int { return r.n }

// get returns a member of the i-th row, as its block keeps it.
func (r *Rows) get(f rowField, i int) int64 { return r.blocks[i/blockRows].get(f, i%blockRows) }

func (r *Rows) row(i int) rowValues { return r.blocks[i/blockRows].row(i % blockRows) }

// At returns the i-th row, as collected, with its verdict.
func (r *Rows) At(i int) Observation {
	x := r.row(i)
	l := &r.labels[x[fieldLabel]].Label
	return Observation{
		ID: x[fieldID], Listing: l.Listing, Store: x[fieldStore],
		Regular: Price(x[fieldRegular]), Sale: Price(x[fieldSale]), Effective: Price(x[fieldEffective]),
		UnitPrice: math.Float64frombits(uint64(x[fieldUnitPrice])), PackageSize: l.PackageSize,
		InStock: Tri(x[fieldStock]), OnSale: x[fieldOnSale] != 0,
		SaleEndsOn: Date(x[fieldSaleEnds]), SaleCondition: SaleCondition(x[fieldCondition]), ScrapedName: l.ScrapedName,
		ObservedAt: time.Unix(0, x[fieldAt]).UTC(), RegularSource: RegularSource(x[fieldSource]),
		PromoDetail: r.promos[x[fieldPromo]].text, Verdict: Verdict(x[fieldVerdict]),
	}
}

// Restated returns the i-th row after the regular-price rule. Its regular price is 0,
// which is unknown, when it is a placeholder or its basis is not known.
func (r *Rows) Restated(i int, verified bool) Observation {
	o := r.At(i)
	o.RestateRegular(verified)
	if o.RegularSource == AssumedEqual || o.PromoDetail != "" && r.promos[r.get(fieldPromo, i)].unknownBasis {
		o.Regular = 0
	}
	return o
}

// Labels returns the distinct labels. A row has the place of its own among them.
func (r *Rows) Labels() []Label {
	list := make([]Label, len(r.labels))
	for i, s := range r.labels {
		list[i] = s.Label
	}
	return list
}

// Label returns the place of the i-th row's label in Labels.
func (r *Rows) Label(i int) int { return int(r.get(fieldLabel, i)) }

// Listing returns the id of the i-th row's listing.
func (r *Rows) Listing(i int) int64 { return r.labels[r.Label(i)].Listing }

// Store returns the id of the i-th row's store.
func (r *Rows) Store(i int) int64 { return r.get(fieldStore, i) }

// Effective returns the i-th row's effective price.
func (r *Rows) Effective(i int) Price { return Price(r.get(fieldEffective, i)) }

// ID returns the id of the i-th row.
func (r *Rows) ID(i int) int64 { return r.get(fieldID, i) }

// UnixNano returns the i-th row's time.
func (r *Rows) UnixNano(i int) int64 { return r.get(fieldAt, i) }

// Source returns where the i-th row's regular price comes from.
func (r *Rows) Source(i int) RegularSource { return RegularSource(r.get(fieldSource, i)) }

// Verdict returns the gate's verdict on the i-th row.
func (r *Rows) Verdict(i int) Verdict { return Verdict(r.get(fieldVerdict, i)) }

// Judge returns the gate's judgement of the i-th row.
func (r *Rows) Judge(i int) Judgement {
	return r.labels[r.Label(i)].Judge(r.Store(i), r.ID(i), time.Unix(0, r.UnixNano(i)))
}

// Between returns the half-open range [lo, hi) of the rows observed in
// [from, to).
func (r *Rows) Between(from, to time.Time) (lo, hi int) {
	lo = sort.Search(r.n, func(i int) bool { return !time.Unix(0, r.UnixNano(i)).Before(from) })
	hi = lo + sort.Search(r.n-lo, func(i int) bool { return !time.Unix(0, r.UnixNano(lo+i)).Before(to) })
	return lo, hi
}
