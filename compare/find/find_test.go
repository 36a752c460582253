package find_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/compare/find"
)

// TestFind looks up texts of shoppers: what comes first, with which quantity, and
// whether it is certain.
func TestFind(t *testing.T) {
	t.Parallel()
	pr := find.New(basket.Canada().Products, nil, true)
	for text, want := range map[string]string{
		"eggs":                         "one 2",
		"2 dozen eggs":                 "one 2x2",
		"une douzaine d'œufs":          "one 2x1",
		"12 OEUFS":                     "one 2x1",
		"half a dozen eggs":            "one 2x1",
		"salted butter":                "one 4",
		"butter":                       "one 4 34",
		"milk x2":                      "one 3x2 45x2",
		"1.5 kg chicken":               "choice 7x1.5",
		"1,5 kg de poulet":             "choice 7x1.5",
		"3 lb ground beef":             "one 8x1.25",
		"1 1/2 lb salmon":              "one 9x0.75",
		"11 kg salmon":                 "one 9",
		"bread":                        "choice 13 12",
		"almond":                       "choice 33 45",
		"6 apples":                     "choice 19",
		"2 bags of apples":             "choice 19x2",
		"peanut b":                     "choice 34",
		"6 bananas":                    "one 18",
		"3 lb apples":                  "choice 19x1",
		"3 cans diced tomatoes":        "one 35x3",
		"24 rolls of toilet paper":     "one 46x2",
		"2 toilet paper":               "one 46x2",
		"21 toilet paper":              "one 46",
		"2 L milk, 2%":                 "one 3x1",
		"2 x 4 L 2% milk":              "one 3x2",
		"Tomatoes on the vine, per kg": "one 27",
		"icecream":                     "one 41",
		"greek yog":                    "choice 1",
		"toliet paper":                 "choice 46",
		"bananna":                      "choice 18",
		"pâté":                         "choice 32",
		"thé":                          "choice 44",
		"crème sûre":                   "choice 6",
		"ham":                          "not_compared",
		"salt":                         "not_compared",
		"pears":                        "not_compared",
		"oranges":                      "not_compared 42 44",
		"peanuts":                      "not_compared 34",
		"apple juice":                  "not_compared 42",
		"pommes vertes":                "choice 19 26",
		"pommes et poires":             "not_compared 19 26", // the main word of a French name is its first
		"eggs x2":                      "one 2x2",
		"3 x 12 eggs":                  "one 2x3",
		"Natrel 2% milk 4 L":           "choice 3x1",
		"Red Rose tea":                 "choice 44",
		"fresh bananas, if on sale":    "one 18",
		"bread or bagels":              "choice 13 12 14",
		"Tide":                         "not_compared",
		"organic bananas":              "choice 18",
		"caviar":                       "not_compared",
		"tortillas large":              "not_compared 15",
		"extra virgin olive oil":       "not_compared 36",
		"butter, club pack":            "one 4 34",
		"2":                            "not_compared",
		"":                             "not_compared",
		"\u0301":                       "not_compared",
	} {
		f := pr.Find(text)
		got := string(f.Status)
		for _, m := range f.Matches {
			got += " " + matchText(m)
		}
		if got != want || f.Text != strings.TrimSpace(text) || (f.Status == find.NotCompared) != strings.HasPrefix(f.Ask, "This is not compared") {
			t.Errorf("%q finds %q, and asks %q; want %q", text, got, f.Ask, want)
		}
	}
	for text, want := range map[string]string{
		"3 lb ground beef": "1.36 kg is 1.25 kg to the nearest 0.25; Lean ground beef, per kg is compared, and no other kind",
		"a litre of milk":  "a package of 4 L is priced, not 1 L; Milk, 2%, 4 L is compared, and no other kind",
		"cheese":           "Is it Cheddar cheese, 400 g? There is no other kind here.",
		"Kraft bread":      "No brand is compared by itself: is any brand or kind fine of White bread, 675 g; Whole wheat bread, 675 g?",
	} {
		if f := pr.Find(text); f.Ask != want {
			t.Errorf("%q asks %q", text, f.Ask)
		}
	}
}

func matchText(m find.Match) string {
	if m.Qty == nil {
		return strconv.Itoa(m.ID)
	}
	return strconv.Itoa(m.ID) + "x" + m.Qty.String()
}

// TestFindLent looks up names that the published basket lends to a catalog without them.
// They are not certain beside a product of the operator's own, which may be meant too.
func TestFindLent(t *testing.T) {
	t.Parallel()
	m := basket.Canada()
	for i := range m.Products {
		m.Products[i].NameFr, m.Products[i].Aliases = "", nil
	}
	white := slices.Clone(m.Products)
	white[37].Name = "White rice, 2 kg" // in place of peas
	for text, want := range map[string][2]string{
		"riz":        {"choice 31", "choice 31"},
		"riz brun":   {"one 31", "choice 31"},
		"rice":       {"choice 31", "choice 31 38"},
		"brown rice": {"one 31", "one 31"}, // is the catalog's own
		"white rice": {"not_compared 31", "one 38"},
		"oatmeal":    {"one 30", "one 30"},
		"oeufs":      {"one 2", "one 2"},
	} {
		for i, products := range [][]basket.Product{m.Products, white} {
			f := find.New(products, nil, true).Find(text)
			got := string(f.Status)
			for _, match := range f.Matches {
				got += " " + matchText(match)
			}
			if got != want[i] {
				t.Errorf("%q finds %q; want %q", text, got, want[i])
			}
		}
	}
}

// TestFindOwnWords looks up what a publisher's own words call items, with the bundled words and without them.
func TestFindOwnWords(t *testing.T) {
	t.Parallel()
	m := basket.Canada()
	m.Products[4].Name, m.Products[4].NameFr, m.Products[4].Aliases = "Ham, 175 g", "", nil // in place of cheddar
	own := []basket.Word{
		{Class: basket.Same, Text: "Milk", Synonyms: []string{"Milch", "Vollmilch"}},
		{Class: basket.Same, Text: "Ham", Synonyms: []string{"Schinken", "deli ham"}},
		{Class: basket.Same, Text: "Eggs", Synonyms: []string{"huevos"}, Product: 3}, // of milk alone
		{Class: basket.Form, Text: "Bio"}, {Class: basket.Grade, Text: "2%"}, {Class: basket.Good, Text: "Milchreis"}, {Class: basket.Packing, Text: "Flasche", Synonyms: []string{"L", "g"}},
	}
	for text, want := range map[string]string{
		"ham": "one 5", "Schinken": "one 5", "2 deli ham": "one 5x2", "Vollmilch": "one 3", "Milch Flasche": "one 3",
		"Milch, Bio": "choice 3", "Milchreis": "not_compared", "huevos": "not_compared",
	} {
		for _, bundled := range []bool{true, false} {
			found, _ := find.New(m.Products, own, bundled).List(text)
			got := string(found[0].Status)
			if len(found[0].Matches) > 0 {
				got += " " + matchText(found[0].Matches[0])
			}
			if got != want || len(found) != 1 {
				t.Errorf("%q, bundled %t: %q, %d parts; want %q", text, bundled, got, len(found), want)
			}
		}
	}
}

// TestFindLacking looks up goods of the published basket in a catalog that lacks them.
// They are no beginnings or misspellings of other goods.
func TestFindLacking(t *testing.T) {
	t.Parallel()
	m := basket.Canada()
	m.Products = slices.DeleteFunc(m.Products, func(p basket.Product) bool { return p.ID != 23 && p.ID != 31 && p.ID != 34 })
	pr := find.New(m.Products, nil, true)
	for _, text := range []string{"lait", "buns", "beer"} {
		if f := pr.Find(text); f.Status != find.NotCompared || len(f.Matches) != 0 {
			t.Errorf("%q finds %+v", text, f)
		}
	}
	if f := pr.Find("peanut butter"); f.Status != find.One {
		t.Errorf("%+v", f)
	}
}

// TestFindList takes a pasted list apart, line by line.
func TestFindList(t *testing.T) {
	t.Parallel()
	pr := find.New(basket.Canada().Products, nil, true)
	found, more := pr.List("Groceries\n- 2 dozen eggs\n\n[x] ham\r\n3) salted butter\n* [ ] 1.5 kg salmon\n2. 2% milk\n")
	var got []string
	for _, f := range found {
		got = append(got, string(f.Status)+" "+f.Text)
	}
	want := "not_compared Groceries|one 2 dozen eggs|not_compared ham|one salted butter|one 1.5 kg salmon|one 2% milk"
	if strings.Join(got, "|") != want || more != 0 {
		t.Errorf("%q, %d more", got, more)
	}
	if found, more := pr.List(strings.Repeat("eggs\n", find.MaxTexts+3)); len(found) != find.MaxTexts || more != 3 {
		t.Errorf("of too many lines: %d and %d more", len(found), more)
	}
}

// TestFindNames looks up every name of the catalog and its aliases. Its item comes
// first, or no other item's name is nearer.
func TestFindNames(t *testing.T) {
	t.Parallel()
	pr := find.New(basket.Canada().Products, nil, true)
	for _, it := range basket.Canada().Products {
		for _, text := range append([]string{it.Name, it.NameFr}, it.Aliases...) {
			f := pr.Find(text)
			if len(f.Matches) == 0 || f.Matches[0].ID != it.ID || f.Matches[0].How != "words" || f.Status == find.NotCompared {
				t.Errorf("%q of item %d: %s %+v", text, it.ID, f.Status, f.Matches)
			}
		}
		if f := pr.Find(it.Name); f.Status != find.One {
			t.Errorf("%q is not certain: %+v", it.Name, f.Matches)
		}
	}
}

// FuzzFind looks up any text. It must not fail, and a quantity fits its item.
func FuzzFind(f *testing.F) {
	pr := find.New(basket.Canada().Products, nil, true)
	rules := map[int]compare.QuantityRule{}
	for _, p := range basket.Canada().Products {
		rules[p.ID] = compare.RuleOf(&p)
	}
	for _, text := range []string{"2 dozen eggs", "1 1/2 lb", "x2", "1/0 kg salmon", "9e99 kg poulet", "½", "\xff\u0301"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found := pr.Find(text)
		for _, m := range found.Matches {
			if q := m.Qty; q != nil && !rules[m.ID].Allows(*q) {
				t.Errorf("%q: quantity %s of item %d", text, q, m.ID)
			}
		}
	})
}
