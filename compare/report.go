package compare

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/larder-index/larder/panel"
)

func (e *evaluation) result(withLines bool) *Result {
	room := make([]int64, 0, 1024) // most lists of ids are cut from it
	list := func(s idSet) []int64 {
		room = s.appendIDs(room[len(room):])
		return slices.Clip(room)
	}
	res := &Result{
		Version: version, Currency: currency, City: e.in.City, EvaluatedOn: dateOf(e.day.day),
		ComparisonScope:  scope(e.compared.len(), e.asked.len(), "partial_requested_list", "no_comparable_items"),
		RequestedItemIDs: list(e.asked), ComparedItemIDs: list(e.compared),
		UntrackedItemIDs: list(e.asked &^ e.tracked), WeightedItemIDs: list(e.weighted),
		NormalizedCountItemIDs: list(e.counts), UnsupportedQuantityItemIDs: list(e.quantities),
		Recommendation: e.recommendation(withLines || e.day.on != 0),
		Stores:         make([]Store, 0, len(e.shops)), ExcludedStores: e.excluded,
		Exclusions: make([]Exclusion, 0, len(e.items)*len(e.shops)-e.lines),
		Caveats:    e.caveats(), SourceURLs: []string{}, from: e,
	}
	for i := range e.shops {
		s := &e.shops[i]
		for k := range e.items {
			if s.picks[k].reason != Priced {
				res.Exclusions = append(res.Exclusions, Exclusion{s.Key, e.items[k].ID, s.picks[k].reason})
			}
		}
	}
	dates := make([]ItemDate, 0, e.lines)
	for _, s := range e.ranked {
		first := len(dates)
		x := Store{
			Key: s.Key, Name: s.Name, CompleteRequestedList: s.complete,
			TotalScope:    scope(s.priced.len(), e.asked.len(), "observed_subtotal", "no_observed_prices"),
			PricedItemIDs: list(s.priced), MissingItemIDs: list(e.asked &^ s.priced), OnSaleItemIDs: list(s.onSale),
			ConditionalPromotionItemIDs: list(s.onTerms), DifferentSizeItemIDs: list(s.other),
		}
		if s.priced != 0 {
			x.TotalCAD, x.SizeAdjustedTotalCAD = centsOf(s.cents), centsOf(s.adjusted)
		}
		if withLines {
			x.Lines, x.Variants = make([]Line, 0, s.priced.len()), []Line{}
		}
		var span Span
		for k := range e.items {
			p := &s.picks[k]
			if p.reason == VariantMatch && withLines {
				x.Variants = append(x.Variants, e.line(s, k))
			}
			if p.reason != Priced {
				continue
			}
			dates = append(dates, ItemDate{e.items[k].ID, dateOf(p.date)})
			span.include(p.date)
			res.ObservationSpan.include(p.date)
			if withLines {
				x.Lines = append(x.Lines, e.line(s, k))
			}
		}
		x.Oldest, x.Newest, x.ItemObservationDates = span.Oldest, span.Newest, dates[first:len(dates):len(dates)]
		res.Stores = append(res.Stores, x)
	}
	return res
}

// scope says how much of a list has prices.
func scope(priced, asked int, some, none string) string {
	switch priced {
	case asked:
		return "complete_requested_list"
	case 0:
		return none
	}
	return some
}

func (e *evaluation) caveats() []string {
	list := []string{stockCaveat}
	if notice := e.pr.panel.About().Notice(); notice != "" {
		list = []string{notice, stockCaveat}
	}
	switch {
	case e.withheld == 0:
	case e.day.on == 0:
		list = append(list, conditionCaveat)
	default:
		list = append(list, unmetCaveat)
	}
	for _, c := range saleConditions {
		if !e.day.on.meet(c) {
			continue
		}
		var at []string // the items whose price counts on the condition
		for i := range e.shops {
			s := &e.shops[i]
			var ids idSet
			for k, it := range e.items {
				p := &s.picks[k]
				ids.addIf(p.reason == Priced && p.onSale && p.condition == c, it.ID)
			}
			if ids != 0 {
				at = append(at, s.Name+": "+e.names(ids.appendIDs(nil)))
			}
		}
		if len(at) > 0 {
			list = append(list, "Counted at a sale price that needs "+conditionNeeds[c]+", as asked: "+strings.Join(at, "; ")+".")
		}
	}
	if e.other != 0 {
		list = append(list, sizeCaveat)
	}
	return list
}

var conditionNeeds = map[panel.SaleCondition]string{panel.Member: "a membership", panel.MultiBuy: "several packages"}

const (
	stockCaveat     = "Prices are the latest seen at a chain's stores in the city, up to 8 days old; stock and the price at the checkout are not promised."
	conditionCaveat = "A sale that needs a membership or several packages is not counted: items in conditionalPromotionItemIds stand at their regular price."
	unmetCaveat     = "A sale with another condition than those asked for is not counted: items in conditionalPromotionItemIds that are not in onSaleItemIds stand at their regular price."
	sizeCaveat      = "Items in differentSizeItemIds come in packages of another size than the standard one: totalCad is what these packages cost, sizeAdjustedTotalCad what the standard size would cost at the same rate."
)

// The addresses that results link to, below the service's base address.
const (
	CatalogPath = "/api/shopper/catalog"
	ShopperPath = "/shopper"
)

// WithLinks sets the addresses of a result, given the service's base address, and
// returns the result. ComparisonURL is the page that shows the request, such as
//
//	https://larder.example/shopper#city=toronto&items=1x2,7x0.5&stores=a,b
//
// The list is in the fragment, which browsers do not send, so logs never have it.
// Items are in order of id and stores of key: equal lists have equal addresses.
func (r *Result) WithLinks(base string) *Result {
	base = strings.TrimRight(base, "/")
	r.SourceURLs = []string{base + CatalogPath, base + "/methodology"}
	b := append(make([]byte, 0, 256), base+ShopperPath+"#city="+url.QueryEscape(r.City.Slug)+"&items="...)
	if r.from != nil {
		b = appendItems(b, r.from.items)
		before := "&stores="
		for _, key := range r.from.stores {
			b = append(append(b, before...), url.QueryEscape(key)...)
			before = ","
		}
		before = "&conditions="
		for _, c := range saleConditions {
			if r.from.day.on.meet(c) {
				b = append(append(b, before...), panel.SaleConditions[c]...)
				before = ","
			}
		}
		before = "&accept="
		if r.from.variants {
			b = append(b, before+AcceptVariants...)
			before = ","
		}
		b = appendChoices(b, before, r.from.accepted)
		b = appendChoices(b, "&reject=", r.from.rejected)
	}
	r.ComparisonURL = string(b)
	return r
}

func appendChoices(b []byte, before string, all []Choice) []byte {
	for _, x := range all {
		b = fmt.Appendf(b, "%s%d@%s", before, x.ItemID, url.QueryEscape(x.Store))
		before = ","
	}
	return b
}
