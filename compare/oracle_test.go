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

// TestEqualsOracle compares every member of the answer with an independent slow
// evaluation, on thousands of requests to random worlds.
func TestEqualsOracle(t *testing.T) {
	statuses := map[string]int{}
	for seed := range uint64(1500) {
		w, requests := oracle.RandomWorld(seed)
		pr := compare.NewProjection(w.Build())
		for _, r := range requests {
			want := oracle.Compare(w, r)
			got, err := compare.Evaluate(pr, request(t, r), w.Now)
			if err != nil {
				t.Fatalf("seed %d, %v: %v", seed, r, err)
			}
			if diff := cmp.Diff(want, asOracle(got), notInOracle); diff != "" {
				t.Fatalf("seed %d, at %s, %v (-want +got):\n%s", seed, w.Now, r, diff)
			}
			statuses[want.Recommendation.Status]++
		}
	}
	for _, s := range []string{compare.Lowest, compare.TooCloseToCall, compare.InsufficientCoverage, compare.SizeBasisDisagrees} {
		if statuses[s] < 10 {
			t.Errorf("%s came up %d times only", s, statuses[s])
		}
	}
}

func request(t *testing.T, r oracle.Request) compare.Request {
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

// codesOf returns the codes of reasons but those of hints, each once.
func codesOf(reasons []string) []string {
	codes := []string{}
	for _, reason := range reasons {
		code, _, _ := strings.Cut(reason, ":")
		if !slices.Contains(hintCodes, code) {
			codes = append(codes, code)
		}
	}
	return slices.Compact(codes)
}

var hintCodes = []string{"near_complete_rival", "without_items", "quantity_fits"}

// notInOracle are the members of results that the oracle leaves out.
var notInOracle = cmp.Options{
	cmpopts.IgnoreUnexported(compare.Result{}),
	cmpopts.IgnoreFields(compare.Result{}, "Version", "Currency", "Caveats", "SourceURLs", "ComparisonURL"),
}

// TestHintsEqualOracle compares the hints of 1,000 lists of up to 12 items in plain
// markets, and of requests to odd worlds, with those found by trying every set of items
// and every quantity. Every hint has a reason, and the lines add up to the totals.
func TestHintsEqualOracle(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(1000) {
		w, r := oracle.RandomMarket(seed, 12)
		hintsAsOracle(t, seed, seen, w, r)
		if w, requests := oracle.RandomWorld(seed); seed%2 == 0 {
			hintsAsOracle(t, seed, seen, w, requests...)
		}
	}
	for _, code := range hintCodes {
		if seen[code] < 10 {
			t.Errorf("%s came up %d times only", code, seen[code])
		}
	}
}

func hintsAsOracle(t *testing.T, seed uint64, seen map[string]int, w *oracle.World, requests ...oracle.Request) {
	t.Helper()
	pr := compare.NewProjection(w.Build())
	for _, r := range requests {
		asked := request(t, r)
		asked.Include = []string{compare.IncludeLines}
		res := mustEvaluate(t, pr, asked, w.Now)
		want, got := oracle.HintsOf(w, r), *res.Hints
		var codes []string
		if got.NearCompleteRival != nil {
			codes = append(codes, hintCodes[0])
		}
		if x := got.WithoutItems; x != nil {
			rest := *x
			rest.Recommendation.Reasons = codesOf(x.Recommendation.Reasons)
			got.WithoutItems = &rest
			codes = append(codes, hintCodes[1])
		}
		if len(got.QuantityFits) > 0 {
			codes = append(codes, hintCodes[2])
		}
		if diff := cmp.Diff(want, &got); diff != "" {
			t.Fatalf("seed %d, %v (-want +got):\n%s", seed, r, diff)
		}
		var said []string
		for _, reason := range res.Recommendation.Reasons {
			if code, _, _ := strings.Cut(reason, ":"); slices.Contains(hintCodes, code) {
				said = append(said, code)
			}
		}
		if !slices.Equal(said, codes) {
			t.Fatalf("seed %d, %v: reasons %q for hints %q", seed, r, res.Recommendation.Reasons, codes)
		}
		for _, s := range res.Stores {
			var sum int64
			for _, l := range s.Lines {
				sum += l.LineTotalCAD.Cents
			}
			if len(s.Lines) != len(s.PricedItemIDs) || sum != s.TotalCAD.Cents {
				t.Fatalf("seed %d, %v: %d lines of %d cents, the total is %s", seed, r, len(s.Lines), sum, s.TotalCAD)
			}
		}
		for _, code := range codes {
			seen[code]++
		}
	}
}

// TestSplitEqualsOracle compares every member of a split with one that tries all
// divisions of the list, on thousands of random worlds: some in which all is odd,
// some that are plain markets of more chains.
func TestSplitEqualsOracle(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(1500) {
		if w, requests := oracle.RandomWorld(seed); seed%3 == 0 {
			splitsAsOracle(t, seed, seen, w, requests...)
		}
		w, r := oracle.RandomMarket(seed, 6)
		splitsAsOracle(t, seed, seen, w, r)
	}
	const kinds = 13 // the statuses, and what is counted beside them
	t.Log(seen)
	if len(seen) != kinds {
		t.Errorf("of %d kinds of splits only %d came up", kinds, len(seen))
	}
	for what, n := range seen {
		if n < 10 {
			t.Errorf("%s came up %d times only", what, n)
		}
	}
}

func splitsAsOracle(t *testing.T, seed uint64, seen map[string]int, w *oracle.World, requests ...oracle.Request) {
	t.Helper()
	pr := compare.NewProjection(w.Build())
	for _, r := range requests {
		want, got := oracle.SplitOf(w, r), mustEvaluate(t, pr, request(t, r), w.Now).Split()
		if diff := cmp.Diff(want, splitAsOracle(t, &got)); diff != "" {
			t.Fatalf("seed %d, %v (-want +got):\n%s", seed, r, diff)
		}
		seen[want.Status]++
		for kind, is := range map[string]bool{
			"close pairs": len(want.Close) > 0, "two close pairs": len(want.Close) > 1, "a close baseline": want.BaselineClose,
			"nobody has an item": len(want.Uncovered) > 0, "no two have all items": want.Status == "insufficient_coverage" && len(want.Uncovered) == 0,
			"a size conflict without a baseline": want.Status == "size_basis_disagrees" && want.Baseline == "",
			"a pair without the baseline":        want.Status == "saves" && want.Best.Keys[0] != want.Baseline && want.Best.Keys[1] != want.Baseline,
		} {
			if is {
				seen[kind]++
			}
		}
	}
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
		x.Best = &oracle.Pair{Cents: p.TotalCAD.Cents, Adjusted: p.SizeAdjustedTotalCAD.Cents, Saving: saving(p.SavingCAD)}
		if len(p.Stops) != 2 {
			t.Fatalf("%d stops", len(p.Stops))
		}
		for i, stop := range p.Stops {
			x.Best.Keys[i], x.Best.IDs[i] = stop.StoreKey, stop.ItemIDs
		}
	}
	for _, p := range s.ClosePairs {
		x.Close = append(x.Close, oracle.Pair{
			Keys: [2]string(p.StoreKeys), Cents: p.TotalCAD.Cents, Adjusted: p.SizeAdjustedTotalCAD.Cents, Saving: saving(p.SavingCAD),
		})
	}
	return x
}
