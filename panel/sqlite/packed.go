package sqlite

import (
	"errors"

	"github.com/larder-index/larder/panel"
)

// The table packed has the observations a second time, thousands in one row:
// stepping from row to row is most of the cost of reading a table. Packed,
// 3.2 million observations load in 0.8 s; from the table it takes 2.9 s. Loading
// reads packed. Lookups of single rows and all other programs read
// observations. Publishing makes the one from the other, and one seal covers
// both.
//
// Two blobs hold the numbers of each observation. All numbers are varints as in
// encoding/binary, so that every value comes back exactly. The blob prices
// begins with its unit of time in nanoseconds. Each observation has
//
//	id         less the one before
//	label      its id
//	store      its id
//	effective  the price
//	at         less the one before, signed, in the unit
//
// The blob rest begins with the promo details: how many, then each with its
// length. Each observation has
//
//	flags       two bytes, which say what follows
//	regular     the price less the effective one, signed; unless unknown or equal
//	sale        likewise
//	unit price  in ten-thousandths, or in eight bytes if it has more decimals
//	sale ends   the day, signed
//	promo       the place of its promo detail

// packedRows is the number of observations in one row of the table. The last
// row may have fewer.
const packedRows = 8192

// storedRow is an observation and the id of its label. Its Listing, PackageSize
// and ScrapedName are the label's, and zero until named sets them.
type storedRow struct {
	label int64
	panel.Observation
}

// The places of an observation's members in its two bytes of flags. A member of
// two bits is under the mask two.
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

// What the flags say of a number.
const (
	unknown = iota
	same
	other
)

var errPacked = errors.New("the packed observations can't be read")
