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
			"3 packs for 250 g", "each, or all",
			"2 for 500g", "a price, or two of 500 g",
			"2 for 1 kg", "the same",
			"2-11 pieces", "a range, or a name and a count",
		}},
		{"a number that may count", basket.ErrSizeAmbiguous, []string{
			"400 g (12)", "a case of 12?",
			"330 mL (6)", "six cans?",
			"(6) 330 mL", "the same in front",
			"24 (330ml)", "the measure in brackets",
			"12 (30 g)", "the same",
			"24, 330 ml", "a comma",
			"400 g, 12", "a comma",
			"400 g / 12", "a slash",
			"400 g Cola (12)", "a word between",
			"(6) Cola 330 mL", "a word between",
			"400 g case 12", "a noun in front",
			"Qty: 12, 400 g", "said in words",
			"12 ct (6)", "six of a dozen?",
			"12 x 30 g (6)", "six dozens?",
			"400 g 9999", "any number up to this one",
			"999 75 g", "any number up to this one",
		}},
		{"a text for each or all", basket.ErrSizeAmbiguous, []string{
			"6 samosas 50 g each", "a noun that is not known",
			"50 g each, 6 samosas", "behind",
			"6 samosas 4 oz each (113 g)", "each of the other unit",
			"two loaves 675 g each", "a number in letters",
			"4 bagels 85 g per bagel", "each, in other words",
			"2 loaves 675 g", "no each, but a loaf may well have 675 g",
			"250g twin pack", "two of 250 g?",
			"twin pack 250 g", "the same",
			"500g duo", "the same",
			"500 g twin", "the same",
			"500 g trio", "three?",
			"12 ct twin pack", "two dozens?",
			"2 x 250 g trio", "not three",
			"205 g plus 205 g", "a sum in words",
			"4 L / 3 x 1,33 L, 2 bags", "another count",
			"12 large bags 82 g", "bags, not tea bags",
		}},
		{"just past a bound", basket.ErrSizeAmbiguous, []string{
			"20 biscuits 99 g", "less than 5 g each",
			"20 tea bags 9.9 g", "less than 0.5 g each",
			"10 pack 99 g", "less than 10 g each",
			"4 burgers 199 g", "less than 50 g each",
			"12 pack 356 mL", "no usual can",
			"3 L (3 bags)", "not Canada's milk",
			"4 L (4 bags)", "not Canada's milk",
			"1 - 5.1 kg", "more than five times as much",
			"101 x 101 g", "one number, twice",
			"101 x 102 g", "nearly one number, twice",
			"102 x 101 g", "nearly one number, twice",
			"100001 ct", "more than are counted",
			"Milk ,5 L", "a comma that belongs to the number",
		}},
		{"just past an agreement", basket.ErrSizeConflict, []string{
			"1000 g, 1011 g", "1.1% apart, metric",
			"1011 g, 1 kg", "the other way",
			"100 g (3.64 oz)", "3.2% apart",
			"100 g (3.42 oz)", "3.0% apart, below",
			"3 x 100 mL, 310 mL", "a total 3.3% apart",
			"100 g - 501 g", "more than five times as much",
			"100 g - 103 g", "too near for a range",
			"61 g of protein, 500 g", "too much of a nutrient",
		}},
		{"just out of the bounds", basket.ErrNotSize, []string{
			"0.49 g", "less than half a gram",
			"0.49 mL", "less than half a millilitre",
			"250.001 kg", "more than 250 kg",
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
