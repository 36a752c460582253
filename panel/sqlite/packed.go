package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/record"
)

// The table packed has the observations a second time, thousands in one row: stepping from row to row is
// most of the cost of reading a table. Loading reads packed; lookups of single rows and other programs
// read observations. Publishing makes the one from the other, and one seal covers both.
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
//
// Columns that are further down the list follow one by one. Each value begins with a byte that says
// what it is: nothing, a number (signed), a float64 or a text with its length.

// packedRows is the number of observations in one row of the table. The last
// row may have fewer.
const packedRows = 8192

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

// further are the columns behind those that the format above has.
var further = record.Observations[1+slices.IndexFunc(record.Observations, func(c record.Column[panel.Observation]) bool {
	return c.Name == "promo_detail"
}):]

// What a value of a further column is.
const (
	noValue = iota
	aNumber
	aFloat
	aText
)

var errPacked = errors.New("the packed observations can't be read")

// eachPacked reads the packed observations by id. It calls take with those of
// one row of the table after the other, in another goroutine. take must not keep
// them. If whole is false, only the members that the index needs are set: ID,
// Store, Effective, ObservedAt and the label.
func eachPacked(ctx context.Context, c *conn, whole bool, take func(rows []storedRow) error) error {
	query := "SELECT last_id, rows, prices FROM packed ORDER BY last_id"
	if whole {
		query = "SELECT last_id, rows, prices, rest FROM packed ORDER BY last_id"
	}
	return relay(ctx, func(swap func([]storedRow) ([]storedRow, error)) error {
		var rows []storedRow
		return c.each(query, func(r row) (err error) {
			n := r.int(1)
			if n < 1 || n > packedRows {
				return fmt.Errorf("%w: %d rows up to id %d", errPacked, n, r.int(0))
			}
			rows, err = unpackPrices(rows[:0], r.blob(2), int(n))
			if err == nil && whole {
				err = unpackRest(rows, r.blob(3))
			}
			if err != nil {
				return fmt.Errorf("%w: those up to id %d", err, r.int(0))
			}
			rows, err = swap(rows)
			return err
		})
	}, take)
}

// checkPacked checks that the blobs have room for their observations, and that the last
// observation is packed.
func checkPacked(c *conn) error {
	const least = 5 // bytes of an observation in the blob prices
	return c.each("SELECT sum(rows), max(rows), min(rows), sum(length(prices)), max(last_id), (SELECT max(id) FROM observations) FROM packed", func(r row) error {
		if r.int(1) > packedRows || r.int(2) < 0 || r.int(0) > r.int(3)/least || r.null(4) != r.null(5) || r.int(4) != r.int(5) {
			return fmt.Errorf("%w: %d up to id %d, of those up to %d", errPacked, r.int(0), r.int(4), r.int(5))
		}
		return nil
	})
}
