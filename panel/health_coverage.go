package panel

import "slices"

// The rule of CoverageDrop.
const (
	dropWeeks    = 8  // weeks before the last closed one that are looked at
	dropHistory  = 4  // of which at least so many have rows
	dropShare    = 75 // percent of the usual number
	dropProducts = 4  // and at least so many fewer
)

// CoverageDrop is a banner in a city whose prices have become clearly fewer: in
// the last closed week less than 75% of its usual number of products had a row,
// and at least 4 fewer than usual. The usual number is the median over those of
// the 8 weeks before that have rows; there must be 4. A week without any row is
// a Gap, not a drop.
//
// It is a warning about news. Once most of the 8 weeks are as thin as the last
// one, the lower number is the usual one.
type CoverageDrop struct {
	Banner, City string  // key; display name
	Products     int     // with a row in the last closed week
	Usual        float64 // the median
}

// drop applies the rule.
func (cell *cellSeen) drop(last Week) (CoverageDrop, bool) {
	n := len(cell.weeks)
	if n == 0 || cell.weeks[n-1].week != last {
		return CoverageDrop{}, false
	}
	var before []int
	for _, in := range cell.weeks[:n-1] {
		if in.week >= last.Add(-dropWeeks) {
			before = append(before, in.products)
		}
	}
	if len(before) < dropHistory {
		return CoverageDrop{}, false
	}
	slices.Sort(before)
	k := len(before)
	usual := before[(k-1)/2] + before[k/2] // twice the median
	d := CoverageDrop{cell.banner, cell.city, cell.weeks[n-1].products, float64(usual) / 2}
	return d, 200*d.Products < dropShare*usual && usual-2*d.Products >= 2*dropProducts
}
