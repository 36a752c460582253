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
)

// shops has the stores that offers name: those that are known, and those to be made. A banner is found by its key,
// a store by its banner and code. What an operator changed of them stays.
type shops struct {
	named map[shopKey]*shop // by chain and shop as files write them
	coded map[shopKey]*shop // by key of the banner and code of the store
	list  []*shop
	known *panel.Panel
}

type shopKey struct{ chain, code string }

type shop struct {
	panel.Store        // ID 0: to be made
	chain, city string // as files write them; of several ways the first in the order of texts
	place       int    // in the list
	used        bool   // some row is of it
}

func newShops(known *panel.Panel) *shops {
	s := &shops{named: map[shopKey]*shop{}, coded: map[shopKey]*shop{}, known: known}
	for _, x := range known.Stores() {
		if k := (shopKey{x.Banner, x.Code}); s.coded[k] == nil {
			s.add(k, &shop{Store: x})
		}
	}
	return s
}

func (s *shops) add(k shopKey, x *shop) *shop {
	x.place = len(s.list)
	s.list, s.coded[k] = append(s.list, x), x
	return x
}

// of returns the shop of an offer; nil: the offer names no chain, and several are known or none.
func (s *shops) of(o *Offer) *shop {
	at := s.named[shopKey{o.Chain, o.Shop}]
	if at == nil {
		k := shopKey{slug(o.Chain), strings.Clone(o.Shop)}
		if all := s.known.Banners(); o.Chain == "" && len(all) == 1 {
			k.chain = all[0].Key
		}
		if k.chain == "" {
			return nil
		}
		if at = s.coded[k]; at == nil {
			at = s.add(k, &shop{Store: panel.Store{Banner: k.chain, Active: true, LocationCertain: true, Code: k.code}})
		}
		s.named[shopKey{strings.Clone(o.Chain), k.code}] = at
		at.chain = firstText(at.chain, o.Chain)
	}
	if at.city != o.City {
		at.city = firstText(at.city, o.City)
	}
	return at
}

// firstText returns the first of two texts that are not empty, in their order.
func firstText(a, b string) string {
	if a == "" || b != "" && b < a {
		return strings.Clone(b)
	}
	return a
}

// made returns what has to be made for the stores in use and for the banners of listings. It numbers the stores.
func (s *shops) made(listings []panel.Listing) (cities []basket.City, banners []basket.Banner, stores []panel.Store) {
	slugs, keys, last := map[string]string{}, map[string]string{}, int64(0) // names of those to be made
	for _, x := range s.known.Stores() {
		last = max(last, x.ID)
	}
	for _, l := range listings {
		keys[l.Banner] = ""
	}
	list := slices.SortedFunc(slices.Values(s.list), func(a, b *shop) int {
		return cmp.Or(strings.Compare(a.Banner, b.Banner), strings.Compare(a.Code, b.Code))
	})
	for _, x := range list {
		if name, needed := keys[x.Banner]; needed || x.used {
			keys[x.Banner] = firstText(name, x.chain)
		}
		if !x.used || x.ID != 0 {
			continue
		}
		last++
		name := cmp.Or(x.city, s.home())
		x.ID, x.City = last, slug(name)
		slugs[x.City] = firstText(slugs[x.City], name)
		stores = append(stores, x.Store)
	}
	for _, c := range s.known.Cities() {
		delete(slugs, c.Slug)
	}
	for _, b := range s.known.Banners() {
		delete(keys, b.Key)
	}
	for _, k := range slices.Sorted(maps.Keys(slugs)) {
		cities = append(cities, basket.City{Slug: k, Name: slugs[k]})
	}
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		b := basket.Banner{Key: k, Name: keys[k], Retailer: keys[k], InIndex: true, InShopper: true}
		banners = append(banners, b)
	}
	return cities, banners, stores
}

// home returns the city of stores for which files name none: the only one that is known, or one for all the place.
func (s *shops) home() string {
	if all := s.known.Cities(); len(all) == 1 {
		return all[0].Slug
	}
	about := s.known.About()
	return cmp.Or(about.Place, about.CountryName())
}

// slug returns a name as a key: its letters and digits in lower case, without accents, hyphens between.
func slug(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range words {
		words[i] = fold(w)
	}
	key := strings.Join(words, "-")
	small := func(r rune) bool { return unicode.IsLower(r) || unicode.IsDigit(r) || r == '-' }
	if strings.Trim(key, "-") == "" || strings.IndexFunc(key, func(r rune) bool { return !small(r) }) < 0 {
		return key
	}
	return fmt.Sprintf("x%x", name) // a script without small letters
}
