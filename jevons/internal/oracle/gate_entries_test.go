package oracle

import (
	"strings"
	"testing"
)

func TestEntriesSetAside(t *testing.T) {
	cases := []struct {
		name  string
		entry Entry
		want  string // of rows 10@1, 10@2, 10@1, 11@1
	}{
		{"banner-wide", Entry{Listing: 10, Rule: Listed}, "listed listed listed pass"},
		{"at one store", Entry{Listing: 10, Store: 1, Rule: Listed}, "listed pass listed pass"},
		{"one row", Entry{Listing: 10, Store: 1, Observation: 3, Rule: Listed}, "pass pass listed pass"},
		{"one row, store left out", Entry{Listing: 10, Observation: 3, Rule: Listed}, "pass pass listed pass"},
		{"banner-wide, released", Entry{Listing: 10, Rule: Listed, Released: true}, "pass pass pass pass"},
		{"one row, released", Entry{Listing: 10, Observation: 3, Rule: Listed, Released: true}, "pass pass pass pass"},
		{"by another rule", Entry{Listing: 10, Store: 2, Rule: WrongBasis}, "pass wrong_basis pass pass"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g := newGated()
			g.titles(10, 1, "m")
			g.titles(10, 2, "m")
			g.titles(10, 1, "m")
			g.titles(11, 1, "m")
			g.Entries = []Entry{c.entry}
			g.wantVerdicts(t, c.want)
			g.wantDerived(t)
		})
	}
}

// "A row that fails both counts once, as quarantine"; a released entry leaves
// identity standing.
func TestQuarantineBeforeIdentity(t *testing.T) {
	g := newGated()
	g.titles(10, 1, "jm")
	g.entry(10, 1, 0, Listed, false)
	g.wantVerdicts(t, "listed listed")
	g.Entries[0].Released = true
	g.wantVerdicts(t, "identity pass")
}

func TestRuleOfSeveralEntries(t *testing.T) {
	g := newGated()
	g.titles(20, 1, "mm")
	g.entry(20, 1, 1, WrongBasisRow, false)
	g.entry(20, 1, 0, WrongBasis, false)
	g.wantVerdicts(t, "wrong_basis wrong_basis")
	g.entry(20, 1, 2, WrongProduct, false)
	g.wantVerdicts(t, "wrong_basis wrong_product")
	g.entry(20, 0, 0, Listed, false)
	g.wantVerdicts(t, "listed listed")
	g.Entries[3].Released = true
	g.wantVerdicts(t, "wrong_basis wrong_product")
}

func TestNotDerivedAgain(t *testing.T) {
	for _, released := range []bool{false, true} {
		g := newGated()
		g.titles(10, 1, "jjmm")
		g.prices(20, 1, "3 3 3 3")
		g.prices(20, 2, "1 1 1 1 1")
		g.prices(30, 1, "10 10 10 22.046")
		g.entry(10, 0, 0, WrongProduct, released)
		g.entry(20, 1, 0, WrongBasis, released)
		g.entry(30, 0, 17, WrongBasisRow, released) // the store is row 17's
		g.wantDerived(t)
		want := "wrong_product wrong_product wrong_product wrong_product" +
			" wrong_basis wrong_basis wrong_basis wrong_basis pass pass pass pass pass pass pass pass wrong_basis_row"
		if released {
			want = "identity identity pass pass" + strings.Repeat(" pass", 13)
		}
		g.wantVerdicts(t, want)
	}
}

// Another rule's entry for the same rows is another entry: rule 1 counts rows
// that are set aside already.
func TestRule1CountsRowsSetAside(t *testing.T) {
	g := newGated()
	g.titles(10, 1, "jjmm")
	g.entry(10, 0, 0, Listed, false)
	g.wantDerived(t, Entry{Listing: 10, Rule: WrongProduct})
	g.wantVerdicts(t, "listed listed listed listed")
}

// A banner-wide wrong_product entry, released or not, stands for the stores.
func TestNoStoreEntryBesideBannerWide(t *testing.T) {
	for _, released := range []bool{false, true} {
		g := newGated()
		g.titles(10, 1, "jjjj")
		g.titles(10, 2, "mmmmm")
		g.entry(10, 0, 0, WrongProduct, released)
		g.wantDerived(t)
		g.Entries[0].Rule = Listed
		g.wantDerived(t, Entry{Listing: 10, Store: 1, Rule: WrongProduct})
	}
}

// A released store entry is not derived again, and keeps a banner-wide one,
// which would hold its rows, from being derived: the other stores are judged one
// by one.
func TestReleasedStoreEntry(t *testing.T) {
	g := newGated()
	g.titles(10, 1, "jjjj")
	g.titles(10, 2, "mmmmm")
	g.entry(10, 1, 0, WrongProduct, true)
	g.wantDerived(t)
	g.titles(10, 9, "jjmmm")
	g.wantDerived(t)
	g.titles(10, 9, "j") // 3 of 6 there, 7 of 15 in all
	g.wantDerived(t, Entry{Listing: 10, Store: 9, Rule: WrongProduct})
	g.titles(10, 3, "j") // 8 of 16 in all
	g.wantDerived(t, Entry{Listing: 10, Store: 9, Rule: WrongProduct})
	g.Entries[0].Released = false
	g.wantDerived(t, Entry{Listing: 10, Rule: WrongProduct})
}

func TestEntriesRefused(t *testing.T) {
	for name, e := range map[string]Entry{
		"rule":           {Listing: 10, Rule: "other"},
		"listing":        {Listing: 99, Rule: Listed},
		"store":          {Listing: 10, Store: 99, Rule: Listed},
		"row":            {Listing: 10, Observation: 99, Rule: Listed},
		"row's listing":  {Listing: 11, Observation: 1, Rule: Listed},
		"row's store":    {Listing: 10, Store: 2, Observation: 1, Rule: Listed},
		"row's, with it": {Listing: 11, Store: 1, Observation: 1, Rule: Listed},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGated()
			g.titles(10, 1, "m")
			g.Entries = []Entry{e}
			if _, err := Gate(&g.GateData); err == nil {
				t.Error("no error")
			}
		})
	}
}
