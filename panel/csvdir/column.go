package csvdir

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/larder-index/larder/panel"
)

// need says whether a column's cells may be empty.
type need bool

const (
	filled need = true
	maybe  need = false
)

// newColumn makes a column whose cells are read by parse into the field that at
// points to. An empty cell leaves the field at its zero value.
func newColumn[T, V any](name string, n need, what string, at func(*T) *V,
	parse func(cell []byte, v *V) error, write func(b []byte, v V) []byte) column[T] {
	return column[T]{
		name: name,
		decode: func(_ *decoder, cell []byte, r *T) error {
			if len(cell) == 0 {
				if n == filled {
					return fmt.Errorf("%s is empty; it needs %s", name, what)
				}
				return nil
			}
			if err := parse(cell, at(r)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			return nil
		},
		encode: func(b []byte, r *T) []byte { return write(b, *at(r)) },
	}
}

// asOptional makes a column one that may be missing.
func asOptional[T any](c column[T]) column[T] {
	c.optional = true
	return c
}

func textColumn[T any](name string, n need, at func(*T) *string) column[T] {
	return column[T]{
		name: name,
		decode: func(d *decoder, cell []byte, r *T) error {
			if n == filled {
				if err := checkName(cell); err != nil {
					return fmt.Errorf("%s%w", name, err)
				}
			}
			*at(r) = d.text(cell)
			return nil
		},
		encode: func(b []byte, r *T) []byte { return appendText(b, *at(r)) },
	}
}

// checkName refuses a text that must be there and is not, or that looks like
// another one but is not the same.
func checkName(cell []byte) error {
	switch bare := bytes.TrimSpace(cell); {
	case len(cell) == 0:
		return errors.New(" is empty; it needs a text")
	case len(bare) == 0:
		return errors.New(" is blank; it needs a text")
	case len(bare) < len(cell):
		return fmt.Errorf(": %s has white space around it", shorten(cell))
	}
	return nil
}

// idColumn is for whole numbers above 0; 0 is written as nothing.
func idColumn[T any, I int | int64](name string, n need, at func(*T) *I) column[T] {
	return newColumn(name, n, "a whole number above 0", at,
		func(cell []byte, v *I) error {
			id, ok := parseInt(cell)
			if !ok || id == 0 {
				return fmt.Errorf("%s is not a whole number above 0", shorten(cell))
			}
			*v = I(id)
			return nil
		},
		func(b []byte, v I) []byte {
			if v == 0 {
				return b
			}
			return strconv.AppendInt(b, int64(v), 10)
		})
}

// countColumn is for whole numbers from 0; -1 is null.
func countColumn[T any](name string, at func(*T) *int) column[T] {
	return column[T]{
		name: name,
		decode: func(_ *decoder, cell []byte, r *T) error {
			if len(cell) == 0 {
				*at(r) = -1
				return nil
			}
			v, ok := parseInt(cell)
			if !ok {
				return fmt.Errorf("%s: %s is not a whole number from 0", name, shorten(cell))
			}
			*at(r) = int(v)
			return nil
		},
		encode: func(b []byte, r *T) []byte {
			if *at(r) < 0 {
				return b
			}
			return strconv.AppendInt(b, int64(*at(r)), 10)
		},
	}
}

func boolColumn[T any](name string, n need, at func(*T) *bool) column[T] {
	return newColumn(name, n, "0 or 1", at,
		func(cell []byte, v *bool) error {
			if len(cell) != 1 || cell[0] != '0' && cell[0] != '1' {
				return fmt.Errorf("%s is neither 0 nor 1", shorten(cell))
			}
			*v = cell[0] == '1'
			return nil
		},
		func(b []byte, v bool) []byte {
			if v {
				return append(b, '1')
			}
			return append(b, '0')
		})
}

func triColumn[T any](name string, at func(*T) *panel.Tri) column[T] {
	return newColumn(name, maybe, "", at,
		func(cell []byte, v *panel.Tri) error {
			if len(cell) != 1 || cell[0] != '0' && cell[0] != '1' {
				return fmt.Errorf("%s is neither 0 nor 1 nor empty", shorten(cell))
			}
			*v = panel.TriOf(cell[0] == '1')
			return nil
		},
		func(b []byte, v panel.Tri) []byte {
			switch v {
			case panel.Yes:
				return append(b, '1')
			case panel.No:
				return append(b, '0')
			}
			return b
		})
}

func priceColumn[T any](name string, n need, at func(*T) *panel.Price) column[T] {
	return newColumn(name, n, "a price above 0", at,
		func(cell []byte, v *panel.Price) (err error) {
			*v, err = parsePrice(cell)
			return err
		},
		func(b []byte, v panel.Price) []byte {
			if v == 0 {
				return b
			}
			return v.Append(b)
		})
}

func fixedColumn[T any](name string, n need, at func(*T) *panel.Fixed) column[T] {
	return newColumn(name, n, "a number of at most four decimals", at,
		func(cell []byte, v *panel.Fixed) (err error) {
			if len(cell) > maxNumber {
				return fmt.Errorf("number %s is not a plain decimal number", shorten(cell))
			}
			*v, err = panel.ParseFixed(string(cell))
			return err
		},
		func(b []byte, v panel.Fixed) []byte { return append(b, v.String()...) })
}

// floatColumn is for finite numbers of 0 or more. Where a cell may be empty, 0
// is written as nothing.
func floatColumn[T any](name string, n need, at func(*T) *float64) column[T] {
	return newColumn(name, n, "a number", at,
		func(cell []byte, v *float64) (err error) {
			if *v, err = parseFloat(cell); err != nil {
				return fmt.Errorf("%s %w", shorten(cell), err)
			}
			return nil
		},
		func(b []byte, v float64) []byte {
			if v == 0 && n == maybe {
				return b
			}
			return strconv.AppendFloat(b, v, 'g', -1, 64)
		})
}

func dateColumn[T any](name string, n need, at func(*T) *panel.Date) column[T] {
	return newColumn(name, n, "a day written YYYY-MM-DD", at,
		func(cell []byte, v *panel.Date) error {
			d, ok := parseDay(cell)
			if !ok || len(cell) != len("2006-01-02") {
				return fmt.Errorf("%s is not a day written YYYY-MM-DD", shorten(cell))
			}
			if d < firstDate || d > lastDate {
				return fmt.Errorf("%s is not from %s to %s", cell, firstDate, lastDate)
			}
			*v = d
			return nil
		},
		func(b []byte, v panel.Date) []byte {
			if v == 0 {
				return b
			}
			return append(b, v.String()...)
		})
}

func timeColumn[T any](name string, n need, at func(*T) *time.Time) column[T] {
	return newColumn(name, n, "a time as in RFC 3339", at,
		func(cell []byte, v *time.Time) error {
			t, err := parseTime(cell)
			if err != nil {
				return fmt.Errorf("%s %w", shorten(cell), err)
			}
			*v = t
			return nil
		},
		func(b []byte, v time.Time) []byte {
			if v.IsZero() {
				return b
			}
			return v.UTC().AppendFormat(b, time.RFC3339Nano)
		})
}

// wordColumn is for one of a few words, kept as its place among them. The
// first is what an empty cell means.
func wordColumn[T any, W ~uint8](name string, words []string, at func(*T) *W) column[T] {
	var list []string
	for _, w := range words {
		if w != "" {
			list = append(list, w)
		}
	}
	return newColumn(name, maybe, "", at,
		func(cell []byte, v *W) error {
			for i, w := range words {
				if w == string(cell) {
					*v = W(i)
					return nil
				}
			}
			return fmt.Errorf("%s is not one of %s, or empty", shorten(cell), strings.Join(list, ", "))
		},
		func(b []byte, v W) []byte { return append(b, words[v]...) })
}

// parsedColumn is for values with a parser and a String method of their own.
func parsedColumn[T any, V fmt.Stringer](name, what string, at func(*T) *V, parse func(string) (V, error)) column[T] {
	return newColumn(name, filled, what, at,
		func(cell []byte, v *V) (err error) {
			if len(cell) > maxNumber {
				return fmt.Errorf("%s is not %s", shorten(cell), what)
			}
			*v, err = parse(string(cell))
			if err != nil {
				return trimPackage(err)
			}
			return nil
		},
		func(b []byte, v V) []byte { return appendText(b, v.String()) })
}

// trimPackage removes the package's name from the front of an error.
func trimPackage(err error) error {
	for _, name := range []string{"basket: ", "panel: "} {
		if s, ok := strings.CutPrefix(err.Error(), name); ok {
			return fmt.Errorf("%s", s)
		}
	}
	return err
}
