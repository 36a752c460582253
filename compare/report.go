package compare

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

func (e *evaluation) result(include []string) *Result {
	withLines := slices.Contains(include, IncludeLines)
	compared := e.some((*pick).isPriced)
	res := &Result{
		Version: version, Currency: e.pr.panel.About().Currency(), City: e.in.City, EvaluatedOn: dateOf(e.day),
		ComparisonScope:  scope(len(compared), len(e.items), "partial_requested_list", "no_comparable_items"),
		RequestedItemIDs: e.ids(func(int) bool { return true }), ComparedItemIDs: compared,
		UntrackedItemIDs:           e.untracked(),
		WeightedItemIDs:            e.ids(func(k int) bool { return e.of[k].perKg }),
		NormalizedCountItemIDs:     e.some(func(p *pick) bool { return p.counts }),
		UnsupportedQuantityItemIDs: e.some(func(p *pick) bool { return p.quantities }),
		Recommendation:             e.recommendation(withLines || e.on != terms{}),
		Stores:                     []Store{}, ExcludedStores: e.excluded, Exclusions: []Exclusion{},
		SourceURLs: []string{}, from: e,
	}
	in := inBody
	if res.Currency != "CAD" {
		in.Total, in.AtStandard = "total", "sizeAdjustedTotal"
	}
	res.Caveats = res.CaveatsFor(in)
	if slices.Contains(include, IncludeCodes) {
		res.Codes = new(res.Remarks())
	}
	for _, s := range e.shops {
		for k, it := range e.items {
			if p := &s.picks[k]; !p.isPriced() {
				res.Exclusions = append(res.Exclusions, Exclusion{s.Key, it.ID, p.reason})
			}
		}
	}
	for _, s := range e.ranked {
		x := e.store(s, withLines)
		for _, d := range x.ItemObservationDates {
			res.ObservationSpan.include(d.ObservedAt.Day)
		}
		res.Stores = append(res.Stores, x)
	}
	return res
}

func (e *evaluation) store(s *shop, withLines bool) Store {
	x := Store{
		Key: s.Key, Name: s.Name, CompleteRequestedList: e.complete(s),
		TotalScope:                  scope(s.priced, len(e.items), "observed_subtotal", "no_observed_prices"),
		PricedItemIDs:               e.at(s, (*pick).isPriced),
		MissingItemIDs:              e.at(s, func(p *pick) bool { return !p.isPriced() }),
		OnSaleItemIDs:               e.at(s, func(p *pick) bool { return p.isPriced() && p.onSale }),
		ConditionalPromotionItemIDs: e.at(s, (*pick).onTerms),
		DifferentSizeItemIDs:        e.at(s, (*pick).ofOtherSize),
		ItemObservationDates:        []ItemDate{},
	}
	if s.priced > 0 {
		x.Total, x.SizeAdjustedTotal = e.pr.money(s.cents), e.pr.money(s.adjusted)
	}
	if withLines {
		x.Lines, x.Variants = []Line{}, []Line{}
	}
	var span Span
	for k, it := range e.items {
		p := &s.picks[k]
		if p.isPriced() {
			x.ItemObservationDates = append(x.ItemObservationDates, ItemDate{it.ID, dateOf(p.date)})
			span.include(p.date)
		}
		switch {
		case withLines && p.isPriced():
			x.Lines = append(x.Lines, e.line(s, k))
		case withLines && p.reason == VariantMatch:
			x.Variants = append(x.Variants, e.line(s, k))
		}
	}
	x.Oldest, x.Newest = span.Oldest, span.Newest
	return x
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

// AppendJSON appends the result as JSON, with the names of InCurrency.
func (r *Result) AppendJSON(b []byte) []byte { return appendJSON(b, r, r.Currency) }

// InCurrency names the members of a JSON body that are named for CAD: of another currency they
// lose the Cad at their end, so that totalCad is total.
func InCurrency(body []byte, currency string) []byte {
	if currency == "CAD" {
		return body
	}
	return bytes.ReplaceAll(body, []byte(`Cad":`), []byte(`":`)) // in a string the quote has a backslash before it
}

// appendJSON appends a value as encoding/json writes it without HTML escapes.
func appendJSON(b []byte, v any, currency string) []byte {
	to := bytes.NewBuffer(b)
	enc := json.NewEncoder(to)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("compare: " + err.Error()) // every value has a JSON form
	}
	all := bytes.TrimSuffix(to.Bytes(), []byte("\n"))
	return append(all[:len(b)], InCurrency(all[len(b):], currency)...)
}

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
	list := "city=" + url.QueryEscape(r.City.Slug) + "&items="
	if e := r.from; e != nil {
		list += string(appendItems(nil, e.items))
		var stores, conditions, accepted []string
		for _, key := range e.stores {
			stores = append(stores, url.QueryEscape(key))
		}
		for i, word := range conditionWords {
			if e.on[i] {
				conditions = append(conditions, word)
			}
		}
		if e.variants {
			accepted = append(accepted, AcceptVariants)
		}
		for _, x := range []struct {
			name   string
			values []string
		}{
			{"stores", stores}, {"conditions", conditions}, {"accept", appendChoices(accepted, e.accepted)},
			{"reject", appendChoices(nil, e.rejected)},
		} {
			if len(x.values) > 0 {
				list += "&" + x.name + "=" + strings.Join(x.values, ",")
			}
		}
	}
	r.ComparisonURL = base + ShopperPath + "#" + list
	return r
}

func appendChoices(list []string, all []Choice) []string {
	for _, x := range all {
		list = append(list, Choice{x.ItemID, url.QueryEscape(x.Store)}.String())
	}
	return list
}
