package compare

import (
	"cmp"
	"slices"
	"strings"
)

// The thresholds of a recommendation.
const (
	minCompleteChains = 2 // chains with the whole list that a recommendation takes
	closeCallPercent  = 2 // totals this close to the lowest, or
	closeCallCents    = 5 // this close, are too close to call; the bounds belong to them. In JPY it is 5
)

// judge orders the shops: those with the most prices first, a complete list having the
// most, then by total, then by key. It decides between the shops with the complete
// list, in this order:
//
//	fewer than two of them                                   insufficient_coverage
//	several within max(5 cents, 2% of L) of L, the lowest   too_close_to_call
//	at standard sizes another costs less than the lowest     size_basis_disagrees
//	else                                                     lowest
func (e *evaluation) judge() {
	e.ranked = slices.Clone(e.shops)
	slices.SortFunc(e.ranked, func(a, b *shop) int {
		return cmp.Or(cmp.Compare(b.priced, a.priced), cmp.Compare(a.cents, b.cents), strings.Compare(a.Key, b.Key))
	})
	e.full, e.status = e.ranked, Lowest
	for i, s := range e.ranked {
		if !e.complete(s) {
			e.full = e.full[:i]
			break
		}
		if isClose(s.cents, e.full[0].cents) {
			e.tooClose = i + 1
		}
		if s.adjusted < e.full[0].adjusted {
			e.status = SizeBasisDisagrees
		}
	}
	switch {
	case len(e.full) < minCompleteChains:
		e.status = InsufficientCoverage
	case e.tooClose > 1:
		e.status = TooCloseToCall
	}
}

func isClose(total, lowest int64) bool {
	apart := total - lowest
	return apart <= closeCallCents || apart*100 <= closeCallPercent*lowest
}

func (e *evaluation) recommendation(named bool) Recommendation {
	r := Recommendation{e.status, []string{}, wording{e, named}.reasons(), []string{}}
	switch e.status {
	case Lowest:
		r.StoreKeys = append(r.StoreKeys, e.full[0].Key)
	case TooCloseToCall:
		for _, s := range e.full[:e.tooClose] {
			r.CloseStoreKeys = append(r.CloseStoreKeys, s.Key)
		}
	}
	return r
}
