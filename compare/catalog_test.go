package compare_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
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

// The thresholds that the catalog states are those in force elsewhere.
func TestCatalogRules(t *testing.T) {
	rules := compare.Catalog(newMarket(t).projection()).Rules
	for _, over := range []panel.Price{0, 1} {
		o := panel.Observation{Effective: 1_0000, Regular: panel.Price(rules.MaxRegularToEffective)*1_0000 + over}
		if o.RestateRegular(false); (o.Regular == o.Effective) != (over == 1) {
			t.Errorf("regular prices of %d times the effective one and %d more: read as %s", rules.MaxRegularToEffective, over, o.Regular)
		}
	}
	m := newMarket(t)
	m.sells("alder", 1, 1_0000, size("900 g"))
	if caveats := strings.Join(m.compare("1").Caveats, " "); !strings.Contains(caveats, "up to 8 days old") || rules.MaxPriceAgeDays != 8 {
		t.Errorf("%s: the age is not that of the rules, %d", caveats, rules.MaxPriceAgeDays)
	}
}

// The demo panel's catalog lists its 13 cities, 50 products and 26 chains; its
// plants are seen.
func TestDemoPlants(t *testing.T) {
	pr := demo(t)
	c := compare.Catalog(pr)
	if len(c.Cities) != 13 || len(c.Items) != 50 || len(c.Chains) != 26 {
		t.Errorf("%d cities, %d items, %d chains", len(c.Cities), len(c.Items), len(c.Chains))
	}
	data, _ := demoData()
	for _, p := range data.Planted(synth.UncertainChain) {
		res := evaluate(t, pr, demoNow, p.City, "1")
		if keys := excludedKeys(res); len(keys) != 1 || keys[0] != p.Banner {
			t.Errorf("%s: excluded %v, want %s", p.City, keys, p.Banner)
		}
	}
	// A planted count is dropped, unless another listing of the chain has the right one.
	for _, p := range data.Planted(synth.OtherCount) {
		for _, city := range c.Cities {
			res := evaluate(t, pr, demoNow, city.Slug, "2")
			for _, s := range res.Stores {
				if s.Key == p.Banner && s.TotalCAD.Valid {
					t.Errorf("%s in %s has a price of item 2", s.Key, city.Slug)
				}
			}
		}
	}
	for _, p := range data.Planted(synth.FixedPack) {
		items := "9x0.5" // packs of 400 g
		fits := "9x2"
		if p.Product == 8 {
			items, fits = "8x0.5", "8x9" // packs of 450 g
		}
		found := 0
		for _, city := range c.Cities {
			for _, x := range evaluate(t, pr, demoNow, city.Slug, items).Exclusions {
				if x.StoreKey == p.Banner && x.Reason == compare.UnsupportedQuantity {
					found++
				}
			}
			for _, x := range evaluate(t, pr, demoNow, city.Slug, fits).Exclusions {
				if x.StoreKey == p.Banner && x.Reason == compare.UnsupportedQuantity {
					t.Errorf("%s in %s: %s is refused", p.Banner, city.Slug, fits)
				}
			}
		}
		if found == 0 {
			t.Errorf("%s: %s is refused nowhere", p.Banner, items)
		}
	}
}
