package lanes

import "math"

// mostRanks is how many values of a tail are kept in order by insertion, whose
// time grows with the square of their number. Longer tails are searched for.
const mostRanks = 48

// ranks finds the tails of a stream in all weeks of a band at once. All values are
// inserted, for all weeks together, into rows of which the r-th has each week's
// r-th outermost value so far: no branch depends on a value.
type ranks [mostRanks]Band

// sum sets sum to that of each week's n[j] smallest values of a stream, or of the
// largest if flip is the sign's bit; most is the largest of n.
func (r *ranks) sum(columns []Column, stream int, n *[Width]int, most int, flip uint64, sum *Band) {
	rows := r[:most]
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

const signBit = 1 << 63
