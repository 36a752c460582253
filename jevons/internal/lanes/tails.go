package lanes

import "math"

// Tails makes trimmed means. It holds scratch memory for one goroutine.
type Tails struct {
	rows [mostRanks]Band
	long longTails
}

// NewTails makes room for as many columns as one mean is over.
func NewTails(widest int) *Tails { return &Tails{long: newLongTails(widest)} }

// Means makes means of the sums over columns. Of n values it leaves out the
// trim[n] smallest and as many of the largest.
func (t *Tails) Means(sums *Sums, columns []Column, trim []int32, near *Near) {
	var drop [Width]int
	for s := range sums.Total {
		count, total := sums.Count(s), &sums.Total[s]
		for j, n := range count {
			drop[j] = int(trim[int(n)])
		}
		t.leaveOut(total, columns, s, count, &drop, &near[s])
		for j, n := range count {
			total[j] /= max(n-float64(2*drop[j]), 1)
		}
	}
}

// leaveOut takes the n[j] smallest and as many of the largest values of a stream
// out of its sum in week j.
func (t *Tails) leaveOut(total *Band, columns []Column, stream int, count *Band, n *[Width]int, near *limits) {
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
		t.sumTails(columns, stream, n, most, 0, &low)
		t.sumTails(columns, stream, n, most, signBit, &high)
	default:
		for j, n := range n {
			if n > mostRanks {
				total[j] = t.long.between(columns, stream, j, int(count[j]), n, near)
			} else if n > 0 {
				low[j] = t.sumTail(columns, stream, j, n, 0)
				high[j] = t.sumTail(columns, stream, j, n, signBit)
			}
		}
	}
	for j := range total {
		total[j] -= low[j] + high[j]
	}
}

// extremes sets low and high to the smallest and the largest value of a stream
// in each week, or to infinities where it has no value.
func extremes(columns []Column, stream int, low, high *Band) {
	if useAVX2 && len(columns) > 0 {
		extremesAVX2(&columns[0][stream], len(columns), low, high)
		return
	}
	for j := range Width {
		l, h := math.Inf(1), math.Inf(-1)
		for i := range columns {
			v := columns[i][stream][j]
			if v < l {
				l = v
			}
			if v > h {
				h = v
			}
		}
		low[j], high[j] = l, h
	}
}

// mostRanks is how many values of a tail are kept in order by insertion, whose
// time grows with their number. Longer tails are cut off by selection.
const mostRanks = 48

const signBit = 1 << 63

// sumTails sets sum to that of the n[j] smallest values of a stream in each week,
// or of the largest when flip is the sign bit; most is the largest n. It inserts
// all values, for all weeks together, into rows: the r-th row has the r-th
// outermost value of each week so far. No branch depends on a value.
func (t *Tails) sumTails(columns []Column, stream int, n *[Width]int, most int, flip uint64, sum *Band) {
	rows := t.rows[:most]
	for i := range rows {
		for j := range rows[i] {
			rows[i][j] = math.Inf(1)
		}
	}
	insertAVX2(&columns[0][stream], len(columns), &rows[0], len(rows), flip)
	for j, n := range n {
		total := 0.0
		for _, row := range rows[:n] {
			total += row[j]
		}
		sum[j] = math.Float64frombits(math.Float64bits(total) ^ flip)
	}
}

// sumTail is sumTails of one week, in Go. Few values are inserted, so its branch
// is easy to foretell.
func (t *Tails) sumTail(columns []Column, stream, j, n int, flip uint64) float64 {
	var room [mostRanks]float64
	tail := room[:n]
	for i := range tail {
		tail[i] = math.Inf(1)
	}
	for i := range columns {
		v := math.Float64frombits(math.Float64bits(columns[i][stream&3][j&7]) ^ flip)
		if v < tail[n-1] {
			k := n - 1
			for ; k > 0 && tail[k-1] > v; k-- {
				tail[k] = tail[k-1]
			}
			tail[k] = v
		}
	}
	total := 0.0
	for _, v := range tail {
		total += v
	}
	return math.Float64frombits(math.Float64bits(total) ^ flip)
}
