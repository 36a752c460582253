package mcp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/larder-index/larder/compare"
)

// resultText is a comparison for a model to read: the outcome and its reasons
// first, then a line for each chain, in the order of the result, then what is
// left out and why. It has all that an answer to a shopper takes; dates by item
// are in the structured form alone.
func resultText(r *compare.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, evaluated on %s (UTC), %s.\n", r.City.Name, r.City.Province, r.EvaluatedOn, r.Currency)
	fmt.Fprintf(&b, "Recommendation: %s", r.Recommendation.Status)
	if r.Recommendation.Status == compare.Lowest {
		fmt.Fprintf(&b, ": %s", strings.Join(r.Recommendation.StoreKeys, ", "))
	} else {
		b.WriteString(": no chain may be called the cheapest")
	}
	if near := r.Recommendation.CloseStoreKeys; len(near) > 0 {
		fmt.Fprintf(&b, "; close to each other: %s", strings.Join(near, ", "))
	}
	b.WriteString(".\n")
	for _, reason := range r.Recommendation.Reasons {
		fmt.Fprintf(&b, "- %s\n", reason)
	}
	fmt.Fprintf(&b, "Coverage: %s; usable prices for %d of %d items", r.ComparisonScope, len(r.ComparedItemIDs), len(r.RequestedItemIDs))
	if span := r.ObservationSpan; span.Oldest.Valid {
		fmt.Fprintf(&b, ", seen from %s to %s", span.Oldest, span.Newest)
	}
	b.WriteString(".\n")
	missing := reasonsByStore(r.Exclusions)
	for i := range r.Stores {
		chainLine(&b, &r.Stores[i], len(r.RequestedItemIDs), missing[r.Stores[i].Key])
	}
	for _, x := range r.ExcludedStores {
		fmt.Fprintf(&b, "%s (%s): left out, %s.\n", x.Name, x.Key, x.Reason)
	}
	for _, caveat := range r.Caveats {
		fmt.Fprintf(&b, "Note: %s\n", caveat)
	}
	fmt.Fprintf(&b, "Cite this evaluation of %s. To look at, with older prices among the rest: %s", r.EvaluatedOn, r.ComparisonURL)
	return b.String()
}

// chainLine writes what the list costs at one chain, what is missing there and
// why, and what is particular about the prices.
func chainLine(b *strings.Builder, s *compare.Store, requested int, missing string) {
	fmt.Fprintf(b, "%s (%s): ", s.Name, s.Key)
	switch s.TotalScope {
	case compare.CompleteRequestedList:
		fmt.Fprintf(b, "%s for the complete list", s.TotalCAD)
	case compare.ObservedSubtotal:
		fmt.Fprintf(b, "%s for %d of %d items only", s.TotalCAD, len(s.PricedItemIDs), requested)
	default:
		b.WriteString("no usable price")
	}
	if s.SizeAdjustedTotalCAD.Valid && s.SizeAdjustedTotalCAD != s.TotalCAD {
		fmt.Fprintf(b, "; %s at standard sizes", s.SizeAdjustedTotalCAD)
	}
	for _, x := range []struct {
		ids  []int
		what string
	}{
		{s.OnSaleItemIDs, "on sale"},
		{s.ConditionalPromotionItemIDs, "at the regular price, since the sale has a condition"},
		{s.DifferentSizeItemIDs, "in another size"},
	} {
		if len(x.ids) > 0 {
			fmt.Fprintf(b, "; %s: %s", x.what, ids(x.ids))
		}
	}
	if missing != "" {
		fmt.Fprintf(b, "; missing: %s", missing)
	}
	b.WriteString(".\n")
}

// reasonsByStore says for each chain which items are missing, by reason.
func reasonsByStore(all []compare.Exclusion) map[string]string {
	type group struct {
		reason compare.Reason
		ids    []int
	}
	stores := map[string][]group{}
	for _, x := range all {
		groups := stores[x.StoreKey]
		i := slices.IndexFunc(groups, func(g group) bool { return g.reason == x.Reason })
		if i < 0 {
			i, groups = len(groups), append(groups, group{reason: x.Reason})
		}
		groups[i].ids = append(groups[i].ids, x.ItemID)
		stores[x.StoreKey] = groups
	}
	texts := map[string]string{}
	for key, groups := range stores {
		parts := make([]string, len(groups))
		for i, g := range groups {
			parts[i] = ids(g.ids) + " (" + g.reason.String() + ")"
		}
		texts[key] = strings.Join(parts, ", ")
	}
	return texts
}

// ids writes "item 3" or "items 3, 9".
func ids(list []int) string {
	texts := make([]string, len(list))
	for i, id := range list {
		texts[i] = strconv.Itoa(id)
	}
	if len(list) == 1 {
		return "item " + texts[0]
	}
	return "items " + strings.Join(texts, ", ")
}
