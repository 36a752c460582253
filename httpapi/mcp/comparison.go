package mcp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/internal/phrase"
)

// comparison is the structured result of compare. It describes each item and each chain
// once. Everything else refers to them by id and key.
type comparison struct {
	City            string                  `json:"city" jsonschema:"the city's slug"`
	EvaluatedOn     compare.Date            `json:"evaluatedOn" jsonschema:"the day of the comparison in UTC: cite it"`
	Currency        string                  `json:"currency"`
	Recommendation  compare.Recommendation  `json:"recommendation" jsonschema:"names a chain only if status is lowest"`
	Items           []askedItem             `json:"items" jsonschema:"the list, by id"`
	Stores          []store                 `json:"stores" jsonschema:"the complete and cheapest first"`
	Questions       []question              `json:"questions,omitempty" jsonschema:"of variants not yet accepted"`
	ExcludedStores  []compare.ExcludedStore `json:"excludedStores,omitempty"`
	SecondStop      *compare.Pair           `json:"secondStop,omitzero" jsonschema:"absent if it saves nothing"`
	ObservationSpan compare.Span            `json:"observationSpan" jsonschema:"days of the oldest and newest price"`
	Caveats         []string                `json:"caveats"`
	ComparisonURL   string                  `json:"comparisonUrl,omitempty"`
}

type askedItem struct {
	ID   int64            `json:"id"`
	Name string           `json:"name"`
	Qty  compare.Quantity `json:"qty" jsonschema:"packages or kilograms"`
	Unit string           `json:"unit" jsonschema:"package or kg"`
}

type store struct {
	Key             string             `json:"key"`
	Name            string             `json:"name"`
	Total           compare.Money      `json:"totalCad" jsonschema:"of the items that it has; null without any"`
	AtStandardSizes compare.Money      `json:"sizeAdjustedTotalCad,omitzero" jsonschema:"absent if that is totalCad"`
	TotalScope      string             `json:"totalScope" jsonschema:"an observed_subtotal is no complete total"`
	Missing         map[string][]int64 `json:"missing,omitempty" jsonschema:"ids of items without a usable price"`
	Lines           []compare.Line     `json:"lines,omitempty" jsonschema:"what was priced"`
}

// question asks the shopper whether a variant is fine.
type question struct {
	Question  string        `json:"question" jsonschema:"to put to the shopper"`
	Accept    string        `json:"accept" jsonschema:"call again with this in accept, or else in reject"`
	StoreKey  string        `json:"storeKey"`
	ItemID    int64         `json:"itemId"`
	Title     string        `json:"title" jsonschema:"of the chain's listing"`
	LineTotal compare.Money `json:"lineTotalCad" jsonschema:"what the line would cost"`
}

// newComparison puts the result of a request, which includes the lines, into the form
// of the tool. base is the origin of the service; without one there are no links.
func newComparison(
	pr *compare.Projection, q compare.Request, r *compare.Result, allLines bool, base string,
) *comparison {
	c := &comparison{
		City: r.City.Slug, EvaluatedOn: r.EvaluatedOn, Currency: r.Currency, Recommendation: r.Recommendation,
		Items: []askedItem{}, Stores: []store{}, ExcludedStores: r.ExcludedStores, ObservationSpan: r.ObservationSpan,
		Caveats: r.CaveatsFor(compare.Members{}),
	}
	if base != "" {
		c.ComparisonURL = r.WithLinks(base).ComparisonURL
	}
	names := map[int64]string{}
	for _, it := range compare.Catalog(pr).Items {
		if at := slices.IndexFunc(q.Items, func(x compare.Item) bool { return x.ID == it.ID }); at >= 0 {
			c.Items = append(c.Items, askedItem{it.ID, it.Name, q.Items[at].Qty, it.QuantityUnit})
			names[it.ID] = it.Name
		}
	}
	for i, s := range r.Stores {
		x := store{Key: s.Key, Name: s.Name, Total: s.Total, TotalScope: s.TotalScope,
			Missing: map[string][]int64{}}
		if s.SizeAdjustedTotal != s.Total {
			x.AtStandardSizes = s.SizeAdjustedTotal
		}
		for _, m := range r.Exclusions {
			if m.StoreKey == s.Key {
				x.Missing[m.Reason.String()] = append(x.Missing[m.Reason.String()], m.ItemID)
			}
		}
		if i == 0 || allLines {
			x.Lines = s.Lines
		}
		for _, l := range s.Variants {
			title := *cmp.Or(l.Title, new("a variant"))
			text := fmt.Sprintf("%s sells %s here for %s (%s): fine?", s.Name, title, names[l.ItemID],
				strings.Join(l.FitWords, ", "))
			c.Questions = append(c.Questions, question{
				text, compare.Choice{ItemID: l.ItemID, Store: s.Key}.String(), s.Key, l.ItemID, title, l.LineTotal,
			})
		}
		c.Stores = append(c.Stores, x)
	}
	if s := r.Split(); !s.BaselineIsClose {
		c.SecondStop = s.Best
	}
	return c
}

// text says in one line what the structured result says.
func (c *comparison) text() string {
	verdict := "no chain may be called the cheapest"
	if len(c.Recommendation.StoreKeys) > 0 { // it is the first
		verdict = fmt.Sprintf("%s, %s %s", c.Stores[0].Name, c.Stores[0].Total, c.Currency)
	}
	text := fmt.Sprintf("%s on %s (UTC): %s: %s.", c.City, c.EvaluatedOn, c.Recommendation.Status, verdict)
	if len(c.Questions) > 0 {
		text += " Questions for the shopper: " + phrase.Count(len(c.Questions), "variant") + "."
	}
	return text
}
