//go:build browser

package browser

import (
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// missingTexts are the words for why a chain has no price of an item, up to the
// day that may follow.
var missingTexts = map[string]string{
	"stale_price":           "price too old",
	"expired_promotion":     "sale is over, no other price",
	"ambiguous_checkout":    "sold in another count, can’t be compared",
	"unsupported_quantity":  "fixed packs that don’t make up this quantity",
	"conditional_promotion": "only a member or multi-buy price is known",
	"quality_gate":          "price in doubt, checks not passed",
	"no_observation":        "not seen at this chain here",
}

// comparedWords checks the sentences that people act on: a chain or a pair is
// called the cheapest where the answer does so, and nowhere else, and what has no
// price has a reason in words.
func (x *tab) comparedWords(want *comparison, table shownTable) {
	x.t.Helper()
	tags := map[string]string{}
	for _, key := range want.Recommendation.CloseStoreKeys {
		tags[key] = "about the same"
	}
	for _, key := range want.Recommendation.StoreKeys {
		tags[key] = "cheapest"
	}
	got := get[map[string]string](x, `() => Object.fromEntries([...document.querySelectorAll("#glance li[data-store]")]
		.map((e) => [e.dataset.store, [...e.querySelectorAll(".tag")].map((t) => t.textContent).join(", ")]).filter(([, t]) => t !== ""))`)
	if diff := cmp.Diff(tags, got); diff != "" {
		x.t.Errorf("what totals are called (-want +got):\n%s", diff)
	}
	for at, cell := range table.Cells {
		if text := missingTexts[cell[0]]; cell[0] != "" && (text == "" || !strings.Contains(cell[1], text)) {
			x.t.Errorf("%s: %q, want the words for %s", at, cell[1], cell[0])
		}
	}
	x.comparedSplitWords(want)
}

func (x *tab) comparedSplitWords(want *comparison) {
	x.t.Helper()
	s, words := want.Split, get[string](x, `() => document.querySelector("#split-words").textContent`)
	if words == "" {
		x.t.Error("nothing is said of a second stop")
	}
	pairs := want.pairs()
	if cheapest := strings.Contains(words, "cheapest pair"); cheapest != (s.Best != nil && len(s.ClosePairs) == 0 && pairs > 1) {
		x.t.Errorf("of %d pairs, with %d close ones: %q", pairs, len(s.ClosePairs), words)
	}
	if only := strings.Contains(words, "the only pair"); only != (s.Best != nil && pairs == 1) {
		x.t.Errorf("of %d pairs: %q", pairs, words)
	}
	if s.Status == "size_basis_disagrees" {
		if which := strings.Contains(strings.ToLower(words), "at which"); which != (pairs > 1) {
			x.t.Errorf("of %d pairs: %q", pairs, words)
		}
		if saves := strings.Contains(words, "saves anything"); saves != (s.Baseline != nil) {
			x.t.Errorf("to save on there is %v: %q", s.Baseline, words)
		}
	}
	var stops, others []string
	if s.Best != nil {
		stops = []string{s.Best.Stops[0].StoreKey, s.Best.Stops[1].StoreKey}
	}
	for _, p := range s.ClosePairs {
		others = append(others, p.StoreKeys...)
	}
	near := get[string](x, `() => document.querySelector("#close-pairs").textContent`)
	for _, store := range want.Stores {
		if named := strings.Contains(words, store.Name); named != slices.Contains(stops, store.Key) {
			x.t.Errorf("status %s, stops %v: %q", s.Status, stops, words)
		}
		if named := strings.Contains(near, store.Name); named != slices.Contains(others, store.Key) {
			x.t.Errorf("close are %v: %q", s.ClosePairs, near)
		}
	}
}

// pairs counts the pairs of chains that have a price of every item between them.
func (c *comparison) pairs() int {
	items := map[int]bool{}
	priced := map[string][]int{} // items by chain
	for _, line := range c.Lines {
		items[line.ItemID] = true
		if line.Reason == "" {
			priced[line.StoreKey] = append(priced[line.StoreKey], line.ItemID)
		}
	}
	n := 0
	for a := range priced {
		for b := range priced {
			both := slices.Concat(priced[a], priced[b])
			slices.Sort(both)
			if a < b && len(slices.Compact(both)) == len(items) {
				n++
			}
		}
	}
	return n
}
