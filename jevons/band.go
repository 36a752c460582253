package jevons

import "math"

// width is how many weeks are computed side by side. What a loop over stores or
// geographies costs besides its arithmetic is then paid once for eight weeks,
// and no branch has to be guessed by the processor for each of them.
const width = 8

// band is one value in each of the weeks that are computed side by side.
type band [width]float64

// weekSet has a bit for each week of a band.
type weekSet uint8

// tally is a count in each week of a band, in 16 bits each: those of four weeks
// are added at once.
type tally [2]uint64

// maxCount is the largest count that a tally holds.
const maxCount = math.MaxUint16

// ones is a set as a tally: 1 in its weeks, 0 in the others.
var ones = func() (t [1 << width]tally) {
	for set := range t {
		for j := range width {
			t[set][j/4] |= uint64(set) >> j & 1 << (j % 4 * 16)
		}
	}
	return t
}()

func (t *tally) add(u *tally) {
	t[0] += u[0]
	t[1] += u[1]
}

// at returns the count of the j-th week.
func (t *tally) at(j int) int { return int(t[j>>2&1] >> (j & 3 * 16) & maxCount) }

func (b *band) add(c *band) {
	for j := range b {
		b[j] += c[j]
	}
}

// streams are the four kinds of value that are averaged over stores.
const (
	prices    = iota // log prices
	relatives        // log relatives against base
	earlier          // log relatives of the week before, where both weeks have one
	later            // those of this week, where both weeks have one
	numStreams
)

// column is the values of one store, NaN where it has none.
type column [numStreams]*band

// relate fills in a column from a series' log prices: of the weeks, of the week
// before them, and of the base week. A difference with NaN is NaN.
func (c column) relate(now *band, before, base float64) {
	price, relative, early, late := c[prices], c[relatives], c[earlier], c[later]
	last := before - base
	for j, v := range now {
		d := v - base
		price[j] = v
		relative[j] = d
		early[j] = last + 0*d
		late[j] = d + 0*last
		last = d
	}
}

// pointSums is one point of all streams. The streams earlier and later have
// values in the same weeks.
type pointSums struct {
	total [numStreams]band // sum; then mean, 0 where there is none
	count [later]tally     // of values
	in    [later]weekSet   // where there are any
}

// addColumn adds the values of a store.
func (p *pointSums) addColumn(c column) {
	for s := range numStreams {
		in := weekSet(0)
		total, values := &p.total[s], c[s]
		for j, v := range values {
			none := isNaN(v)
			total[j] += unless(none, v)
			in |= weekSet(1-none) << j
		}
		if s < later {
			p.in[s] |= in
			p.count[s].add(&ones[in])
		}
	}
}

// add adds another point's values.
func (p *pointSums) add(q *pointSums) {
	for s := range p.total {
		p.total[s].add(&q.total[s])
	}
	for s := range p.count {
		p.count[s].add(&q.count[s])
		p.in[s] |= q.in[s]
	}
}

// isNaN returns 1 for NaN and 0 for a finite number, without a branch: which
// prices are missing can't be predicted.
func isNaN(v float64) int {
	const infinity = 0x7ff0 << 48
	return int(uint64(infinity-int64(math.Float64bits(v)&^(1<<63))) >> 63)
}

// unless returns v where skip is 0, and 0 where it is 1.
func unless(skip int, v float64) float64 {
	return math.Float64frombits(math.Float64bits(v) & uint64(int64(skip)-1))
}
