package panel

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/larder-index/larder/basket"
)

// GateVersion labels this revision of the quality gate. It changes whenever
// the same rows, specs and quarantine entries could get other verdicts.
const GateVersion = "larder-gate-1"

// Gate is the quality gate: it judges rows by what they say they are (identity)
// and by what was set aside (quarantine). It is the same for every reader of a
// panel. It never judges a row by its price: rules about prices make quarantine
// entries (see Derivation), so that a verdict has a date and a reason, does not
// flicker from week to week, and can be released.
//
// A Gate is for one goroutine.
type Gate struct {
	listings map[int64]*gateListing
	screens  map[Label]*Screen
}

// gateListing is what the gate knows of a listing.
type gateListing struct {
	Listing
	product basket.Product
	rules   *rules                   // nil: no spec
	entries map[place][]Quarantine   // those in force; place{} is everywhere
	known   map[entryKey]*Quarantine // all entries, released ones included
}

// place is the store or the row that an entry is for.
type place struct{ store, observation int64 }

type entryKey struct {
	place
	rule QuarantineRule
}

// NewGate returns the gate over the given records. Records that refer to
// nothing are left out: entries of unknown listings, specs of unknown products
// and listings to unknown products, whose rows pass.
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
		at.store = 0 // one row is at one store anyway
	}
	m.known[entryKey{at, e.Rule}] = &e
	if !e.Released {
		// By rule, so that which of several is named does not depend on their
		// order.
		list := append(m.entries[at], e)
		slices.SortStableFunc(list, func(a, b Quarantine) int { return cmp.Compare(a.Rule, b.Rule) })
		m.entries[at] = list
	}
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

// Screen holds what the gate knows of a label. Judging a row by it costs next
// to nothing, changes nothing, and is safe for concurrent use.
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

// Rule returns the name of what decided: a rule of quarantine, a misfit, or
// "fits".
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

// entry returns what sets a row aside; nil if nothing does.
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

// Verdict judges the row of the given id at a store, and gives no reason. A row
// that fails both identity and quarantine is quarantined.
func (s *Screen) Verdict(store, observation int64) Verdict {
	switch {
	case s.entry(store, observation) != nil:
		return Quarantined
	case s.Identity.Misfit != Fits:
		return FailsIdentity
	}
	return Pass
}

// Judge is Verdict with the reason. Of several entries that set a row aside the
// widest is named: that for all stores, for the store, for the row alone.
func (s *Screen) Judge(store, observation int64) Judgement {
	return Judgement{s.Verdict(store, observation), s.Identity, s.entry(store, observation)}
}
