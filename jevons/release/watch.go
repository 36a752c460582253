package release

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

type seriesID struct{ listing, store int64 }

// watched is a banner, a banner in a city, or a category of a banner.
type watched struct {
	cell *jevons.Cell
	kind int
	wide *watched // the banner; nil: it is one

	tally
	stores map[int64]bool // with a price in the week at hand
	why    map[string]int // rows of the week that were set aside, by rule
	told   map[Rule]int   // of the week; 1: warned, 2: stopped

	// Of the weeks before: the figures, and the shares of rows that were set aside, and had no title, in the last.
	past                 [len(measures)][]float64
	seen                 bool
	wasAway, wasUntitled float64
	prices, shops        []float64 // series and stores with a price, by week
	base                 float64   // series with a price in the base week
	matched              []float64 // and those of them with a price, by week
}

// tally counts the rows of the week at hand.
type tally struct {
	rows, away, untitled, counts int // all; those set aside; those without a title; those that count
	priced, based                int // series with a price; those of them with one in the base week
	still, known                 [3]int
	moves                        []move
	onSale, ended, unstocked     int     // passing rows on sale; with a sale that ended before; not known to be in stock
	neither                      int     // passing rows with another price than their sale or regular price
	deep                         float64 // sum of ln(regular/effective) of the discounted
	discounted                   int     // passing rows on sale with a known regular price
}

// move is a price beside the same series' price before the week.
type move struct {
	seriesID
	price, before panel.Price
	log           float64
	rule          string // that set it aside
}

// series is what was seen of a listing at a store.
type series struct {
	in           [3]*watched
	passed, away track      // prices that pass, and those that were set aside for their scale
	first, since panel.Week // of a price that passes; since when it stands still
	inBase       bool       // it has a price in the base week that passes
}

// track is the newest price, its week, and the last price before that week.
type track struct {
	week          panel.Week
	before, price panel.Price
}

func (t *track) add(week panel.Week, price panel.Price) {
	if t.week != week {
		t.week, t.before = week, t.price
	}
	t.price = price
}

func (t *track) upTo(week panel.Week) panel.Price {
	if t.week == week {
		return t.before
	}
	return t.price
}

// watch goes through the rows of a snapshot, week by week.
type watch struct {
	*review
	*side
	groups []*watched
	at     map[jevons.Cell]*watched
	series map[seriesID]*series
	before map[mark][2]int // rows, and those that were set aside, as of the old snapshot
	pools  map[[2]int]span
	mass   panel.Mass // of the rows of new weeks
}

// prices applies the rules about prices to all new weeks. The weeks before, up to a year, say what is
// usual. Rows of active stores, listings and products count. So do banners outside the index: shoppers see
// their prices too. At a first release only the rules about scale and about rows set aside in mass apply, to all weeks.
func (r *review) prices() {
	w := &watch{review: r, side: newSide(r.next),
		at: map[jevons.Cell]*watched{}, series: map[seriesID]*series{}, before: map[mark][2]int{}}
	from := startOf(r.released().Add(1 - lookBack))
	if r.isFirst() {
		from = time.Time{}
	} else if r.snapshot.Rows != r.next.Rows {
		w.remember()
	}
	// A week whose rows are all set aside has none in the table.
	through := cmp.Or(r.next.Table.Options.Through, lastOf(r.next.Table.Rows))
	asideFor := r.setAside()
	w.addBase()
	i, end := w.rows.Between(from, startOf(through.Add(1)))
	for i < end {
		week := w.weekOf(i)
		for ; i < end && w.weekOf(i) == week; i++ {
			w.add(i, week, asideFor)
		}
		w.close(week)
	}
	w.inMass()
}

// addBase notes which series have a price in the base week.
func (w *watch) addBase() {
	base := w.next.Panel.BaseWeek()
	i, end := w.rows.Between(startOf(base), startOf(base.Add(1)))
	for ; i < end; i++ {
		if s := w.seriesOf(i); w.rows.Verdict(i) == panel.Pass && s.in[0] != nil && !s.inBase {
			s.inBase = true
			for _, g := range s.in {
				g.base++
			}
		}
	}
}

// inMass tells once what sets aside a large part of the new weeks' rows, or all of a banner's.
func (w *watch) inMass() {
	for _, x := range w.mass.Found() {
		w.found = slices.DeleteFunc(w.found, func(f Finding) bool { // says a part of it
			return f.Rule == Surge && f.Cell != nil && (x.Banner == "" || x.Banner == f.Cell.Banner)
		})
		w.review.add(Finding{ID: strings.TrimSuffix("mass/"+x.Rule+"/"+x.Banner, "/"), Rule: Surge, Stops: true,
			Value: fixed(100 * float64(x.Rows) / float64(x.Of)), Unit: "percent", off: float64(x.Rows)}, "%s", x)
	}
}

// remember counts the rows of the old snapshot, and those that it set aside, by week.
func (w *watch) remember() {
	old := newSide(w.snapshot)
	type visit struct {
		week   panel.Week
		store  int64
		banner string
	}
	visits := map[visit][2]int{}
	i, end := old.rows.Between(startOf(w.released().Add(1-asideWeeks)), startOf(w.released().Add(1)))
	for ; i < end; i++ {
		at := visit{old.weekOf(i), old.rows.Store(i), old.active(i)}
		n := visits[at]
		if n[0]++; old.rows.Verdict(i) != panel.Pass {
			n[1]++
		}
		visits[at] = n
	}
	for v, n := range visits {
		for _, city := range [...]string{"", old.stores[v.store].city} {
			at := mark{v.week, jevons.Cell{Level: jevons.Banner, City: city, Banner: v.banner}}
			sum := w.before[at]
			w.before[at] = [2]int{sum[0] + n[0], sum[1] + n[1]}
		}
	}
}

func (w *watch) group(cell jevons.Cell, wide *watched, kind int) *watched {
	g := w.at[cell]
	if g == nil {
		cell.Level = jevons.Banner
		g = &watched{cell: &cell, kind: kind, wide: wide, stores: map[int64]bool{}, why: map[string]int{}}
		w.groups, w.at[cell] = append(w.groups, g), g
	}
	return g
}

// seriesOf returns the series of a row. One that does not count is in no group.
func (w *watch) seriesOf(i int) *series {
	id := seriesID{w.rows.Listing(i), w.rows.Store(i)}
	s := w.series[id]
	if s == nil {
		s = &series{}
		w.series[id] = s
		if banner := w.active(i); banner != "" {
			all := w.group(jevons.Cell{Level: jevons.Banner, Banner: banner}, nil, 0)
			city, category := w.stores[id.store].city, w.listings[id.listing].category
			s.in = [3]*watched{
				all,
				w.group(jevons.Cell{Level: jevons.Banner, Banner: banner, City: city}, all, 1),
				w.group(jevons.Cell{Level: jevons.Banner, Banner: banner, Category: category}, all, 2),
			}
		}
	}
	return s
}

// add adds a row of a week to its series and what is watched of it. Rows that were corrected don't count.
func (w *watch) add(i int, week panel.Week, asideFor func(i int) (rule string, corrected bool)) {
	s := w.seriesOf(i)
	if s.in[0] == nil {
		return
	}
	why, scaled := "", ""
	if w.rows.Verdict(i) != panel.Pass {
		rule, corrected := asideFor(i)
		if corrected {
			return
		}
		why, scaled = w.rows.Judge(i).Rule(), rule
	}
	if week > w.released() {
		w.mass.Add(s.in[0].cell.Banner, w.rows.Judge(i).Rule(), 1)
	}
	o := w.rows.At(i)
	price := o.Effective
	x := move{seriesID: seriesID{o.Listing, o.Store}, price: price, before: cmp.Or(s.passed.upTo(week), s.away.upTo(week)), rule: scaled}
	if x.price != x.before && x.before != 0 {
		x.log = math.Log(float64(x.price) / float64(x.before))
	}
	untitled := o.ScrapedName == ""
	fresh := why == "" && s.passed.week != week
	ended := o.OnSale && o.SaleEndsOn != 0 && o.SaleEndsOn < panel.DateIn(o.ObservedAt, panel.Toronto)
	switch {
	case scaled != "":
		s.away.add(week, price)
	case why == "":
		if s.first == 0 {
			s.first = week
		}
		if s.passed.price != price {
			s.since = week
		}
		s.passed.add(week, price)
	}
	for _, g := range s.in {
		if g.rows++; why != "" {
			g.away++
			g.why[why]++
		} else {
			g.counts++
		}
		if untitled {
			g.untitled++
		}
		if x.before != 0 && (why == "" || scaled != "") {
			g.moves = append(g.moves, x)
		}
		if fresh {
			g.priced++
			g.stores[o.Store] = true
			if s.inBase {
				g.based++
			}
		}
		if why == "" {
			g.addPromotion(&o, ended)
		}
		for k := range g.still {
			if past := week.Add(-1 - k); why == "" && s.first <= past {
				if g.known[k]++; s.since <= past {
					g.still[k]++
				}
			}
		}
	}
}

// addPromotion counts what a row that passes says of a promotion, and of the stock.
func (t *tally) addPromotion(o *panel.Observation, ended bool) {
	if o.InStock != panel.Yes {
		t.unstocked++
	}
	if asked := cmp.Or(o.Sale, o.Regular); asked != 0 && asked != o.Effective {
		t.neither++
	}
	if !o.OnSale {
		return
	}
	if t.onSale++; ended {
		t.ended++
	}
	if o.Regular != 0 {
		t.discounted++
		t.deep += math.Log(float64(o.Regular) / float64(o.Effective))
	}
}

// close judges a week if it is new, and makes it one of the weeks before.
func (w *watch) close(week panel.Week) {
	w.pools = map[[2]int]span{}
	var all [][len(measures)]float64
	for _, g := range w.groups {
		g.prices, g.shops = append(g.prices, float64(g.priced)), append(g.shops, float64(len(g.stores)))
		g.matched = append(g.matched, float64(g.based))
		values, sorted := g.measure(w.before[mark{week, *g.cell}])
		if week > w.released() {
			if g.told == nil || !w.isFirst() {
				g.told = map[Rule]int{}
			}
			if w.scale(g, week, sorted); !w.isFirst() {
				w.judge(g, week, values)
				w.vanished(g, week)
			}
		}
		all = append(all, values)
	}
	for i, g := range w.groups {
		for m, x := range all[i] {
			if !math.IsNaN(x) {
				g.past[m] = append(g.past[m], x)
			}
		}
		g.tally = tally{moves: g.moves[:0]}
		clear(g.stores)
		clear(g.why)
	}
}

// active returns the banner of the i-th row; "" if its store, listing or product is not active.
func (x *side) active(i int) (banner string) {
	if s := x.stores[x.rows.Store(i)]; s.active && x.listings[x.rows.Listing(i)].counts {
		return s.banner
	}
	return ""
}

// setAside returns a function that says by which rule a row is set aside for the scale of its price;
// "" if it is not, or if another entry names it: an operator who listed it has dealt with it. It also says
// whether the row was corrected.
func (r *review) setAside() func(i int) (rule string, corrected bool) {
	found, other := map[int64]string{}, map[int64]panel.QuarantineRule{}
	for _, e := range r.next.Quarantine {
		switch {
		case e.Released || e.Observation == 0:
		case e.Rule == panel.WrongScaleRow:
			found[e.Observation] = e.Rule.String()
		default:
			other[e.Observation] = max(other[e.Observation], e.Rule)
		}
	}
	return func(i int) (string, bool) {
		id := r.next.Rows.ID(i)
		of, named := other[id]
		if rule := found[id]; rule != "" && !named && r.next.Rows.Judge(i).Rule() == rule {
			return rule, false
		}
		return "", of == panel.Corrected
	}
}
