package sqlite

import (
	"encoding/binary"
	"math"
	"slices"
	"time"

	"github.com/larder-index/larder/panel"
)

// unpackPrices adds the n observations of the blob prices to a list.
func unpackPrices(list []storedRow, blob []byte, n int) ([]storedRow, error) {
	r := numbers{b: blob}
	unit := r.int()
	list = slices.Grow(list, n)
	var id, at int64
	for range n {
		id += int64(r.uint())
		s := storedRow{label: int64(r.uint())}
		s.ID, s.Store, s.Effective = id, int64(r.uint()), panel.Price(r.uint())
		at += r.int() * unit
		s.ObservedAt = time.Unix(0, at).UTC()
		list = append(list, s)
	}
	return list, r.end()
}

// unpackRest sets the members that the blob rest has of rows from unpackPrices.
func unpackRest(rows []storedRow, blob []byte) error {
	r := numbers{b: blob}
	var promos []string
	for range min(r.uint(), uint64(len(blob))) {
		promos = append(promos, string(r.bytes(r.uint())))
	}
	for i := range rows {
		o := &rows[i]
		a, b := r.byte(), r.byte()
		o.InStock, o.OnSale = panel.Tri(a>>stockAt&two), a&onSaleBit != 0
		o.Regular, o.Sale = r.price(a>>regularAt&two, o.Effective), r.price(a>>saleAt&two, o.Effective)
		o.SaleCondition, o.RegularSource = panel.SaleCondition(b>>conditionAt&two), panel.RegularSource(b>>sourceAt&two)
		switch b >> unitAt & two {
		case same:
			o.UnitPrice = float64(r.uint()) / 1e4
		case other:
			o.UnitPrice = r.float()
		}
		if a&endsBit != 0 {
			o.SaleEndsOn = panel.Date(r.int())
		}
		if b&promoBit != 0 {
			place := r.uint()
			if place >= uint64(len(promos)) {
				return errPacked
			}
			o.PromoDetail = promos[place]
		}
	}
	for _, c := range further {
		for i := range rows {
			c.SetSQL(&rows[i].Observation, r.value())
		}
	}
	return r.end()
}

// numbers takes numbers from a blob. Once it meets the end of the blob, or bytes
// that are no number, it sets bad, and every number is 0.
type numbers struct {
	b   []byte
	bad bool
}

func (r *numbers) uint() uint64 {
	if len(r.b) >= 2 { // most numbers have one byte or two
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

// value returns an int64, a float64, a string or nil.
func (r *numbers) value() any {
	switch r.byte() {
	case aNumber:
		return r.int()
	case aFloat:
		return r.float()
	case aText:
		return string(r.bytes(r.uint()))
	}
	return nil
}

func (r *numbers) float() float64 {
	if bits := r.bytes(8); len(bits) == 8 {
		return math.Float64frombits(binary.LittleEndian.Uint64(bits))
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

func (r *numbers) price(known byte, effective panel.Price) panel.Price {
	switch known {
	case same:
		return effective
	case other:
		return effective + panel.Price(r.int())
	}
	return 0
}

// end returns errPacked unless the blob was read exactly to its end.
func (r *numbers) end() error {
	if r.bad || len(r.b) > 0 {
		return errPacked
	}
	return nil
}
