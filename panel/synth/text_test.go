package synth

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// specGate returns a gate in which the listing of every product has its id.
func specGate() *panel.Gate {
	var listings []panel.Listing
	products := basket.Canada().Products
	for _, p := range products {
		listings = append(listings, panel.Listing{ID: int64(p.ID), ProductID: p.ID, Active: true})
	}
	return panel.NewGate(panel.Calendar{}, products, nil, listings, basket.Canada().Specs, nil)
}

func passes(g *panel.Gate, product int64, title string) bool {
	return g.ForLabel(panel.Label{Listing: int64(product), ScrapedName: title}).Judge(1, 1, time.Time{}).Verdict == panel.Pass
}

// The plain product passes under any brand. Other things that a search finds
// fail.
func TestSpecsOnShopTitles(t *testing.T) {
	t.Parallel()
	gate := specGate()
	for _, tt := range []struct {
		id    int64
		title string
		want  bool
	}{
		{1, "Yogourt grec nature 2 % M.G., 750 g", true},
		{1, "Greek Yogurt, Vanilla, 750 g", false},
		{3, "Lait d'amande", false},
		{4, "Beurre d'arachide", false},
		{12, "PAIN DE BLE ENTIER", true},
		{18, "Banana Bread", false},
		{19, "Pommes de terre jaunes", false},
		{20, "Huile d'avocat", false},
		{26, "Pommes de terre à chair jaune 10 lb", true},
		{26, "Sweet Potatoes", false},
		{34, "Beurre d'arachide crémeux léger", true},
		{39, "Muffins aux bleuets surgelés", false},
		{42, "Jus d'orange et mangue", false},
		{43, "Café en grains, torréfaction moyenne", false},
		{46, "Papier hygiénique 12 rouleaux", true},
		{50, "Frites de patates douces", false},
	} {
		if got := passes(gate, tt.id, tt.title); got != tt.want {
			t.Errorf("product %d: %q passes: %v, want %v", tt.id, tt.title, got, tt.want)
		}
	}
}

// A title of the demo is its item, or a variant of it.
func TestTitlesFit(t *testing.T) {
	t.Parallel()
	products := basket.Canada().Products
	fitter := basket.NewFitter(products, nil, true)
	for i, g := range newCountry().Goods {
		for _, title := range slices.Concat(g.En, g.Fr) {
			if fit, words := fitter.Judge(products[i].ID, title); fit == basket.Doubtful {
				t.Errorf("%q as %q: %q", title, products[i].Name, words)
			}
		}
	}
}

func TestChainsAreInvented(t *testing.T) {
	t.Parallel()
	real := []string{
		"metro", "sobeys", "loblaw", "loblaws", "iga", "maxi", "provigo", "farm boy", "co op", "coop", "longo", "longos",
		"save on", "safeway", "freshco", "food basics", "no frills", "walmart", "costco", "giant tiger", "superstore",
		"zehrs", "fortinos", "valu mart", "thrifty", "urban fare", "t t", "adonis", "super c", "avril", "rachelle",
		"bonichoix", "foodland", "dominion", "pricesmart", "quality foods", "fairway", "buy low", "nesters",
		"whole foods", "galleria", "h mart", "voila", "richelieu", "kim phat", "pusateri", "pusateris", "rabba",
		"couche tard", "colemans", "choices", "sungiven", "freson", "extra foods", "shoppers", "independent",
		"wholesale club", "marche tradition", "lufa", "goodness me", "highland farms", "nations", "oceans",
		"compliments", "selection", "irresistibles", "great value", "president s choice", "no name", "kirkland", "western family",
	}
	here := newCountry()
	names := here.Brands
	for _, c := range here.Chains {
		names = append(names, c.Key, c.Name, c.Retailer, c.Brand)
	}
	for _, name := range names {
		words := " " + strings.ToLower(strings.NewReplacer("-", " ", "é", "e", "'", " ").Replace(name)) + " "
		for _, r := range real {
			if strings.Contains(words, " "+r+" ") {
				t.Errorf("%q has the name of the real %q in it", name, r)
			}
		}
	}
}
