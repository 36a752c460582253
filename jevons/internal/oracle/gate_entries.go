package oracle

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// The rules of quarantine entries.
const (
	Listed        = "listed"
	WrongProduct  = "wrong_product"
	WrongBasis    = "wrong_basis"
	WrongBasisRow = "wrong_basis_row"
	WrongScaleRow = "wrong_scale_row"
	Corrected     = "corrected"
)

// rules in the order in which they name a row's quarantine: listed, then the
// derived ones in the order they are computed in, then corrected.
var rules = []string{Listed, WrongProduct, WrongBasis, WrongBasisRow, WrongScaleRow, Corrected}

// Entry is one row of the quarantine table.
type Entry struct {
	Listing     int64  // 0: any
	Store       int64  // 0: any
	Observation int64  // 0: not for one row only; else Store is that row's
	City        string // slug; "": any
	Banner      string // "": any
	Product     int64  // 0: any
	From, To    string // dates in Toronto, both included; "": no end
	Rule        string
	Released    bool
	Withdrawn   bool // by import, not by an operator; it is released too
	Confirmed   bool
	FoundAt     time.Time // of derived entries
}

// decided reports whether an operator made the entry, released or confirmed it.
func (e Entry) decided() bool {
	return e.Rule == Listed || e.Rule == Corrected || e.Confirmed || e.Released && !e.Withdrawn
}

// withStores fills in the stores of the entries for one row.
func withStores(entries []Entry, rows []gateRow) []Entry {
	filled := slices.Clone(entries)
	for i, e := range filled {
		for _, r := range rows {
			if e.Observation == r.id {
				filled[i].Store = r.s.store
			}
		}
	}
	return filled
}

// notYetIn drops the entries that the table of the operator's decisions has, and sorts the rest. "An
// entry that an operator released is not derived again; one that an operator confirmed is the operator's".
func notYetIn(table, found []Entry) []Entry {
	known := map[Entry]bool{}
	for _, e := range table {
		e.Released, e.Confirmed = false, false
		known[e] = true
	}
	fresh := map[Entry]bool{}
	for _, e := range found {
		if !known[e] {
			fresh[e] = true
		}
	}
	return slices.SortedFunc(maps.Keys(fresh), func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Listing, b.Listing), cmp.Compare(a.Store, b.Store), cmp.Compare(a.Observation, b.Observation))
	})
}

// byListing files entries under their listing; those for any listing under 0.
func byListing(tables ...[]Entry) map[int64][]Entry {
	entries := map[int64][]Entry{}
	for _, e := range slices.Concat(tables...) {
		entries[e.Listing] = append(entries[e.Listing], e)
	}
	return entries
}

// setAside returns the rule by which entries set a row aside, or "". Section 8:
// "entries for a listing banner-wide, for a listing at one store, or for one
// row". RELEASES.md: "larder quarantine add takes --banner, --store, --city,
// --product, --mapping, --from, --to in any combination [...] --from and --to are
// Toronto dates, both included".
func setAside(r gateRow, entries map[int64][]Entry) string {
	for _, rule := range rules {
		for _, e := range slices.Concat(entries[r.s.listing], entries[0]) {
			if e.Rule == rule && !e.Released && e.names(r) {
				return rule
			}
		}
	}
	return ""
}

// names reports whether an entry for the row's listing, or for any, names a row.
func (e Entry) names(r gateRow) bool {
	place := (e.Store == 0 || e.Store == r.s.store) && (e.City == "" || e.City == r.city)
	goods := (e.Banner == "" || e.Banner == r.banner) && (e.Product == 0 || e.Product == r.product)
	days := e.From <= r.day && (e.To == "" || r.day <= e.To)
	return place && goods && days && (e.Observation == 0 || e.Observation == r.id)
}
