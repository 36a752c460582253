package panel

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
)

// TestTimeCells reads cells of timestamps as instants, or refuses them.
func TestTimeCells(t *testing.T) {
	const notTime, notYear = "no time", "no year"
	for cell, want := range map[string]string{
		"2026-07-15T12:00:00Z":                       "2026-07-15T12:00:00Z",
		"2026-07-15t12:00:00z":                       "2026-07-15T12:00:00Z",
		"2026-07-15T12:00:00+05:30":                  "2026-07-15T06:30:00Z",
		"2026-07-15T12:00:00-03:30":                  "2026-07-15T15:30:00Z",
		"2026-07-15T22:15:00-03:30":                  "2026-07-16T01:45:00Z",
		"2026-07-15T12:00:00-00:00":                  "2026-07-15T12:00:00Z",
		"2026-07-15T12:00:00+23:59":                  "2026-07-14T12:01:00Z",
		"2026-07-15T12:00:00+05:59":                  "2026-07-15T06:01:00Z",
		"2026-07-15T12:00:00+05:60":                  notTime,
		"2026-07-15T12:00:00+05:99":                  notTime,
		"2026-07-15T12:00:00+24:00":                  notTime,
		"2026-07-15T12:00:00+5:30":                   notTime,
		"2026-07-15T12:00:00+0530":                   notTime,
		"2026-07-15T12:00:00 05:30":                  notTime,
		"2026-07-15T12:00:00":                        notTime,
		"2026-07-15T12:00Z":                          notTime,
		"2026-07-15 12:00:00Z":                       notTime,
		"2026-07-15T9:00:00Z":                        notTime,
		"2026-07-15T12:00:00ZZ":                      notTime,
		"2026-07-15T12:00:00.1Z":                     "2026-07-15T12:00:00.1Z",
		"2026-07-15T12:00:00.123456789-04:00":        "2026-07-15T16:00:00.123456789Z",
		"2026-07-15T12:00:00.1234567890Z":            notTime,
		"2026-07-15T12:00:00.1234567890+01:00":       notTime,
		"2026-07-15T12:00:00.Z":                      notTime,
		"2026-07-15T12:00:00,5Z":                     notTime,
		"2026-07-15T23:59:59Z":                       "2026-07-15T23:59:59Z",
		"2026-07-15T24:00:00Z":                       notTime,
		"2026-07-15T12:60:00Z":                       notTime,
		"2026-07-15T12:00:60Z":                       notTime,
		"2026-00-15T12:00:00Z":                       notTime,
		"2026-13-15T12:00:00Z":                       notTime,
		"2026-04-31T12:00:00Z":                       notTime,
		"2026-02-29T12:00:00Z":                       notTime,
		"2028-02-29T12:00:00Z":                       "2028-02-29T12:00:00Z",
		"2100-02-29T12:00:00Z":                       notTime,
		"2000-02-29T12:00:00Z":                       "2000-02-29T12:00:00Z",
		"1970-01-01T00:00:00Z":                       "1970-01-01T00:00:00Z",
		"1970-01-01T05:30:00+05:30":                  "1970-01-01T00:00:00Z",
		"1970-01-01T05:29:59+05:30":                  notYear,
		"1969-12-31T23:59:59Z":                       notYear,
		"2199-12-31T23:59:59.999999999Z":             "2199-12-31T23:59:59.999999999Z",
		"2200-01-01T00:00:00Z":                       notYear,
		"2199-12-31T23:59:59-00:01":                  notYear,
		strings.Repeat("2026-07-15T12:00:00Z", 5):    notTime,
		"2026-07-15T12:00:00.000000000000000000000Z": notTime,
	} {
		var at time.Time
		err := timeField{&at}.Parse(cell)
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

// TestNumberCells reads cells of numbers and writes them again, or refuses them.
func TestNumberCells(t *testing.T) {
	var (
		id    int64
		count int
		flag  bool
		size  float64
		price Price
		fixed Fixed
		day   Date
		week  Week
		unit  basket.Unit
		ids   []int64
	)
	long := strings.Repeat("0", maxNumber)
	units := wordField[basket.Unit]{&unit, basket.ParseUnit, "a unit"}
	for _, c := range []struct {
		field      Field
		cell, want string
	}{
		{idField{&id}, "1", "1"},
		{idField{&id}, "0", `"0" is not a whole number above 0`},
		{idField{&id}, "007", "7"},
		{idField{&id}, "9223372036854775807", "9223372036854775807"},
		{idField{&id}, "9223372036854775808", `"9223372036854775808" is not a whole number above 0`},
		{idField{&id}, "0000000000000000001", "1"},
		{idField{&id}, "00000000000000000001", `"00000000000000000001" is not a whole number above 0`},
		{idField{&id}, long, `"` + long + `" is not a whole number above 0`},
		{idField{&id}, "+1", `"+1" is not a whole number above 0`},
		{idField{&id}, "1_0", `"1_0" is not a whole number above 0`},
		{countField{&count}, "0", "0"},
		{countField{&count}, "1.0", `"1.0" is not a whole number from 0`},
		{flagField{&flag}, "1", "1"},
		{flagField{&flag}, "0", "0"},
		{flagField{&flag}, "2", `"2" is neither 0 nor 1`},
		{measureField{numberField{&size}}, "0", "0"},
		{numberField{&size}, "0.0", ""},
		{numberField{&size}, "1.5e+2", "150"},
		{numberField{&size}, "1E-2", "0.01"},
		{numberField{&size}, ".5", "0.5"},
		{numberField{&size}, "e5", `"e5" is not a number of 0 or more, written in digits`},
		{numberField{&size}, "1-2", `"1-2" is not a number of 0 or more, written in digits`},
		{numberField{&size}, "+1", `"+1" is not a number of 0 or more, written in digits`},
		{numberField{&size}, "1e400", `"1e400" is too large`},
		{numberField{&size}, "1e-400", `"1e-400" is too close to 0`},
		{numberField{&size}, "0e-9", ""},
		{numberField{&size}, long, ""},
		{numberField{&size}, long + "1", `"` + long + `"... (65 bytes) is not a number of 0 or more, written in digits`},
		{priceField{&price}, "3.4", "3.40"},
		{priceField{&price}, "0.0001", "0.0001"},
		{priceField{&price}, "3.49000", "3.49"},
		{priceField{&price}, "10000000", "10000000.00"},
		{priceField{&price}, "10000000.0001", `price "10000000.0001" is above ten million`},
		{priceField{&price}, long, `price "` + long + `" is not above 0`},
		{priceField{&price}, long + "1", `price "` + long + `"... (65 bytes) is not a plain decimal number`},
		{fixedField{&fixed}, "-1.5", "-1.5000"},
		{fixedField{&fixed}, long, "0.0000"},
		{fixedField{&fixed}, long + "1", `number "` + long + `"... (65 bytes) is not a plain decimal number`},
		{dateField{&day}, "1970-01-02", "1970-01-02"},
		{dateField{&day}, "1970-01-01", "1970-01-01 is not from 1970-01-02 to 2199-12-31"},
		{dateField{&day}, "2199-12-31", "2199-12-31"},
		{dateField{&day}, "2200-01-01", "2200-01-01 is not from 1970-01-02 to 2199-12-31"},
		{dateField{&day}, "2026-7-19", `"2026-7-19" is not a day written YYYY-MM-DD`},
		{dateField{&day}, "2026-02-29", `"2026-02-29" is not a day written YYYY-MM-DD`},
		{weekField{&week}, "2026-07-19", "2026-07-19"},
		{weekField{&week}, "1970-01-04", "1970-01-04"},
		{weekField{&week}, "1969-12-28", "1969-12-28 is not in the years 1970 to 2199"},
		{weekField{&week}, "2199-12-29", "2199-12-29"},
		{weekField{&week}, "2200-01-05", "2200-01-05 is not in the years 1970 to 2199"},
		{weekField{&week}, long, `date "` + long + `" is not a day written YYYY-MM-DD`},
		{idsField{&ids}, "7|30|1", "7|30|1"},
		{idsField{&ids}, "7||1", `"" is not a whole number above 0; ids stand between "|"`},
		{units, "mL", "mL"},
		{units, long, `unknown unit "` + long + `"; use one of g, mL, unit`},
		{units, long + "1", `"` + long + `"... (65 bytes) is not a unit`},
		{weekField{&week}, long + "1", `"` + long + `"... (65 bytes) is not a week's Sunday`},
	} {
		err := c.field.Parse(c.cell)
		got := string(c.field.Append(nil))
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%T: %q becomes %s, want %s", c.field, c.cell, got, c.want)
		}
	}
}

func TestPilotLevel(t *testing.T) {
	for want, r := range map[string]PilotRow{"national": {}, "city": {City: "c"}, "banner": {City: "c", Banner: "b"}} {
		if got := r.Level(); got != want {
			t.Errorf("the level of %q in %q is %s, want %s", r.Banner, r.City, got, want)
		}
	}
}

// TestUnknownIsNull stores and restores every column of an observation. An unknown value is
// NULL.
func TestUnknownIsNull(t *testing.T) {
	for _, c := range ObservationColumns {
		o := Observation{
			ID: 1, Listing: 2, Store: 3, Regular: 4, Sale: 5, Effective: 6, UnitPrice: 7, PackageSize: "8", InStock: No, OnSale: true,
			SaleEndsOn: 9, SaleCondition: Member, ScrapedName: "10", ObservedAt: time.Unix(11, 12).UTC(), RegularSource: AssumedEqual, PromoDetail: "{}",
		}
		was := o
		stored := c.Stored(&o)
		c.Restore(&o, nil)
		if cleared := o == was; cleared || stored == nil {
			t.Errorf("%s: %v is stored, and NULL restores %+v", c.Name, stored, o)
		}
		if blank := c.Stored(&o); c.needs == "" && blank != nil {
			t.Errorf("%s: unknown is stored as %v", c.Name, blank)
		}
		if c.Restore(&o, stored); o != was {
			t.Errorf("%s: %v restores %+v", c.Name, stored, o)
		}
	}
}
