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
	f := basket.NewFitter(products, basket.Words())
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

func TestFit(t *testing.T) {
	f := basket.NewFitter(basket.Canada().Products, append(basket.Words(),
		basket.Word{Class: basket.Form, Text: "rain-washed"},
		basket.Word{Class: basket.Same, Text: "apple", Synonyms: []string{"apple", "Apfel", "Äpfel"}}))
	for _, tt := range []struct {
		item        int
		title, want string
	}{
		// Exact: brands, packs, order, case, the other language, and what a title leaves out.
		{23, "Lettuce, Romaine, Sold in singles", "exact"},
		{23, "LAITUES ROMAINES 3 UN", "exact"},
		{2, "White Eggs 18 Count, Grade A", "exact"},
		{2, "Œufs blancs, calibre gros", "exact"},
		{30, "Old-Fashioned Large Flake Oats 1 kg", "exact"},
		{31, "Whole Grain Brown Rice, 2.2kg Bag", "exact"},
		{28, "Seedless Cucumbers 3 Count", "exact"},
		{45, "Almond Milk Unsweetened 1.89 L", "exact"},
		{1, "Yogourt grec nature 2 % M.G.", "exact"},
		{7, "12345", "exact"},
		{99, "anything", "exact"},
		// Variants: another form, cut, grade or flavour.
		{23, "Baby romaine lettuce", "variant: baby"},
		{10, "Extra-firm tofu", "variant: extra firm"},
		{10, "Tofu 350 g", "variant: lacks firm"},
		{30, "Quick rolled oats, organic", "variant: organic, quick"},
		{33, "Almonds roasted & unsalted", "variant: roasted, unsalted"},
		{3, "Skim Milk 4 L", "variant: skim"},
		{3, "Lait écrémé", "variant: skim"},
		{9, "Rain-washed salmon", "variant: rain-washed"},
		// Doubtful: a word is missing, or other goods are named.
		{23, "Iceberg lettuce", "doubtful: lacks romaine, names iceberg"},
		{26, "Red Potatoes, 5 lb", "doubtful: lacks yellow, names red potato"},
		{26, "Sweet potatoes", "doubtful: lacks potato, lacks yellow, names sweet potato"},
		{7, "Boneless chicken breast chunks", "doubtful: names chunk"},
		{4, "Smooth peanut butter", "doubtful: lacks butter, names peanut butter"},
		{31, "Brown rice red pepper paste", "doubtful: names paste"},
		{33, "Chocolat au lait et amandes", "doubtful: names milk"},
		{19, "Granny-Smith-Äpfel", "doubtful: lacks gala, names granny smith"},
		{24, "Broccoli with everything bagel seasoning", "doubtful: names bagel, names seasoning"},
	} {
		fit, words := f.Judge(tt.item, tt.title)
		if got := strings.TrimSuffix(fit.String()+": "+strings.Join(words, ", "), ": "); got != tt.want {
			t.Errorf("item %d, %q: %s, want %s", tt.item, tt.title, got, tt.want)
		}
	}
}

func ExampleFitter_Judge() {
	b := basket.Canada()
	f := basket.NewFitter(b.Products, basket.Words())
	fit, words := f.Judge(23, "Baby Romaine Lettuce")
	fmt.Println(fit, words)
	// Output: variant [baby]
}
