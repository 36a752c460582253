package mcp

import (
	"cmp"
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

var texts = template.Must(template.New("").Funcs(template.FuncMap{"byUnit": byUnit, "join": strings.Join}).Parse(textsSource))

// text writes a comparison or a catalog for a model to read.
func text(name string, body any) string {
	var b strings.Builder
	if err := texts.ExecuteTemplate(&b, name, body); err != nil {
		panic("mcp: " + err.Error()) // a slip in the template
	}
	return b.String()
}

// The bounds of a text. They keep a comparison of twenty items under 900 tokens, without its questions.
const (
	maxNamed   = 4   // missing items by name, over all chains
	maxLetters = 390 // of all titles together
)

// Chains lists chains by their names.
func (c *comparison) Chains(keys []string) string {
	names := make([]string, len(keys))
	for i, key := range keys {
		names[i] = c.chains[key]
	}
	return strings.Join(names, ", ")
}

// Costs has a line for each chain: its cost and what it lacks. Chains whose missing
// items are too many to name share the last line.
func (c *comparison) Costs() string {
	var b strings.Builder
	var more []string
	named := 0
	for i, s := range c.Stores {
		if named += len(s.lacks); i > 0 && named > maxNamed && len(s.lacks) > 0 || !s.TotalCAD.Valid {
			more = append(more, fmt.Sprintf("%s %d", s.Name, len(s.lacks)))
			continue
		}
		fmt.Fprintf(&b, "%s: %s", s.Name, s.TotalCAD)
		if len(s.lacks) == 0 {
			b.WriteString(", complete")
			if s.AtStandardSizes.Valid {
				fmt.Fprintf(&b, "; %s at standard sizes", s.AtStandardSizes)
			}
		}
		for i, x := range s.lacks[:min(len(s.lacks), maxNamed)] {
			b.WriteString([]string{" without ", ", "}[min(i, 1)] + c.names[x.ItemID])
			if i+1 == len(s.lacks) || s.lacks[i+1].Reason != x.Reason {
				fmt.Fprintf(&b, " (%s)", x.Reason)
			}
		}
		if len(s.lacks) > maxNamed {
			fmt.Fprintf(&b, ", and %d more", len(s.lacks)-maxNamed)
		}
		b.WriteString("\n")
	}
	if len(more) > 0 {
		b.WriteString("Chains that lack more items: " + strings.Join(more, ", ") + "\n")
	}
	return b.String()
}

// Bought has a line for each item that was priced at the first chain.
func (c *comparison) Bought() string {
	if len(c.Stores) == 0 {
		return ""
	}
	var b strings.Builder
	lines := c.Stores[0].Lines
	letters := min(max(maxLetters/max(len(lines), 1), 16), 48) // of a title
	for i := range lines {
		l := &lines[i]
		b.WriteString(titled(c.names[l.ItemID], l, letters))
		if l.Quantity != 100 {
			fmt.Fprintf(&b, " x %s", l.Quantity)
		}
		fmt.Fprintf(&b, ": %s", l.LineTotalCAD)
		if l.OnSale {
			b.WriteString(" on sale")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// sizeInTitle is a package size and what follows it.
var sizeInTitle = regexp.MustCompile(`(?i)[\s,-]+\d[\d.,]*\s*(?:g|kg|ml|l|un|lbs?|oz|ct|count)\b.*$`)

// titled writes an item with the title of what was priced, without its brand and size, and of
// at most so many letters: the last words say what it is, the first ones are a brand. A title
// that has the item's name is enough.
func titled(name string, l *compare.Line, letters int) string {
	if l.Title == nil {
		return name
	}
	title := *l.Title
	if l.Brand != nil {
		title = cmp.Or(strings.TrimPrefix(title, *l.Brand+" "), title)
	}
	title = sizeInTitle.ReplaceAllString(title, "")
	if r := []rune(title); len(r) > letters {
		title = string(r[len(r)-letters:])
		if at := strings.Index(title, " "); at >= 0 && r[len(r)-letters-1] != ' ' {
			title = title[at:]
		}
		title = strings.TrimLeft(title, " ,-&)")
	}
	if strings.Contains(strings.ToLower(title), strings.ToLower(strings.TrimSuffix(name, "s"))) {
		return title
	}
	return name + " (" + title + ")"
}

// Second says what a second stop saves; empty if it saves nothing.
func (c *comparison) Second() string {
	x := c.SecondStop
	if x == nil {
		return ""
	}
	stops := c.chains[x.Stops[0].StoreKey] + " and " + c.chains[x.Stops[1].StoreKey]
	if len(x.ClosePairs) > 0 {
		stops += " (other pairs cost about the same)"
	}
	if x.SavingCAD.Valid {
		return fmt.Sprintf("A second stop: %s together cost %s, which saves %s before the trip.", stops, x.TotalCAD, x.SavingCAD)
	}
	return fmt.Sprintf("%s together have the whole list for %s.", stops, x.TotalCAD)
}

// Reasons are those of the recommendation, with short names and without what the rest
// of the text says: Costs has the items without a price, and the rules have the margin.
func (c *comparison) Reasons() (list []string) {
	for _, reason := range c.Recommendation.Reasons {
		if len(c.QuantityFits) > 0 && strings.HasPrefix(reason, "unsupported_quantity: ") {
			continue // quantity_fits says it too
		}
		if strings.HasPrefix(reason, "variant_lines: ") {
			continue // the questions say it
		}
		reason, _, _ = strings.Cut(reason, "; without a usable price: ")
		reason, _, _ = strings.Cut(reason, "; up to ")
		list = append(list, c.shorter.Replace(reason))
	}
	return list
}

// byUnit puts items together that take the same quantities.
func byUnit(items []compare.CatalogItem) (groups [][]compare.CatalogItem) {
	for _, x := range items {
		i := slices.IndexFunc(groups, func(g []compare.CatalogItem) bool { return g[0].QuantityUnit == x.QuantityUnit })
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], x)
	}
	return groups
}
