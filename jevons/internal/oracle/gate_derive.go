package oracle

import (
	"maps"
	"math/big"
	"slices"
	"time"
)

// derivedEntries lists the derived entries, "computed anew", and when each was found: week by week, at
// the newest observation of the first week since which it follows in every week.
func derivedEntries(rows []gateRow, table []Entry) []Entry {
	var decided []Entry
	for _, e := range table {
		if e.decided() {
			decided = append(decided, e)
		}
	}
	newest := map[string]time.Time{} // by the Sunday that names the week
	for _, r := range rows {
		if r.at.After(newest[r.week]) {
			newest[r.week] = r.at
		}
	}
	weeks := slices.Sorted(maps.Keys(newest))
	follow := map[string][]Entry{}
	for _, w := range weeks {
		upTo := slices.DeleteFunc(slices.Clone(rows), func(r gateRow) bool { return r.week > w })
		follow[w] = derive(upTo, decided)
	}
	if len(weeks) == 0 {
		return nil
	}
	found := slices.Clone(follow[weeks[len(weeks)-1]])
	for i, e := range found {
		for k := len(weeks) - 1; k >= 0 && slices.Contains(follow[weeks[k]], e); k-- {
			found[i].FoundAt = newest[weeks[k]]
		}
	}
	return found
}

// derive lists the entries that follow from rows and an operator's decisions.
// Section 8: "Computed once in this order, not iterated; every date counts".
func derive(rows []gateRow, existing []Entry) []Entry {
	var active []gateRow
	for _, r := range rows {
		// "over all rows of active stores, listings and products"
		if r.active && !slices.ContainsFunc(existing, func(e Entry) bool {
			return e.Rule == Corrected && !e.Released && e.Observation == r.id
		}) {
			active = append(active, r)
		}
	}
	rule1 := notYetIn(existing, wrongProduct(active, existing))

	// "The medians of 2 and 3 leave out rows that identity, the operator's entries
	// (listed, corrected, confirmed) or rule 1 remove".
	var left []gateRow
	table := byListing(existing, rule1)
	for _, r := range active {
		if r.failure == "" && setAside(r, table) == "" {
			left = append(left, r)
		}
	}
	rule2 := notYetIn(existing, wrongBasis(left))

	// "Rule 3 also leaves out series caught by 2".
	caught := map[series]bool{}
	for _, e := range rule2 {
		caught[series{e.Listing, e.Store}] = true
	}
	left = slices.DeleteFunc(left, func(r gateRow) bool { return caught[r.s] })
	rule3 := notYetIn(existing, wrongBasisRow(left))

	// "Derived at import after rules 1 to 3 [...] over the rows that these and
	// identity leave".
	perPound := map[int64]bool{}
	for _, e := range rule3 {
		perPound[e.Observation] = true
	}
	left = slices.DeleteFunc(left, func(r gateRow) bool { return perPound[r.id] })
	rule4 := notYetIn(existing, wrongScaleRow(left))
	return slices.Concat(rule1, rule2, rule3, rule4)
}

// wrongProduct. Rule 1: "a listing, banner-wide or at one store, at least half
// of whose rows (of 4 or more) fail identity".
func wrongProduct(rows []gateRow, existing []Entry) []Entry {
	bannerWide, storesOnly := map[int64]bool{}, map[int64]bool{}
	for _, e := range existing {
		switch {
		case e.Rule != WrongProduct || e.Observation != 0:
		case e.Store == 0:
			bannerWide[e.Listing] = true
		case e.Released:
			storesOnly[e.Listing] = true
		}
	}
	var found []Entry
	for listing, of := range grouped(rows, func(r gateRow) int64 { return r.s.listing }) {
		if halfFail(of) && !storesOnly[listing] {
			bannerWide[listing] = true
			found = append(found, Entry{Listing: listing, Rule: WrongProduct})
		}
	}
	for s, of := range grouped(rows, func(r gateRow) series { return r.s }) {
		if halfFail(of) && !bannerWide[s.listing] {
			found = append(found, Entry{Listing: s.listing, Store: s.store, Rule: WrongProduct})
		}
	}
	return found
}

func halfFail(rows []gateRow) bool {
	failing := 0
	for _, r := range rows {
		if r.failure != "" {
			failing++
		}
	}
	return len(rows) >= 4 && 2*failing >= len(rows)
}

// wrongBasis. Rule 2: "a series of 4 or more rows whose median effective price
// is at least 3 times, or at most 1/3 of, the median of all the product's rows
// at active index stores".
func wrongBasis(rows []gateRow) []Entry {
	atIndexStores := slices.DeleteFunc(slices.Clone(rows), func(r gateRow) bool { return !r.indexStore })
	usual := map[int64]*big.Rat{} // of a product
	for product, of := range grouped(atIndexStores, func(r gateRow) int64 { return r.product }) {
		usual[product] = median(prices(of))
	}
	var found []Entry
	for s, of := range grouped(rows, func(r gateRow) series { return r.s }) {
		productMedian, ok := usual[of[0].product]
		if len(of) < 4 || !ok {
			continue
		}
		ratio := new(big.Rat).Quo(median(prices(of)), productMedian)
		if ratio.Cmp(big.NewRat(3, 1)) >= 0 || ratio.Cmp(big.NewRat(1, 3)) <= 0 {
			found = append(found, Entry{Listing: s.listing, Store: s.store, Rule: WrongBasis})
		}
	}
	return found
}

// wrongBasisRow. Rule 3: "a row of a per-kg product whose effective price,
// divided by its series' median (of 4 or more rows), is within 2% of 2.2046 or
// of 1/2.2046 [...], bounds included".
func wrongBasisRow(rows []gateRow) []Entry {
	perKg := big.NewRat(22046, 10000)
	perLb := new(big.Rat).Inv(perKg)
	var found []Entry
	for s, of := range grouped(rows, func(r gateRow) series { return r.s }) {
		if len(of) < 4 {
			continue
		}
		usual := median(prices(of))
		for _, r := range of {
			ratio := new(big.Rat).Quo(r.price, usual)
			if r.perKg && (within2Percent(ratio, perKg) || within2Percent(ratio, perLb)) {
				found = append(found, Entry{Listing: s.listing, Store: s.store, Observation: r.id, Rule: WrongBasisRow})
			}
		}
	}
	return found
}

// wrongScaleRow. RELEASES.md, Correcting: "a row of a series of at least 5 such
// rows whose effective price is at least 20 times, or at most 1/20 of, the median
// of the series' other such rows".
func wrongScaleRow(rows []gateRow) []Entry {
	var found []Entry
	for s, of := range grouped(rows, func(r gateRow) series { return r.s }) {
		if len(of) < 5 {
			continue
		}
		for i, r := range of {
			others := slices.Delete(slices.Clone(of), i, i+1)
			ratio := new(big.Rat).Quo(r.price, median(prices(others)))
			if ratio.Cmp(big.NewRat(20, 1)) >= 0 || ratio.Cmp(big.NewRat(1, 20)) <= 0 {
				found = append(found, Entry{Listing: s.listing, Store: s.store, Observation: r.id, Rule: WrongScaleRow})
			}
		}
	}
	return found
}

func within2Percent(ratio, of *big.Rat) bool {
	low := new(big.Rat).Mul(of, big.NewRat(98, 100))
	high := new(big.Rat).Mul(of, big.NewRat(102, 100))
	return ratio.Cmp(low) >= 0 && ratio.Cmp(high) <= 0
}

// median: "an even count takes the mean of the middle two; prices compare
// exactly [...], never as floats".
func median(values []*big.Rat) *big.Rat {
	sorted := slices.SortedFunc(slices.Values(values), (*big.Rat).Cmp)
	n := len(sorted)
	if n%2 == 1 {
		return sorted[n/2]
	}
	both := new(big.Rat).Add(sorted[n/2-1], sorted[n/2])
	return both.Mul(both, big.NewRat(1, 2))
}

func prices(rows []gateRow) []*big.Rat {
	var all []*big.Rat
	for _, r := range rows {
		all = append(all, r.price)
	}
	return all
}

func grouped[K comparable](rows []gateRow, key func(gateRow) K) map[K][]gateRow {
	groups := map[K][]gateRow{}
	for _, r := range rows {
		groups[key(r)] = append(groups[key(r)], r)
	}
	return groups
}
