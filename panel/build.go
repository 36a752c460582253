package panel

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/larder-index/larder/basket"
)

// Build returns the panel. The builder must not be used afterwards.
func (b *Builder) Build() (*Panel, error) {
	if err := b.sound().err; err != nil {
		return nil, err
	}
	p := b.p
	if p.base == 0 {
		rows := map[Week]int{}
		for week, w := range b.weeks {
			rows[week] = len(w.cells)
		}
		p.base = FirstWholeWeek(rows)
	}
	p.about.BaseWeek = p.base
	slices.SortStableFunc(p.words, func(x, y basket.Word) int { return CompareWords(&x, &y) })
	slices.SortStableFunc(p.matches, func(x, y Match) int { return CompareMatches(&x, &y) })
	rank := b.sort(&p)
	p.about.Where = p.where()
	b.fill(&p, rank)
	*b = Builder{err: errors.New("panel: the builder was used already")}
	return &p, nil
}

// fill adds the weeks to those that an appended panel has. The series of the slots are given.
func (b *Builder) fill(p *Panel, series []int32) {
	p.logs = relaid(p.logs, series)
	p.weeks = append(p.weeks, slices.Sorted(maps.Keys(b.weeks))...)
	old := len(p.logs)
	p.logs = append(p.logs, make([][]float64, len(p.weeks)-old)...)
	var weeks sync.WaitGroup
	for k, w := range p.weeks[old:] {
		weeks.Go(func() { p.logs[old+k] = logsOf(b.weeks[w].cells, series) })
	}
	weeks.Wait()
	if n := len(p.weeks); n > 0 {
		p.open = slices.Clone(b.weeks[p.weeks[n-1]].cells)
	}
	for i, c := range p.open {
		p.open[i].slot = series[c.slot]
	}
}

// sort puts the panel's lists into their order and lists the series of the slots in
// theirs. It returns the series of each slot.
func (b *Builder) sort(p *Panel) []int32 {
	product := sortWithRank(p.products, func(x, y basket.Product) int { return cmp.Compare(x.ID, y.ID) })
	city := sortWithRank(p.cities, func(x, y basket.City) int { return strings.Compare(x.Name, y.Name) })
	banner := sortWithRank(p.banners, func(x, y basket.Banner) int { return strings.Compare(x.Key, y.Key) })
	store := sortWithRank(p.stores, func(x, y Store) int { return cmp.Compare(x.ID, y.ID) })
	listing := sortWithRank(p.listings, func(x, y Listing) int { return cmp.Compare(x.ID, y.ID) })
	for i, x := range p.products {
		p.productAt[x.ID] = int32(i)
	}
	for i, x := range p.stores {
		p.storeAt[x.ID] = int32(i)
	}
	for i, x := range p.listings {
		p.listingAt[x.ID] = int32(i)
	}
	for _, s := range b.slots {
		g, at := &b.listed[s.listing], &b.places[s.store]
		p.series = append(p.series, Series{
			Product: product[g.product], City: city[at.city], Banner: banner[at.banner],
			Store: store[s.store], Listing: listing[s.listing],
		})
	}
	return sortWithRank(p.series, Series.compare)
}

var canada = sync.OnceValue(func() []basket.City { return basket.Canada().Cities })

// where names the cities of the series; without series, since rows may be computed elsewhere, of the stores.
func (p *Panel) where() string {
	priced := map[string]bool{}
	for _, s := range p.series {
		priced[p.cities[s.City].Slug] = true
	}
	for i := 0; len(p.series) == 0 && i < len(p.stores); i++ {
		priced[p.stores[i].City] = true
	}
	without := func(c basket.City) bool { return !priced[c.Slug] }
	switch cities := slices.DeleteFunc(slices.Clone(p.cities), without); {
	case len(cities) == 0 || p.about.Country() == defaultCountry && !slices.ContainsFunc(canada(), without):
		return ""
	case len(cities) == 1:
		return cities[0].Name
	default:
		return strconv.Itoa(len(cities)) + " " + cmp.Or(p.about.Places, "cities")
	}
}

func (s Series) compare(t Series) int {
	return cmp.Or(cmp.Compare(s.Product, t.Product), cmp.Compare(s.City, t.City), cmp.Compare(s.Banner, t.Banner),
		cmp.Compare(s.Store, t.Store), cmp.Compare(s.Listing, t.Listing))
}

// sortWithRank sorts list in place and returns the new place of each old one.
func sortWithRank[T any](list []T, compare func(x, y T) int) []int32 {
	order := make([]int32, len(list))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, j int32) int { return compare(list[i], list[j]) })
	old, rank := slices.Clone(list), make([]int32, len(list))
	for place, i := range order {
		list[place], rank[i] = old[i], int32(place)
	}
	return rank
}

// logsOf returns the log prices of a week's series, the series of slots being given. A
// series with several prices has the mean of their logs. They are added in ascending
// order, so the order in which they came can't change the last bit of a mean.
func logsOf(cells []cell, series []int32) []float64 {
	logs := make([]float64, len(series))
	for i := range logs {
		logs[i] = math.NaN()
	}
	several := map[int32][]float64{}
	for _, c := range cells {
		at, log := series[c.slot], c.price.log()
		if math.IsNaN(logs[at]) {
			logs[at] = log
			continue
		}
		if several[at] == nil {
			several[at] = []float64{logs[at]}
		}
		several[at] = append(several[at], log)
	}
	for at, list := range several {
		slices.Sort(list)
		sum := 0.0
		for _, log := range list {
			sum += log
		}
		logs[at] = sum / float64(len(list))
	}
	return logs
}

// Regular returns the panel of regular prices: the same records, and the same
// verdicts of the gate, with other prices. A row's price is its regular price after
// the regular-price rule, where that is known; else its effective price, where it is
// not on sale; else it has none and is left out. The rows must be all of the panel's.
// An error says that they are of another panel.
//
// Its Counts are the panel's, but Used leaves out the rows without a price.
func (p *Panel) Regular(rows *Rows) (*Panel, error) {
	if p == nil || rows == nil {
		return nil, errors.New("panel of regular prices: the panel or its rows are nil")
	}
	b, err := p.records()
	for i := 0; i < rows.Len() && err == nil; i++ {
		at, ok := p.ListingAt(rows.Listing(i))
		o := rows.Restated(i, ok && p.banners[b.listed[at].banner].Verified)
		price := o.Regular
		if price == 0 && !o.OnSale {
			price = o.Effective
		}
		err = b.observe(&o, price)
	}
	if err != nil || b.p.counts != p.counts {
		return nil, errors.New("panel of regular prices: the rows are not those of the panel")
	}
	b.p.counts.Used = 0
	for _, w := range b.weeks {
		b.p.counts.Used += len(w.cells)
	}
	b.p.regular = true
	return b.Build()
}

func addAll[T any](list []T, add func(T) error) error {
	for _, x := range list {
		if err := add(x); err != nil {
			return err
		}
	}
	return nil
}
