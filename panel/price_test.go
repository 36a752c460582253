package panel

import (
	"math"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/larder-index/larder/basket"
)

func TestParsePriceRefuses(t *testing.T) {
	for s, want := range map[string]string{
		"":                           "is not a plain decimal number",
		"0.0000":                     "is not above 0",
		"-1":                         "is not above 0",
		"+1":                         "is not a plain decimal number",
		" 1":                         "is not a plain decimal number",
		".5":                         "is not a plain decimal number",
		"1,5":                        "is not a plain decimal number",
		"1e2":                        "is not a plain decimal number",
		"NaN":                        "is not a plain decimal number",
		"0.00001":                    "has more than 4 decimals",
		"10000000.1":                 "is above ten million",
		"99999999999999999999999999": "is too large",
	} {
		if p, err := ParsePrice(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %d, %v; want an error that it %s", s, p, err, want)
		}
	}
}

func TestPriceRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Price(rapid.Int64Range(1, int64(maxPrice)).Draw(t, "price"))
		if back, err := ParsePrice(p.String()); err != nil || back != p {
			t.Fatalf("%d is written %s and read as %d, %v", p, p, back, err)
		}
		if got, want := p.log(), math.Log(p.Decimal().InexactFloat64()); math.Abs(got-want) > 1e-14 {
			t.Fatalf("ln %s = %v, want %v", p, got, want)
		}
	})
}

func FuzzParsePrice(f *testing.F) {
	for _, s := range []string{"3.49", "0.1234", "-1", "1e9", "00012.5", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParsePrice(s)
		if err != nil {
			return
		}
		d, err := decimal.NewFromString(s)
		if err != nil || !d.Equal(p.Decimal()) {
			t.Errorf("%q is read as %s; as a decimal it is %s (%v)", s, p, d, err)
		}
	})
}

func FuzzParseFixed(f *testing.F) {
	for _, s := range []string{"100.0000", "-0.5", "-0", "", "12345678901234", "-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := ParseFixed(s)
		if err != nil || !v.Valid {
			return
		}
		d, err := decimal.NewFromString(s)
		if err != nil || !d.Equal(decimal.New(v.Units, -PriceDecimals)) {
			t.Errorf("%q is read as %s; as a decimal it is %s (%v)", s, v, d, err)
		}
		if back, err := ParseFixed(v.String()); err != nil || back != v {
			t.Errorf("%q is written %s and read back as %s, %v", s, v, back, err)
		}
	})
}

func TestFixedText(t *testing.T) {
	for _, c := range []struct {
		v        Fixed
		decimals int
		want     string
	}{
		{FixedOf(1_000_000), 4, "100.0000"},
		{FixedOf(1_234_500), 2, "123.45"},
		{FixedOf(1_234_560), 2, "123.456"},
		{FixedOf(-1), 4, "-0.0001"},
		{FixedOf(math.MinInt64), 4, "-922337203685477.5808"},
		{FixedOf(0), 4, "0.0000"},
		{FixedOf(0), 0, "0"},
		{FixedOf(50_000), 0, "5"},
		{FixedOf(50_100), 0, "5.01"},
		{Fixed{}, 4, "null"},
	} {
		if got := string(c.v.Append(nil, c.decimals)); got != c.want {
			t.Errorf("%v with %d decimals is %s, want %s", c.v, c.decimals, got, c.want)
		}
	}
	if s := (Fixed{}).String(); s != "" {
		t.Errorf("null is written %q", s)
	}
	if !math.IsNaN(Fixed{}.Float64()) || FixedOf(25_000).Float64() != 2.5 {
		t.Error("Float64 is wrong")
	}
}

// TestTakeShelf divides prices at the till by the sizes of their packs.
func TestTakeShelf(t *testing.T) {
	butter := basket.Product{StandardSize: 454, Unit: basket.Gram, SoldBy: basket.ByPackage}
	eggs := basket.Product{StandardSize: 12, Unit: basket.Count, SoldBy: basket.ByPackage}
	apples := basket.Product{StandardSize: 1000, Unit: basket.Gram, SoldBy: basket.ByKilogram}
	for _, c := range []struct {
		p     basket.Product
		size  string
		shelf Price
		want  string // effective and regular price; the regular one is twice the other at the till
	}{
		{butter, "250 g", 2_2900, "4.1586 8.3173"}, // 2.29 * 454 / 250 = 4.15864
		{butter, "2 x 227 g", 5_0000, "5.00 10.00"},
		{eggs, "18 eggs", 6_0000, "4.00 8.00"},
		{apples, "1.36 kg", 4_0000, "2.9412 5.8824"},
		{apples, "/lb", 1_9900, "4.3872 8.7744"}, // 1.99 / 0.45359237
		{apples, "", 4_4000, "4.40 8.80"},
		{butter, "", 2_2900, "it is empty"},
		{butter, "fresh", 2_2900, "it states no size"},
		{butter, "250 mL", 2_2900, `"250 mL" is not an exact size in g`},
		{butter, "about 250 g", 2_2900, `"about 250 g" is not an exact size in g`},
		{butter, "1 g", maxPrice, "out of range"},
	} {
		o := Observation{PackageSize: c.size, Shelf: c.shelf, Regular: min(2*c.shelf, maxPrice)}
		was := o
		err := o.TakeShelf(&c.p)
		got := o.Effective.String() + " " + o.Regular.String()
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || err != nil && o != was || err == nil && o.Shelf != 0 {
			t.Errorf("%s for %q: %s, want %s", c.shelf, c.size, got, c.want)
		}
	}
}
