package oracle

import (
	"slices"
	"testing"

	"github.com/larder-index/larder/basket"
)

func TestTitles(t *testing.T) {
	cases := []struct {
		name, require, forbid, title, want string
	}{
		{"required term", "milk", "", "Milk 2%", ""},
		{"required term missing", "milk", "", "Cream", "without milk"},
		{"either spelling, first", "yogurt|yogourt", "", "plain yogurt", ""},
		{"either spelling, second", "yogurt|yogourt", "", "plain yogourt", ""},
		{"no spelling", "yogurt|yogourt", "", "plain kefir", "without yogurt|yogourt"},
		{"every group", "greek&yogurt|yogourt", "", "yogourt greek", ""},
		{"one group only", "greek&yogurt|yogourt", "", "yogourt nature", "without greek"},
		{"other group only", "greek&yogurt|yogourt", "", "greek salad", "without yogurt|yogourt"},
		{"alternatives of one group do for one", "greek&yogurt|yogourt", "", "yogurt yogourt", "without greek"},
		{"forbidden term", "milk", "chocolate|goat", "Goat milk", "with goat"},
		{"no forbidden term", "milk", "chocolate|goat", "Cow milk", ""},
		{"forbidden only", "", "goat", "anything", ""},
		{"nothing asked", "", "", "anything", ""},
		{"capitals in the title", "milk", "", "MILK", ""},
		{"capitals in the term", "MiLK", "", "milk", ""},
		{"at the start of a longer word", "egg", "", "eggplant", "without egg"},
		{"at the end of a longer word", "", "ham", "graham crackers", ""},
		{"inside a longer word", "", "oil", "foiled", ""},
		{"a digit makes the word longer", "milk", "", "milk2", "without milk"},
		{"split at punctuation", "milk", "", "whole-milk/2L", ""},
		{"split at an apostrophe", "eau", "", "l'eau", ""},
		{"split at an underscore", "milk", "", "a_milk_b", ""},
		{"a digit is a word", "2&lait", "", "lait 2%", ""},
		{"words in a row", "brown rice", "", "organic BROWN  rice 2 kg", ""},
		{"words in a row across a hyphen", "brown rice", "", "brown-rice", ""},
		{"a hyphen in the term", "k-cup", "", "12 k cup", ""},
		{"words apart", "brown rice", "", "brown basmati rice", "without brown rice"},
		{"words turned round", "brown rice", "", "rice, brown", "without brown rice"},
		{"words run together", "brown rice", "", "brownrice", "without brown rice"},
		{"words in a row, forbidden", "", "peanut butter", "crunchy peanut butter", "with peanut butter"},
		{"words apart, forbidden", "", "peanut butter", "peanut and butter", ""},
		{"longer than the title", "brown rice 2 kg", "", "rice", "without brown rice 2 kg"},
		{"a false start", "a a b", "", "a a a b", ""},
		{"French accents in the title", "pate|pates", "", "Pâtes alimentaires", ""},
		{"French accents in the term", "pâtes", "", "PATES", ""},
		{"French accents in both", "crème glacée", "", "CRÈME GLACÉE", ""},
		{"cedilla", "francais", "", "Français", ""},
		{"accents as characters of their own", "creme", "", "cre\u0300me", ""},
		{"ligature in the title", "oeufs", "", "Gros œufs", ""},
		{"capital ligature in the title", "oeufs", "", "ŒUFS", ""},
		{"ligature in the term", "œufs", "", "OEUFS", ""},
		{"mojibake", "creme", "", "CrÃ¨me", ""},
		{"mojibake twice over", "creme", "", "CrÃƒÂ¨me", ""},
		{"mojibake of the ligature", "oeufs", "", "Å“ufs", ""},
		{"mojibake, forbidden", "", "pâté", "PÃ¢tÃ© de campagne", "with pâté"},
		{"character reference", "ben jerry", "", "Ben&amp;Jerry", ""},
		{"no title", "milk", "", "", ""},
		{"a title of spaces", "milk", "", "  ", ""},
		{"a title without words", "milk", "", "--", "without milk"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := newSpec(t, c.require, c.forbid, "", "")
			if got := s.failure(c.title, "", basket.Gram); got != c.want {
				t.Errorf("%q: %q, want %q", c.title, got, c.want)
			}
		})
	}
}

func TestSizes(t *testing.T) {
	cases := []struct {
		name, low, high, size string
		unit                  basket.Unit
		want                  string
	}{
		{"at the lower end", "450", "1000", "450 g", basket.Gram, ""},
		{"at the upper end", "450", "1000", "1 kg", basket.Gram, ""},
		{"below", "450", "1000", "449.9 g", basket.Gram, "size below 450"},
		{"above", "450", "1000", "1000.1 g", basket.Gram, "size above 1000"},
		{"no lower end", "", "1000", "1 g", basket.Gram, ""},
		{"no upper end", "450", "", "9 kg", basket.Gram, ""},
		{"0 is no lower end", "0", "1000", "1 g", basket.Gram, ""},
		{"0 is no upper end", "450", "0", "9 kg", basket.Gram, ""},
		{"a bound with decimals, on it", "453.592", "1000", "453.592 g", basket.Gram, ""},
		{"a bound with decimals, under it", "453.593", "1000", "453.592 g", basket.Gram, "size below 453593/1000"},
		{"one decimal of a bound that no float has", "0.1", "500.1", "500.1 g", basket.Gram, ""},
		{"several packs count as a whole", "450", "1000", "4 x 100 g", basket.Gram, "size below 450"},
		{"several packs in range", "450", "1000", "5 x 100 g", basket.Gram, ""},
		{"no size", "450", "1000", "", basket.Gram, ""},
		{"not to be parsed", "450", "1000", "family size", basket.Gram, ""},
		{"in another unit", "450", "1000", "12 mL", basket.Gram, ""},
		{"volume, below", "450", "1000", "12 mL", basket.Millilitre, "size below 450"},
		{"a weight of a counted product", "6", "30", "50 g", basket.Count, ""},
		{"a count, above", "6", "30", "36 eggs", basket.Count, "size above 30"},
		{"the pieces beside a weight", "8", "30", "6 bagels, 450 g", basket.Count, "size below 8"},
		{"the weight beside pieces", "500", "1000", "6 bagels, 450 g", basket.Gram, "size below 500"},
		{"per kg states no package", "100", "800", "per kg", basket.Gram, ""},
		{"per lb states no package", "500", "800", "/lb", basket.Gram, ""},
		{"an approximate size counts", "450", "1000", "approx. 2 kg", basket.Gram, "size above 1000"},
		{"of a range the middle, in", "450", "1000", "400 g - 500 g", basket.Gram, ""},
		{"of a range the middle, out", "451", "1000", "400 g - 500 g", basket.Gram, "size below 451"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := newSpec(t, "", "", c.low, c.high)
			if got := s.failure("anything", c.size, c.unit); got != c.want {
				t.Errorf("%q: %q, want %q", c.size, got, c.want)
			}
		})
	}
}

// A row must pass both parts; each passes without the other.
func TestTitleAndSize(t *testing.T) {
	s := newSpec(t, "milk", "", "450", "1000")
	for _, c := range []struct{ title, size, want string }{
		{"milk", "500 g", ""},
		{"milk", "100 g", "size below 450"},
		{"juice", "500 g", "without milk"},
		{"", "100 g", "size below 450"},
		{"juice", "", "without milk"},
		{"", "", ""},
	} {
		if got := s.failure(c.title, c.size, basket.Gram); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.title, c.size, got, c.want)
		}
	}
}

func TestIdentityVerdicts(t *testing.T) {
	g := newGated()
	g.row(10, 1, "1", "milk")
	g.row(10, 1, "1", "juice")
	g.row(20, 1, "1", "juice") // a product without a spec
	g.wantVerdicts(t, "pass identity pass")
	j := g.judge(t)
	if got := j.Verdicts[2].Failure; got != "without milk" {
		t.Errorf("failure %q", got)
	}
	if got := j.Excluded(); len(got) != 1 || !got[2] {
		t.Errorf("excluded %v, want 2", got)
	}
}

func TestFoldedWords(t *testing.T) {
	got := foldedWords("  Œufs--ÉTÉ 2% d’ici_x² ")
	want := []string{"oeufs", "ete", "2", "d", "ici", "x"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
