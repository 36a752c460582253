package oracle

import (
	"slices"

	"github.com/larder-index/larder/compare"
)

// recommend. "Over eligible chains with the complete list: fewer than two:
// insufficient_coverage. Else L = lowest total; chains with total - L <=
// max(0.05, 2% of L) are close; if more than the lowest: too_close_to_call,
// closeStoreKeys lists them all, the lowest included, by total then key. Else if
// the lowest chain's size-adjusted total is above another complete chain's:
// size_basis_disagrees. Else lowest." Its reasons are codes without sentences.
func recommend(r *compare.Result) compare.Recommendation {
	var complete []compare.Store // by total, then key
	for _, s := range r.Stores {
		if s.CompleteRequestedList {
			complete = append(complete, s)
		}
	}
	rec := compare.Recommendation{StoreKeys: []string{}, Reasons: []string{}, CloseStoreKeys: []string{}}
	if len(complete) < 2 {
		rec.Status = "insufficient_coverage"
		rec.Reasons = append(rec.Reasons, "fewer_than_two_complete_chains")
		if len(r.UntrackedItemIDs) > 0 {
			rec.Reasons = append(rec.Reasons, "untracked_items")
		}
		if slices.ContainsFunc(r.Exclusions, func(e compare.Exclusion) bool { return e.Reason == compare.UnsupportedQuantity }) {
			rec.Reasons = append(rec.Reasons, "unsupported_quantity")
		}
		return rec
	}
	lowest := complete[0]
	var near []string
	disagrees := false
	for _, s := range complete {
		// In hundredths of a cent, so that 2% is whole.
		difference := 100 * (s.Total.Cents - lowest.Total.Cents)
		if difference <= max(100*5, 2*lowest.Total.Cents) {
			near = append(near, s.Key)
		}
		disagrees = disagrees || lowest.SizeAdjustedTotal.Cents > s.SizeAdjustedTotal.Cents
	}
	switch {
	case len(near) > 1:
		rec.Status, rec.Reasons, rec.CloseStoreKeys = "too_close_to_call", []string{"close_total"}, near
	case disagrees:
		rec.Status, rec.Reasons = "size_basis_disagrees", []string{"size_basis_conflict"}
	default:
		rec.Status, rec.Reasons = "lowest", []string{"lowest_complete_total"}
		rec.StoreKeys = []string{lowest.Key}
	}
	return rec
}
