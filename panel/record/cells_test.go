package record

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// TestTimeCells reads cells of timestamps as instants, or refuses them.
func TestTimeCells(t *testing.T) {
	const notTime, notYear = "no time", "no year"
	for cell, want := range map[string]string{
		"2026-07-15T12:00:00Z":                    "2026-07-15T12:00:00Z",
		"2026-07-15t12:00:00z":                    "2026-07-15T12:00:00Z",
		"2026-07-15T12:00:00+05:30":               "2026-07-15T06:30:00Z",
		"2026-07-15T12:00:00+23:59":               "2026-07-14T12:01:00Z",
		"2026-07-15T12:00:00+05:59":               "2026-07-15T06:01:00Z",
		"2026-07-15T12:00:00+05:60":               notTime,
		"2026-07-15T12:00:00+24:00":               notTime,
		"2026-07-15T12:00:00+0530":                notTime,
		"2026-07-15T12:00:00":                     notTime,
		"2026-07-15T12:00Z":                       notTime,
		"2026-07-15T9:00:00Z":                     notTime,
		"2026-07-15T12:00:00.123456789-04:00":     "2026-07-15T16:00:00.123456789Z",
		"2026-07-15T12:00:00.1234567890Z":         notTime,
		"2026-07-15T12:00:00.Z":                   notTime,
		"2026-07-15T12:00:00,5Z":                  notTime,
		"2026-07-15T24:00:00Z":                    notTime,
		"2026-07-15T12:60:00Z":                    notTime,
		"2026-07-15T12:00:60Z":                    notTime,
		"2026-13-15T12:00:00Z":                    notTime,
		"2026-04-31T12:00:00Z":                    notTime,
		"2026-02-29T12:00:00Z":                    notTime,
		"2100-02-29T12:00:00Z":                    notTime,
		"2000-02-29T12:00:00Z":                    "2000-02-29T12:00:00Z",
		"1970-01-01T00:00:00Z":                    "1970-01-01T00:00:00Z",
		"1970-01-01T05:29:59+05:30":               notYear,
		"1969-12-31T23:59:59Z":                    notYear,
		"2199-12-31T23:59:59.999999999Z":          "2199-12-31T23:59:59.999999999Z",
		"2200-01-01T00:00:00Z":                    notYear,
		"2199-12-31T23:59:59-00:01":               notYear,
		strings.Repeat("2026-07-15T12:00:00Z", 5): notTime,
	} {
		at, err := parseTime(cell)
		got := at.Format(time.RFC3339Nano)
		switch {
		case errors.Is(err, errTime):
			got = notTime
		case errors.Is(err, errYear):
			got = notYear
		}
		if got != want {
			t.Errorf("%s is read as %s, want %s", cell, got, want)
		}
	}
}

// cellOf reads a cell with a codec and writes it again, or returns the error's text.
func cellOf[V any](c codec[V]) func(cell string) string {
	column := col("x", func(v *V) *V { return v }, c)
	return func(cell string) string {
		var v V
		if err := column.Parse(&v, cell); err != nil {
			return strings.TrimPrefix(err.Error(), "x: ")
		}
		return string(column.Append(nil, &v))
	}
}

// TestNumberCells reads cells of numbers and writes them again, or refuses them.
func TestNumberCells(t *testing.T) {
	long := strings.Repeat("0", maxNumber)
	for _, c := range []struct {
		rewrite    func(cell string) string
		cell, want string
	}{
		{cellOf(id), "1", "1"},
		{cellOf(id), "0", `"0" is not a whole number above 0`},
		{cellOf(id), "9223372036854775808", `"9223372036854775808" is not a whole number above 0`},
		{cellOf(id), "0000000000000000001", "1"},
		{cellOf(id), "00000000000000000001", `"00000000000000000001" is not a whole number above 0`},
		{cellOf(id), long, `"` + long + `" is not a whole number above 0`},
		{cellOf(count), "0", "0"},
		{cellOf(count), "1.0", `"1.0" is not a whole number from 0`},
		{cellOf(flag), "1", "1"},
		{cellOf(flag), "2", `"2" is neither 0 nor 1`},
		{cellOf(number), "0.0", ""},
		{cellOf(number), "1.5e+2", "150"},
		{cellOf(number), "1E-2", "0.01"},
		{cellOf(number), "e5", `"e5" is not a number of 0 or more, written in digits`},
		{cellOf(number), "+1", `"+1" is not a number of 0 or more, written in digits`},
		{cellOf(number), "1e400", `"1e400" is too large`},
		{cellOf(number), "1e-400", `"1e-400" is too close to 0`},
		{cellOf(number), long, ""},
		{cellOf(number), long + "1", `"` + long + `"... (65 bytes) is not a number of 0 or more, written in digits`},
		{cellOf(price), "3.4", "3.40"},
		{cellOf(price), "10000000", "10000000.00"},
		{cellOf(price), "10000000.0001", `price "10000000.0001" is above ten million`},
		{cellOf(price), long, `price "` + long + `" is not above 0`},
		{cellOf(price), long + "1", `price "` + long + `"... (65 bytes) is not a plain decimal number`},
		{cellOf(fixed), "-1.5", "-1.5000"},
		{cellOf(fixed), long + "1", `number "` + long + `"... (65 bytes) is not a plain decimal number`},
		{cellOf(date), "1970-01-01", "1970-01-01 is not from 1970-01-02 to 2199-12-31"},
		{cellOf(date), "2200-01-01", "2200-01-01 is not from 1970-01-02 to 2199-12-31"},
		{cellOf(date), "2026-7-19", `"2026-7-19" is not a day written YYYY-MM-DD`},
		{cellOf(week), "1969-12-28", "1969-12-28 is not in the years 1970 to 2199"},
		{cellOf(week), "2200-01-05", "2200-01-05 is not in the years 1970 to 2199"},
		{cellOf(week), long, `date "` + long + `" is not a day written YYYY-MM-DD`},
		{cellOf(ids), "7|30|1", "7|30|1"},
		{cellOf(ids), "7||1", `"" is not a whole number above 0; ids stand between "|"`},
		{cellOf(unit), "mL", "mL"},
		{cellOf(unit), long, `unknown unit "` + long + `"; use one of g, mL, unit`},
		{cellOf(unit), long + "1", `"` + long + `"... (65 bytes) is not a unit`},
		{cellOf(week), long + "1", `"` + long + `"... (65 bytes) is not a week's Sunday`},
	} {
		if got := c.rewrite(c.cell); got != c.want {
			t.Errorf("%q becomes %s, want %s", c.cell, got, c.want)
		}
	}
}

// TestControlCharacters: a shop's text is repaired where it has some, the publisher's is refused, and no
// other text changes.
func TestControlCharacters(t *testing.T) {
	for cell, want := range map[string]string{
		"BÅ\u0093uf": "Bœuf", "L\u0092ail\x00\tvert": "L’ail vert", "500\u0085g": "500…g",
		"BÅ“uf  &amp;": "BÅ“uf  &amp;", "": "",
	} {
		if got, err := parseScraped(cell); got != want || err != nil {
			t.Errorf("scraped %q: %q, %v", cell, got, err)
		}
		if got, err := parseText(cell); (err == nil) != (cell == want) || err == nil && got != cell {
			t.Errorf("text %q: %q, %v", cell, got, err)
		}
	}
}
