package jevons

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/internal/lanes"
	"github.com/larder-index/larder/panel"
)

// Compute returns every published row of the panel by the method of the package
// doc, with the given options. It splits the weeks among the processors; the
// result is the same however many there are. The error says which option is out
// of range, or why no price counts: all are of inactive records, or before the base week.
//
// A panel without prices has a table without rows.
func Compute(p *panel.Panel, o Options) (*Table, error) {
	o, err := o.withDefaults(p)
	if err == nil {
		err = checkPrices(p, &o)
	}
	if err != nil {
		return nil, err
	}
	e := newEngine(p, o)
	if o.Only != nil && !slices.ContainsFunc(e.cells, func(c *Cell) bool { return *c == *o.Only }) {
		return nil, fmt.Errorf("jevons: options: no prices are of the only cell, %s", o.Only)
	}
	e.rows = make([]Row, len(e.weeks)*len(e.cells))
	e.priced = make([]int32, len(e.weeks)*len(e.scopes))
	if o.Quality {
		e.assessed, e.reads = newAssessment(e), true
	}
	e.publishWeeks()
	e.findEntries()
	e.rebaseHeadlines()
	e.matchCompositions()
	rows := e.published()
	e.rows, e.priced, e.assessed, e.workers, e.reads = nil, nil, nil, nil, true
	return &Table{Rows: rows, Options: o, engine: e}, nil
}

// FromPrices returns the index of prices in slices: Compute's table of [panel.FromPrices].
func FromPrices(x panel.Prices, o Options) (*Table, error) {
	p, err := panel.FromPrices(x)
	if err != nil {
		return nil, err
	}
	return Compute(p, o)
}

func checkPrices(p *panel.Panel, o *Options) error {
	n, weeks, base := p.Counts(), p.Weeks(), o.Base
	counts := func(x basket.Product) bool { return x.Active && x.Weight > 0 }
	switch inactive := n.InactiveStore + n.RetiredListing + n.InactiveProduct; {
	case inactive > 0 && inactive == n.Observations:
		return fmt.Errorf("jevons: all %d prices are of inactive stores, listings or products; "+
			"set Active of those that count", inactive)
	case n.Used > 0 && !slices.ContainsFunc(o.weighted(p.Products()), counts):
		return errors.New("jevons: no active product has a basket weight; set Weight of those that count")
	case len(weeks) > 0 && weeks[len(weeks)-1] < base:
		return fmt.Errorf("jevons: all prices are before the base week %s (base_week in settings.csv); "+
			"choose one from %s to %s", base, weeks[0], weeks[len(weeks)-1])
	}
	return nil
}

// engine is a computation in progress. It sees prices only in logs and base. That of a table measures
// weeks again, to take rows apart.
type engine struct {
	*geographies
	panel *panel.Panel
	opts  Options
	weeks []panel.Week
	logs  [][]float64 // by week, then series: log prices; NaN: no price
	base  []float64   // by series, in the base week
	none  []float64   // a week without prices

	rows     []Row       // by week, geography and slice; those without an Index are not published
	priced   []int32     // by week and geography: active products with a price
	entry    []entry     // by geography
	assessed *assessment // nil unless quality is asked for
	workers  []*worker
	reads    bool // elementary aggregates are kept to be read
}

// entry is the entry week of a geography, as an index into the engine's weeks.
type entry struct {
	week  int
	found bool
}

func newEngine(p *panel.Panel, o Options) *engine {
	e := &engine{geographies: newGeographies(p, &o), panel: p, opts: o, none: make([]float64, len(p.Series()))}
	for i := range e.none {
		e.none[i] = math.NaN()
	}
	for k, w := range p.Weeks() {
		if w >= o.Base && w <= o.Through {
			e.weeks, e.logs = append(e.weeks, w), append(e.logs, p.LogPrices(k))
		}
	}
	e.base = e.none
	if len(e.weeks) > 0 && e.weeks[0] == o.Base {
		if o.BaseWeeks > 1 {
			e.logs[0] = e.meanLogs(o.Base.Add(o.BaseWeeks))
		}
		e.base = e.logs[0]
	}
	return e
}

// meanLogs returns the series' mean log prices over the weeks before the given one.
func (e *engine) meanLogs(end panel.Week) []float64 {
	mean, n := make([]float64, len(e.none)), make([]float64, len(e.none))
	for k, logs := range e.logs {
		for i, log := range logs {
			if log == log && e.weeks[k] < end {
				mean[i], n[i] = mean[i]+log, n[i]+1
			}
		}
	}
	for i := range mean {
		mean[i] /= n[i] // NaN without a price
	}
	return mean
}

// week returns the index of a week, if a price was collected in it.
func (e *engine) week(w panel.Week) (k int, found bool) { return slices.BinarySearch(e.weeks, w) }

// at returns the place of a cell in week k among rows.
func (e *engine) at(k, g, c int) int { return (k*len(e.scopes)+g)*len(e.slices) + c }

func (e *engine) row(k, g, c int) *Row { return &e.rows[e.at(k, g, c)] }

// against returns n weeks from week k on, against the given base.
func (e *engine) against(k, n int, base []float64) weeks {
	of := weeks{now: e.logs[k : k+n], before: e.none, base: base}
	if k > 0 {
		of.before = e.logs[k-1]
	}
	return of
}

// publishWeeks computes levels, basket costs and how many products are priced. It computes headlines
// as if every entry week were the base week and every week before were published, which holds for most.
func (e *engine) publishWeeks() {
	e.eachWeeks(0, len(e.weeks), func(w *worker, k0, n int) {
		e.aggregate(w, 0, e.against(k0, n, e.base))
		for j := range n {
			e.basketCosts(w, k0+j, j)
			for g := range e.scopes {
				for c := range e.slices {
					if e.chosen(g, c) {
						e.publish(w, k0+j, g, j, c, e.opts.Base)
					}
				}
			}
		}
	})
}

// publish notes the level of a slice of geography g in week k, which is the j-th in w.categories, if
// enough of its products are matched with the base. It also notes the change of a headline.
func (e *engine) publish(w *worker, k, g, j, c int, base panel.Week) {
	rho, items := w.rho(c, g, j, lanes.Relatives)
	if e.assessed != nil && (c == headline || e.opts.Only != nil) { // it comes before its categories
		e.leaveOut(w, g, j, lanes.Relatives, w.strata)
	}
	r := e.row(k, g, c)
	r.Week, r.Base, r.Cell = e.weeks[k], base, e.cells[g*len(e.slices)+c]
	r.ItemCount, r.TotalItems = int32(items), int32(e.slices[c].items)
	r.Index = panel.Fixed{}
	if items > 0 && e.opts.Floor.metBy(items, e.slices[c].items) {
		r.Index = round(100*lanes.Exp(rho), fourDecimals)
	}
	if r.Index.Valid && e.assessed != nil {
		e.assess(w, k, g, j, c, rho)
	}
	if c == headline {
		e.change(w, k, g, j)
	}
}

// chosen reports whether a slice of a geography is published.
func (e *engine) chosen(g, c int) bool {
	return e.opts.Only == nil || *e.opts.Only == *e.cells[g*len(e.slices)+c]
}

// findEntries finds the entry week of each geography: the first week in which
// enough of the active products are priced. It clears the headlines of earlier weeks, which
// publishWeeks published.
func (e *engine) findEntries() {
	total := e.slices[headline].items
	e.entry = make([]entry, len(e.scopes))
	for g := range e.scopes {
		for k := range e.weeks {
			if !e.chosen(g, headline) {
				break
			}
			if n := int(e.priced[k*len(e.scopes)+g]); n > 0 && e.opts.Floor.metBy(n, total) {
				e.entry[g] = entry{k, true}
				break
			}
			e.row(k, g, headline).Index = panel.Fixed{}
		}
	}
}

// rebaseHeadlines computes the headlines again whose entry week is not the base
// week, against their entry week.
func (e *engine) rebaseHeadlines() {
	for scope := range e.items {
		e.eachEntry(scope, func(from entry) {
			if e.weeks[from.week] == e.opts.Base {
				return
			}
			e.eachWeeks(from.week, len(e.weeks), func(w *worker, k0, n int) {
				e.aggregate(w, scope, e.against(k0, n, e.logs[from.week]))
				for j := range n {
					for g := range e.scopes {
						if e.scopes[g] == scope && e.entry[g] == from {
							e.publish(w, k0+j, g, j, headline, e.weeks[from.week])
						}
					}
				}
			})
		})
	}
}

// eachEntry calls do for the entry weeks of a scope's geographies, each once.
func (e *engine) eachEntry(scope int, do func(from entry)) {
	var done []entry
	for g, from := range e.entry {
		if e.scopes[g] == scope && from.found && !slices.Contains(done, from) {
			done = append(done, from)
			do(from)
		}
	}
}

// published makes the changes that are ratios of published levels, and returns the published rows.
func (e *engine) published() []Row {
	n := len(e.cells)
	if e.assessed != nil {
		e.markBreaks()
	}
	e.each(len(e.weeks), func(_ *worker, k int) {
		rows, extras := e.rows[k*n:(k+1)*n], []Extra(nil)
		week, month, year := e.rowsOf(e.weeks[k].Add(-1)), e.rowsOf(e.weeks[k].Add(-4)), e.rowsOf(e.weeks[k].Add(-52))
		if e.assessed != nil {
			extras = make([]Extra, n)
		}
		for i := range rows {
			r := &rows[i]
			if !r.Index.Valid {
				continue
			}
			if r.Cell.Category != basket.Overall {
				r.WoW = ratio(r, week, i)
			}
			r.MoM, r.YoY = ratio(r, month, i), ratio(r, year, i)
			if extras != nil {
				q := &e.assessed.quality[k*n+i]
				r.Extra, extras[i].Quality = &extras[i], q
				if !r.WoW.Valid {
					q.SEWoW, q.LowWoW, q.HighWoW = panel.Fixed{}, panel.Fixed{}, panel.Fixed{}
				}
			}
		}
	})
	rows := e.rows[:0]
	for i := range e.rows {
		if e.rows[i].Index.Valid {
			rows = append(rows, e.rows[i])
		}
	}
	return rows
}

// rowsOf returns the rows of a week by cell, none without prices.
func (e *engine) rowsOf(w panel.Week) []Row {
	if k, found := e.week(w); found {
		return e.rows[k*len(e.cells):][:len(e.cells)]
	}
	return nil
}

func (e *engine) newWorker() *worker {
	w := &worker{
		geographies: e.geographies, none: e.none, trim: make([]int32, e.stores+1), tails: lanes.NewTails(e.stores),
		categories: make([]lanes.Aggregate, (len(e.slices)-1)*len(e.scopes)),
		nationCost: make([]float64, len(e.slices)),
		strata:     make([]stratum, len(e.slices)), changes: make([]stratum, len(e.slices)),
	}
	if e.reads {
		w.table, w.seen = make([]aggregate, e.all*len(e.products)), make([]uint8, len(e.slices)*e.stores)
		w.student = map[int64]float64{}
	}
	for n := range w.trim {
		w.trim[n] = int32(e.opts.Trim.of(n))
	}
	return w
}

// eachWeeks calls do for the weeks from week k on and before week end, up to lanes.Width at a time.
func (e *engine) eachWeeks(k, end int, do func(w *worker, k0, n int)) {
	e.each((end-k+lanes.Width-1)/lanes.Width, func(w *worker, i int) {
		k0 := k + i*lanes.Width
		do(w, k0, min(lanes.Width, end-k0))
	})
}

// each calls do for the numbers below n, on all processors. Every call has a worker to
// itself.
func (e *engine) each(n int, do func(w *worker, i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for i := range min(runtime.GOMAXPROCS(0), n) {
		if i == len(e.workers) {
			e.workers = append(e.workers, e.newWorker())
		}
		w := e.workers[i]
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(w, i)
			}
		})
	}
	wg.Wait()
}
