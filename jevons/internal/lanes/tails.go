package lanes

import (
	"math"
	"slices"
)

// Tails makes trimmed means. It holds scratch memory for one goroutine.
type Tails struct {
	rows   [mostRanks]Band
	values []float64
}

// NewTails makes room for as many columns as one mean is over.
func NewTails(widest int) *Tails { return &Tails{values: make([]float64, 0, widest)} }

// mostRanks is how many values of a tail are taken out of a sum. Of a few values
// between longer tails, such a difference would be wrong in digits that decide how a
// level is rounded: then what is kept is added up.
const mostRanks = 48

// Means makes means of the sums over columns. Of n values it leaves out the
// trim[n] smallest and as many of the largest. There must be more than twice as many.
func (t *Tails) Means(sums *Sums, columns []Column, trim []int32) {
	for s := range sums.Total {
		count, total := sums.Count(s), &sums.Total[s]
		var drop [Width]int
		most := 0
		for j, n := range count {
			drop[j] = int(trim[int(n)])
			most = max(most, drop[j])
		}
		if useAVX2 && 0 < most && most <= mostRanks {
			t.leaveOut(total, columns, s, &drop, most)
		} else {
			for j, n := range drop {
				total[j] = t.kept(total[j], columns, s, j, n)
			}
		}
		for j, n := range count {
			total[j] /= max(n-float64(2*drop[j]), 1)
		}
	}
}

// kept returns the sum of a stream in week j without the n smallest and the n
// largest values; total is the sum with them.
func (t *Tails) kept(total float64, columns []Column, stream, j, n int) float64 {
	if n == 0 {
		return total
	}
	values := t.values[:0]
	for i := range columns {
		if v := columns[i][stream][j]; v == v {
			values = append(values, v)
		}
	}
	last := len(values) - n // the place of the first of the largest
	part(values, n-1)
	part(values[n:], last-n)
	if n > mostRanks {
		return sum(values[n:last])
	}
	slices.Sort(values[:n])
	slices.Sort(values[last:])
	low, high := 0.0, 0.0
	for i, v := range values[:n] {
		low += v
		high += values[len(values)-1-i]
	}
	return total - (low + high)
}

// part puts no value above the k-th smallest before place k, counted from 0, and none below it after. It is
// Hoare's selection (Algorithm 65: Find, 1961), with the middle of three values as pivot: linear on average.
func part(values []float64, k int) {
	lo, hi := 0, len(values)-1
	for lo < hi {
		a, b, c := values[lo], values[lo+(hi-lo)/2], values[hi]
		pivot := max(min(a, b), min(max(a, b), c)) // the middle one
		i, j := lo, hi
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for values[j] > pivot {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return
		}
	}
}

// sum adds values up, so many at once.
func sum(values []float64) (total float64) {
	for chunk := range slices.Chunk(values, atOnce) {
		some := 0.0
		for _, v := range chunk {
			some += v
		}
		total += some
	}
	return total
}

// leaveOut is kept by AVX2, for all weeks: without the n[j] smallest and largest
// values in week j; most is the largest n.
func (t *Tails) leaveOut(total *Band, columns []Column, stream int, n *[Width]int, most int) {
	var tails [2]Band
	for i, flip := range [...]uint64{0, 1 << 63} { // the sign bit
		rows := t.rows[:most] // the r-th has the r-th outermost value of each week
		for r := range rows {
			for j := range rows[r] {
				rows[r][j] = math.Inf(1)
			}
		}
		insertAVX2(&columns[0][stream], len(columns), &rows[0], len(rows), flip)
		for r := range rows {
			for j, v := range rows[r] {
				if r < n[j] {
					tails[i][j] += v
				}
			}
		}
		for j, sum := range tails[i] {
			tails[i][j] = math.Float64frombits(math.Float64bits(sum) ^ flip)
		}
	}
	for j := range total {
		total[j] -= tails[0][j] + tails[1][j]
	}
}
