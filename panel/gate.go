package panel

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/larder-index/larder/basket"
)

// GateVersion labels this revision of the quality gate. It changes whenever
// the same rows, specs and quarantine entries could get other verdicts.
const GateVersion = "larder-gate-1"

// Gate is the quality gate. It judges rows by their title and size (identity)
// and by the entries that set rows aside (quarantine), the same for every reader
// of a panel. It never judges a row by its price. Rules about prices make
// quarantine entries (see Derivation): an entry has a date and a reason, holds
// from week to week, and can be released.
//
// A Gate is for one goroutine.
type Gate struct {
	listings map[int64]*gateListing
	screens  map[Label]*Screen
}

// gateListing is a listing with its product, spec and entries.
type gateListing struct {
	Listing
	product basket.Product
	rules   *rules                   // nil: no spec
	entries map[place][]Quarantine   // those in force; place{} is everywhere
	known   map[entryKey]*Quarantine // all entries, released ones included
}

// place is the store or the row of an entry.
type place struct{ store, observation int64 }

type entryKey struct {
	place
	rule QuarantineRule
}

// NewGate returns the gate over the given records. It leaves out entries of
// unknown listings, specs of unknown products, and listings of unknown products,
// whose rows pass.
func NewGate(products []basket.Product, listings []Listing, specs []basket.Spec, entries []Quarantine) *Gate {
	byID := make(map[int]basket.Product, len(products))
	for _, p := range products {
		byID[p.ID] = p
	}
	rules := make(map[int]*rules, len(specs))
	for _, s := range specs {
		if p, ok := byID[s.ProductID]; ok {
			rules[s.ProductID] = newRules(s, p.Unit)
		}
	}
	g := &Gate{listings: make(map[int64]*gateListing, len(listings)), screens: map[Label]*Screen{}}
	for _, m := range listings {
		if p, ok := byID[m.ProductID]; ok {
			g.listings[m.ID] = &gateListing{Listing: m, product: p, rules: rules[m.ProductID]}
		}
	}
	for _, e := range entries {
		if m := g.listings[e.Listing]; m != nil {
			m.add(e)
		}
	}
	return g
}

func (m *gateListing) add(e Quarantine) {
	if m.known == nil {
		m.known, m.entries = map[entryKey]*Quarantine{}, map[place][]Quarantine{}
	}
	at := place{e.Store, e.Observation}
	if e.Observation != 0 {
		at.store = 0 // a row is at one store anyway
	}
	m.known[entryKey{at, e.Rule}] = &e
	if !e.Released {
		// Sorted by rule, so the order of the entries does not decide which of
		// several is named.
		list := append(m.entries[at], e)
		slices.SortStableFunc(list, func(a, b Quarantine) int { return cmp.Compare(a.Rule, b.Rule) })
		m.entries[at] = list
	}
}

// QuarantineRule says why an entry sets rows aside.
type QuarantineRule uint8

// The rules. Listed is the operator's own entry, the others are derived.
const (
	Listed QuarantineRule = iota
	WrongProduct
	WrongBasis
	WrongBasisRow
)

// QuarantineRules holds the names of the rules in files.
var QuarantineRules = [...]string{"listed", "wrong_product", "wrong_basis", "wrong_basis_row"}

// String returns the rule's name in files.
func (r QuarantineRule) String() string {
	if int(r) < len(QuarantineRules) {
		return QuarantineRules[r]
	}
	return fmt.Sprintf("QuarantineRule(%d)", uint8(r))
}

// Quarantine sets rows aside: those of a listing everywhere, those of a listing
// at one store, or a single row. Its key is the listing, the store (not for
// single rows), the observation and the rule.
type Quarantine struct {
	ID          int64 // number in its snapshot; 0: it has none
	Listing     int64 // id of the Listing
	Store       int64 // id of the Store; 0: at every store
	Observation int64 // id of the one row meant; 0: all of them
	Rule        QuarantineRule
	Reason      string    // the evidence; of entries that an operator changed also when and why
	FoundAt     time.Time // zero: unknown
	Released    bool      // an operator let it go: it sets nothing aside and is not derived again
}

// Label is one (listing, scraped title, package size) triple. A panel has millions
// of rows but about a thousand labels, so the gate judges labels.
type Label struct {
	Listing     int64 // id of the Listing
	ScrapedName string
	PackageSize string
}

// Label returns the label of an observation.
func (o *Observation) Label() Label {
	return Label{o.Listing, o.ScrapedName, o.PackageSize}
}

// Screen holds a label's identity and its listing's entries. Judging a row by
// it is cheap, changes nothing, and is safe for concurrent use.
type Screen struct {
	Label
	Identity Identity
	listing  *gateListing // nil: unknown
}

// Screen returns the screen of a label, always the same one.
func (g *Gate) Screen(l Label) *Screen {
	s := g.screens[l]
	if s == nil {
		s = &Screen{Label: l, listing: g.listings[l.Listing]}
		if s.listing != nil {
			s.Identity = s.listing.rules.identify(l.ScrapedName, l.PackageSize)
		}
		g.screens[l] = s
	}
	return s
}

// Judgement is a verdict with its reason.
type Judgement struct {
	Verdict  Verdict
	Identity Identity    // whatever the verdict
	Entry    *Quarantine // the entry that sets the row aside; nil if none does
}

// Rule names the rule that decided: that of the entry, the misfit, or "fits".
func (j Judgement) Rule() string {
	if j.Entry != nil {
		return j.Entry.Rule.String()
	}
	return j.Identity.Misfit.String()
}

// String gives the reason in words.
func (j Judgement) String() string {
	if j.Entry == nil {
		return j.Identity.String()
	}
	if j.Entry.Reason == "" {
		return fmt.Sprintf("quarantined: %s", j.Entry.Rule)
	}
	return fmt.Sprintf("quarantined: %s: %s", j.Entry.Rule, j.Entry.Reason)
}

// entry returns the entry that sets a row aside, or nil.
func (s *Screen) entry(store, observation int64) *Quarantine {
	if s.listing == nil || len(s.listing.entries) == 0 {
		return nil
	}
	for _, at := range [...]place{{}, {store: store}, {observation: observation}} {
		if e := s.listing.entries[at]; len(e) > 0 {
			return &e[0]
		}
	}
	return nil
}

// Verdict judges the row of the given id at a store. A row that fails identity
// and is also set aside is Quarantined.
func (s *Screen) Verdict(store, observation int64) Verdict {
	switch {
	case s.entry(store, observation) != nil:
		return Quarantined
	case s.Identity.Misfit != Fits:
		return FailsIdentity
	}
	return Pass
}

// Judge is Verdict with the reason. Of several entries that set a row aside it
// names the widest: first for all stores, then for the store, then for the row.
func (s *Screen) Judge(store, observation int64) Judgement {
	return Judgement{s.Verdict(store, observation), s.Identity, s.entry(store, observation)}
}
