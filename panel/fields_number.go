package panel

import (
	"fmt"
	"strconv"
	"time"
)

// idField is a whole number above 0. 0 is unknown.
type idField struct{ v *int64 }

func (f idField) Parse(cell string) (err error) {
	*f.v, err = parseID(cell)
	return err
}

func (f idField) Append(b []byte) []byte {
	if *f.v == 0 {
		return b
	}
	return strconv.AppendInt(b, *f.v, 10)
}

func (f idField) Stored() any {
	if *f.v == 0 {
		return nil
	}
	return *f.v
}

func (f idField) Restore(stored any) { *f.v, _ = stored.(int64) }

// productField is the id of a product. 0 is unknown.
type productField struct{ v *int }

func (f productField) Parse(cell string) error {
	id, err := parseID(cell)
	*f.v = int(id)
	return err
}

func (f productField) Append(b []byte) []byte {
	id := int64(*f.v)
	return idField{&id}.Append(b)
}

func (f productField) Stored() any        { return numberOrNull(int64(*f.v)) }
func (f productField) Restore(stored any) { id, _ := stored.(int64); *f.v = int(id) }

// countField is a whole number from 0. -1 is unknown.
type countField struct{ v *int }

func (f countField) Parse(cell string) error {
	n, ok := parseInt(cell)
	if !ok {
		return fmt.Errorf("%s is not a whole number from 0", shorten(cell))
	}
	*f.v = int(n)
	return nil
}

func (f countField) Append(b []byte) []byte {
	if *f.v < 0 {
		return b
	}
	return strconv.AppendInt(b, int64(*f.v), 10)
}

func (f countField) Stored() any {
	if *f.v < 0 {
		return nil
	}
	return int64(*f.v)
}

func (f countField) Restore(stored any) {
	n, ok := stored.(int64)
	if *f.v = int(n); !ok {
		*f.v = -1
	}
}

// flagField is a yes or no, written 1 or 0.
type flagField struct{ v *bool }

func (f flagField) Parse(cell string) error {
	if cell != "0" && cell != "1" {
		return fmt.Errorf("%s is neither 0 nor 1", shorten(cell))
	}
	*f.v = cell == "1"
	return nil
}

func (f flagField) Append(b []byte) []byte { return strconv.AppendInt(b, f.bit(), 10) }
func (f flagField) Stored() any            { return f.bit() }
func (f flagField) Restore(stored any)     { n, _ := stored.(int64); *f.v = n != 0 }

func (f flagField) bit() int64 {
	if *f.v {
		return 1
	}
	return 0
}

// triField is a yes or no that may be unknown.
type triField struct{ v *Tri }

func (f triField) Parse(cell string) error {
	if cell != "0" && cell != "1" {
		return fmt.Errorf("%s is neither 0 nor 1 nor empty", shorten(cell))
	}
	*f.v = TriOf(cell == "1")
	return nil
}

func (f triField) Append(b []byte) []byte {
	switch *f.v {
	case Yes:
		return append(b, '1')
	case No:
		return append(b, '0')
	}
	return b
}

func (f triField) Stored() any {
	switch *f.v {
	case Yes:
		return int64(1)
	case No:
		return int64(0)
	}
	return nil
}

func (f triField) Restore(stored any) {
	n, ok := stored.(int64)
	if *f.v = TriOf(n != 0); !ok {
		*f.v = Unknown
	}
}

// numberField is a finite number of 0 or more. 0 is unknown.
type numberField struct{ v *float64 }

func (f numberField) Parse(cell string) (err error) {
	if *f.v, err = parseFloat(cell); err != nil {
		return fmt.Errorf("%s %w", shorten(cell), err)
	}
	return nil
}

func (f numberField) Append(b []byte) []byte {
	if *f.v == 0 {
		return b
	}
	return measureField{f}.Append(b)
}

func (f numberField) Stored() any {
	if *f.v == 0 {
		return nil
	}
	return *f.v
}

func (f numberField) Restore(stored any) { *f.v, _ = stored.(float64) }

// measureField is a finite number of 0 or more. 0 is known too.
type measureField struct{ numberField }

func (f measureField) Append(b []byte) []byte { return strconv.AppendFloat(b, *f.v, 'g', -1, 64) }
func (f measureField) Stored() any            { return *f.v }

func numberOrNull(v int64) any {
	if v == 0 {
		return nil
	}
	return v
}

// priceField is a price. 0 is unknown.
type priceField struct{ v *Price }

func (f priceField) Parse(cell string) (err error) {
	if v, ok := plainUnits(cell); ok && Price(v).Valid() {
		*f.v = Price(v)
		return nil
	}
	if len(cell) > maxNumber {
		return fmt.Errorf("price %s is not a plain decimal number", shorten(cell))
	}
	*f.v, err = ParsePrice(cell)
	return err
}

func (f priceField) Append(b []byte) []byte {
	if *f.v == 0 {
		return b
	}
	return f.v.Append(b)
}

func (f priceField) Stored() any        { return numberOrNull(int64(*f.v)) }
func (f priceField) Restore(stored any) { n, _ := stored.(int64); *f.v = Price(n) }

// fixedField is a number of at most four decimals, or null.
type fixedField struct{ v *Fixed }

func (f fixedField) Parse(cell string) (err error) {
	if len(cell) > maxNumber {
		return fmt.Errorf("number %s is not a plain decimal number", shorten(cell))
	}
	*f.v, err = ParseFixed(cell)
	return err
}

func (f fixedField) Append(b []byte) []byte { return append(b, f.v.String()...) }

func (f fixedField) Stored() any {
	if !f.v.Valid {
		return nil
	}
	return f.v.Units
}

func (f fixedField) Restore(stored any) { f.v.Units, f.v.Valid = stored.(int64) }

// dateField is a day. 0 is unknown.
type dateField struct{ v *Date }

func (f dateField) Parse(cell string) (err error) {
	*f.v, err = parseCellDate(cell)
	return err
}

func (f dateField) Append(b []byte) []byte {
	if *f.v == 0 {
		return b
	}
	return append(b, f.v.String()...)
}

func (f dateField) Stored() any        { return numberOrNull(int64(*f.v)) }
func (f dateField) Restore(stored any) { n, _ := stored.(int64); *f.v = Date(n) }

// weekField is a week, written as its Sunday.
type weekField struct{ v *Week }

func (f weekField) Parse(cell string) (err error) {
	if len(cell) > maxNumber {
		return fmt.Errorf("%s is not a week's Sunday", shorten(cell))
	}
	*f.v, err = ParseWeek(cell)
	if d := f.v.Date(); err == nil && (d < firstCellDate || d > lastCellDate) {
		err = fmt.Errorf("%s %w", cell, errYear)
	}
	return err
}

func (f weekField) Append(b []byte) []byte { return append(b, f.v.String()...) }
func (f weekField) Stored() any            { return int64(*f.v) }
func (f weekField) Restore(stored any)     { n, _ := stored.(int64); *f.v = Week(n) }

// timeField is a moment. The zero time is unknown.
type timeField struct{ v *time.Time }

func (f timeField) Parse(cell string) (err error) {
	if *f.v, err = parseCellTime(cell); err != nil {
		return fmt.Errorf("%s %w", shorten(cell), err)
	}
	return nil
}

func (f timeField) Append(b []byte) []byte {
	if f.v.IsZero() {
		return b
	}
	return f.v.UTC().AppendFormat(b, time.RFC3339Nano)
}

func (f timeField) Stored() any {
	if f.v.IsZero() {
		return nil
	}
	return f.v.UnixNano()
}

func (f timeField) Restore(stored any) {
	if n, ok := stored.(int64); ok {
		*f.v = time.Unix(0, n).UTC()
	} else {
		*f.v = time.Time{}
	}
}
