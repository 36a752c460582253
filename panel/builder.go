package panel

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/larder-index/larder/basket"
)

// Builder collects the records of a panel. Add products, cities and banners
// first, then stores and listings, then observations, because the later records
// refer to the earlier ones. Every method refuses a bad record with a
// *RecordError and leaves the builder as it was, so the caller may go on without
// that record. The zero Builder is that of NewBuilder(0). A Builder is for one
// goroutine.
type Builder struct {
	base     Week
	about    About
	products []basket.Product
	cities   []basket.City
	banners  []basket.Banner
	stores   []Store
	listings []Listing
	pilot    []PilotRow
	counts   Counts

	annotations []Annotation

	productAt  map[int]int32
	cityAt     map[string]int32
	cityNames  map[string]bool
	bannerAt   map[string]int32
	storeAt    idTable
	listingAt  idTable
	storeRef   []storeRef
	listingRef []listingRef
	perBanner  []int32 // stores of each banner so far

	calendar calendar
	slots    []slot
	prices   chunks
	observed int // observations offered so far, to number them in errors
	err      error
}

// storeRef holds the members of a store that Observe needs.
type storeRef struct {
	city, banner int32
	ordinal      int32 // its place among its banner's stores
	active       bool
}

// listingRef holds the members of a listing that Observe needs.
type listingRef struct {
	product, banner int32
	active          bool
	slots           []int32 // by the store's ordinal: 1 + its place in Builder.slots
}

// slot is a pair of listing and store with a counted price.
type slot struct{ listing, store int32 }

// NewBuilder starts a panel based on the given week; 0 means DefaultBaseWeek. If
// the base week is no Sunday, every other method returns an error.
func NewBuilder(base Week) *Builder {
	b := &Builder{base: base}
	if base != 0 && !base.IsSunday() {
		b.err = fmt.Errorf("panel: base week %s is no Sunday", base)
	}
	return b
}

// ready makes the zero Builder usable. Its error says why no record can be
// added.
func (b *Builder) ready() error {
	if b.err == nil && b.productAt == nil {
		b.productAt, b.cityAt, b.bannerAt = map[int]int32{}, map[string]int32{}, map[string]int32{}
		b.cityNames = map[string]bool{}
		if b.base == 0 {
			b.base = DefaultBaseWeek
		}
	}
	return b.err
}

// AddSetting adds a setting, but for the base week, which NewBuilder is given.
func (b *Builder) AddSetting(s Setting) error {
	if err := b.ready(); err != nil {
		return err
	}
	if err := s.Check(); err != nil {
		return &RecordError{"setting", 0, strconv.Quote(s.Key), err}
	}
	b.about.set(s)
	return nil
}

// AddProduct adds a canonical product.
func (b *Builder) AddProduct(p basket.Product) error {
	if err := b.ready(); err != nil {
		return err
	}
	err := p.Validate()
	if _, taken := b.productAt[p.ID]; taken {
		err = errors.Join(err, errors.New("the id is taken"))
	}
	if err != nil {
		return &RecordError{"product", len(b.products), strconv.Itoa(p.ID), err}
	}
	b.productAt[p.ID] = int32(len(b.products))
	b.products = append(b.products, p)
	return nil
}

// AddCity adds a city.
func (b *Builder) AddCity(c basket.City) error {
	if err := b.ready(); err != nil {
		return err
	}
	err := c.Validate()
	if _, taken := b.cityAt[c.Slug]; taken {
		err = errors.Join(err, errors.New("the slug is taken"))
	}
	if b.cityNames[c.Name] {
		err = errors.Join(err, fmt.Errorf("the name %q is taken", c.Name))
	}
	if err != nil {
		return &RecordError{"city", len(b.cities), strconv.Quote(c.Slug), err}
	}
	b.cityAt[c.Slug] = int32(len(b.cities))
	b.cityNames[c.Name] = true
	b.cities = append(b.cities, c)
	return nil
}

// AddBanner adds a banner.
func (b *Builder) AddBanner(n basket.Banner) error {
	if err := b.ready(); err != nil {
		return err
	}
	err := n.Validate()
	if _, taken := b.bannerAt[n.Key]; taken {
		err = errors.Join(err, errors.New("the key is taken"))
	}
	if err != nil {
		return &RecordError{"banner", len(b.banners), strconv.Quote(n.Key), err}
	}
	b.bannerAt[n.Key] = int32(len(b.banners))
	b.banners = append(b.banners, n)
	b.perBanner = append(b.perBanner, 0)
	return nil
}

// AddStore adds a store of a known banner in a known city.
func (b *Builder) AddStore(s Store) error {
	if err := b.ready(); err != nil {
		return err
	}
	var errs []error
	banner, ok := b.bannerAt[s.Banner]
	if !ok {
		errs = append(errs, unknown("banner", strconv.Quote(s.Banner)))
	}
	city, ok := b.cityAt[s.City]
	if !ok {
		errs = append(errs, unknown("city", strconv.Quote(s.City)))
	}
	if err := b.storeAt.check(s.ID); err != nil {
		errs = append(errs, err)
	}
	if len(errs) > 0 {
		return &RecordError{"store", len(b.stores), strconv.FormatInt(s.ID, 10), errors.Join(errs...)}
	}
	b.storeAt.set(s.ID, int32(len(b.stores)))
	b.stores = append(b.stores, s)
	b.storeRef = append(b.storeRef, storeRef{city, banner, b.perBanner[banner], s.Active})
	b.perBanner[banner]++
	return nil
}

// AddListing adds a listing of a known banner to a known product.
func (b *Builder) AddListing(m Listing) error {
	if err := b.ready(); err != nil {
		return err
	}
	var errs []error
	banner, ok := b.bannerAt[m.Banner]
	if !ok {
		errs = append(errs, unknown("banner", strconv.Quote(m.Banner)))
	}
	product, ok := b.productAt[m.ProductID]
	if !ok {
		errs = append(errs, unknown("product", strconv.Itoa(m.ProductID)))
	}
	if err := b.listingAt.check(m.ID); err != nil {
		errs = append(errs, err)
	}
	if len(errs) > 0 {
		return &RecordError{"listing", len(b.listings), strconv.FormatInt(m.ID, 10), errors.Join(errs...)}
	}
	b.listingAt.set(m.ID, int32(len(b.listings)))
	b.listings = append(b.listings, m)
	b.listingRef = append(b.listingRef, listingRef{product: product, banner: banner, active: m.Active})
	return nil
}

// AddPilot adds a stored row of the pilot series (v1).
func (b *Builder) AddPilot(r PilotRow) error {
	if err := b.ready(); err != nil {
		return err
	}
	var errs []error
	if !r.Date.IsSunday() {
		errs = append(errs, errors.New("the date is no Sunday"))
	}
	if _, ok := b.cityAt[r.City]; r.City != "" && !ok {
		errs = append(errs, unknown("city", strconv.Quote(r.City)))
	}
	if _, ok := b.bannerAt[r.Banner]; r.Banner != "" && !ok {
		errs = append(errs, unknown("banner", strconv.Quote(r.Banner)))
	}
	if r.Banner != "" && r.City == "" {
		errs = append(errs, errors.New("a banner's row needs a city"))
	}
	if !r.IndexValue.Valid || r.IndexValue.Units <= 0 {
		errs = append(errs, errors.New("the index value is not above 0"))
	}
	if len(errs) > 0 {
		return &RecordError{"pilot row", len(b.pilot), r.Date.String(), errors.Join(errs...)}
	}
	b.pilot = append(b.pilot, r)
	return nil
}
