package lanes

// Tails finds the smallest and the largest values of columns. It holds scratch
// memory, and is for one goroutine.
//
// What it remembers decides how long a search takes and never what it finds: the
// order in which values are added does not depend on it, so not even the last bit
// does.
type Tails struct {
	ranks ranks       // in all weeks
	found [Width]ends // of the stream Relatives, in each week of the band
	own   ends        // of another set
	long  longEnds    // of one with long tails
}

// NewTails makes room for as many columns as are searched at once.
func NewTails(widest int) *Tails {
	t := &Tails{own: newEnds(widest), long: newLongEnds(widest)}
	for j := range t.found {
		t.found[j] = newEnds(widest)
	}
	return t
}

// Near remembers up to where to look for the tails of one place; the zero value
// remembers nothing. The values of one place in two weeks are nearly alike, so the
// limits of the one serve the other.
type Near [Streams]limits

// limits are those of one stream; the high one has its sign flipped.
type limits struct {
	low, high float64
	known     bool
}

// Means makes means of the sums over columns: of n values, the trim[n] smallest
// and as many of the largest are left out. In columns of stores that have several
// series the values of Earlier and Later are others than those of Relatives, which
// must then be said.
func (t *Tails) Means(sums *Sums, columns []Column, several bool, trim []int32, near *Near) {
	for j := range t.found {
		t.found[j].known = false
	}
	var drop [Width]int
	for s := range sums.Total {
		count, total := sums.Count(s), &sums.Total[s]
		for j, n := range count {
			drop[j] = int(trim[int(n)])
		}
		t.leaveOut(total, columns, several, s, count, &drop, &near[s])
		for j, n := range count {
			total[j] /= max(n-float64(2*drop[j]), 1)
		}
	}
}

// leaveOut makes the sums of a stream those without the n[j] smallest and as many
// of the largest values in week j.
func (t *Tails) leaveOut(total *Band, columns []Column, several bool, stream int, count *Band, n *[Width]int, near *limits) {
	most := 0
	for _, n := range n {
		most = max(most, n)
	}
	var low, high Band
	switch {
	case most == 0:
		return
	case most == 1:
		extremes(columns, stream, &low, &high)
		for j, n := range n {
			if n == 0 {
				low[j], high[j] = 0, 0
			}
		}
	case useAVX2 && most <= mostRanks:
		t.ranks.sum(columns, stream, n, most, 0, &low)
		t.ranks.sum(columns, stream, n, most, signBit, &high)
	default:
		for j, n := range n {
			switch {
			case n > mostRanks:
				total[j] = t.long.between(columns, stream, j, int(count[j]), n, near)
			case n > 0:
				low[j], high[j] = t.sum(columns, several, stream, j, n, near)
			}
		}
	}
	for j := range total {
		total[j] -= low[j] + high[j]
	}
}

// sum adds the n smallest and the n largest values of a stream in week j, at most
// mostRanks each, by selection: of a set it looks for the values up to a
// limit and from another one on, in one pass without a branch that depends on a
// value, and sorts these few. The sets of the streams Earlier and Later are those
// of Relatives but for the few values that are missing in one of the weeks: their
// tails are read off the ends of Relatives.
func (t *Tails) sum(columns []Column, several bool, stream, j, n int, near *limits) (low, high float64) {
	ok := false
	switch {
	case several:
	case stream == Relatives:
		t.found[j].look(columns, stream, j, n, near)
		return sumOf(t.found[j].low[:n]), -sumOf(t.found[j].high[:n])
	case stream == Later:
		low, high, ok = t.found[j].sums(columns, stream, j, n)
	case stream == Earlier && j > 0:
		low, high, ok = t.found[j-1].sums(columns, stream, j, n)
	}
	if !ok {
		t.own.look(columns, stream, j, n, near)
		low, high = sumOf(t.own.low[:n]), -sumOf(t.own.high[:n])
	}
	return low, high
}
