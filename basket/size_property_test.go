package basket_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/larder-index/larder/basket"
)

// anySize draws sizes that ParseSize may return.
func anySize(t *rapid.T) basket.Size {
	u := rapid.SampledFrom([]basket.Unit{basket.Gram, basket.Millilitre, basket.Count}).Draw(t, "unit")
	amount := func(name string) float64 {
		if u == basket.Count {
			return float64(rapid.IntRange(1, 400).Draw(t, name))
		}
		return float64(rapid.IntRange(500, 2_000_000).Draw(t, name)) / 1000
	}
	s := basket.Size{Unit: u, Packs: 1, Approximate: rapid.Bool().Draw(t, "approximate")}
	if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
		s.Min = amount("min")
		s.Max = math.Round(s.Min*1000*float64(rapid.IntRange(2, 4).Draw(t, "times"))) / 1000
		s.Approximate = true
		s.Each = math.Round((s.Min+s.Max)/2*1e6) / 1e6
	} else {
		s.Packs = rapid.IntRange(1, 100).Draw(t, "packs") // above, "454 x 454 g" is refused
		s.Each = amount("each")
	}
	s.Quantity = math.Round(float64(s.Packs)*s.Each*1e6) / 1e6
	if u != basket.Count && rapid.Bool().Draw(t, "counted") {
		s.Pieces = rapid.IntRange(1, 500).Draw(t, "pieces")
	}
	s.PerWeight = u == basket.Gram && rapid.Bool().Draw(t, "per weight")
	return s
}

func TestSizeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySize(t)
		if got, err := basket.ParseSize(s.String()); err != nil || got != s {
			t.Fatalf("%+v is written %q and read %+v, %v", s, s, got, err)
		}
	})
}

// Spaces, case and words around a size change nothing.
func TestSizeStandsInOtherText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySize(t)
		text := s.String()
		switch rapid.IntRange(0, 4).Draw(t, "change") {
		case 0:
			text = "Plain yogurt, " + text
		case 1:
			text = "(" + text + ")"
		case 2:
			text = strings.ToUpper(text)
		case 3:
			text = strings.ReplaceAll(text, " ", "\u00a0")
		case 4:
			text = text + ", " + text
			if s.Pieces > 0 {
				t.Skip("pieces twice")
			}
		}
		if got, err := basket.ParseSize(text); err != nil || got != s {
			t.Fatalf("%q is read %+v, %v; want %+v", text, got, err, s)
		}
	})
}

// A size is the same in every unit that can state it.
func TestSizeUnitsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 100_000).Draw(t, "amount")
		for small, large := range map[string]string{"g": "kg", "mL": "L"} {
			a, err := basket.ParseSize(fmt.Sprintf("%d %s", n, small))
			b, err2 := basket.ParseSize(fmt.Sprintf("%d.%03d %s", n/1000, n%1000, large))
			c, err3 := basket.ParseSize(fmt.Sprintf("%d,%03d %s", n/1000, n%1000, large))
			if err != nil || err2 != nil || err3 != nil || a != b || b != c {
				t.Fatalf("%d %s is %v, %v, %v (%v, %v, %v)", n, small, a, b, c, err, err2, err3)
			}
		}
	})
}

func FuzzParseSize(f *testing.F) {
	for _, s := range []string{
		"675 g", "12x355.0ml", "796 ml/28 oz liq", "0,40 - 0,50 kg", "approx. 1.2kg", "per kg", "/lb", "dozen", "l'unité",
		"6 bagels, 450 g", "9 pieces, 30 g each, 270 g", "2 packs of 6", "12 rolls x 165 sheets", "1 1/2 lb", "1½ kg", "12 fl oz",
		"1,000 g", "1 000,5 g", "250mlx8", "$1.86/100g", "Medium Roast", "12/540ml", "\xff\xfe5 g", "400 g (12)", "4 L / 3 x 1,33 L", "2 loaves 675 g each", "500 g twin", "170 g et plus",
		"99999999999999999 g",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := basket.ParseSize(text)
		if err != nil {
			if s != (basket.Size{}) {
				t.Fatalf("%q is %+v and %v", text, s, err)
			}
			return
		}
		if !(s.Quantity > 0) || math.IsInf(s.Quantity, 0) || s.Packs < 1 || !(s.Each > 0) || s.Pieces < 0 {
			t.Fatalf("%q is %+v", text, s)
		}
		if s.Max != 0 && !(s.Min > 0 && s.Min < s.Quantity && s.Quantity < s.Max && s.Approximate) {
			t.Fatalf("%q is the range %+v", text, s)
		}
		if again, err := basket.ParseSize(s.String()); err != nil || again != s {
			t.Fatalf("%q is %+v, written %q, read %+v, %v", text, s, s, again, err)
		}
	})
}

func BenchmarkParseSize(b *testing.B) {
	for _, text := range []string{"675 g", "12 x 355 mL (12 fl oz)", "Organic Unsweetened Almond Beverage 1.89L", "Medium Roast"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				basket.ParseSize(text) //nolint:errcheck // only its time matters
			}
		})
	}
}
