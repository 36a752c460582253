package oracle

import "slices"

// recommend. "Over eligible chains with the complete list: fewer than two:
// insufficient_coverage. Else L = lowest total; chains with total - L <=
// max(0.05, 2% of L) are close; if more than the lowest: too_close_to_call,
// closeStoreKeys lists them all, the lowest included, by total then key. Else if
// the lowest chain's size-adjusted total is above another complete chain's:
// size_basis_disagrees. Else lowest."
func recommend(r *Result) Recommendation {
	var complete []Store // by total, then key
	for _, s := range r.Stores {
		if s.CompleteRequestedList {
			complete = append(complete, s)
		}
	}
	rec := Recommendation{StoreKeys: []string{}, ReasonCodes: []string{}, CloseStoreKeys: []string{}}
	if len(complete) < 2 {
		rec.Status = "insufficient_coverage"
		rec.ReasonCodes = append(rec.ReasonCodes, "fewer_than_two_complete_chains")
		if len(r.UntrackedItemIDs) > 0 {
			rec.ReasonCodes = append(rec.ReasonCodes, "untracked_items")
		}
		if slices.ContainsFunc(r.Exclusions, func(e Exclusion) bool { return e.Reason == unsupported }) {
			rec.ReasonCodes = append(rec.ReasonCodes, "unsupported_quantity")
		}
		return rec
	}
	lowest := complete[0]
	var near []string
	disagrees := false
	for _, s := range complete {
		// In hundredths of a cent, so that 2% is whole.
		difference := 100 * (*s.TotalCents - *lowest.TotalCents)
		if difference <= max(100*5, 2**lowest.TotalCents) {
			near = append(near, s.Key)
		}
		disagrees = disagrees || *lowest.SizeAdjustedCents > *s.SizeAdjustedCents
	}
	switch {
	case len(near) > 1:
		rec.Status, rec.ReasonCodes, rec.CloseStoreKeys = "too_close_to_call", []string{"close_total"}, near
	case disagrees:
		rec.Status, rec.ReasonCodes = "size_basis_disagrees", []string{"size_basis_conflict"}
	default:
		rec.Status, rec.ReasonCodes = "lowest", []string{"lowest_complete_total"}
		rec.StoreKeys = []string{lowest.Key}
	}
	return rec
}
