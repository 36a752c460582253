package mcp

import (
	"fmt"
	"strings"

	"github.com/larder-index/larder/compare"
)

// catalogText is the catalog for a model to read: all that a call of compare
// takes. French names and aliases are in the structured form alone.
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
