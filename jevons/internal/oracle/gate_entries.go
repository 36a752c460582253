package oracle

import (
	"cmp"
	"maps"
	"slices"
)

// The rules of quarantine entries.
const (
	Listed        = "listed"
	WrongProduct  = "wrong_product"
	WrongBasis    = "wrong_basis"
	WrongBasisRow = "wrong_basis_row"
)

// rules in the order in which they name a row's quarantine: listed, then the
// derived ones in the order they are computed in.
var rules = []string{Listed, WrongProduct, WrongBasis, WrongBasisRow}

// Entry is one row of the quarantine table.
type Entry struct {
	Listing     int64
	Store       int64 // 0: banner-wide
	Observation int64 // 0: not for one row only; else Store is that row's
	Rule        string
	Released    bool
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

// notYetIn drops the entries that the table has, "an entry that an operator has
// released" among them, and sorts the rest.
func notYetIn(table, found []Entry) []Entry {
	known := map[Entry]bool{}
	for _, e := range table {
		e.Released = false
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

func byListing(tables ...[]Entry) map[int64][]Entry {
	entries := map[int64][]Entry{}
	for _, e := range slices.Concat(tables...) {
		entries[e.Listing] = append(entries[e.Listing], e)
	}
	return entries
}

// setAside returns the rule by which entries set a row aside, or "". Section 8:
// "entries for a listing banner-wide, for a listing at one store, or for one
// row".
func setAside(r gateRow, entries map[int64][]Entry) string {
	for _, rule := range rules {
		for _, e := range entries[r.s.listing] {
			atStore := e.Store == 0 || e.Store == r.s.store
			ofRow := e.Observation == 0 || e.Observation == r.id
			if e.Rule == rule && !e.Released && atStore && ofRow {
				return rule
			}
		}
	}
	return ""
}
