package basket_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/larder-index/larder/basket"
)

// sizeErrors are the errors as testdata/sizes.tsv names them.
var sizeErrors = map[string]error{
	"! empty": basket.ErrSizeEmpty, "! no size": basket.ErrNotSize, "! price": basket.ErrSizePrice,
	"! conflict": basket.ErrSizeConflict, "! ambiguous": basket.ErrSizeAmbiguous,
}

// sizeLines reads testdata/sizes.tsv: text, result and reason.
func sizeLines(t testing.TB) (lines [][3]string) {
	t.Helper()
	file, err := os.ReadFile("testdata/sizes.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(file)) {
		fields := append(strings.Split(strings.TrimSuffix(line, "\n"), "\t"), "")
		if len(fields) < 3 {
			continue // a comment or an empty line
		}
		if text, err := strconv.Unquote(fields[0]); err == nil {
			fields[0] = text
		}
		lines = append(lines, [3]string(fields[:3]))
	}
	return lines
}

func TestParseSize(t *testing.T) {
	for _, line := range sizeLines(t) {
		text, want, why := line[0], line[1], line[2]
		s, err := basket.ParseSize(text)
		if refused := sizeErrors[want]; refused != nil {
			if !errors.Is(err, refused) || s != (basket.Size{}) {
				t.Errorf("%q is %q, %v; want %v: %s", text, s, err, refused, why)
			}
		} else if err != nil || s.String() != want {
			t.Errorf("%q is %q, %v; want %q: %s", text, s, err, want, why)
		}
	}
}

func TestParseSizeErrorQuotesTheText(t *testing.T) {
	_, err := basket.ParseSize("Medium Roast")
	if want := `basket: size "Medium Roast": it states no size that a package has`; err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	if _, err = basket.ParseSize(strings.Repeat("long ", 1000)); err == nil || len(err.Error()) > 200 {
		t.Errorf("the error of a long text has %d bytes", len(err.Error()))
	}
}

func TestSizeFields(t *testing.T) {
	for _, tt := range []struct {
		text         string
		want         basket.Size
		grams, count float64 // 0: can't be stated so
		fixed        bool
	}{
		{"4 x 100 mL", basket.Size{Quantity: 400, Unit: basket.Millilitre, Packs: 4, Each: 100}, 0, 0, true},
		{"~1 kg", basket.Size{Quantity: 1000, Unit: basket.Gram, Packs: 1, Each: 1000, Approximate: true}, 1000, 0, false},
		{"1-2 kg", basket.Size{Quantity: 1500, Unit: basket.Gram, Packs: 1, Each: 1500, Approximate: true, Min: 1000, Max: 2000}, 1500, 0, false},
		{"6 bagels, 450 g", basket.Size{Quantity: 450, Unit: basket.Gram, Packs: 1, Each: 450, Pieces: 6}, 450, 6, true},
		{"/lb", basket.Size{Quantity: 453.59237, Unit: basket.Gram, Packs: 1, Each: 453.59237, PerWeight: true}, 453.59237, 0, false},
		{"2 x 12 ct", basket.Size{Quantity: 24, Unit: basket.Count, Packs: 2, Each: 12}, 0, 24, true},
		{"Medium Roast", basket.Size{}, 0, 0, false},
	} {
		s, _ := basket.ParseSize(tt.text)
		if s != tt.want || s.Fixed() != tt.fixed {
			t.Errorf("%q is %+v, fixed: %v; want %+v", tt.text, s, s.Fixed(), tt.want)
		}
		millilitres := 0.0
		if tt.want.Unit == basket.Millilitre {
			millilitres = tt.want.Quantity
		}
		for unit, want := range map[basket.Unit]float64{basket.Gram: tt.grams, basket.Millilitre: millilitres, basket.Count: tt.count} {
			if got, ok := s.In(unit); got != want || ok != (want > 0) {
				t.Errorf("%q in %s is %v, %v; want %v", tt.text, unit, got, ok, want)
			}
		}
	}
	if s := (basket.Size{}).String(); s != "no size" {
		t.Errorf("the zero Size is %q", s)
	}
}

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

// A size is read back as it is written, and spaces, case and words around it
// change nothing.
func TestSizeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySize(t)
		text := s.String()
		texts := []string{text, "Plain yogurt, " + text, "(" + text + ")", strings.ToUpper(text), strings.ReplaceAll(text, " ", "\u00a0")}
		if s.Pieces == 0 {
			texts = append(texts, text+", "+text)
		}
		for _, text := range texts {
			if got, err := basket.ParseSize(text); err != nil || got != s {
				t.Fatalf("%q is read %+v, %v; want %+v", text, got, err, s)
			}
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
	for _, line := range sizeLines(f) {
		f.Add(line[0])
	}
	f.Add("\xff\xfe5 g")
	f.Add("99999999999999999 g")
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
