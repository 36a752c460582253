package compare

import "strings"

// report fills in the lists, the stores and the exclusions of a result.
func (e *evaluation) report(res *Result) {
	var weighted, counts, quantities idSet
	missing := 0
	for k, asked := range e.items {
		if e.pr.items[asked.ID].perKg {
			weighted.add(asked.ID)
		}
		for i := range e.shops {
			p := &e.shops[i].picks[k]
			if p.dropped.count {
				counts.add(asked.ID)
			}
			if p.dropped.quantity {
				quantities.add(asked.ID)
			}
			if p.reason != Priced {
				missing++
			}
		}
	}
	// All lists of ids share one block of memory. A shop's priced and missing items
	// are together the whole list.
	n := 2*len(e.items) + (e.asked &^ e.tracked).len() + weighted.len() + counts.len() + quantities.len()
	for i := range e.shops {
		s := &e.shops[i]
		n += len(e.items) + s.onSale.len() + s.onTerms.len() + s.other.len()
	}
	ids := slab{make([]int, 0, n)}
	res.RequestedItemIDs = ids.list(e.asked)
	res.ComparedItemIDs = ids.list(e.compared)
	res.UntrackedItemIDs = ids.list(e.asked &^ e.tracked)
	res.WeightedItemIDs = ids.list(weighted)
	res.NormalizedCountItemIDs = ids.list(counts)
	res.UnsupportedQuantityItemIDs = ids.list(quantities)
	switch e.compared {
	case e.asked:
		res.ComparisonScope = CompleteRequestedList
	case 0:
		res.ComparisonScope = NoComparableItems
	default:
		res.ComparisonScope = PartialRequestedList
	}
	res.Exclusions = make([]Exclusion, 0, missing)
	for i := range e.shops {
		s := &e.shops[i]
		for k := range e.items {
			if s.picks[k].reason != Priced {
				res.Exclusions = append(res.Exclusions, Exclusion{s.Key, e.items[k].ID, s.picks[k].reason})
			}
		}
	}
	dates := make([]ItemDate, 0, len(e.items)*len(e.shops)-missing)
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

// slab is memory from which lists of ids are cut.
type slab struct{ ids []int }

func (b *slab) list(s idSet) []int {
	first := len(b.ids)
	b.ids = s.appendIDs(b.ids)
	return b.ids[first:len(b.ids):len(b.ids)]
}

// caveats says what the prices do not promise.
func (e *evaluation) caveats() []string {
	var onTerms, other idSet
	for i := range e.shops {
		onTerms |= e.shops[i].onTerms
		other |= e.shops[i].other
	}
	list := make([]string, 1, 3)
	list[0] = stockCaveat
	if onTerms != 0 {
		list = append(list, conditionCaveat)
	}
	if other != 0 {
		list = append(list, sizeCaveat)
	}
	return list
}

const (
	stockCaveat     = "Prices are the latest seen at a chain's stores in the city, up to 8 days old; stock and the price at the checkout are not promised."
	conditionCaveat = "A sale that needs a membership or several packages is not counted: items in conditionalPromotionItemIds stand at their regular price."
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
	b := make([]byte, 0, 256)
	b = appendEscaped(append(append(b, base...), ShopperPath+"#city="...), r.City.Slug)
	b = append(b, "&items="...)
	if r.from != nil {
		b = appendItems(b, r.from.items)
		for i, key := range r.from.stores {
			if i == 0 {
				b = append(b, "&stores="...)
			} else {
				b = append(b, ',')
			}
			b = appendEscaped(b, key)
		}
	}
	r.ComparisonURL = string(b)
	return r
}

// appendEscaped appends a slug or key. Letters beyond ASCII are escaped.
func appendEscaped(b []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	for _, c := range []byte(s) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.':
			b = append(b, c)
		default:
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return b
}
