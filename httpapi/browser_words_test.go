//go:build browser

package httpapi

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
	if cheapest := strings.Contains(words, "cheapest pair"); cheapest != (s.Best != nil && len(s.ClosePairs) == 0) {
		x.t.Errorf("with %d close pairs: %q", len(s.ClosePairs), words)
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
