package sqlite

import (
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
)

// pack brings the table packed up to date with the observations. Those are only
// ever added: if all that are new have larger ids than any before, what is
// packed full stays as it is. So the same rows are packed alike, however many
// imports they came in.
func (im *importer) pack() error {
	if !im.changed() {
		return nil
	}
	above, err := im.keepPacked()
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
	err = im.conn.each("SELECT "+strings.Join(obsColumns, ", ")+" FROM observations WHERE id > ? ORDER BY id", func(r row) error {
		if rows = append(rows, scanStored(r)); len(rows) < packedRows {
			return nil
		}
		return put()
	}, above)
	if err != nil {
		return err
	}
	return put()
}

// keepPacked drops what is packed and has to be packed anew, and returns the
// last id that stays.
func (im *importer) keepPacked() (above int64, err error) {
	type part struct{ last, rows int64 }
	var parts []part
	err = im.conn.each("SELECT last_id, rows FROM packed ORDER BY last_id", func(r row) error {
		parts = append(parts, part{r.int(0), r.int(1)})
		return nil
	})
	if err != nil {
		return 0, err
	}
	above = math.MinInt64
	for _, p := range parts {
		there, err := im.conn.int("SELECT count(*) FROM observations WHERE id > ? AND id <= ?", above, p.last)
		if err != nil {
			return 0, err
		}
		if there != packedRows || p.rows != packedRows {
			break
		}
		above = p.last
	}
	return above, im.conn.exec("DELETE FROM packed WHERE last_id > ?", above)
}

// packedValues returns a row of the table packed.
func packedValues(rows []storedRow) ([]driver.Value, error) {
	rest, err := packRest(rows)
	if err != nil {
		return nil, err
	}
	first, last := rows[0].at, rows[0].at
	for i := range rows {
		first, last = min(first, rows[i].at), max(last, rows[i].at)
	}
	return []driver.Value{rows[len(rows)-1].id, int64(len(rows)), first, last, packPrices(rows), rest}, nil
}

// packPrices is the reverse of unpackPrices.
func packPrices(rows []storedRow) []byte {
	unit := unitOf(rows)
	b := binary.AppendVarint(nil, unit)
	var id, at int64
	for i := range rows {
		o := &rows[i]
		b = binary.AppendUvarint(b, uint64(o.id-id))
		b = binary.AppendUvarint(b, uint64(o.label))
		b = binary.AppendUvarint(b, uint64(o.store))
		b = binary.AppendUvarint(b, uint64(o.effective))
		b = binary.AppendVarint(b, (o.at-at)/unit)
		id, at = o.id, o.at
	}
	return b
}

// unitOf returns the largest unit that all times are whole numbers of.
func unitOf(rows []storedRow) int64 {
	for unit := int64(1e9); unit > 1; unit /= 1000 {
		if !slices.ContainsFunc(rows, func(o storedRow) bool { return o.at%unit != 0 }) {
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
		if p := rows[i].promo; p != "" {
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
		if uint64(o.condition) > two || uint64(o.source) > two {
			return nil, fmt.Errorf("sqlite: observation %d: no such sale_condition or regular_price_source", o.id)
		}
		b = appendRest(b, o, places)
	}
	return b, nil
}

func appendRest(b []byte, o *storedRow, places map[string]uint64) []byte {
	regular, sale := known(o.regular, o.effective), known(o.sale, o.effective)
	x := byte(o.stock)<<stockAt | regular<<regularAt | sale<<saleAt
	if o.onSale {
		x |= onSaleBit
	}
	if o.endsOn != 0 {
		x |= endsBit
	}
	y := byte(o.condition)<<conditionAt | byte(o.source)<<sourceAt
	units, whole := tenThousandths(o.unitPrice)
	switch {
	case whole:
		y |= same << unitAt
	case math.Float64bits(o.unitPrice) != 0:
		y |= other << unitAt
	}
	if o.promo != "" {
		y |= promoBit
	}
	b = append(b, x, y)
	if regular == other {
		b = binary.AppendVarint(b, o.regular-o.effective)
	}
	if sale == other {
		b = binary.AppendVarint(b, o.sale-o.effective)
	}
	switch y >> unitAt & two {
	case same:
		b = binary.AppendUvarint(b, units)
	case other:
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(o.unitPrice))
	}
	if o.endsOn != 0 {
		b = binary.AppendVarint(b, o.endsOn)
	}
	if o.promo != "" {
		b = binary.AppendUvarint(b, places[o.promo])
	}
	return b
}

// known says what is known of a price beside the effective one.
func known(price, effective int64) byte {
	switch price {
	case 0:
		return unknown
	case effective:
		return same
	}
	return other
}

// tenThousandths returns the whole number of ten-thousandths that a value is;
// false if it is none, or so large that not all of them are numbers of their own.
func tenThousandths(v float64) (uint64, bool) {
	const largest = 1 << 50
	n := math.Round(v * 1e4)
	if !(n > 0 && n < largest) || n/1e4 != v {
		return 0, false
	}
	return uint64(n), true
}
