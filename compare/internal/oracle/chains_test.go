package oracle

import (
	"math/big"
	"testing"
)

func (r *Result) keys() (shown, excluded []string) {
	for _, s := range r.Stores {
		shown = append(shown, s.Key)
	}
	for _, s := range r.ExcludedStores {
		excluded = append(excluded, s.Key)
	}
	return shown, excluded
}

func TestChainsOfACity(t *testing.T) {
	for _, test := range []struct {
		name            string
		change          func(w *tiny)
		stores          []string
		shown, excluded []string
	}{
		{name: "all", shown: []string{"auk", "tern", "wren"}},
		{name: "requested", stores: []string{"wren", "auk"}, shown: []string{"auk", "wren"}},
		{name: "not for shoppers", change: func(w *tiny) { w.Banners[0].InShopper = false }, shown: []string{"tern", "wren"}},
		{name: "elsewhere", change: func(w *tiny) { w.Stores[0].City = "moncton" }, shown: []string{"tern", "wren"}},
		{name: "inactive", change: func(w *tiny) { w.Stores[0].Active = false }, shown: []string{"tern", "wren"}},
		{name: "uncertain", change: func(w *tiny) { w.Stores[0].LocationCertain = false }, shown: []string{"tern", "wren"}, excluded: []string{"auk"}},
		{name: "one certain", change: func(w *tiny) {
			w.Stores[0].LocationCertain = false
			w.store(20, auk)
		}, shown: []string{"auk", "tern", "wren"}},
		{name: "the certain one is inactive", change: func(w *tiny) {
			w.Stores[0].LocationCertain = false
			w.store(20, auk).Active = false
		}, shown: []string{"tern", "wren"}, excluded: []string{"auk"}},
		{name: "the certain one is elsewhere", change: func(w *tiny) {
			w.Stores[0].LocationCertain = false
			w.store(20, auk).City = "moncton"
		}, shown: []string{"tern", "wren"}, excluded: []string{"auk"}},
		{name: "uncertain and requested", change: func(w *tiny) { w.Stores[0].LocationCertain = false },
			stores: []string{"tern", "auk"}, shown: []string{"tern"}, excluded: []string{"auk"}},
		{name: "uncertain and the only one requested", change: func(w *tiny) { w.Stores[0].LocationCertain = false },
			stores: []string{"auk"}, excluded: []string{"auk"}},
		{name: "uncertain and not requested", change: func(w *tiny) { w.Stores[0].LocationCertain = false },
			stores: []string{"tern"}, shown: []string{"tern"}},
		{name: "several uncertain ones, by key", change: func(w *tiny) {
			w.Banners[0], w.Banners[2] = w.Banners[2], w.Banners[0]
			w.Stores[auk-1].LocationCertain = false
			w.Stores[wren-1].LocationCertain = false
		}, shown: []string{"tern"}, excluded: []string{"auk", "wren"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newTiny()
			if test.change != nil {
				test.change(w)
			}
			r := w.compare(t, Request{"halifax", list(oats, "1").Items, test.stores})
			shown, excluded := r.keys()
			same(t, "shown", test.shown, shown)
			same(t, "excluded", test.excluded, excluded)
			same(t, "exclusions are of those shown", len(shown), len(r.Exclusions))
		})
	}
}

// What other chains have plays no part in a request for some.
func TestRequestedChainsOnly(t *testing.T) {
	w := totals("1", "2")
	w.Listings = w.Listings[:0]
	w.listing(101, auk, oats)
	w.listing(107, auk, fish)
	w.see(auk, fish, "1", size("2 kg"))
	items := list(oats, "1", fish, "1").Items
	r := w.compare(t, Request{"halifax", items, []string{"tern"}})
	same(t, "untracked", []int{oats, fish}, r.UntrackedItemIDs)
	same(t, "compared", []int{}, r.ComparedItemIDs)
	same(t, "unsupported", []int{}, r.UnsupportedQuantityItemIDs)
	r = w.compare(t, Request{"halifax", items, nil})
	same(t, "untracked by none", []int{}, r.UntrackedItemIDs)
	same(t, "unsupported at one", []int{fish}, r.UnsupportedQuantityItemIDs)
}

// A listing at a chain that is excluded tracks nothing.
func TestUntrackedWithoutEligibleChains(t *testing.T) {
	w := totals("1", "1", "1")
	for i := range w.Stores {
		w.Stores[i].LocationCertain = false
	}
	r := w.compare(t, list(oats, "1"))
	same(t, "untracked", []int{oats}, r.UntrackedItemIDs)
	same(t, "stores", []Store{}, r.Stores)
	same(t, "exclusions", []Exclusion{}, r.Exclusions)
	same(t, "status", "insufficient_coverage", r.Recommendation.Status)
}

func TestRefused(t *testing.T) {
	items := list(oats, "1").Items
	in := func(stores ...string) Request { return Request{"halifax", items, stores} }
	many := Request{City: "halifax"}
	for i := range 51 {
		many.Items = append(many.Items, Item{i + 1, big.NewRat(1, 1)})
	}
	w := newTiny()
	w.Stores[tern-1].City = "moncton"
	w.Stores[wren-1].Active = false
	w.Banners = append(w.Banners, w.Banners[0])
	w.Banners[3].Key, w.Banners[3].InShopper = "owl", false
	w.Stores = append(w.Stores, w.Stores[0])
	w.Stores[3].Banner = "owl"
	for _, test := range []struct {
		code string
		r    Request
	}{
		{"", in()},
		{"", in("auk")},
		{"unsupported_city", Request{City: "Halifax", Items: items}},
		{"invalid_items", Request{City: "halifax"}},
		{"too_many_items", many},
		{"duplicate_item", list(oats, "1", milk, "1", oats, "2")},
		{"unknown_item", list(49, "1")},
		{"", list(tofu, "1")},
		{"unknown_store", in("auk", "gull")},
		{"unknown_store", in("owl")},
		{"duplicate_store", in("auk", "auk")},
		{"store_unavailable", in("tern")},
		{"store_unavailable", in("wren")},
		{"too_many_stores", in(make([]string, 41)...)},
		{"", list(oats, "20")},
		{"invalid_quantity", list(oats, "21")},
		{"invalid_quantity", list(oats, "0")},
		{"invalid_quantity", list(oats, "1.5")},
		{"invalid_quantity", list(oats, "-1")},
		{"", list(fish, "0.25")},
		{"", list(fish, "10")},
		{"invalid_quantity", list(fish, "0.3")},
		{"invalid_quantity", list(fish, "10.25")},
		{"invalid_quantity", list(fish, "0")},
		{"invalid_quantity", list(tofu, "0.1")},
	} {
		if _, code := Compare(&w.World, test.r); code != test.code {
			t.Errorf("%v of %q at %q: %q, want %q", test.r.Items, test.r.City, test.r.Stores, code, test.code)
		}
	}
}
