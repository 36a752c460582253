package compare_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
)

func TestCatalog(t *testing.T) {
	m := newMarket(t)
	m.Products = m.Products[:8]
	m.Products[1].Active = false
	m.Cities = m.Cities[10:12]
	m.chain("birch")
	m.chain("alder")
	m.chain("cedar", func(b *basket.Banner) { b.InShopper = false })
	c := compare.Catalog(m.projection())
	if len(c.Items) != 7 || c.Items[1].ID != 3 {
		t.Errorf("items %+v; the inactive one is not to be there", c.Items)
	}
	c.Items = []compare.CatalogItem{c.Items[0], c.Items[5]}
	c.Items[0].Aliases, c.Items[1].Aliases = nil, nil
	want := `{"version":"1","currency":"CAD","cities":[{"slug":"charlottetown","name":"Charlottetown","province":"PE"},{"slug":"halifax","name":"Halifax","province":"NS"}],` +
		`"items":[{"id":1,"name":"Greek yogurt, plain, 750 g","nameFr":"Yogourt grec nature, 750 g","category":"dairy","quantityUnit":"package","minQuantity":1,"maxQuantity":20,"quantityStep":1,"standardSize":750,"unit":"g"},` +
		`{"id":7,"name":"Chicken breast, boneless skinless, per kg","nameFr":"Poitrine de poulet désossée sans peau, au kg","category":"meat","quantityUnit":"kg","minQuantity":0.25,"maxQuantity":10,"quantityStep":0.25,"standardSize":1000,"unit":"g"}],` +
		`"quantityUnits":[{"key":"package","description":"whole packages of the standard size, or of the size nearest to it that a chain sells"},{"key":"kg","description":"kilograms"}],` +
		`"chains":[{"key":"alder","name":"The alder"},{"key":"birch","name":"The birch"}],` +
		`"rules":{"maxItems":50,"maxStores":40,"maxBodyBytes":8192,"maxItemsCharacters":1200,"maxPriceAgeDays":8,"minCompleteChains":2,"closeCallPercent":2,"closeCallMinimumCad":0.05,"sizeTolerancePercent":1,"maxRegularToEffective":4}}`
	if diff := cmp.Diff(want, asJSON(t, c)); diff != "" {
		t.Error(diff)
	}
}

// TestVerdicts: an operator's verdict on a listing wins over its words, and the catalog has the precision of
// words where there are verdicts on what they call exact.
func TestVerdicts(t *testing.T) {
	m := newMarket(t)
	for i, x := range []struct {
		chain, title string
		verdict      panel.MatchVerdict
	}{
		{"alder", "Iceberg lettuce", panel.Accepted}, {"birch", "Romaine lettuce", panel.Rejected}, {"cedar", "Romaine", panel.Accepted},
		{"elder", "Baby romaine lettuce", 0}, {"fir", "Romaine lettuce 3 pack", panel.Rejected},
	} {
		m.sells(x.chain, 23, panel.Price(20_000+i), func(o *panel.Observation) { o.ScrapedName = x.title })
		if x.verdict != 0 {
			m.Matches = append(m.Matches, panel.Match{Listing: int64(i + 1), Verdict: x.verdict, Reason: "seen", At: noon})
		}
	}
	m.Matches = append(m.Matches, panel.Match{Listing: 5, Verdict: panel.Accepted, Reason: "after all", At: noon.Add(1)})
	got := map[string]string{}
	for _, l := range m.compare("23x1").Lines() {
		got[l.StoreKey] = fmt.Sprint(l.Fit, l.FitWords, l.Reason)
	}
	want := map[string]string{
		"alder": "exact [] ", "birch": "exact [] doubtful_match", "cedar": "exact [] ", "elder": "variant [baby] variant_match", "fir": "exact [] ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestOfNothing asks for the chains and the example of no panel. There are none.
func TestOfNothing(t *testing.T) {
	var none *compare.Projection
	if chains, x := none.ChainsIn("halifax"), compare.NewExample(nil); chains != nil || x != (compare.Example{}) {
		t.Errorf("%v, %v", chains, x)
	}
}
