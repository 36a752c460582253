package mcp

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/larder-index/larder/compare"
)

//go:embed texts.tmpl
var textsSource string

var texts = template.Must(template.New("").Funcs(template.FuncMap{"byQuantity": byQuantity}).Parse(textsSource))

// text writes a comparison or a catalog for a model to read.
func text(name string, body any) string {
	var b strings.Builder
	if err := texts.ExecuteTemplate(&b, name, body); err != nil {
		panic("mcp: " + err.Error()) // a slip in the template
	}
	return b.String()
}

// comparison is a result with what its text says besides: names of items, the lines
// of the first chain, and the second stop.
type comparison struct {
	*compare.Result
	names map[int]string
	lines []compare.Line
	split compare.Split
	Link  string // empty when no server is known
}

func newComparison(pr *compare.Projection, r *compare.Result, base string) *comparison {
	c := &comparison{Result: r, names: map[int]string{}, lines: r.Lines(), split: r.Split()}
	if pr != nil {
		for _, it := range compare.Catalog(pr).Items {
			c.names[it.ID] = it.Name
		}
	}
	if base != "" {
		c.Link = r.WithLinks(base).ComparisonURL
	}
	return c
}

// maxNamed is how many items a list in a text names: the rest is counted.
const maxNamed = 3

// Named lists items by their names, without sizes.
func (c *comparison) Named(ids []int) string {
	var names []string
	for i, id := range ids {
		if i == maxNamed && len(ids) > maxNamed+1 {
			names = append(names, fmt.Sprintf("%d more", len(ids)-i))
			break
		}
		names = append(names, c.name(id))
	}
	return strings.Join(names, ", ")
}

func (c *comparison) name(id int) string {
	short, _, _ := strings.Cut(c.names[id], ",")
	return cmp.Or(short, fmt.Sprint("item ", id))
}

// Missing lists a chain's items without a usable price, by reason.
func (c *comparison) Missing(chain string) string {
	var reasons []compare.Reason
	ids := map[compare.Reason][]int{}
	for _, x := range c.Exclusions {
		if x.StoreKey != chain {
			continue
		}
		if ids[x.Reason] == nil {
			reasons = append(reasons, x.Reason)
		}
		ids[x.Reason] = append(ids[x.Reason], x.ItemID)
	}
	var groups []string
	for _, r := range reasons {
		groups = append(groups, fmt.Sprintf("%s (%s)", c.Named(ids[r]), r))
	}
	return strings.Join(groups, ", ")
}

// Chains lists chains by their names.
func (c *comparison) Chains(keys []string) string {
	var names []string
	for _, key := range keys {
		if i := slices.IndexFunc(c.Stores, func(s compare.Store) bool { return s.Key == key }); i >= 0 {
			key = c.Stores[i].Name
		}
		names = append(names, key)
	}
	return strings.Join(names, ", ")
}

// Notes are the caveats without those that explain members of the body.
func (c *comparison) Notes() []string {
	return slices.DeleteFunc(slices.Clone(c.Caveats), func(s string) bool { return strings.Contains(s, "ItemIds ") })
}

// Bought lists what was priced at the first chain, a line for each item.
func (c *comparison) Bought() string {
	var b strings.Builder
	for _, l := range c.lines {
		if len(c.Stores) == 0 || l.StoreKey != c.Stores[0].Key || !l.Total.Valid {
			continue
		}
		title := []rune(l.Title)
		fmt.Fprintf(&b, "- %s x %s: %s", l.Quantity, c.name(l.ItemID), l.Total)
		if l.OnSale {
			b.WriteString(" on sale")
		}
		if len(title) > 0 {
			fmt.Fprintf(&b, " (%s)", strings.TrimRight(string(title[:min(len(title), 32)]), " ,"))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// SecondStop says what a second chain saves; empty when it saves nothing.
func (c *comparison) SecondStop() string {
	best := c.split.Best
	if best == nil {
		return ""
	}
	stops := best.Stops[0].Name + " and " + best.Stops[1].Name
	if len(c.split.ClosePairs) > 0 {
		stops += " (other pairs cost about the same)"
	}
	if c.split.BaselineIsClose {
		return "" // one stop costs about the same
	}
	if best.SavingCAD.Valid {
		return fmt.Sprintf("A second stop: %s together cost %s, which saves %s before the trip.", stops, best.TotalCAD, best.SavingCAD)
	}
	return fmt.Sprintf("No chain has the whole list; %s together have it for %s.", stops, best.TotalCAD)
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
