package mcp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/larder-index/larder/compare"
)

// resultText is a comparison for a model to read: the outcome and its reasons, a
// line for each chain in the order of the result, then the chains left out and the
// caveats. It suffices for an answer to a shopper. Only the structured form has
// dates by item.
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

// chainLine writes the cost of the list at one chain, the items that need a remark,
// and the missing ones with their reasons.
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

// reasonsByStore lists each chain's missing items by reason.
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

// catalogText is the catalog for a model to read: everything that a call of compare
// needs. Only the structured form has French names and aliases.
func catalogText(c *compare.CatalogBody) string {
	var b strings.Builder
	b.WriteString("What compare accepts. These are definitions: they say nothing of prices or stock.\n\nCities: ")
	for i, x := range c.Cities {
		separate(&b, i)
		fmt.Fprintf(&b, "%s (%s, %s)", x.Slug, x.Name, x.Province)
	}
	b.WriteString("\n\nItems, as id and name, by the quantities that they take:\n")
	type rule struct {
		unit           string
		min, max, step compare.Quantity
	}
	of := func(x *compare.CatalogItem) rule {
		return rule{x.QuantityUnit, x.MinQuantity, x.MaxQuantity, x.QuantityStep}
	}
	var rules []rule
	items := map[rule][]string{}
	for i := range c.Items {
		x := &c.Items[i]
		r := of(x)
		if items[r] == nil {
			rules = append(rules, r)
		}
		items[r] = append(items[r], fmt.Sprintf("%d %s", x.ID, x.Name))
	}
	for _, r := range rules {
		fmt.Fprintf(&b, "%s, %s to %s in steps of %s: %s\n", r.unit, r.min, r.max, r.step, strings.Join(items[r], "; "))
	}
	b.WriteString("\nChains: ")
	for i, x := range c.Chains {
		separate(&b, i)
		fmt.Fprintf(&b, "%s (%s)", x.Key, x.Name)
	}
	fmt.Fprintf(&b, "\n\nPrices count for %d days. A chain is recommended only if %d or more have the complete list and no other is within %d%% (at least %s %s) of the lowest total.",
		c.Rules.MaxPriceAgeDays, c.Rules.MinCompleteChains, c.Rules.CloseCallPercent, c.Rules.CloseCallMinimumCAD, c.Currency)
	return b.String()
}

func separate(b *strings.Builder, i int) {
	if i > 0 {
		b.WriteString("; ")
	}
}
