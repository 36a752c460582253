package offers

import (
	"cmp"
	"fmt"
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
	known *panel.Panel
	keys  map[string]string // of banners, by chain as files write it
	coded map[shopKey]*shop
	list  []*shop
}

type shopKey struct{ banner, code string }

type shop struct {
	panel.Store        // ID 0: to be made
	chain, city string // as files write them; of several ways the first in the order of texts
	place       int32  // in the list
	used        bool   // some row is of it
}

func newShops(known *panel.Panel) *shops {
	s := &shops{known: known, keys: map[string]string{}, coded: map[shopKey]*shop{}}
	for _, x := range known.Stores() {
		s.add(x)
	}
	return s
}

func (s *shops) add(x panel.Store) *shop {
	k := shopKey{x.Banner, x.Code}
	if s.coded[k] == nil {
		s.coded[k] = &shop{Store: x, place: int32(len(s.list))}
		s.list = append(s.list, s.coded[k])
	}
	return s.coded[k]
}

// of returns the shop of an offer; nil: the offer names no chain, and several are known or none.
func (s *shops) of(o *Offer) *shop {
	key, known := s.keys[o.Chain]
	if !known {
		key = slug(o.Chain)
		if all := s.known.Banners(); o.Chain == "" && len(all) == 1 {
			key = all[0].Key
		}
		s.keys[strings.Clone(o.Chain)] = key
	}
	if key == "" {
		return nil
	}
	at := s.coded[shopKey{key, o.Shop}]
	if at == nil {
		at = s.add(panel.Store{Banner: key, Code: strings.Clone(o.Shop), Active: true, LocationCertain: true})
	}
	at.chain, at.city = firstText(at.chain, o.Chain), firstText(at.city, o.City)
	return at
}

// firstText returns the first of two texts that are not empty, in their order.
func firstText(a, b string) string {
	if a == "" || b != "" && b < a {
		return strings.Clone(b)
	}
	return a
}

// write writes what has to be made for the stores in use and for the banners of listings. It numbers the stores.
func (s *shops) write(w *csvdir.Writer, listings []panel.Listing) error {
	var cities []basket.City
	var banners []basket.Banner
	var stores []panel.Store
	places, chains, last := map[string]string{}, map[string]string{}, int64(0) // names of those in use, by key
	for _, x := range s.known.Stores() {
		last = max(last, x.ID)
	}
	about := s.known.About()
	home := cmp.Or(about.Place, about.CountryName()) // of stores for which files name no city
	if all := s.known.Cities(); len(all) == 1 {
		home = all[0].Slug
	}
	for _, l := range listings {
		chains[l.Banner] = ""
	}
	for _, x := range slices.SortedFunc(slices.Values(s.list), func(a, b *shop) int {
		return cmp.Or(strings.Compare(a.Banner, b.Banner), strings.Compare(a.Code, b.Code))
	}) {
		if name, needed := chains[x.Banner]; needed || x.used {
			chains[x.Banner] = firstText(name, x.chain)
		}
		if x.used && x.ID == 0 {
			last++
			name := cmp.Or(x.city, home)
			x.ID, x.City = last, slug(name)
			places[x.City] = firstText(places[x.City], name)
			stores = append(stores, x.Store)
		}
	}
	for _, c := range s.known.Cities() {
		delete(places, c.Slug)
	}
	for key, name := range places {
		cities = append(cities, basket.City{Slug: key, Name: name})
	}
	for _, b := range s.known.Banners() {
		delete(chains, b.Key)
	}
	for key, name := range chains {
		b := basket.Banner{Key: key, Name: name, Retailer: name, InIndex: true, InShopper: true}
		banners = append(banners, b)
	}
	return cmp.Or(csvdir.WriteSorted(w, csvdir.Cities, cities), csvdir.WriteSorted(w, csvdir.Banners, banners),
		csvdir.WriteSorted(w, csvdir.Stores, stores))
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
