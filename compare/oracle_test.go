package compare_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/compare/internal/oracle"
	"github.com/larder-index/larder/panel"
)

// TestEqualsOracle compares every member of the answer and of the split with an independent slow
// evaluation, which tries all divisions of the list. Half of the worlds are odd in all they have,
// and half are plain markets of more chains. The lines of a chain add up to its total.
func TestEqualsOracle(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(1500) {
		w, requests := oracle.RandomWorld(seed)
		equalsOracle(t, seed, seen, w, requests...)
		w, r := oracle.RandomMarket(seed, 6)
		equalsOracle(t, seed, seen, w, r)
	}
	const kinds = 17 // the statuses of both, and what is counted beside them
	t.Log(seen)
	if len(seen) != kinds {
		t.Errorf("of %d kinds of answers only %d came up", kinds, len(seen))
	}
	for what, n := range seen {
		if n < 10 {
			t.Errorf("%s came up %d times only", what, n)
		}
	}
}

// TestLargeCatalog compares the last fifty of 1,000 items at 200 chains of a city with the oracle.
func TestLargeCatalog(t *testing.T) {
	w, r := oracle.LargeMarket(compare.MaxCatalog, compare.MaxChains)
	pr := compare.NewProjection(w.Build())
	got := mustEvaluate(t, pr, request(t, r), w.Now)
	if diff := cmp.Diff(oracle.Compare(w, r), asOracle(got), notInOracle); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if c := compare.Catalog(pr); len(c.Items) != 1000 || len(c.Chains) != 200 || len(got.Stores) != 200 || len(got.RequestedItemIDs) != 50 {
		t.Errorf("%d items, %d chains; %d chains compared", len(c.Items), len(c.Chains), len(got.Stores))
	}
	w, _ = oracle.LargeMarket(compare.MaxCatalog+1, compare.MaxChains+1)
	if c := compare.Catalog(compare.NewProjection(w.Build())); len(c.Items) != 1000 || len(c.Chains) != 200 {
		t.Errorf("of one more: %d items, %d chains", len(c.Items), len(c.Chains))
	}
}

func equalsOracle(t *testing.T, seed uint64, seen map[string]int, w *oracle.World, requests ...oracle.Request) {
	t.Helper()
	pr := compare.NewProjection(w.Build())
	for _, r := range requests {
		got, want := mustEvaluate(t, pr, request(t, r), w.Now), oracle.Compare(w, r)
		if diff := cmp.Diff(want, asOracle(got), notInOracle); diff != "" {
			t.Fatalf("seed %d, at %s, %v (-want +got):\n%s", seed, w.Now, r, diff)
		}
		sums := map[string]int64{}
		for _, l := range got.Lines() {
			if l.Reason == compare.Priced {
				sums[l.StoreKey] += l.LineTotal.Cents
			}
		}
		for _, s := range got.Stores {
			if sums[s.Key] != s.Total.Cents {
				t.Fatalf("seed %d, %v: lines of %d cents, the total is %s", seed, r, sums[s.Key], s.Total)
			}
		}
		split, tried := got.Split(), oracle.SplitOf(w, r)
		if diff := cmp.Diff(tried, splitAsOracle(t, &split)); diff != "" {
			t.Fatalf("seed %d, %v (-want +got):\n%s", seed, r, diff)
		}
		seen[want.Recommendation.Status]++
		seen["split: "+tried.Status]++
		for kind, is := range map[string]bool{
			"close pairs":                        len(tried.Close) > 0,
			"two close pairs":                    len(tried.Close) > 1,
			"a close baseline":                   tried.BaselineClose,
			"nobody has an item":                 len(tried.Uncovered) > 0,
			"no two have all items":              tried.Status == "insufficient_coverage" && len(tried.Uncovered) == 0,
			"a size conflict without a baseline": tried.Status == "size_basis_disagrees" && tried.Baseline == "",
			"a pair without the baseline": tried.Status == "saves" &&
				tried.Best.Keys[0] != tried.Baseline && tried.Best.Keys[1] != tried.Baseline,
		} {
			if is {
				seen[kind]++
			}
		}
	}
}

func request(t testing.TB, r oracle.Request) compare.Request {
	t.Helper()
	var items []string
	for _, item := range r.Items {
		items = append(items, item.String())
	}
	list, err := compare.ParseItems(strings.Join(items, ","))
	if err != nil {
		t.Fatal(err)
	}
	asked := compare.Request{City: r.City, Items: list, Stores: r.Stores}
	asked.Variants, asked.Accept, asked.Reject = r.Variants, r.Accepted, r.Rejected
	for _, c := range r.Conditions {
		asked.Conditions = append(asked.Conditions, panel.SaleConditions[c])
	}
	return asked
}

// asOracle returns a result with the codes of its reasons alone, each once.
func asOracle(r *compare.Result) *compare.Result {
	x := *r
	x.Recommendation.Reasons = codesOf(r.Recommendation.Reasons)
	return &x
}

// codesOf returns the codes of reasons, each once.
func codesOf(reasons []string) []string {
	codes := []string{}
	for _, reason := range reasons {
		code, _, _ := strings.Cut(reason, ":")
		codes = append(codes, code)
	}
	return slices.Compact(codes)
}

// notInOracle are the members of results that the oracle leaves out.
var notInOracle = cmp.Options{
	cmpopts.IgnoreUnexported(compare.Result{}),
	cmpopts.IgnoreFields(compare.Result{}, "Version", "Currency", "Caveats", "SourceURLs", "ComparisonURL"),
}

// splitAsOracle puts a split into the oracle's form.
func splitAsOracle(t *testing.T, s *compare.Split) *oracle.Split {
	t.Helper()
	saving := func(m compare.Money) int64 {
		if !m.Valid {
			return -1
		}
		return m.Cents
	}
	x := &oracle.Split{Status: string(s.Status), BaselineClose: s.BaselineIsClose, Close: []oracle.Pair{}, Uncovered: s.UncoveredItemIDs}
	if s.Baseline != nil {
		x.Baseline = s.Baseline.StoreKey
	}
	if p := s.Best; p != nil {
		x.Best = &oracle.Pair{Cents: p.Total.Cents, Adjusted: p.SizeAdjustedTotal.Cents, Saving: saving(p.Saving)}
		if len(p.Stops) != 2 {
			t.Fatalf("%d stops", len(p.Stops))
		}
		for i, stop := range p.Stops {
			x.Best.Keys[i], x.Best.IDs[i] = stop.StoreKey, stop.ItemIDs
		}
	}
	for _, p := range s.ClosePairs {
		x.Close = append(x.Close, oracle.Pair{
			Keys: [2]string(p.StoreKeys), Cents: p.Total.Cents, Adjusted: p.SizeAdjustedTotal.Cents, Saving: saving(p.Saving),
		})
	}
	return x
}
