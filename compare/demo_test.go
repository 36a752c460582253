package compare_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
)

// demoSnapshot is the demo up to the day before demoNow; made once.
var demoSnapshot = sync.OnceValues(func() (*sqlite.Contents, error) {
	data, err := synth.Generate(synth.Config{Through: panel.DateOf(2026, 11, 20)})
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "larder-compare-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := data.WriteDir(filepath.Join(dir, "panel")); err != nil {
		return nil, err
	}
	db := filepath.Join(dir, "panel.db")
	if _, err := sqlite.Import(context.Background(), filepath.Join(dir, "panel"), db, sqlite.ImportOptions{Strict: true}); err != nil {
		return nil, err
	}
	return sqlite.LoadAll(context.Background(), db)
})

func demoPanel(t testing.TB) (*panel.Panel, *panel.Rows) {
	t.Helper()
	all, err := demoSnapshot()
	if err != nil {
		t.Fatal(err)
	}
	return all.Panel, all.Rows
}

func demo(t testing.TB) *compare.Projection {
	t.Helper()
	return compare.NewProjection(demoPanel(t))
}

// TestVariantsAreAccepted compares 700 random lists of the demo. A variant is priced with consent only, and by
// consent to one line at that line only; the reason names every line of a variant.
func TestVariantsAreAccepted(t *testing.T) {
	pr := demo(t)
	catalog := compare.Catalog(pr)
	g := rand.New(rand.NewPCG(35, 1))
	var lowest, changed, one int
	for range 700 {
		r := compare.Request{City: catalog.Cities[g.IntN(len(catalog.Cities))].Slug, Include: []string{compare.IncludeLines}}
		for _, k := range g.Perm(len(catalog.Items))[:1+g.IntN(8)] {
			it := catalog.Items[k]
			r.Items = append(r.Items, compare.Item{ID: it.ID, Qty: it.MinQuantity + it.QuantityStep*compare.Quantity(g.IntN(4))})
		}
		res := mustEvaluate(t, pr, r, demoNow)
		if res.Recommendation.Status == compare.Lowest {
			lowest++
		}
		asked := variantsIn(t, res, func(string) bool { return false })
		all := r
		all.Variants = true
		taken := mustEvaluate(t, pr, all, demoNow)
		if n := variantsIn(t, taken, func(string) bool { return true }); n != asked {
			t.Fatalf("%v: %d variants wait, %d are priced", r, asked, n)
		}
		if asked == 0 {
			continue
		}
		if taken.Recommendation.Status != res.Recommendation.Status || !slices.Equal(taken.Recommendation.StoreKeys, res.Recommendation.StoreKeys) {
			changed++
		}
		s := res.Stores[slices.IndexFunc(res.Stores, func(s compare.Store) bool { return len(s.Variants) > 0 })]
		only := compare.Choice{ItemID: s.Variants[0].ItemID, Store: s.Key}
		r.Accept = []compare.Choice{only}
		if n := variantsIn(t, mustEvaluate(t, pr, r, demoNow), func(at string) bool { return at == only.String() }); n != asked {
			t.Fatalf("%v: %d variants, %d of them after one is accepted", r, asked, n)
		}
		one++
	}
	if lowest < 100 || changed < 100 || one < 100 {
		t.Errorf("%d lists have a lowest chain, %d change by consent, of %d one line is accepted", lowest, changed, one)
	}
	t.Log(lowest, changed, one)
}

// variantsIn counts the variants of a result. It fails if one is priced where it is not accepted, the other way
// round, or not named by the reason.
func variantsIn(t *testing.T, res *compare.Result, accepted func(at string) bool) (n int) {
	t.Helper()
	var reason string
	for _, text := range res.Recommendation.Reasons {
		if strings.HasPrefix(text, "variant_lines: ") {
			reason = text
		}
	}
	for _, s := range res.Stores {
		for _, l := range slices.Concat(s.Lines, s.Variants) {
			at := compare.Choice{ItemID: l.ItemID, Store: s.Key}.String()
			priced := slices.Contains(s.PricedItemIDs, l.ItemID)
			if l.Fit != basket.Variant {
				if !priced {
					t.Fatalf("%s: an exact listing waits", at)
				}
				continue
			}
			n++
			excluded := slices.Contains(res.Exclusions, compare.Exclusion{StoreKey: s.Key, ItemID: l.ItemID, Reason: compare.VariantMatch})
			if priced != accepted(at) || excluded == priced || !strings.Contains(reason, strconv.Quote(*l.Title)) {
				t.Fatalf("%s, %q: priced %t, excluded %t, accepted %t: %s", at, *l.Title, priced, excluded, accepted(at), reason)
			}
		}
	}
	return n
}
