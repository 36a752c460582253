package mcp

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/larder-index/larder/compare"
)

//go:embed texts.tmpl
var textsSource string

var texts = template.Must(template.New("").Funcs(template.FuncMap{"byQuantity": byQuantity, "join": strings.Join}).Parse(textsSource))

// text writes a comparison or a catalog for a model to read.
func text(name string, body any) string {
	var b strings.Builder
	if err := texts.ExecuteTemplate(&b, name, body); err != nil {
		panic("mcp: " + err.Error()) // a slip in the template
	}
	return b.String()
}

// The bounds of a text. They keep a comparison of twenty items under 900 tokens.
const (
	maxNamed   = 4   // missing items by name, over all chains
	maxLetters = 420 // of all titles together
)

// Chains lists chains by their names.
func (c *comparison) Chains(keys []string) string {
	names := make([]string, len(keys))
	for i, key := range keys {
		names[i] = c.chain(key)
	}
	return strings.Join(names, ", ")
}

// Costs has a line for each chain: its cost and what it lacks. Chains whose missing
// items are too many to name share the last line.
func (c *comparison) Costs() string {
	var b, more strings.Builder
	named := 0
	for i, s := range c.Stores {
		lacks := c.missing[s.Key]
		if named += len(lacks); i > 0 && named > maxNamed && len(lacks) > 0 || !s.TotalCAD.Valid {
			before := ", "
			if more.Len() == 0 {
				before = "Chains that lack more items: "
			}
			fmt.Fprintf(&more, "%s%s %d", before, s.Name, len(lacks))
			continue
		}
		fmt.Fprintf(&b, "%s: %s", s.Name, s.TotalCAD)
		if len(lacks) == 0 {
			b.WriteString(", complete")
		}
		if s.AtStandardSizes.Valid && len(lacks) == 0 {
			fmt.Fprintf(&b, "; %s at standard sizes", s.AtStandardSizes)
		}
		for i, x := range lacks {
			if i == maxNamed {
				fmt.Fprintf(&b, ", and %d more", len(lacks)-i)
				break
			}
			b.WriteString([]string{" without ", ", "}[min(i, 1)] + c.names[x.ItemID])
			if i+1 == len(lacks) || lacks[i+1].Reason != x.Reason {
				fmt.Fprintf(&b, " (%s)", x.Reason)
			}
		}
		b.WriteString("\n")
	}
	if more.Len() > 0 {
		b.WriteString(more.String() + "\n")
	}
	return b.String()
}

// Bought has a line for each item that was priced at the first chain.
func (c *comparison) Bought() string {
	if len(c.Stores) == 0 {
		return ""
	}
	var b strings.Builder
	var wide []string
	letters := min(max(maxLetters/max(len(c.Stores[0].Lines), 1), 16), 48) // of a title
	for _, l := range c.Stores[0].Lines {
		b.WriteString(titled(c.names[l.ItemID], &l, letters))
		if at := slices.IndexFunc(c.Items, func(x askedItem) bool { return x.ID == l.ItemID }); at >= 0 && c.Items[at].Qty != 100 {
			fmt.Fprintf(&b, " x %s", c.Items[at].Qty)
		}
		fmt.Fprintf(&b, ": %s", l.LineTotalCAD)
		if l.OnSale {
			b.WriteString(" on sale")
		}
		if l.WideSpread {
			wide = append(wide, c.names[l.ItemID])
		}
		b.WriteString("\n")
	}
	if len(wide) > 0 {
		fmt.Fprintf(&b, "May be another kind of goods, since listings of it cost more than twice as much as others: %s\n", strings.Join(wide, ", "))
	}
	return b.String()
}

// sizeInTitle is a package size and what follows it.
var sizeInTitle = regexp.MustCompile(`(?i)[\s,-]+\d[\d.,]*\s*(?:g|kg|ml|l|un|lbs?|oz|ct|count)\b.*$`)

// titled writes an item with the title of what was priced, without its brand and size.
// A title that has the item's name is enough.
func titled(name string, l *compare.PricedLine, letters int) string {
	if l.Title == nil {
		return name
	}
	title := *l.Title
	if l.Brand != nil {
		if rest := strings.TrimPrefix(title, *l.Brand+" "); rest != "" {
			title = rest
		}
	}
	title = shortened(sizeInTitle.ReplaceAllString(title, ""), letters)
	if strings.Contains(strings.ToLower(title), strings.ToLower(strings.TrimSuffix(name, "s"))) {
		return title
	}
	return name + " (" + title + ")"
}

// shortened keeps the last words of a title, which say what it is: the first ones are
// a brand.
func shortened(title string, letters int) string {
	r := []rune(title)
	if len(r) <= letters {
		return title
	}
	cut := string(r[len(r)-letters:])
	if at := strings.Index(cut, " "); at >= 0 && r[len(r)-letters-1] != ' ' {
		cut = cut[at:]
	}
	return strings.TrimLeft(cut, " ,-&)")
}

// Second says what a second stop saves; empty if it saves nothing.
func (c *comparison) Second() string {
	x := c.SecondStop
	if x == nil {
		return ""
	}
	stops := c.chain(x.Stops[0].StoreKey) + " and " + c.chain(x.Stops[1].StoreKey)
	if len(x.ClosePairs) > 0 {
		stops += " (other pairs cost about the same)"
	}
	if x.SavingCAD.Valid {
		return fmt.Sprintf("A second stop: %s together cost %s, which saves %s before the trip.", stops, x.TotalCAD, x.SavingCAD)
	}
	return fmt.Sprintf("%s together have the whole list for %s.", stops, x.TotalCAD)
}

// Place is the city in words.
func (c *comparison) Place() string { return c.city + ", " + c.province }

// Reasons are those of the recommendation, with short names and without what the rest
// of the text says: Costs has the items without a price, and the rules have the margin.
func (c *comparison) Reasons() (list []string) {
	for _, reason := range c.Recommendation.Reasons {
		if len(c.QuantityFits) > 0 && strings.HasPrefix(reason, "unsupported_quantity: ") {
			continue // quantity_fits says it too
		}
		reason, _, _ = strings.Cut(reason, "; without a usable price: ")
		reason, _, _ = strings.Cut(reason, "; up to ")
		list = append(list, c.shorter.Replace(reason))
	}
	return list
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
