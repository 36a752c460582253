package release

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

const (
	lookBack   = 53 // weeks before the first new one that say what is usual
	asideWeeks = 16 // of them say how many rows the old snapshot set aside
)

var scaleRule = panel.WrongScaleRow.String()

type seriesID struct{ listing, store int64 }

// group is a banner, a banner in a city, or a category of a banner.
type group struct {
	cell   *jevons.Cell
	kind   groupKind
	banner *group // nil: it is one

	tally
	reported map[Rule]bool // in the week; true: it stops the release

	// Of the weeks before, by week: figures by their code, and how many series and stores had a price.
	history              map[string][]float64
	priced, stores       []float64
	pricedSinceBase      []float64 // series with a price in the base week too
	pricedInBase         float64   // series with a price in the base week
	shareAside, untitled float64   // of the rows of the week before; NaN: too few
}

type groupKind string

const (
	ofBanner   groupKind = "banner"
	inCity     groupKind = "city"
	ofCategory groupKind = "category"
)

// tally counts the rows of a group in a week.
type tally struct {
	rows, passed, aside, noTitle int
	asideBy                      map[string]int // by rule
	withPrice, withBase          int            // series with a price; those of them with one in the base week
	inStores                     map[int64]bool // with a price
	relatives                    []relative
	comparable, unchanged        [3]int // prices known for so many weeks before, and those that stand still since

	// Of rows that pass: on sale, past the end of the sale, not known to be in stock, and with another price than
	// their sale or regular price; those on sale with a known regular price, and their sum of ln(regular/effective).
	onSale, expired, outOfStock, unexplained, discounted int
	discount                                             float64
}

// relative is a price beside the same series' price before the week.
type relative struct {
	seriesID
	price, before panel.Price
	log           float64
	aside         bool // set aside for its scale
}

func (x *relative) ratio() float64 { return float64(x.price) / float64(x.before) }

// series is a listing at a store.
type series struct {
	groups                [3]*group
	passed, aside         lastPrice  // that passed, and that was set aside for its scale
	firstWeek, unchanging panel.Week // of a price that passed; since when it stands still
	inBase                bool       // a price of the base week passed
}

// lastPrice is the newest price, its week, and the last price before that week.
type lastPrice struct {
	week          panel.Week
	before, price panel.Price
}

func (p *lastPrice) set(week panel.Week, price panel.Price) {
	if p.week != week {
		p.week, p.before = week, p.price
	}
	p.price = price
}

func (p *lastPrice) upTo(week panel.Week) panel.Price {
	if p.week == week {
		return p.before
	}
	return p.price
}

// scan goes through the rows of a snapshot, week by week.
type scan struct {
	*review
	*side
	entries map[int64]entries
	groups  []*group
	at      map[jevons.Cell]*group
	series  map[seriesID]*series
	before  map[mark]asideCount // of the old snapshot
	pools   map[string]usual    // of the week, by kind and code of a figure
	mass    panel.Mass          // of the rows of new weeks
}

// entries says which entries name a row: of the rule about scale, others, and of those corrections.
type entries struct{ scale, others, corrected bool }

type asideCount struct{ rows, aside int }

// prices applies the rules about prices to all new weeks. The weeks before, up to a year, say what is
// usual. Rows of active stores, listings and products count. So do banners outside the index: shoppers see
// their prices too. At a first release only the rules about scale and about rows set aside in mass apply, to all weeks.
func (r *review) prices() {
	s := &scan{review: r, side: newSide(r.next, r.next.Panel.Categories()), entries: map[int64]entries{},
		at: map[jevons.Cell]*group{}, series: map[seriesID]*series{}, before: map[mark]asideCount{}}
	for _, e := range r.next.Quarantine {
		if !e.Released && e.Observation != 0 {
			x := s.entries[e.Observation]
			x.scale = x.scale || e.Rule == panel.WrongScaleRow
			x.others = x.others || e.Rule != panel.WrongScaleRow
			x.corrected = x.corrected || e.Rule == panel.Corrected
			s.entries[e.Observation] = x
		}
	}
	from := s.startOf(r.released.Add(1 - lookBack))
	if r.isFirst() {
		from = time.Time{}
	} else if r.old.Rows != r.next.Rows {
		s.countOld()
	}
	s.addBase()
	// A week whose rows are all set aside has none in the table.
	through := cmp.Or(r.next.Table.Options.Through, lastOf(r.next.Table.Rows))
	i, end := s.rows.Between(from, s.startOf(through.Add(1)))
	for i < end {
		week := s.weekOf(i)
		for ; i < end && s.weekOf(i) == week; i++ {
			s.add(i, week)
		}
		s.close(week)
	}
	s.inMass()
}

// addBase notes which series have a price in the base week.
func (s *scan) addBase() {
	base := s.next.Panel.BaseWeek()
	i, end := s.rows.Between(s.startOf(base), s.startOf(base.Add(1)))
	for ; i < end; i++ {
		if x := s.seriesOf(i); s.rows.Verdict(i) == panel.Pass && x.groups[0] != nil && !x.inBase {
			x.inBase = true
			for _, g := range x.groups {
				g.pricedInBase++
			}
		}
	}
}

// countOld counts the rows of the old snapshot, and those that it set aside, by week, banner and city.
func (s *scan) countOld() {
	old := newSide(s.old, s.next.Panel.Categories())
	type visit struct {
		week  panel.Week
		store int64
	}
	visits := map[visit]asideCount{}
	i, end := old.rows.Between(old.startOf(s.released.Add(1-asideWeeks)), old.startOf(s.released.Add(1)))
	for ; i < end; i++ {
		if old.bannerOf(i) == "" {
			continue
		}
		at := visit{old.weekOf(i), old.rows.Store(i)}
		n := visits[at]
		n.rows++
		if old.rows.Verdict(i) != panel.Pass {
			n.aside++
		}
		visits[at] = n
	}
	for v, n := range visits {
		store := old.stores[v.store]
		for _, city := range [...]string{"", store.city} {
			at := mark{v.week, jevons.Cell{Level: jevons.Banner, City: city, Banner: store.banner}}
			sum := s.before[at]
			s.before[at] = asideCount{sum.rows + n.rows, sum.aside + n.aside}
		}
	}
}

// seriesOf returns the series of a row. One of an inactive store, listing or product is in no group.
func (s *scan) seriesOf(i int) *series {
	id := seriesID{s.rows.Listing(i), s.rows.Store(i)}
	x := s.series[id]
	if x != nil {
		return x
	}
	x = &series{}
	s.series[id] = x
	if banner := s.bannerOf(i); banner != "" {
		all := s.group(nil, ofBanner, jevons.Cell{Banner: banner})
		x.groups = [3]*group{
			all,
			s.group(all, inCity, jevons.Cell{Banner: banner, City: s.stores[id.store].city}),
			s.group(all, ofCategory, jevons.Cell{Banner: banner, Category: s.listings[id.listing].category}),
		}
	}
	return x
}

func (s *scan) group(banner *group, kind groupKind, cell jevons.Cell) *group {
	cell.Level = jevons.Banner
	g := s.at[cell]
	if g == nil {
		g = &group{cell: &cell, kind: kind, banner: banner, history: map[string][]float64{},
			shareAside: math.NaN(), untitled: math.NaN()}
		g.reset()
		s.groups, s.at[cell] = append(s.groups, g), g
	}
	return g
}

func (g *group) reset() {
	g.tally = tally{relatives: g.relatives[:0], asideBy: map[string]int{}, inStores: map[int64]bool{}}
}

// bannerOf returns the banner of the i-th row; "" if its store, listing or product is not active.
func (x *side) bannerOf(i int) string {
	if s := x.stores[x.rows.Store(i)]; s.active && x.listings[x.rows.Listing(i)].counts {
		return s.banner
	}
	return ""
}

// add adds a row of a week to its series and its groups. Rows that were corrected don't count.
func (s *scan) add(i int, week panel.Week) {
	x := s.seriesOf(i)
	if x.groups[0] == nil {
		return
	}
	rule := s.rows.Judge(i).Rule()
	passes, scaled := s.rows.Verdict(i) == panel.Pass, false
	if !passes {
		e := s.entries[s.rows.ID(i)]
		if e.corrected {
			return
		}
		scaled = e.scale && !e.others && rule == scaleRule // an operator who lists a row has dealt with it
	}
	if week > s.released {
		s.mass.Add(x.groups[0].cell.Banner, rule, 1)
	}
	o := s.rows.At(i)
	moved := relative{seriesID: seriesID{o.Listing, o.Store}, price: o.Effective,
		before: cmp.Or(x.passed.upTo(week), x.aside.upTo(week)), aside: scaled}
	if moved.price != moved.before && moved.before != 0 {
		moved.log = math.Log(moved.ratio())
	}
	isNew := passes && x.passed.week != week
	switch {
	case scaled:
		x.aside.set(week, o.Effective)
	case passes:
		x.firstWeek = cmp.Or(x.firstWeek, week)
		if x.passed.price != o.Effective {
			x.unchanging = week
		}
		x.passed.set(week, o.Effective)
	}
	for _, g := range x.groups {
		g.rows++
		if o.ScrapedName == "" {
			g.noTitle++
		}
		if moved.before != 0 && (passes || scaled) {
			g.relatives = append(g.relatives, moved)
		}
		if !passes {
			g.aside++
			g.asideBy[rule]++
			continue
		}
		g.passed++
		g.addPromotion(&o, s.calendar)
		for k := range g.comparable {
			if since := week.Add(-1 - k); x.firstWeek <= since {
				g.comparable[k]++
				if x.unchanging <= since {
					g.unchanged[k]++
				}
			}
		}
		if !isNew {
			continue
		}
		g.withPrice++
		g.inStores[o.Store] = true
		if x.inBase {
			g.withBase++
		}
	}
}

// addPromotion counts what a row that passes says of a promotion, and of the stock.
func (t *tally) addPromotion(o *panel.Observation, c panel.Calendar) {
	if o.InStock != panel.Yes {
		t.outOfStock++
	}
	if asked := cmp.Or(o.Sale, o.Regular); asked != 0 && asked != o.Effective {
		t.unexplained++
	}
	if !o.OnSale {
		return
	}
	t.onSale++
	if o.SaleEndsOn != 0 && o.SaleEndsOn < c.DateIn(o.ObservedAt) {
		t.expired++
	}
	if o.Regular != 0 {
		t.discounted++
		t.discount += math.Log(float64(o.Regular) / float64(o.Effective))
	}
}

// close judges a week if it is new, and makes it one of the weeks before.
func (s *scan) close(week panel.Week) {
	figures := make([][]figure, len(s.groups))
	s.pools = map[string]usual{}
	for i, g := range s.groups {
		g.priced, g.stores = append(g.priced, float64(g.withPrice)), append(g.stores, float64(len(g.inStores)))
		g.pricedSinceBase = append(g.pricedSinceBase, float64(g.withBase))
		if g.reported == nil || !s.isFirst() {
			g.reported = map[Rule]bool{}
		}
		if week > s.released {
			s.scale(g, week)
		}
		judges := week > s.released && !s.isFirst()
		for _, rule := range priceRules {
			list := rule.figures(g, s.before[mark{week, *g.cell}])
			figures[i] = append(figures[i], list...)
			if judges {
				s.judge(g, week, rule.name, list)
			}
		}
		if judges {
			s.vanished(g, week)
		}
	}
	for i, g := range s.groups {
		for _, f := range figures[i] {
			if !math.IsNaN(f.value) {
				g.history[f.code] = append(g.history[f.code], f.value)
			}
		}
		g.reset()
	}
}

// inMass finds once what sets aside a large part of the new weeks' rows, or all of a banner's.
func (s *scan) inMass() {
	for _, x := range s.mass.Found() {
		s.found = slices.DeleteFunc(s.found, func(f Finding) bool { // says a part of it
			return f.Rule == Surge && f.Cell != nil && (x.Banner == "" || x.Banner == f.Cell.Banner)
		})
		id := "mass/" + x.Rule
		if x.Banner != "" {
			id += "/" + x.Banner
		}
		s.review.add(Finding{ID: id, Rule: Surge, Stops: true, Code: "mass", Args: []any{x},
			Value: fixed(100 * float64(x.Rows) / float64(x.Of)), Unit: "percent", distance: float64(x.Rows)})
	}
}
