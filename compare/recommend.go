package compare

import (
	"cmp"
	"slices"
	"strings"
)

// recommend decides between the shops that have the complete list.
//
//	fewer than two of them                                   insufficient_coverage
//	several within max(0.05 CAD, 2% of L) of L, the lowest   too_close_to_call
//	at standard sizes another costs less than the lowest     size_basis_disagrees
//	else                                                     lowest
//
// in this order. The bounds belong to the close totals.
func (e *evaluation) recommend(res *Result) {
	r := &res.Recommendation
	r.StoreKeys, r.CloseStoreKeys = []string{}, []string{}
	var full []*shop
	for i := range e.shops {
		if e.shops[i].complete {
			full = append(full, &e.shops[i])
		}
	}
	if len(full) < minCompleteChains {
		r.Status, r.Reasons = InsufficientCoverage, e.whyInsufficient(res, len(full))
		return
	}
	slices.SortFunc(full, func(a, b *shop) int {
		return cmp.Or(cmp.Compare(a.cents, b.cents), strings.Compare(a.Key, b.Key))
	})
	lowest := full[0]
	near := 1
	for near < len(full) && isClose(full[near].cents, lowest.cents) {
		near++
	}
	if near > 1 {
		r.Status, r.Reasons = TooCloseToCall, whyClose(full[:near])
		for _, s := range full[:near] {
			r.CloseStoreKeys = append(r.CloseStoreKeys, s.Key)
		}
		return
	}
	for _, s := range full[1:] {
		if lowest.adjusted > s.adjusted {
			r.Reasons = append(r.Reasons, whySizes(lowest, s))
		}
	}
	if len(r.Reasons) > 0 {
		r.Status = SizeBasisDisagrees
		return
	}
	r.Status, r.StoreKeys, r.Reasons = Lowest, append(r.StoreKeys, lowest.Key), []string{e.whyLowest(full)}
}

// isClose reports whether a total is too close to the lowest one to be told
// apart from it.
func isClose(total, lowest int64) bool {
	apart := total - lowest
	return apart <= closeCallCents || apart*100 <= closeCallPercent*lowest
}
