package offers

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
)

// shops has the stores that offers name: those that are known, and those to be made. A banner is found by its key,
// a store by its banner and code. What an operator changed of them stays.
type shops struct {
	known          *panel.Panel
	chains, cities names
	keys           numbered[string] // of stores: banner and code
	stores         []shop           // by the numbers of their keys
}

type shop struct {
	panel.Store      // ID 0: to be made
	used        bool // some row is of it
}

func newShops(known *panel.Panel) *shops {
	s := &shops{known: known, chains: names{}, cities: names{}, keys: numbered[string]{at: map[string]int32{}}}
	for _, x := range known.Stores() {
		if s.keys.of(x.Banner+"\n"+x.Code) == int32(len(s.stores)) {
			s.stores = append(s.stores, shop{Store: x})
		}
	}
	return s
}

// shop returns the number of an offer's shop. Of several cities that files give a new one, the first in the order of
// texts is its city.
func (s *shops) shop(o *Offer) int32 {
	banner := s.chains.key(o.Chain)
	at := s.keys.of(banner + "\n" + o.Shop)
	if at == int32(len(s.stores)) {
		x := panel.Store{Banner: banner, Code: strings.Clone(o.Shop), Active: true, LocationCertain: true}
		s.stores = append(s.stores, shop{Store: x})
	}
	x := &s.stores[at]
	if city := s.cities.key(o.City); x.ID == 0 && city != "" && (x.City == "" || city < x.City) {
		x.City = city
	}
	return at
}

// write writes what is known and has to be made for the stores in use and for the banners of listings. It numbers
// the stores. One for which files name no city is in the only city, or in the whole country.
func (s *shops) write(w *csvdir.Writer, listings []panel.Listing) error {
	about, last := s.known.About(), int64(0)
	home := s.cities.key(cmp.Or(about.Place, about.CountryName()))
	if all := s.known.Cities(); len(all) == 1 {
		home = all[0].Slug
	}
	for _, x := range s.known.Stores() {
		last = max(last, x.ID)
	}
	var stores []panel.Store
	cities, banners := map[string]basket.City{}, map[string]basket.Banner{}
	for _, k := range slices.Sorted(maps.Keys(s.keys.at)) {
		x := &s.stores[s.keys.of(k)]
		if !x.used {
			continue
		}
		if x.ID == 0 {
			last++
			x.ID, x.City = last, cmp.Or(x.City, home)
		}
		stores = append(stores, x.Store)
		cities[x.City] = basket.City{Slug: x.City, Name: s.cities.first(x.City)}
	}
	for _, l := range listings {
		name := s.chains.first(l.Banner)
		banners[l.Banner] = basket.Banner{Key: l.Banner, Name: name, Retailer: name, InIndex: true, InShopper: true}
	}
	for _, c := range s.known.Cities() {
		cities[c.Slug] = c
	}
	for _, b := range s.known.Banners() {
		banners[b.Key] = b
	}
	return cmp.Or(
		csvdir.WriteSorted(w, csvdir.Cities, slices.Collect(maps.Values(cities))),
		csvdir.WriteSorted(w, csvdir.Banners, slices.Collect(maps.Values(banners))),
		csvdir.WriteSorted(w, csvdir.Stores, stores),
	)
}

// names are the keys of names as files write them.
type names map[string]string

func (n names) key(name string) string {
	key, known := n[name]
	if !known {
		key = slug(name)
		n[strings.Clone(name)] = key
	}
	return key
}

// first returns the first of the names with a key, in the order of texts.
func (n names) first(key string) (first string) {
	for name := range n {
		if n[name] == key && (first == "" || name < first) {
			first = name
		}
	}
	return first
}

// slug returns a name as a key: its letters and digits in lower case, without accents, hyphens between.
func slug(name string) string {
	key := strings.Join(words(name), "-")
	foreign := func(r rune) bool { return !unicode.IsLower(r) && !unicode.IsDigit(r) && r != '-' }
	if strings.ContainsFunc(key, foreign) {
		return fmt.Sprintf("x%x", name) // a script without small letters
	}
	return key
}
