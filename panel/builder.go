package panel

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/larder-index/larder/basket"
)

// Builder collects the records of a panel. Add categories, products, cities and banners
// first, then stores and listings, then observations, because the later records
// refer to the earlier ones. Every method refuses a bad record with a
// *RecordError and leaves the builder as it was, so the caller may go on without
// that record. NewBuilder makes one. A Builder is for one goroutine.
type Builder struct {
	p   Panel // the lists in the order in which records came
	err error // why nothing can be added

	settings                    []Setting
	cityAt, cityNamed, bannerAt map[string]int32 // places in the lists, by slug, display name and key
	places                      []place          // by store
	listed                      []listed         // by listing
	perBanner                   []int32          // stores of each banner so far

	weekOf   func(nano int64) Week
	slots    []slot
	weeks    map[Week]*weekCells
	last     *weekCells // of the observation before
	observed int        // observations offered so far, to number them in errors
}

// place says where a store is.
type place struct {
	city, banner int32
	ordinal      int32 // among its banner's stores
}

// listed says what a listing is.
type listed struct {
	product, banner int32
	slots           []int32 // 1 + place in Builder.slots, by the store's ordinal; 0: none
}

// slot is a pair of listing and store with a counted price.
type slot struct{ listing, store int32 }

type weekCells struct {
	week  Week
	cells []cell
}

type cell struct {
	slot  int32
	price Price
}

// NewBuilder starts a panel based on the given week; 0 means the FirstWholeWeek of the rows
// that count. If the base week is no Sunday, every other method returns an error.
func NewBuilder(base Week) *Builder {
	b := &Builder{
		p: Panel{
			base: base, productAt: map[int64]int32{}, storeAt: map[int64]int32{}, listingAt: map[int64]int32{},
		},
		weekOf: Calendar{}.Weeks(), weeks: map[Week]*weekCells{},
		cityAt: map[string]int32{}, cityNamed: map[string]int32{}, bannerAt: map[string]int32{},
	}
	if base != 0 && !base.IsSunday() {
		b.err = fmt.Errorf("panel: base week %s is no Sunday", base)
	}
	return b
}

// sound returns the builder, or one that refuses everything in the place of nil and of one that NewBuilder did not
// make.
func (b *Builder) sound() *Builder {
	if b == nil || b.weeks == nil && b.err == nil {
		return &Builder{err: errors.New("panel: this Builder was not made; NewBuilder makes one")}
	}
	return b
}

func add[T any](b *Builder, kind, id string, list *[]T, x T, wrong ...error) error {
	if b.err != nil {
		return b.err
	}
	if err := errors.Join(wrong...); err != nil {
		return &RecordError{kind, len(*list), id, err}
	}
	*list = append(*list, x)
	return nil
}

// taken refuses a key that a record has.
func taken[K comparable](at map[K]int32, key K, what string) error {
	if _, ok := at[key]; ok {
		return fmt.Errorf("the %s is taken", what)
	}
	return nil
}

// checkID refuses an id that is not above 0, or that a record has.
func checkID(at map[int64]int32, id int64) error {
	if id <= 0 {
		return errors.New("the id is not above 0")
	}
	return taken(at, id, "id")
}

// unknown refuses a reference to a record that is not there.
func unknown(there bool, kind string, key any) error {
	if there {
		return nil
	}
	return fmt.Errorf("%s %#v is unknown; add it first", kind, key)
}

// AddSetting adds a setting, but for the base week, which NewBuilder is given. The time zone
// says which weeks observations are of, so it can't come after one.
func (b *Builder) AddSetting(s Setting) error {
	b = b.sound()
	var late error
	if s.Key == "time_zone" && b.observed > 0 {
		late = errors.New("observations were added, and their weeks follow from it; add it before them")
	}
	err := add(b, "setting", strconv.Quote(s.Key), &b.settings, s, s.Check(), late)
	if err == nil {
		b.p.about.set(s)
		b.weekOf = b.p.about.calendar.Weeks()
	}
	return err
}

// AddCategories gives the panel its categories. Without it, and before any product, they are the nine of Canada's
// basket.
func (b *Builder) AddCategories(list basket.Categories) error {
	b, list = b.sound(), slices.Clone(list)
	err := list.Validate()
	if len(b.p.products) > 0 {
		err = errors.New("products were added before; add the categories first")
	}
	err = add(b, "categories", strings.Join(list.Slugs(), ", "), &[]basket.Categories{}, list, err)
	if err == nil {
		b.p.about.categories = &list
	}
	return err
}

// AddProduct adds a canonical product of one of the panel's categories.
func (b *Builder) AddProduct(p basket.Product) error {
	b = b.sound()
	p.Aliases = slices.Clone(p.Aliases)
	err := add(b, "product", strconv.FormatInt(p.ID, 10), &b.p.products, p,
		p.Validate(), b.p.Categories().Check(p.Category), taken(b.p.productAt, p.ID, "id"))
	if err == nil {
		b.p.productAt[p.ID] = int32(len(b.p.products) - 1)
	}
	return err
}

// AddCity adds a city.
func (b *Builder) AddCity(c basket.City) error {
	b = b.sound()
	err := add(b, "city", strconv.Quote(c.Slug), &b.p.cities, c, c.Validate(),
		taken(b.cityAt, c.Slug, "slug"), taken(b.cityNamed, c.Name, fmt.Sprintf("name %q", c.Name)))
	if err == nil {
		b.cityAt[c.Slug] = int32(len(b.p.cities) - 1)
		b.cityNamed[c.Name] = b.cityAt[c.Slug]
	}
	return err
}

// AddBanner adds a banner.
func (b *Builder) AddBanner(n basket.Banner) error {
	b = b.sound()
	err := add(b, "banner", strconv.Quote(n.Key), &b.p.banners, n, n.Validate(), taken(b.bannerAt, n.Key, "key"))
	if err == nil {
		b.bannerAt[n.Key] = int32(len(b.p.banners) - 1)
		b.perBanner = append(b.perBanner, 0)
	}
	return err
}

// AddStore adds a store of a known banner in a known city.
func (b *Builder) AddStore(s Store) error {
	b = b.sound()
	banner, hasBanner := b.bannerAt[s.Banner]
	city, hasCity := b.cityAt[s.City]
	err := add(b, "store", strconv.FormatInt(s.ID, 10), &b.p.stores, s,
		unknown(hasBanner, "banner", s.Banner), unknown(hasCity, "city", s.City), checkID(b.p.storeAt, s.ID))
	if err == nil {
		b.p.storeAt[s.ID] = int32(len(b.p.stores) - 1)
		b.places = append(b.places, place{city, banner, b.perBanner[banner]})
		b.perBanner[banner]++
	}
	return err
}

// AddListing adds a listing of a known banner to a known product.
func (b *Builder) AddListing(l Listing) error {
	b = b.sound()
	banner, hasBanner := b.bannerAt[l.Banner]
	product, hasProduct := b.p.ProductAt(l.ProductID)
	err := add(b, "listing", strconv.FormatInt(l.ID, 10), &b.p.listings, l,
		unknown(hasBanner, "banner", l.Banner), unknown(hasProduct, "product", l.ProductID),
		checkID(b.p.listingAt, l.ID))
	if err == nil {
		b.p.listingAt[l.ID] = int32(len(b.p.listings) - 1)
		b.listed = append(b.listed, listed{product: product, banner: banner})
	}
	return err
}

// AddPilot adds a stored row of the pilot series (v1).
func (b *Builder) AddPilot(r PilotRow) error {
	b = b.sound()
	_, hasCity := b.cityAt[r.City]
	_, hasBanner := b.bannerAt[r.Banner]
	wrong := []error{
		unknown(r.City == "" || hasCity, "city", r.City), unknown(r.Banner == "" || hasBanner, "banner", r.Banner),
	}
	if r.Category != "" {
		wrong = append(wrong, b.p.Categories().Check(r.Category))
	}
	if !r.Date.IsSunday() {
		wrong = append(wrong, errors.New("the date is no Sunday"))
	}
	if r.Banner != "" && r.City == "" {
		wrong = append(wrong, errors.New("a banner's row needs a city"))
	}
	if !r.IndexValue.Valid || r.IndexValue.Units <= 0 {
		wrong = append(wrong, errors.New("the index value is not above 0"))
	}
	return add(b, "pilot row", r.Date.String(), &b.p.pilot, r, wrong...)
}

// AddWord adds a word of titles. Its item, if it has one, must be known.
func (b *Builder) AddWord(w basket.Word) error {
	b = b.sound()
	_, ok := b.p.ProductAt(w.Product)
	w.Synonyms = slices.Clone(w.Synonyms)
	return add(b, "word", strconv.Quote(w.Text), &b.p.words, w,
		w.Validate(), unknown(ok || w.Product == 0, "product", w.Product))
}

// AddMatch adds an operator's verdict on a known listing.
func (b *Builder) AddMatch(m Match) error {
	b = b.sound()
	_, ok := b.p.ListingAt(m.Listing)
	return add(b, "verdict", strconv.FormatInt(m.Listing, 10), &b.p.matches, m,
		m.Check(), unknown(ok, "listing", m.Listing))
}

// Observe adds one observation. The index uses it when its store, listing and
// product are active, its banner is an index banner and its verdict is Pass.
// Others are counted (see Counts) and not kept.
func (b *Builder) Observe(o *Observation) error {
	if o == nil {
		return errors.New("panel: the observation is nil")
	}
	return b.observe(o, o.Effective)
}

// observe counts an observation, and takes in its price in the index unless it has none.
func (b *Builder) observe(o *Observation, price Price) error {
	if err := b.sound().err; err != nil {
		return err
	}
	b.observed++
	l, hasListing := b.p.ListingAt(o.Listing)
	s, hasStore := b.p.StoreAt(o.Store)
	err := o.check()
	if err != nil || !hasListing || !hasStore || b.listed[l].banner != b.places[s].banner {
		wrong := []error{unknown(hasListing, "listing", o.Listing), unknown(hasStore, "store", o.Store)}
		if hasListing && hasStore && b.listed[l].banner != b.places[s].banner {
			wrong = append(wrong, fmt.Errorf("listing %d is of banner %q, store %d of banner %q",
				o.Listing, b.p.listings[l].Banner, o.Store, b.p.stores[s].Banner))
		}
		return refused(o, b.observed-1, errors.Join(append(wrong, err)...))
	}
	listing, n := &b.listed[l], &b.p.counts
	n.Observations++
	switch {
	case !b.p.stores[s].Active:
		n.InactiveStore++
	case !b.p.listings[l].Active:
		n.RetiredListing++
	case !b.p.products[listing.product].Active:
		n.InactiveProduct++
	case !b.p.banners[listing.banner].InIndex:
		n.OutsideIndex++
	case o.Verdict == Quarantined:
		n.Quarantined++
	case o.Verdict == FailsIdentity:
		n.FailsIdentity++
	default:
		n.Used++
		if price == 0 {
			return nil
		}
		at := b.slotOf(l, s)
		week := b.cells(b.weekOf(o.ObservedAt.UnixNano()))
		week.cells = append(week.cells, cell{at, price})
	}
	return nil
}

// slotOf returns the slot of a listing at a store of its banner, a new one if they have none.
func (b *Builder) slotOf(listing, store int32) int32 {
	l, ordinal := &b.listed[listing], int(b.places[store].ordinal)
	for ordinal >= len(l.slots) {
		l.slots = append(l.slots, 0)
	}
	if l.slots[ordinal] == 0 {
		b.slots = append(b.slots, slot{listing, store})
		l.slots[ordinal] = int32(len(b.slots))
	}
	return l.slots[ordinal] - 1
}

func (b *Builder) cells(week Week) *weekCells {
	if b.last != nil && b.last.week == week {
		return b.last
	}
	w := b.weeks[week]
	if w == nil {
		w = &weekCells{week: week}
		if b.last != nil { // weeks are much alike
			w.cells = make([]cell, 0, len(b.last.cells)*17/16)
		}
		b.weeks[week] = w
	}
	b.last = w
	return w
}

func refused(o *Observation, index int, err error) error {
	id := fmt.Sprintf("listing %d at store %d", o.Listing, o.Store)
	if o.ID != 0 {
		id = fmt.Sprintf("%d, %s", o.ID, id)
	}
	return &RecordError{"observation", index, id, err}
}

// RecordError names a record that a Builder refused.
type RecordError struct {
	Kind  string // "product", "store", "listing", "observation", ...
	Index int    // its place in the order it was added, from 0
	ID    string // its id, key or slug
	Err   error
}

func (e *RecordError) Error() string {
	return fmt.Sprintf("%s %s (number %d added): %v", e.Kind, e.ID, e.Index+1, e.Err)
}

func (e *RecordError) Unwrap() error { return e.Err }
