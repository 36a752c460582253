package compare

import (
	"net/url"
	"strings"

	"github.com/larder-index/larder/panel"
)

// report fills in the lists, the stores and the exclusions of a result.
func (e *evaluation) report(res *Result) {
	var ids slab
	res.RequestedItemIDs = ids.list(e.asked)
	res.ComparedItemIDs = ids.list(e.compared)
	res.UntrackedItemIDs = ids.list(e.asked &^ e.tracked)
	res.WeightedItemIDs = ids.list(e.weighted)
	res.NormalizedCountItemIDs = ids.list(e.counts)
	res.UnsupportedQuantityItemIDs = ids.list(e.quantities)
	switch e.compared {
	case e.asked:
		res.ComparisonScope = CompleteRequestedList
	case 0:
		res.ComparisonScope = NoComparableItems
	default:
		res.ComparisonScope = PartialRequestedList
	}
	priced := 0
	for i := range e.shops {
		priced += e.shops[i].priced.len()
	}
	res.Exclusions = make([]Exclusion, 0, len(e.picks)-priced)
	for i := range e.shops {
		s := &e.shops[i]
		for k := range e.items {
			if s.picks[k].reason != Priced {
				res.Exclusions = append(res.Exclusions, Exclusion{s.Key, e.items[k].ID, s.picks[k].reason})
			}
		}
	}
	dates := make([]ItemDate, 0, priced)
	res.Stores = make([]Store, 0, len(e.shops))
	for _, s := range e.ranked() {
		first := len(dates)
		var span Span
		for k := range e.items {
			if c := e.winner(s, k); c != nil {
				dates = append(dates, ItemDate{e.items[k].ID, DateOf(c.date)})
				span.include(c.date)
				res.ObservationSpan.include(c.date)
			}
		}
		x := Store{
			Key: s.Key, Name: s.Name, TotalCAD: s.total(s.cents), SizeAdjustedTotalCAD: s.total(s.adjusted),
			TotalScope: ObservedSubtotal, CompleteRequestedList: s.complete,
			PricedItemIDs: ids.list(s.priced), MissingItemIDs: ids.list(e.asked &^ s.priced),
			Oldest: span.Oldest, Newest: span.Newest, OnSaleItemIDs: ids.list(s.onSale),
			ConditionalPromotionItemIDs: ids.list(s.onTerms), DifferentSizeItemIDs: ids.list(s.other),
			ItemObservationDates: dates[first:len(dates):len(dates)],
		}
		switch {
		case s.complete:
			x.TotalScope = CompleteRequestedList
		case s.priced == 0:
			x.TotalScope = NoObservedPrices
		}
		res.Stores = append(res.Stores, x)
	}
}

// total returns an amount, null for a shop without a price.
func (s *shop) total(cents int64) Money {
	if s.priced == 0 {
		return Money{}
	}
	return CentsOf(cents)
}

// slab is memory from which lists of ids are cut, most of a result's from one
// block.
type slab struct{ ids []int }

func (b *slab) list(s idSet) []int {
	const block = 1024
	if cap(b.ids)-len(b.ids) < s.len() {
		b.ids = make([]int, 0, block)
	}
	first := len(b.ids)
	b.ids = s.appendIDs(b.ids)
	return b.ids[first:len(b.ids):len(b.ids)]
}

// caveats says what the prices do not promise.
func (e *evaluation) caveats() []string {
	list := []string{stockCaveat}
	if notice := e.pr.about().Notice(); notice != "" {
		list = []string{notice, stockCaveat}
	}
	switch {
	case e.withheld == 0:
	case e.day.met == 0:
		list = append(list, conditionCaveat)
	default:
		list = append(list, unmetCaveat)
	}
	if e.day.met != 0 {
		list = append(list, e.countedOnTerms()...)
	}
	if e.other != 0 {
		list = append(list, sizeCaveat)
	}
	return list
}

// countedOnTerms names the items whose price counts on a condition, by condition.
func (e *evaluation) countedOnTerms() (list []string) {
	for _, x := range []struct {
		condition panel.SaleCondition
		need      string
	}{{panel.Member, "a membership"}, {panel.MultiBuy, "several packages"}} {
		var at []string
		for i := range e.shops {
			s := &e.shops[i]
			var ids idSet
			for k, it := range e.items {
				c := e.winner(s, k)
				ids.addIf(c != nil && c.onSale && c.condition == x.condition, it.ID)
			}
			if ids != 0 {
				at = append(at, s.Name+": "+e.names(ids))
			}
		}
		if len(at) > 0 {
			list = append(list, "Counted at a sale price that needs "+x.need+", as asked: "+strings.Join(at, "; ")+".")
		}
	}
	return list
}

const (
	stockCaveat     = "Prices are the latest seen at a chain's stores in the city, up to 8 days old; stock and the price at the checkout are not promised."
	conditionCaveat = "A sale that needs a membership or several packages is not counted: items in conditionalPromotionItemIds stand at their regular price."
	unmetCaveat     = "A sale with another condition than those asked for is not counted: items in conditionalPromotionItemIds that are not in onSaleItemIds stand at their regular price."
	sizeCaveat      = "Items in differentSizeItemIds come in packages of another size than the standard one: totalCad is what these packages cost, sizeAdjustedTotalCad what the standard size would cost at the same rate."
)

// The addresses that results link to, below the service's base address.
const (
	CatalogPath     = "/api/shopper/catalog"
	MethodologyPath = "/methodology"
	ShopperPath     = "/shopper"
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
	r.SourceURLs = []string{base + CatalogPath, base + MethodologyPath}
	b := append(make([]byte, 0, 256), base+ShopperPath+"#city="+url.QueryEscape(r.City.Slug)+"&items="...)
	if r.from != nil {
		b = appendItems(b, r.from.items)
		before := "&stores="
		for _, key := range r.from.stores {
			b = append(append(b, before...), url.QueryEscape(key)...)
			before = ","
		}
		before = "&conditions="
		for _, word := range Conditions {
			if r.from.day.met&conditionsOf([]string{word}) != 0 {
				b = append(append(b, before...), word...)
				before = ","
			}
		}
	}
	r.ComparisonURL = string(b)
	return r
}
