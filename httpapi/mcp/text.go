package mcp

import (
	_ "embed"
	"slices"
	"strings"
	"text/template"

	"github.com/larder-index/larder/compare"
)

//go:embed texts.tmpl
var textsSource string

var texts = template.Must(template.New("").Funcs(template.FuncMap{"missing": missing, "byQuantity": byQuantity}).Parse(textsSource))

// text writes a comparison or a catalog for a model to read.
func text(name string, body any) string {
	var b strings.Builder
	if err := texts.ExecuteTemplate(&b, name, body); err != nil {
		panic("mcp: " + err.Error()) // a slip in the template
	}
	return b.String()
}

// unpriced are the items of a chain that have no price for one reason.
type unpriced struct {
	Reason compare.Reason
	IDs    []int
}

// missing lists a chain's missing items by reason.
func missing(all []compare.Exclusion, chain string) (groups []unpriced) {
	for _, x := range all {
		if x.StoreKey != chain {
			continue
		}
		i := slices.IndexFunc(groups, func(g unpriced) bool { return g.Reason == x.Reason })
		if i < 0 {
			i, groups = len(groups), append(groups, unpriced{Reason: x.Reason})
		}
		groups[i].IDs = append(groups[i].IDs, x.ItemID)
	}
	return groups
}

// byQuantity puts items together that take the same quantities.
func byQuantity(items []compare.CatalogItem) (groups [][]compare.CatalogItem) {
	for _, x := range items {
		i := slices.IndexFunc(groups, func(g []compare.CatalogItem) bool {
			return g[0].QuantityUnit == x.QuantityUnit && g[0].MinQuantity == x.MinQuantity && g[0].MaxQuantity == x.MaxQuantity && g[0].QuantityStep == x.QuantityStep
		})
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], x)
	}
	return groups
}
