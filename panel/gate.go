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
const GateVersion = "larder-gate-2"

// Gate is the quality gate. It judges rows by their title and size (identity)
// and by the entries that quarantine rows, the same for every reader
// of a panel. It never judges a row by its price. Rules about prices make
// quarantine entries (see Derivation): an entry has a date and a reason, holds
// from week to week, and can be released.
//
// A Gate is for one goroutine.
type Gate struct {
	listings map[int64]*gateListing
	labels   map[Label]*LabelGate
	list     []*LabelGate // in their order
}

type gateListing struct {
	Listing
	product basket.Product
	spec    *foldedSpec                // nil: no spec
	wide    []held                     // the entries in force for many rows, widest first
	rows    map[int64][]*Quarantine    // the entries in force for one row, by the row's id
	decided map[Quarantine]*Quarantine // by Key: the entries of this listing alone that an operator decided on
}

// held is an entry in force, with the rows that it covers.
type held struct {
	*Quarantine
	names func(store, at int64) bool
}

// NewGate returns the gate over the given records. The days of entries are those of the calendar.
// It leaves out specs of unknown products, and listings of unknown products, whose rows pass.
func NewGate(
	c Calendar, products []basket.Product, stores []Store, listings []Listing, specs []basket.Spec,
	entries []Quarantine,
) *Gate {
	byID := make(map[int64]basket.Product, len(products))
	for _, p := range products {
		byID[p.ID] = p
	}
	specOf := make(map[int64]*foldedSpec, len(specs))
	for _, s := range specs {
		specOf[s.ProductID] = foldSpec(s, byID[s.ProductID].Unit)
	}
	g := &Gate{listings: make(map[int64]*gateListing, len(listings)), labels: map[Label]*LabelGate{}}
	for _, m := range listings {
		if p, ok := byID[m.ProductID]; ok {
			g.listings[m.ID] = &gateListing{
				Listing: m, product: p, spec: specOf[m.ProductID],
				rows: map[int64][]*Quarantine{}, decided: map[Quarantine]*Quarantine{},
			}
		}
	}
	sorted := make([]*Quarantine, len(entries))
	for i := range entries {
		sorted[i] = &entries[i]
	}
	slices.SortFunc(sorted, (*Quarantine).compareWidth)
	for _, e := range sorted {
		names := e.Names(c, stores)
		if m := g.listings[e.Listing]; m != nil {
			if !e.Derived() {
				m.decided[e.Key()] = e
			}
			m.hold(e, names)
		} else if e.Listing == 0 {
			for _, m := range g.listings {
				m.hold(e, names)
			}
		}
	}
	return g
}

// hold keeps an entry if it covers the listing and is in force.
func (m *gateListing) hold(e *Quarantine, names func(store, at int64) bool) {
	switch {
	case e.Released || !e.Covers(&m.Listing):
	case e.Observation != 0:
		m.rows[e.Observation] = append(m.rows[e.Observation], e)
	default:
		m.wide = append(m.wide, held{e, names})
	}
}

// entries returns the entries that quarantine a row, the widest first.
func (m *gateListing) entries(store, observation, at int64) (found []*Quarantine) {
	if m == nil {
		return nil
	}
	for _, e := range m.wide {
		if e.names(store, at) {
			found = append(found, e.Quarantine)
		}
	}
	if len(m.rows) > 0 {
		found = append(found, m.rows[observation]...)
	}
	return found
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

// LabelGate holds a label's identity and its listing's entries. Judging a row by
// it is cheap, changes nothing, and is safe for concurrent use.
type LabelGate struct {
	Label
	misfit  misfit
	listing *gateListing // nil: unknown
	place   int          // among the gate's
}

// ForLabel returns the gate of a label, always the same one.
func (g *Gate) ForLabel(l Label) *LabelGate {
	s := g.labels[l]
	if s == nil {
		s = &LabelGate{Label: l, listing: g.listings[l.Listing], place: len(g.list)}
		if s.listing != nil {
			s.misfit = s.listing.spec.identify(l.ScrapedName, l.PackageSize)
		}
		g.labels[l] = s
		g.list = append(g.list, s)
	}
	return s
}

// Judgement is a verdict with its reason.
type Judgement struct {
	Verdict Verdict
	// Misfit says, whatever the verdict, why the row is not the product of its listing:
	// lacks_term, has_term, too_small or too_large; empty: it may be.
	Misfit string
	Entry  *Quarantine // the entry that quarantines the row; nil if none does
	why    string      // Misfit in words
}

const fits = "fits" // the rule of a row that passes

// Rule names the rule that decided: that of the entry, the misfit, or "fits".
func (j Judgement) Rule() string {
	if j.Entry != nil {
		return j.Entry.Rule.String()
	}
	return cmp.Or(j.Misfit, fits)
}

// String gives the reason in words.
func (j Judgement) String() string {
	if j.Entry == nil {
		return cmp.Or(j.why, fits)
	}
	if j.Entry.Reason == "" {
		return fmt.Sprintf("quarantined: %s", j.Entry.Rule)
	}
	return fmt.Sprintf("quarantined: %s: %s", j.Entry.Rule, j.Entry.Reason)
}

// Judge judges the row of the given id, seen at a store at a time. A row that fails
// identity and has an entry is Quarantined. Of several entries
// it names the widest: first for all stores, then for a city, then for the store, then
// for the row.
func (s *LabelGate) Judge(store, observation int64, at time.Time) Judgement {
	j := Judgement{Misfit: s.misfit.rule, why: s.misfit.why}
	if s.misfit.rule != "" {
		j.Verdict = FailsIdentity
	}
	if entries := s.listing.entries(store, observation, at.UnixNano()); len(entries) > 0 {
		j.Verdict, j.Entry = Quarantined, entries[0]
	}
	return j
}
