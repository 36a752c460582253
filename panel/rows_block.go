package panel

import (
	"math"
	"math/bits"
	"slices"
)

// unitPriceScale turns unit prices into whole numbers. It is a power of ten that leaves
// eight decimals.
const unitPriceScale = 1e8

// blockRows is how many rows a block has. The last block may have fewer.
const blockRows = 1 << 10

// rowBlock holds successive rows in about 16 bytes each. A row is a string of bits. Each
// member is there as the number of steps from the least value in the block, in as many bits
// as the largest number needs. So any member of any row is found at once, and every value
// comes back exactly.
type rowBlock struct {
	words  []uint64 // and one more, so that a member may be read as two words
	size   uint     // bits of a row
	scaled bool     // unit prices are whole numbers
	fields [rowFields]packedField
}

// packedField says how a block keeps a member.
type packedField struct {
	least int64
	step  uint64 // the greatest common divisor of the differences from least
	mask  uint64 // as many ones as the member has bits
	from  uint   // its first bit in a row
}

// packRows makes a block in the memory of words, which it returns. It changes rows.
func packRows(rows []rowValues, words []uint64) (rowBlock, []uint64) {
	b := rowBlock{scaled: scaleUnitPrices(rows)}
	for f := range b.fields {
		b.fields[f] = packedFieldOf(rows, f)
		b.fields[f].from = b.size
		b.size += uint(bits.Len64(b.fields[f].mask))
	}
	n := int(uint(len(rows))*b.size+63)/64 + 1
	words = slices.Grow(words[:0], n)[:n]
	clear(words)
	b.words = words
	for f, x := range b.fields {
		for i := 0; i < len(rows) && x.mask != 0; i++ {
			at := uint(i)*b.size + x.from
			steps := uint64(rows[i][f] - x.least)
			if x.step != 1 {
				steps /= x.step
			}
			b.words[at/64] |= steps << (at % 64)
			b.words[at/64+1] |= steps >> (64 - at%64)
		}
	}
	return b, words
}

func (b *rowBlock) equal(c *rowBlock) bool {
	return b.scaled == c.scaled && b.fields == c.fields && slices.Equal(b.words, c.words)
}

func packedFieldOf(rows []rowValues, f int) packedField {
	x := packedField{least: rows[0][f]}
	most := x.least
	for i := range rows {
		x.least, most = min(x.least, rows[i][f]), max(most, rows[i][f])
	}
	if x.least == most {
		return x
	}
	for i := 0; i < len(rows) && x.step != 1; i++ {
		if apart := uint64(rows[i][f] - x.least); x.step == 0 || apart%x.step != 0 {
			x.step = divisor(x.step, apart)
		}
	}
	x.mask = 1<<bits.Len64(uint64(most-x.least)/x.step) - 1
	return x
}

// divisor returns the greatest common divisor; that of 0 and n is n.
func divisor(m, n uint64) uint64 {
	for n != 0 {
		m, n = n, m%n
	}
	return m
}

// scaleUnitPrices writes the unit prices as whole numbers if that keeps every one exactly.
func scaleUnitPrices(rows []rowValues) bool {
	var scaled [blockRows]int64
	for i := range rows {
		v := math.Round(math.Float64frombits(uint64(rows[i][fieldUnitPrice])) * unitPriceScale)
		scaled[i] = int64(v) // 0 for -0, which does not come back
		if !(math.Abs(v) < 1<<53) || unscaled(scaled[i]) != rows[i][fieldUnitPrice] {
			return false
		}
	}
	for i := range rows {
		rows[i][fieldUnitPrice] = scaled[i]
	}
	return true
}

// unscaled returns the bits of a unit price.
func unscaled(v int64) int64 { return int64(math.Float64bits(float64(v) / unitPriceScale)) }

func (b *rowBlock) get(f rowField, i int) int64 {
	x := &b.fields[f]
	if x.mask == 0 {
		return x.least
	}
	at := uint(i)*b.size + x.from
	steps := b.words[at/64]>>(at%64) | b.words[at/64+1]<<(64-at%64)
	return x.least + int64(steps&x.mask*x.step)
}

func (b *rowBlock) row(i int) (v rowValues) {
	for f := range v {
		v[f] = b.get(rowField(f), i)
	}
	if b.scaled {
		v[fieldUnitPrice] = unscaled(v[fieldUnitPrice])
	}
	return v
}
