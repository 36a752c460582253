package find

import (
	"fmt"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// said writes a find as "one 2x2 45": its status, and its matches with quantities; "!" is a fault.
func said(f Found) string {
	text := string(f.Status)
	for _, m := range f.Matches {
		text += fmt.Sprintf(" %d", m.ID)
		if m.Qty != nil {
			text += "x" + m.Qty.String()
		}
		if m.Fault != "" {
			text += "!" + m.Fault
		}
	}
	return text
}

func TestFind(t *testing.T) {
	f := New(basket.Canada().Products)
	for _, c := range []struct{ line, want string }{
		{"broccoli", "one 24"}, {"TOILET PAPER", "one 46"}, {"milk", "one 3 45"}, {"2% milk", "one 3"}, {"lait 2 %", "one 3"}, {"Milk, 2%, 4 L", "one 3"},
		{"almond milk", "one 45"}, {"butter", "one 4 34"}, {"bread", "one 13 12"}, {"œufs", "one 2"}, {"douzaine d'œufs", "one 2"}, {"bœuf haché maigre", "one 8"},
		{"frozen", "choice 38 39 40"}, {"hamburger", "choice 8 16"}, {"tomatoes", "one 27 35"},
		// Nothing is taken for another good, another kind, or half a word.
		{"skim milk", "not_compared"}, {"macaroni and cheese", "not_compared"}, {"olive oil", "not_compared"}, {"Natrel milk", "not_compared"},
		{"greek", "choice 1"}, {"beef", "choice 8"}, {"yogourt", "choice 1"}, {"pepper", "choice 40"}, {"salted butter, 454 g", "one 4"},
		{"thé", "one 44 27"}, {"thé vert", "not_compared"}, {"fish", "not_compared"}, {"beer", "not_compared"}, {"boneless chicken breast", "one 7"},
		{"ham", "choice 8 16"}, {"bana", "choice 18"}, {"banannas", "choice 18"}, {"brocoly", "choice 24"}, {"🍌", "not_compared"}, {"", "not_compared"},
		// Amounts.
		{"2 x milk", "one 3x2 45x2"}, {"milk x 3", "one 3x3 45x3"}, {"3 milk", "one 3x3 45x3"}, {"2 bags of carrots", "one 25x2"},
		{"2 dozen eggs", "one 2x2"}, {"24 eggs", "one 2x2"}, {"6 eggs", "choice 2!how_many"}, {"4 carrots", "choice 25!how_many"}, {"4 x carrots", "one 25x4"}, {"2 x eggs", "one 2x2"}, {"21 x eggs", "choice 2!how_many"},
		{"1.5 kg chicken", "one 7x1.5"}, {"1,5 kg de poulet", "one 7x1.5"}, {"500 g de saumon", "one 9x0.5"}, {"3 lb ground beef", "one 8x1.25!rounded"}, {"100 g salmon", "one 9x0.25!rounded"},
		{"6 bananas", "choice 18!how_many"}, {"2 x bananas", "choice 18!how_many"}, {"454 g butter", "one 4x1 34!how_many"}, {"2 l milk", "choice 3!how_many 45!how_many"}, {"8 L milk", "one 3x2 45!how_many"},
		{"chicken breast 1.2 kg", "one 7x1.25!rounded"}, {"Milk 2% (4L)", "one 3x1"}, {"eggs 24", "one 2x2"}, {"milk 2x", "one 3x2 45x2"}, {"2 x milk 4 L", "one 3x2"},
		{"2 X MILK", "one 3x2 45x2"}, {"🥛 2 x milk", "one 3x2 45x2"}, {"2 cups flour", "choice 37!how_many 15!how_many"}, {"½ cup butter", "choice 4!how_many 34!how_many"},
		{"1 1/2 lb. ground beef", "choice 8!how_many"}, {"2 c. à soupe d'huile", "choice 36!how_many"}, {"½ oignon", "choice 29!how_many"},
		// Prices.
		{"Milk 2% 4L $6.49", "one 3x1"}, {"2 x eggs - 3.99", "one 2x2"}, {"eggs: 4 $", "one 2"}, {"œufs 4,29 $", "one 2"}, {"bananas $1.52/kg", "one 18"}, {"bananes (1,52 $ le kg)", "one 18"}, {"$3.99 broccoli", "one 24"}, {"broccoli 2/$5", "one 24"}, {"brocoli 2 pour 5,00 $", "one 24"},
		{"99999999999999999999 x milk", "choice 3!how_many 45!how_many"}, {"0 x milk", "choice 3!how_many 45!how_many"},
	} {
		if got := said(f.Find(c.line)); got != c.want {
			t.Errorf("%q: %s, want %s", c.line, got, c.want)
		}
	}
}

func TestList(t *testing.T) {
	f := New(basket.Canada().Products)
	found, more := f.List("- 2 dozen eggs\n\n1. ham\r\n[x] 1,5 kg de poulet\n🍌 x 6\nmilk, oat milk; butter\n3 cloves garlic, minced")
	var got []string
	for _, x := range found {
		got = append(got, x.Text+": "+said(x))
	}
	want := "2 dozen eggs: one 2x2|ham: choice 8 16|1,5 kg de poulet: one 7x1.5|🍌 x 6: not_compared|milk: one 3 45|oat milk: not_compared|butter: one 4 34|3 cloves garlic, minced: not_compared"
	if text := strings.Join(got, "|"); text != want || more != 0 {
		t.Errorf("%s, %d", text, more)
	}
	if found, more := f.List(strings.Repeat("eggs\n", 103)); len(found) != 100 || more != 3 {
		t.Errorf("%d lines, %d more", len(found), more)
	}
}

// FuzzList makes sure that no text breaks a search, and that every line is there.
func FuzzList(f *testing.F) {
	finder := New(basket.Canada().Products)
	f.Add("2 x milk\n1/2 kg œufs, x 3")
	f.Fuzz(func(t *testing.T, text string) {
		found, _ := finder.List(text)
		for _, x := range found {
			if x.Text == "" || !strings.Contains(text, x.Text) || (x.Status == NotCompared) != (len(x.Matches) == 0) {
				t.Errorf("%q: %+v", text, x)
			}
		}
	})
}

// TestFindGTIN finds items by the bar codes of their listings. The numbers are GS1's examples, and one of a shop's own.
func TestFindGTIN(t *testing.T) {
	f := New(basket.Canada().Products,
		panel.Listing{ID: 1, ProductID: 3, Active: true, GTIN: "00614141000036"},
		panel.Listing{ID: 2, ProductID: 3, Active: true, GTIN: "00614141000036"},
		panel.Listing{ID: 3, ProductID: 4, GTIN: "00614141000036"},
		panel.Listing{ID: 4, ProductID: 2, Active: true, GTIN: "02001234567893"},
		panel.Listing{ID: 5, ProductID: 24, Active: true, GTIN: "02001234567893"})
	for line, want := range map[string]string{
		"614141000036": "one 3", "2 x 6-14141-00003-6": "one 3x2", "2001234567893": "choice 2 24", "4006381333931": "not_compared",
	} {
		if got := said(f.Find(line)); got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}
