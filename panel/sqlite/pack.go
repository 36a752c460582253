package sqlite

import (
	"database/sql/driver"
	"encoding/binary"
	"math"
	"slices"

	"github.com/larder-index/larder/panel"
)

// pack brings the table packed up to date with the observations. Observations
// are only ever added: if all new ones have larger ids than the old ones, the
// full rows of the table stay. So the same observations are packed alike,
// however many imports they came in.
func (im *importer) pack() error {
	if !im.changed() {
		return nil
	}
	above, err := im.keepPacked()
	if err != nil {
		return err
	}
	scan, err := newScanner(im.conn)
	if err != nil {
		return err
	}
	insert, err := im.conn.prepare("INSERT INTO packed (last_id, rows, first_at, last_at, prices, rest) VALUES (?, ?, ?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	rows := make([]storedRow, 0, packedRows)
	put := func() error {
		if len(rows) == 0 {
			return im.ctx.Err()
		}
		values, err := packedValues(rows)
		if err == nil {
			_, err = insert.Exec(values)
		}
		rows = rows[:0]
		return err
	}
	err = im.conn.each(scan.query("WHERE id > ? ORDER BY id"), func(r row) error {
		rows = append(rows, storedRow{})
		if scan.row(r, &rows[len(rows)-1]); len(rows) < packedRows {
			return nil
		}
		return put()
	}, above)
	if err != nil {
		return err
	}
	return put()
}

// keepPacked deletes the packed rows that have to be made anew and returns the
// last id of those that stay.
func (im *importer) keepPacked() (above int64, err error) {
	above = math.MinInt64
	full := true
	err = im.conn.each("SELECT last_id, rows FROM packed ORDER BY last_id", func(r row) error {
		if !full {
			return nil
		}
		there, err := im.conn.int("SELECT count(*) FROM observations WHERE id > ? AND id <= ?", above, r.int(0))
		if full = there == packedRows && r.int(1) == packedRows; full {
			above = r.int(0)
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	return above, im.conn.exec("DELETE FROM packed WHERE last_id > ?", above)
}

func packedValues(rows []storedRow) ([]driver.Value, error) {
	rest, err := packRest(rows)
	if err != nil {
		return nil, err
	}
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for i := range rows {
		at := rows[i].ObservedAt.UnixNano()
		first, last = min(first, at), max(last, at)
	}
	return []driver.Value{rows[len(rows)-1].ID, int64(len(rows)), first, last, packPrices(rows), rest}, nil
}

// packPrices is the reverse of unpackPrices.
func packPrices(rows []storedRow) []byte {
	unit := unitOf(rows)
	b := binary.AppendVarint(nil, unit)
	var id, before int64
	for i := range rows {
		o := &rows[i]
		at := o.ObservedAt.UnixNano()
		b = binary.AppendUvarint(b, uint64(o.ID-id))
		b = binary.AppendUvarint(b, uint64(o.label))
		b = binary.AppendUvarint(b, uint64(o.Store))
		b = binary.AppendUvarint(b, uint64(o.Effective))
		b = binary.AppendVarint(b, (at-before)/unit)
		id, before = o.ID, at
	}
	return b
}

// unitOf returns the largest unit, in nanoseconds, that divides all times.
func unitOf(rows []storedRow) int64 {
	for unit := int64(1e9); unit > 1; unit /= 1000 {
		if !slices.ContainsFunc(rows, func(o storedRow) bool { return o.ObservedAt.UnixNano()%unit != 0 }) {
			return unit
		}
	}
	return 1
}

// packRest is the reverse of unpackRest.
func packRest(rows []storedRow) ([]byte, error) {
	places := map[string]uint64{}
	var promos []string
	for i := range rows {
		if p := rows[i].PromoDetail; p != "" {
			if _, there := places[p]; !there {
				places[p] = uint64(len(promos))
				promos = append(promos, p)
			}
		}
	}
	b := binary.AppendUvarint(nil, uint64(len(promos)))
	for _, p := range promos {
		b = append(binary.AppendUvarint(b, uint64(len(p))), p...)
	}
	for i := range rows {
		o := &rows[i]
		if o.SaleCondition > two || o.RegularSource > two {
			return nil, errNoSuchWord(o.ID)
		}
		b = appendRest(b, o, places)
	}
	for _, c := range further {
		for i := range rows {
			b = appendValue(b, c.SQL(&rows[i].Observation))
		}
	}
	return b, nil
}

// appendValue is the reverse of numbers.value.
func appendValue(b []byte, value any) []byte {
	switch x := value.(type) {
	case int64:
		return binary.AppendVarint(append(b, aNumber), x)
	case float64:
		return binary.LittleEndian.AppendUint64(append(b, aFloat), math.Float64bits(x))
	case string:
		return append(binary.AppendUvarint(append(b, aText), uint64(len(x))), x...)
	}
	return append(b, noValue)
}

func appendRest(b []byte, o *storedRow, places map[string]uint64) []byte {
	regular, sale := known(o.Regular, o.Effective), known(o.Sale, o.Effective)
	x := byte(o.InStock)<<stockAt | regular<<regularAt | sale<<saleAt
	if o.OnSale {
		x |= onSaleBit
	}
	if o.SaleEndsOn != 0 {
		x |= endsBit
	}
	y := byte(o.SaleCondition)<<conditionAt | byte(o.RegularSource)<<sourceAt
	units, whole := tenThousandths(o.UnitPrice)
	switch {
	case whole:
		y |= same << unitAt
	case math.Float64bits(o.UnitPrice) != 0:
		y |= other << unitAt
	}
	if o.PromoDetail != "" {
		y |= promoBit
	}
	b = append(b, x, y)
	if regular == other {
		b = binary.AppendVarint(b, int64(o.Regular-o.Effective))
	}
	if sale == other {
		b = binary.AppendVarint(b, int64(o.Sale-o.Effective))
	}
	switch y >> unitAt & two {
	case same:
		b = binary.AppendUvarint(b, units)
	case other:
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(o.UnitPrice))
	}
	if o.SaleEndsOn != 0 {
		b = binary.AppendVarint(b, int64(o.SaleEndsOn))
	}
	if o.PromoDetail != "" {
		b = binary.AppendUvarint(b, places[o.PromoDetail])
	}
	return b
}

// known compares a price with the effective one.
func known(price, effective panel.Price) byte {
	switch price {
	case 0:
		return unknown
	case effective:
		return same
	}
	return other
}

// tenThousandths returns a value as a whole number of ten-thousandths. It
// returns false for a value with more decimals, and for one so large that
// neighbouring ten-thousandths are the same float64.
func tenThousandths(v float64) (uint64, bool) {
	const largest = 1 << 50
	n := math.Round(v * 1e4)
	if !(n > 0 && n < largest) || n/1e4 != v {
		return 0, false
	}
	return uint64(n), true
}
