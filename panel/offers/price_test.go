package offers

import (
	"strings"
	"testing"
)

func TestParsePrice(t *testing.T) {
	eur, cad := Money{Currency: "EUR"}, Money{Currency: "CAD"}
	comma, point := Money{Currency: "EUR", Mark: ','}, Money{Currency: "EUR", Mark: '.'}
	cents := Money{Currency: "CAD", Mark: '.', Cents: true}
	for _, test := range []struct {
		m          Money
		text, want string // the price, then what it is for
	}{
		{eur, "3.49", "3.49"},
		{eur, " 3,49 € ", "3.49"},
		{eur, "€3,49", "3.49"},
		{eur, "1.234,56", "1234.56"},
		{eur, "1,234.56", "1234.56"},
		{eur, "1 234,56", "1234.56"},
		{eur, "1'234.50", "1234.50"},
		{eur, ",99", "0.99"},
		{eur, "0,123", "0.123"},
		{eur, "1,50000", "1.50"},
		{comma, "1,234", "1.234"},
		{point, "1.234", "1.234"},
		{cad, "$3.49", "3.49"},
		{cad, "2/$7.00", "3.50 of 2"},
		{cad, "3/5.00", "1.6667 of 3"},
		{cad, "1.99/100g", "1.99 per 100g"},
		{eur, "3,49 €/kg", "3.49 per 1 kg"},
		{cad, "$0.99/each", "0.99"},
		{cents, "348.0", "3.48"},

		{eur, "", "is empty"},
		{eur, "0,00", "is zero"},
		{eur, "-1,00", "is not a price in"},
		{eur, "$3.49", "is not a price in"},
		{eur, "1,234", "has a mark that may be decimal"},
		{comma, "3.49", "has marks that do not fit"},
		{eur, "1,23,4", "has marks that do not fit"},
		{eur, "12.34.56", "has marks that do not fit"},
		{cents, "348.255", "has more than 4 decimals"},
		{eur, "99999999999999999999", "is above ten million"},
		{cad, "1/2", "is a price per something"},
		{cad, "3.99/month", "is a price per something"},
		{eur, "1e3", "is not a price in"},
		{eur, "€", "is empty"},
		{eur, ".", "is not a price in"},
	} {
		a, err := test.m.Parse(test.text)
		got := a.Price.String()
		switch {
		case err != nil:
			got = err.Error()
		case a.Packs > 1:
			got += " of " + string(rune('0'+a.Packs))
		case a.Size != "":
			got += " per " + a.Size
		}
		if got != test.want && (err == nil || !strings.HasPrefix(got, test.want)) {
			t.Errorf("%q in %+v is %s, want %s", test.text, test.m, got, test.want)
		}
	}
}

// A price is exact: written out again in the file's own marks it is the same price.
func FuzzParsePrice(f *testing.F) {
	for _, s := range []string{"3.49", "2/$7.00", "1.99/100g", "1.234,56", "$", "0", "9'999"} {
		f.Add(s, true, false)
	}
	f.Fuzz(func(t *testing.T, text string, comma, cents bool) {
		m := Money{Currency: "CAD", Mark: '.', Cents: cents}
		if comma {
			m.Mark = ','
		}
		a, err := m.Parse(text)
		if err != nil {
			return
		}
		if !a.Price.Valid() || a.Packs < 1 {
			t.Fatalf("%q is %+v", text, a)
		}
		plain := Money{Currency: "CAD", Mark: '.'}
		again, err := plain.Parse(a.Price.String())
		if err != nil || again.Price != a.Price {
			t.Fatalf("%q is %s, which reads as %v, %v", text, a.Price, again, err)
		}
		if unmarked, err := (Money{Currency: "CAD", Cents: cents}).Parse(text); err == nil && unmarked != a {
			t.Fatalf("%q is %+v without a mark and %+v with it", text, unmarked, a)
		}
	})
}
