package basket_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
)

// TestNamesFit judges each item's own names: they fit it, and no other item.
func TestNamesFit(t *testing.T) {
	products := basket.Canada().Products
	f := basket.NewFitter(products, nil, true)
	for _, p := range products {
		for _, name := range []string{p.Name, p.NameFr, strings.ToUpper(p.Name)} {
			if fit, words := f.Judge(p.ID, name); fit != basket.Exact {
				t.Errorf("%q: %s %q", name, fit, words)
			}
		}
		for _, other := range products {
			if fit, _ := f.Judge(other.ID, p.Name); other.ID != p.ID && fit != basket.Doubtful {
				t.Errorf("%q as %q: %s", p.Name, other.Name, fit)
			}
		}
	}
}

// TestFit has a title of each kind; testdata/titles.tsv has hundreds.
func TestFit(t *testing.T) {
	f := basket.NewFitter(basket.Canada().Products, []basket.Word{
		{Class: basket.Form, Text: "rain-washed"},
		{Class: basket.Same, Text: "apple", Synonyms: []string{"apple", "Apfel", "Äpfel"}},
	}, true)
	for _, tt := range []struct {
		item        int64
		title, want string
	}{
		// Exact: brands, packs, order, case, the other language, and what a title leaves out.
		{23, "LAITUES ROMAINES 3 UN", "exact"},
		{1, "Yogourt grec nature 2 % M.G.", "exact"},
		{7, "12345", "exact"},
		{26, "Organic Yellow Potatoes, 3 lb Bag", "exact"},
		{3, "Lait partiellement écrémé 1 %", "variant: 1%"},
		{99, "anything", "exact"},
		// Variants: another form, cut, grade or flavour.
		{23, "Baby romaine lettuce", "variant: baby"},
		{10, "Tofu 350 g", "variant: lacks firm"},
		{9, "Rain-washed salmon", "variant: rain-washed"},
		{9, "Frozen salmon fillet", "variant: frozen"},
		{2, "White Eggs, Tray, Medium", "variant: medium egg"},
		// Doubtful: a word is missing, or other goods are named.
		{23, "Iceberg lettuce", "doubtful: lacks romaine, names iceberg"},
		{26, "Sweet potatoes", "doubtful: lacks potato, lacks yellow, names sweet potato"},
		{4, "Smooth peanut butter", "doubtful: lacks butter, names peanut butter"},
		{25, "Carrots, peeled, mini", "doubtful: names mini carrot"},
		{25, "Baby carrots", "doubtful: names baby carrot"},
		{19, "Granny-Smith-Äpfel", "doubtful: lacks gala, names granny smith"},
		{24, "Broccoli with everything bagel seasoning", "doubtful: names bagel, names seasoning"},
	} {
		fit, words := f.Judge(tt.item, tt.title)
		if got := strings.TrimSuffix(fit.String()+": "+strings.Join(words, ", "), ": "); got != tt.want {
			t.Errorf("item %d, %q: %s, want %s", tt.item, tt.title, got, tt.want)
		}
	}
}

// TestOwnWords has words of a publisher: of one item alone, in forms of another language, and in
// the place of bundled ones.
func TestOwnWords(t *testing.T) {
	products := []basket.Product{
		{ID: 1, Name: "Mais, Dose 300 g", Active: true}, {ID: 2, Name: "Äpfel, 1 kg", Active: true},
		{ID: 3, Name: "Hafer, 500 g", Active: true}, {ID: 4, Name: "Organic bananas", Active: true},
	}
	own := []basket.Word{
		{Class: basket.Packing, Text: "Dose", Synonyms: []string{"kg", "g"}},
		{Class: basket.Same, Text: "Mais"}, {Class: basket.Same, Text: "Mai", Synonyms: []string{"Maie"}}, // one stem, two words
		{Class: basket.Same, Text: "Apfel", Synonyms: []string{"Äpfel", "Aepfel"}},
		{Class: basket.Form, Text: "Bio"}, {Class: basket.Good, Text: "Saft"},
		{Class: basket.Packing, Text: "Bio", Product: 2}, {Class: basket.Good, Text: "Knusper", Product: 3},
	}
	for i, tt := range []struct {
		bundled     bool
		words       []basket.Word
		item        int64
		title, want string
	}{
		{false, own, 1, "MAIS Dose", "exact"},
		{false, own, 1, "Mai-Bowle", "doubtful: lacks Mais"},
		{false, own, 1, "Bio-Mais", "variant: Bio"},
		{false, own, 2, "Bio-AEPFEL Gala", "exact"}, // Gala is bundled alone
		{false, own, 2, "Apfelsaft", "doubtful: lacks Apfel"},
		{false, own, 2, "Apfel Saft", "doubtful: names Saft"},
		{false, own, 3, "Knusper Hafer", "doubtful: names Knusper"},
		{false, own, 1, "Knusper Mais", "exact"},
		{false, own, 3, "Hafer chips", "exact"},
		{true, own, 3, "Hafer chips", "doubtful: names chip"},
		{true, nil, 4, "Bananas", "variant: lacks organic"},
		{true, nil, 4, "Bananas, biologiques", "exact"},
		{false, []basket.Word{{Class: basket.Good, Text: "Hafer + Riegel"}}, 3, "Hafer g Schoko-Riegel", "doubtful: names Hafer Riegel"},
		{true, []basket.Word{{Class: basket.Same, Text: "chip"}}, 3, "Hafer chips", "exact"},
	} {
		fit, words := basket.NewFitter(products, tt.words, tt.bundled).Judge(tt.item, tt.title)
		if got := strings.TrimSuffix(fit.String()+": "+strings.Join(words, ", "), ": "); got != tt.want {
			t.Errorf("%d: %q: %s, want %s", i, tt.title, got, tt.want)
		}
	}
	for _, tt := range []struct{ word, want string }{{"12 %", "<nil>"}, {"500", `word "500" has no letter; titles are compared by words, and without numbers`}} {
		w := basket.Word{Class: basket.Form, Text: "a", Synonyms: []string{tt.word}}
		if got := fmt.Sprint(w.Validate()); got != tt.want {
			t.Errorf("%s: %s", tt.word, got)
		}
	}
	if (&basket.Word{Text: "a"}).Validate() == nil {
		t.Error("a word without a class is valid")
	}
}
