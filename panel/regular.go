package panel

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
)

// Regular returns the panel of regular prices: the same records, and the same
// verdicts of the gate, with other prices. A row's price is its regular price after
// the regular-price rule, where that is known; else its effective price, where it is
// not on sale; else it has none and is left out. The rows must be all of the panel's.
// An error says that they are of another panel.
//
// Its Counts are the panel's, but Used leaves out the rows without a price.
func (p *Panel) Regular(rows *Rows) (*Panel, error) {
	r := newRepricing(p, rows)
	regular := *p
	regular.logs = make([][]float64, len(p.weeks))
	workers := make([]repricer, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i := range workers {
		workers[i] = repricer{repricing: r, prices: make([]uint8, len(p.series)), seen: make([]bool, len(p.series))}
		wg.Go(func() {
			for k := len(p.weeks) * i / len(workers); k < len(p.weeks)*(i+1)/len(workers); k++ {
				regular.logs[k] = workers[i].week(p.weeks[k])
			}
		})
	}
	wg.Wait()
	counted, seen := 0, make([]bool, len(p.series))
	regular.counts.Used = 0
	for i := range workers {
		counted += workers[i].counted
		regular.counts.Used += workers[i].used
		for at, ok := range workers[i].seen {
			seen[at] = seen[at] || ok
		}
	}
	if rows.Len() != p.counts.Observations || counted != p.counts.Used {
		return nil, errors.New("panel of regular prices: the rows are not those of the panel")
	}
	regular.dropEmpty(seen)
	return &regular, nil
}

// dropEmpty drops the weeks without a price, and the series that are not seen in any.
func (p *Panel) dropEmpty(seen []bool) {
	var weeks []Week
	var logs [][]float64
	for k, list := range p.logs {
		if list != nil {
			weeks, logs = append(weeks, p.weeks[k]), append(logs, list)
		}
	}
	p.weeks, p.logs = weeks, logs
	if !slices.Contains(seen, false) {
		return
	}
	p.series = keep(slices.Clone(p.series), seen)
	for k, list := range p.logs {
		p.logs[k] = keep(list, seen)
	}
}

// keep drops, in place, the elements that are not chosen.
func keep[T any](list []T, chosen []bool) []T {
	n := 0
	for i, x := range list {
		if chosen[i] {
			list[n] = x
			n++
		}
	}
	return list[:n:n]
}

// repricing finds the series and the regular price of a row.
type repricing struct {
	*Rows
	ordinals idTable   // by store: its place among its banner's stores
	series   [][]int32 // by label, then the store's ordinal: 1 + the series; 0: none
	reviewed []bool    // by label: the banner is verified
	unknown  []bool    // by promo detail: the regular price is on an unknown basis
}

func newRepricing(p *Panel, rows *Rows) *repricing {
	r := &repricing{
		Rows: rows, series: make([][]int32, len(rows.screens)),
		reviewed: make([]bool, len(rows.screens)), unknown: make([]bool, len(rows.promos)),
	}
	stores, ordinals := map[string]int32{}, make([]int32, len(p.stores))
	for i, s := range p.stores {
		ordinals[i] = stores[s.Banner]
		r.ordinals.set(s.ID, ordinals[i])
		stores[s.Banner]++
	}
	listings := make([][]int32, len(p.listings))
	for i, s := range p.series {
		if listings[s.Listing] == nil {
			listings[s.Listing] = make([]int32, stores[p.listings[s.Listing].Banner])
		}
		listings[s.Listing][ordinals[s.Store]] = int32(i) + 1
	}
	verified := map[string]bool{}
	for _, b := range p.banners {
		verified[b.Key] = b.Verified
	}
	for i, screen := range rows.screens {
		at, ok := slices.BinarySearchFunc(p.listings, screen.Listing, func(m Listing, id int64) int { return cmp.Compare(m.ID, id) })
		if ok {
			r.series[i], r.reviewed[i] = listings[at], verified[p.listings[at].Banner]
		}
	}
	for i, detail := range rows.promos {
		r.unknown[i] = BasisUnavailable(detail)
	}
	return r
}

// seriesOf returns the series of a row that counts in the index; -1 for other rows.
func (r *repricing) seriesOf(x *rowValues) int {
	stores := r.series[x[fieldScreen]]
	ordinal, ok := r.ordinals.get(x[fieldStore])
	if !ok || rowFlags(x[fieldFlags]).verdict() != Pass || int(ordinal) >= len(stores) {
		return -1
	}
	return int(stores[ordinal]) - 1
}

// price returns the row's regular price; 0 for a row that is on sale and whose
// regular price is not known.
func (r *repricing) price(x *rowValues) Price {
	flags := rowFlags(x[fieldFlags])
	o := Observation{Effective: Price(x[fieldEffective]), Regular: Price(x[fieldRegular]), OnSale: flags.onSale()}
	o.RestateRegular(r.reviewed[x[fieldScreen]])
	switch {
	case o.Regular != 0 && flags.source() != AssumedEqual && !r.unknown[x[fieldPromo]]:
		return o.Regular
	case o.OnSale:
		return 0
	}
	return o.Effective
}

// repricer lays out weeks of regular prices. It is for one goroutine.
type repricer struct {
	*repricing
	prices        []uint8 // by series: prices in the week at hand: 0, 1, or 2 for more
	seen          []bool  // by series: it has a price in some week
	counted, used int     // rows that count in the index; those of them with a price
}

// week returns the log prices of a week by series, as Panel.fill makes them. It is
// nil without any.
func (r *repricer) week(w Week) []float64 {
	logs := make([]float64, len(r.prices))
	for i := range logs {
		logs[i] = math.NaN()
	}
	clear(r.prices)
	var several []repeated
	used := r.used
	lo, hi := r.Between((w.Date() - 6).Time(Toronto), (w.Date() + 1).Time(Toronto))
	for i := lo; i < hi; i++ {
		x := r.row(i)
		at := r.seriesOf(&x)
		if at < 0 {
			continue
		}
		r.counted++
		price := r.price(&x)
		if price == 0 {
			continue
		}
		r.used++
		r.seen[at] = true
		if r.prices[at] == 1 {
			several = append(several, repeated{at, logs[at]})
		}
		if log := price.Log(); r.prices[at] == 0 {
			r.prices[at], logs[at] = 1, log
		} else {
			r.prices[at] = 2
			several = append(several, repeated{at, log})
		}
	}
	if r.used == used {
		return nil
	}
	fillRepeated(logs, several)
	return logs
}

// BasisUnavailable reports whether a promotion's detail says that the regular price
// is on an unknown basis. Imports refuse a detail that does not parse.
func BasisUnavailable(detail string) bool {
	var d struct {
		Unavailable bool `json:"regularPriceBasisUnavailable"`
	}
	return detail != "" && json.Unmarshal([]byte(detail), &d) == nil && d.Unavailable
}
