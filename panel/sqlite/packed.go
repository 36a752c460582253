package sqlite

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/larder-index/larder/panel"
)

// The table packed has the observations a second time, thousands in one row:
// stepping from row to row is most of what reading a table costs. Loading reads
// packed; all that looks for single rows, and every other program, reads
// observations. The one is made from the other when a snapshot is published,
// and both are under one seal.
//
// An observation is two runs of numbers. All are varints as encoding/binary has
// them, so that every value comes back exactly. In the blob prices:
//
//	id         since the last one
//	label    its id
//	store      its id
//	effective  the price
//	at         since the last one, signed, in the blob's unit of time
//
// led by that unit, in nanoseconds. In the blob rest:
//
//	flags       two bytes, that say which of the following there are
//	regular     the price less the effective one, signed; unless unknown or equal
//	sale        likewise
//	unit price  in ten-thousandths, or in eight bytes if it is no whole number of them
//	sale ends   the day, signed
//	promo       the place of its promo detail
//
// led by the promo details: how many, and each with its length.

// packedRows is how many observations stand in one row of the table.
const packedRows = 8192

// storedRow is an observation as the file has it.
type storedRow struct {
	priceRow
	regular, sale     int64
	unitPrice         float64
	stock             panel.Tri
	onSale            bool
	endsOn            int64
	condition, source int64
	promo             string
}

// scanStored reads obsColumns.
func scanStored(r row) storedRow {
	return storedRow{
		priceRow: priceRow{r.int(0), r.int(1), r.int(2), r.int(3), r.int(4)}, regular: r.int(5), sale: r.int(6),
		unitPrice: r.float(7), stock: r.tri(8), onSale: r.bool(9), endsOn: r.int(10), condition: r.int(11),
		source: r.int(12), promo: r.text(13),
	}
}

// Where the members of an observation stand in its two bytes. What takes two
// bits is under the mask two.
const (
	two = 3

	stockAt   = 0 // a panel.Tri
	regularAt = 2 // unknown, same or other
	saleAt    = 4
	onSaleBit = 1 << 6
	endsBit   = 1 << 7

	conditionAt = 0
	sourceAt    = 2
	unitAt      = 4 // unknown, same (as ten-thousandths) or other
	promoBit    = 1 << 6
)

// What is known of a number.
const (
	unknown = iota
	same
	other
)

var errPacked = errors.New("the packed observations can't be read")

// unpackPrices adds the observations of a blob to a list, as far as it has n.
func unpackPrices(list []priceRow, blob []byte, n int) ([]priceRow, error) {
	r := numbers{b: blob}
	unit := r.int()
	var last priceRow
	for range n {
		last = priceRow{
			id: last.id + int64(r.uint()), label: int64(r.uint()), store: int64(r.uint()),
			effective: int64(r.uint()), at: last.at + r.int()*unit,
		}
		list = append(list, last)
	}
	return list, r.end()
}

// unpackRest fills in what the blob has of observations whose prices are known.
func unpackRest(rows []storedRow, blob []byte) error {
	r := numbers{b: blob}
	var promos []string
	for range min(r.uint(), uint64(len(blob))) {
		promos = append(promos, string(r.bytes(r.uint())))
	}
	for i := range rows {
		o := &rows[i]
		a, b := r.byte(), r.byte()
		o.stock, o.onSale = panel.Tri(a>>stockAt&two), a&onSaleBit != 0
		o.regular, o.sale = r.price(a>>regularAt&two, o.effective), r.price(a>>saleAt&two, o.effective)
		o.condition, o.source = int64(b>>conditionAt&two), int64(b>>sourceAt&two)
		switch b >> unitAt & two {
		case same:
			o.unitPrice = float64(r.uint()) / 1e4
		case other:
			if bits := r.bytes(8); len(bits) == 8 {
				o.unitPrice = math.Float64frombits(binary.LittleEndian.Uint64(bits))
			}
		}
		if a&endsBit != 0 {
			o.endsOn = r.int()
		}
		if b&promoBit != 0 {
			place := r.uint()
			if place >= uint64(len(promos)) {
				return errPacked
			}
			o.promo = promos[place]
		}
	}
	return r.end()
}

// numbers takes numbers from a blob. Past its end, or where there is none, bad is
// set, and every number is 0.
type numbers struct {
	b   []byte
	bad bool
}

func (r *numbers) uint() uint64 {
	if len(r.b) >= 2 { // as most have one byte or two
		if r.b[0] < 0x80 {
			v := r.b[0]
			r.b = r.b[1:]
			return uint64(v)
		}
		if r.b[1] < 0x80 {
			v := uint64(r.b[0]&0x7f) | uint64(r.b[1])<<7
			r.b = r.b[2:]
			return v
		}
	}
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.b, r.bad = nil, true
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *numbers) int() int64 {
	v := r.uint()
	return int64(v>>1) ^ -int64(v&1)
}

func (r *numbers) byte() byte {
	if b := r.bytes(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (r *numbers) bytes(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.b, r.bad = nil, true
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *numbers) price(known byte, effective int64) int64 {
	switch known {
	case same:
		return effective
	case other:
		return effective + r.int()
	}
	return 0
}

// end says whether the blob was read to its end, and not further.
func (r *numbers) end() error {
	if r.bad || len(r.b) > 0 {
		return errPacked
	}
	return nil
}
