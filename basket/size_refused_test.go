package basket_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
)

func TestParseSizeRefuses(t *testing.T) {
	tests := []struct {
		name string
		err  error
		// text and why, in turn
		cases []string
	}{
		{"empty", basket.ErrSizeEmpty, []string{
			"", "no text",
			" \u00a0\t", "white space",
			"()", "marks only",
		}},
		{"no size", basket.ErrNotSize, []string{
			"Medium Roast", "words",
			"error", "a word",
			"500", "a number of what?",
			"2%", "a percentage",
			"30m", "a length",
			"12 x 30 cm", "an area",
			"500 mg", "a strength",
			"0 g", "nothing",
			"0.1 g", "less than a package holds",
			"350 kg", "more than a package holds",
			"13 g of protein", "a nutrient",
			"makes 9 liters", "what it makes",
			"Ready in 90 seconds", "a time",
			"Each lollipop has a stick", "a word that is no unit here",
			"Omega-3 eggs", "three of nothing",
			"sold by weight", "by weight, of what?",
			"oz", "a bare ounce",
		}},
		{"a price", basket.ErrSizePrice, []string{
			"$1.86/100g", "per 100 g",
			"$22.00/1kg $9.98/1lb", "two prices",
			"5,99 $", "French",
			"99¢", "cents",
			"500 g €5", "a size and a price",
			"1.99/lb", "no sign, but a slash",
			"4.39 per kg", "no sign, but a word",
		}},
		{"a conflict", basket.ErrSizeConflict, []string{
			"500 g (12 oz)", "a metric and an imperial weight",
			"500 mL (12 oz)", "a metric volume and ounces of either kind",
			"250 g (0.5 lb)", "10% apart",
			"40g / 50g", "two sizes",
			"816 g, 861g", "two digits swapped",
			"500 g 450 mL", "a weight and a volume",
			"16.7 g (400 g)", "one of many, and all, without the number",
			"4 x 100 g, 500 g", "a total that is none",
			"3 pieces, 30 g, 500 g", "a total that is none",
		}},
		{"ambiguous", basket.ErrSizeAmbiguous, []string{
			"10 Pack 76 g", "76 g in all, or each",
			"(400 g, Pack of 12)", "400 g each, or in all",
			"50g 2 Pack", "50 g each, or in all",
			"24 bags 82 g", "82 g each, or in all",
			"32 g x 20 bags", "a tea bag of 32 g",
			"8 Pack 440 mL", "440 mL each, or in all",
			"each 26 g", "of how many?",
			"6 x 330 mL x 6", "packs on both sides",
			"12/540 mL", "a case of 12, or a fraction",
			"6-355 mL", "6 of 355 mL, or a range",
			"12-14 bags", "a range, or a case of 12",
			"6 75 g", "a lost x, or a name",
			"1 500 g", "1500 g, or one of 500 g",
			"400 g 24", "a case of 24?",
			"864 g 1x12", "a case of 12?",
			"205g+205g", "a sum",
			"454 x 454 g", "one number, twice",
			"12 double rolls = 24 rolls", "rolls of which kind?",
			"12 = 24 rolls", "rolls of which kind?",
			"1'5 L", "a decimal mark of hand-writing",
			"8 x 200 sheets", "8 rolls, or 1600 sheets",
			"3 packs, 12 bags", "two counts",
			"3 slices x 12 pieces", "two counts",
			"2 x 340 g, 3 pack", "two counts",
			"min 6 packs 1.2 kg", "a count that is a minimum",
			"12 ct equals 24 ct", "an equation",
			"1,2,3 g", "a list",
			"per 2,000 oz", "2 oz, or 2000",
			"36.5 pieces", "half a piece",
			"1.2.3 g", "a version",
			"1 qt", "imperial or US: 20% apart",
			"1.500 g", "1.5 g, or a thousand and a half",
			"2,000 oz", "2 oz, or 2000",
			"7 oz)", "the tail of a longer text",
			",5 L", "the tail of a longer text",
			"-5 g", "a negative number",
			"1e3 g", "an exponent, or a name",
			"31 ct/lb", "a grade of shrimp",
			"24 cups", "cups of what?",
			"per 500 mL", "a basis that is no weight",
			"5 g x 10 g", "two measures",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for i := 0; i < len(tt.cases); i += 2 {
				text, why := tt.cases[i], tt.cases[i+1]
				if s, err := basket.ParseSize(text); !errors.Is(err, tt.err) || s != (basket.Size{}) {
					t.Errorf("%q is %q, %v; want %v: %s", text, s, err, tt.err, why)
				}
			}
		})
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
