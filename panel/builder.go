package panel

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/larder-index/larder/basket"
)

// Builder collects the records of a panel. Add what is referred to before what
// refers to it: products, cities and banners, then stores and mappings, then
// observations. Every method refuses a bad record with a *RecordError that
// names it, and leaves the builder as it was, so the caller decides whether to
// go on without that record. The zero Builder is one of NewBuilder(0). A Builder
// is for one goroutine.
type Builder struct {
	base     Week
	products []basket.Product
	cities   []basket.City
	banners  []basket.Banner
	stores   []Store
	mappings []Mapping
	pilot    []PilotRow
	counts   Counts

	productAt  map[int]int32
	cityAt     map[string]int32
	cityNames  map[string]bool
	bannerAt   map[string]int32
	storeAt    idTable
	mappingAt  idTable
	storeRef   []storeRef
	mappingRef []mappingRef
	perBanner  []int32 // stores of each banner so far

	calendar calendar
	slots    []slot
	prices   chunks
	observed int    // observations offered so far, to number them in errors
	extended *Panel // what this panel extends; nil: nothing
	err      error
}

// storeRef is what Observe needs to know of a store.
type storeRef struct {
	city, banner int32
	ordinal      int32 // its place among its banner's stores
	active       bool
}

// mappingRef is what Observe needs to know of a mapping.
type mappingRef struct {
	product, banner int32
	active          bool
	slots           []int32 // by the store's ordinal: 1 + its place in Builder.slots
}

// slot is a pair of mapping and store that a counted price was seen for.
type slot struct{ mapping, store int32 }

// NewBuilder starts a panel based on the given week; 0 means DefaultBaseWeek. A
// base week that is no Sunday is reported by every other method.
func NewBuilder(base Week) *Builder {
	b := &Builder{base: base}
	if base != 0 && !base.IsSunday() {
		b.err = fmt.Errorf("panel: base week %s is no Sunday", base)
	}
	return b
}

// ready makes the zero Builder usable, and reports why no record can be added.
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

// AddProduct adds a canonical product.
func (b *Builder) AddProduct(p basket.Product) error {
	if err := b.ready(); err != nil {
		return err
	}
	err := p.Validate()
	if b.extended != nil {
		err = errors.Join(err, errors.New("the products of a panel that is extended are given; build it anew"))
	}
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

// AddMapping adds a mapping of a known banner to a known product.
func (b *Builder) AddMapping(m Mapping) error {
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
	if err := b.mappingAt.check(m.ID); err != nil {
		errs = append(errs, err)
	}
	if len(errs) > 0 {
		return &RecordError{"mapping", len(b.mappings), strconv.FormatInt(m.ID, 10), errors.Join(errs...)}
	}
	b.mappingAt.set(m.ID, int32(len(b.mappings)))
	b.mappings = append(b.mappings, m)
	b.mappingRef = append(b.mappingRef, mappingRef{product: product, banner: banner, active: m.Active})
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

// Observe adds one observation. The index uses it when its store, mapping and
// product are active, its banner is an index banner and its verdict is Pass;
// otherwise it is counted (see Counts) and not kept.
func (b *Builder) Observe(o *Observation) error {
	if err := b.ready(); err != nil {
		return err
	}
	b.observed++
	m, s, week, err := b.locate(o)
	if err != nil {
		return &RecordError{"observation", b.observed - 1, describe(o), err}
	}
	mapping, store := &b.mappingRef[m], &b.storeRef[s]
	b.counts.Observations++
	switch {
	case !store.active:
		b.counts.InactiveStore++
	case !mapping.active:
		b.counts.RetiredMapping++
	case !b.products[mapping.product].Active:
		b.counts.InactiveProduct++
	case !b.banners[mapping.banner].InIndex:
		b.counts.OutsideIndex++
	case o.Verdict == Quarantined:
		b.counts.Quarantined++
	case o.Verdict == FailsIdentity:
		b.counts.FailsIdentity++
	default:
		b.counts.Used++
		b.prices.add(cell{b.slotOf(mapping, m, s, store.ordinal), week, o.Effective})
	}
	return nil
}

// locate finds the observation's mapping, store and week, or says what is
// wrong with it.
func (b *Builder) locate(o *Observation) (m, s int32, week Week, err error) {
	m, mok := b.mappingAt.get(o.Mapping)
	s, sok := b.storeAt.get(o.Store)
	week, wok := b.calendar.weekOf(o.ObservedAt)
	wanted := !b.covers(week)
	if mok && sok && wok && wanted && o.Effective.Valid() && o.Verdict <= Quarantined &&
		b.mappingRef[m].banner == b.storeRef[s].banner {
		return m, s, week, nil
	}
	var errs []error
	if !mok {
		errs = append(errs, unknown("mapping", strconv.FormatInt(o.Mapping, 10)))
	}
	if !sok {
		errs = append(errs, unknown("store", strconv.FormatInt(o.Store, 10)))
	}
	if mok && sok && b.mappingRef[m].banner != b.storeRef[s].banner {
		errs = append(errs, fmt.Errorf("mapping %d is of banner %q, store %d of banner %q",
			o.Mapping, b.mappings[m].Banner, o.Store, b.stores[s].Banner))
	}
	if !wok {
		errs = append(errs, fmt.Errorf("observed at %s: not in the years %d to %d", o.ObservedAt, FirstYear, LastYear))
	}
	if wok && !wanted {
		errs = append(errs, fmt.Errorf("week %s is one of the panel that is extended, whose weeks stay as they are; build it anew", week))
	}
	if !o.Effective.Valid() {
		errs = append(errs, fmt.Errorf("effective price %d ten-thousandths: not above 0 and up to %s", int64(o.Effective), maxPrice))
	}
	if o.Verdict > Quarantined {
		errs = append(errs, fmt.Errorf("no such verdict: %s", o.Verdict))
	}
	return 0, 0, 0, errors.Join(errs...)
}

// slotOf returns the slot of mapping m at store s, making it when it is new.
func (b *Builder) slotOf(ref *mappingRef, m, s, ordinal int32) int32 {
	if n := int(ordinal) + 1; n > len(ref.slots) {
		ref.slots = append(ref.slots, make([]int32, n-len(ref.slots))...)
	}
	at := &ref.slots[ordinal]
	if *at == 0 {
		b.slots = append(b.slots, slot{m, s})
		*at = int32(len(b.slots))
	}
	return *at - 1
}

func describe(o *Observation) string {
	var sb strings.Builder
	if o.ID != 0 {
		fmt.Fprintf(&sb, "%d, ", o.ID)
	}
	fmt.Fprintf(&sb, "mapping %d at store %d", o.Mapping, o.Store)
	return sb.String()
}

func unknown(kind, id string) error {
	return fmt.Errorf("%s %s is unknown; add it first", kind, id)
}

// Build returns the panel. The builder must not be used afterwards.
func (b *Builder) Build() (*Panel, error) {
	if err := b.ready(); err != nil {
		return nil, err
	}
	p := &Panel{
		base: b.base, products: b.products, cities: b.cities, banners: b.banners,
		stores: b.stores, mappings: b.mappings, pilot: b.pilot, counts: b.counts,
	}
	series, rank := b.sortSeries()
	p.inherit(b.extended, len(series), rank)
	p.fill(series, rank, b.prices)
	*b = Builder{err: errors.New("panel: the builder was used already")}
	return p, nil
}

// sortSeries puts the reference lists into the panel's order and returns the
// series of the slots in theirs, with the rank of each slot.
func (b *Builder) sortSeries() (series []Series, rank []int32) {
	product := sortWithRank(b.products, func(x, y basket.Product) int { return x.ID - y.ID })
	city := sortWithRank(b.cities, func(x, y basket.City) int { return strings.Compare(x.Name, y.Name) })
	banner := sortWithRank(b.banners, func(x, y basket.Banner) int { return strings.Compare(x.Key, y.Key) })
	store := sortWithRank(b.stores, func(x, y Store) int { return compareInt(x.ID, y.ID) })
	mapping := sortWithRank(b.mappings, func(x, y Mapping) int { return compareInt(x.ID, y.ID) })
	series = make([]Series, len(b.slots))
	for i, s := range b.slots {
		m, st := b.mappingRef[s.mapping], b.storeRef[s.store]
		series[i] = Series{
			Product: product[m.product], City: city[st.city], Banner: banner[st.banner],
			Store: store[s.store], Mapping: mapping[s.mapping],
		}
	}
	return series, sortWithRank(series, Series.compare)
}

func (s Series) compare(t Series) int {
	for _, d := range [...]int32{s.Product - t.Product, s.City - t.City, s.Banner - t.Banner, s.Store - t.Store, s.Mapping - t.Mapping} {
		if d != 0 {
			return int(d)
		}
	}
	return 0
}

// sortWithRank sorts list in place and returns the new place of each old one.
func sortWithRank[T any](list []T, compare func(x, y T) int) []int32 {
	order := make([]int32, len(list))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, j int32) int { return compare(list[i], list[j]) })
	old := slices.Clone(list)
	rank := make([]int32, len(list))
	for place, i := range order {
		list[place] = old[i]
		rank[i] = int32(place)
	}
	return rank
}

func compareInt(x, y int64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
