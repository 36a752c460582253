package oracle

import (
	"strings"
	"testing"
)

// Rules 2 and 3 do not see rows that are set aside, nor count them.
func TestRowsThatAreLeft(t *testing.T) {
	t.Run("identity, count", func(t *testing.T) {
		g := newGated()
		g.prices(10, 1, "3 3 3")
		g.row(10, 1, "3", "juice")
		g.prices(10, 2, "1 1 1 1 1")
		g.wantDerived(t)
	})
	t.Run("identity, median", func(t *testing.T) {
		g := newGated()
		g.prices(10, 1, "3 3 3 3")
		for range 4 {
			g.row(10, 1, "1", "juice") // half of this series, under half of all
		}
		g.prices(10, 2, "1 1 1 1 1")
		g.entry(10, 1, 0, WrongProduct, true)
		g.wantDerived(t, Entry{Listing: 10, Store: 1, Rule: WrongBasis})
	})
	t.Run("existing entry, count", func(t *testing.T) {
		g := newGated()
		g.prices(20, 1, "3 3 3 3")
		g.prices(20, 2, "1 1 1 1 1")
		g.entry(20, 1, 4, Listed, false)
		g.wantDerived(t)
		g.Entries[0].Released = true
		g.wantDerived(t, Entry{Listing: 20, Store: 1, Rule: WrongBasis})
	})
	t.Run("existing entry, median of the product", func(t *testing.T) {
		g := newGated()
		g.prices(20, 1, "3 3 3 3")
		g.prices(20, 2, "1 1 1 1 1")
		g.entry(20, 2, 0, Listed, false)
		g.wantDerived(t)
	})
	t.Run("rule 1, median of the product", func(t *testing.T) {
		g := newGated()
		g.prices(10, 1, "3 3 3 3")
		g.prices(11, 2, "1 1 1 1 1")
		for range 5 {
			g.row(11, 2, "1", "juice")
		}
		g.wantDerived(t, Entry{Listing: 11, Rule: WrongProduct})
	})
	t.Run("rule 3, count and median", func(t *testing.T) {
		g := newGated()
		g.prices(30, 1, "10 10 10 22.046")
		g.entry(30, 1, 1, Listed, false)
		g.wantDerived(t)
		g.prices(30, 1, "10")
		g.wantDerived(t, Entry{Listing: 30, Store: 1, Observation: 4, Rule: WrongBasisRow})
		g.entry(30, 1, 4, Listed, false)
		g.wantDerived(t)
	})
}

// Rows of inactive stores, listings and products derive nothing, but identity
// and entries hold for them.
func TestInactive(t *testing.T) {
	for name, retire := range map[string]func(*gated){
		"store":   func(g *gated) { g.store(1).Active = false },
		"listing": func(g *gated) { g.listing(10).Active, g.listing(30).Active = false, false },
		"product": func(g *gated) { g.Data.Products[0].Active, g.Data.Products[2].Active = false, false },
	} {
		t.Run(name, func(t *testing.T) {
			g := newGated()
			g.titles(10, 1, "jjmm")
			g.prices(30, 1, "10 10 10 22.046")
			retire(g)
			g.wantDerived(t)
			g.wantVerdicts(t, "identity identity pass pass pass pass pass pass")
			g.entry(10, 1, 3, Listed, false)
			g.wantVerdicts(t, "identity identity listed pass pass pass pass pass")
		})
	}
}

// The rows of an inactive store are not in the product's median, nor among
// those that rule 1 counts; a banner-wide entry reaches them.
func TestInactiveStoreBesideActive(t *testing.T) {
	g := newGated()
	g.store(2).Active = false
	g.prices(20, 1, "3 3 3 3")
	g.prices(20, 2, "1 1 1 1 1")
	g.titles(10, 1, "jjj")
	g.titles(10, 2, "m")
	g.wantDerived(t)
	g.titles(10, 1, "j")
	g.wantDerived(t, Entry{Listing: 10, Rule: WrongProduct})
	g.wantVerdicts(t, strings.Repeat("pass ", 9)+"wrong_product wrong_product wrong_product wrong_product wrong_product")
}

// Rules in their order, then listing, store and observation.
func TestOrderOfDerived(t *testing.T) {
	g := newGated()
	g.prices(30, 2, "10 22 10 10 22 10 10 10")
	g.prices(30, 1, "10 10 10 22")
	g.prices(20, 3, "3 3 3 3")
	g.prices(20, 2, "3 3 3 3")
	g.prices(20, 1, "1 1 1 1 1 1 1 1 1")
	g.titles(11, 3, "jjjj")
	g.titles(10, 3, "jjjjmmmmm")
	g.titles(10, 2, "jjjj")
	g.titles(10, 1, "mmmmm")
	g.wantDerived(t,
		Entry{Listing: 10, Store: 2, Rule: WrongProduct},
		Entry{Listing: 11, Rule: WrongProduct},
		Entry{Listing: 20, Store: 2, Rule: WrongBasis},
		Entry{Listing: 20, Store: 3, Rule: WrongBasis},
		Entry{Listing: 30, Store: 1, Observation: 12, Rule: WrongBasisRow},
		Entry{Listing: 30, Store: 2, Observation: 2, Rule: WrongBasisRow},
		Entry{Listing: 30, Store: 2, Observation: 5, Rule: WrongBasisRow})
}
