package oracle

import (
	"testing"

	"github.com/larder-index/larder/panel"
)

// Why an item has no price at a chain. The tern's chain also has store 20 and
// listing 250 of oats.
func TestExclusions(t *testing.T) {
	for _, test := range []struct {
		name   string
		see    func(w *tiny)
		reason string
	}{
		{"never observed", func(*tiny) {}, unobserved},
		{"only later", func(w *tiny) { w.see(tern, oats, "1", at(now.Add(1))) }, unobserved},
		{"only at an uncertain store", func(w *tiny) {
			w.Stores[len(w.Stores)-1].LocationCertain = false
			w.see(tern, oats, "1", store(20))
		}, unobserved},
		{"only at an inactive store", func(w *tiny) {
			w.Stores[len(w.Stores)-1].Active = false
			w.see(tern, oats, "1", store(20))
		}, unobserved},
		{"only retired listings", func(w *tiny) {
			w.Listings[len(w.Listings)-1].Active = false
			w.see(tern, oats, "1", listing(250))
		}, unobserved},
		{"an inactive product", func(w *tiny) {
			w.Products[0].Active = false
			w.see(tern, oats, "1")
		}, unobserved},
		{"only unapproved rows", func(w *tiny) {
			w.Banners[tern-1].Verified = true
			w.see(tern, oats, "1")
			w.see(tern, oats, "1", fails)
		}, unobserved},
		{"rows elsewhere only", func(w *tiny) {
			w.Stores[len(w.Stores)-1].City = "moncton"
			w.see(tern, oats, "1", store(20))
		}, unobserved},
		{"nothing passes", func(w *tiny) { w.see(tern, oats, "1", fails) }, failsGate},
		{"quarantined", func(w *tiny) {
			w.see(tern, oats, "1", func(o *panel.Observation) { o.Verdict = panel.Quarantined })
		}, failsGate},
		{"the latest that passes, though newer ones fail", func(w *tiny) {
			w.see(tern, oats, "1", daysAgo(9))
			w.see(tern, oats, "1", fails)
		}, stale},
		{"the newest contribution", func(w *tiny) {
			w.see(tern, oats, "1", daysAgo(9))
			w.see(tern, oats, "1", daysAgo(2), listing(250), sale, members)
			w.see(tern, oats, "1", daysAgo(3), store(20), sale, ends(today-1))
		}, conditional},
		{"the newest contribution, a failing one", func(w *tiny) {
			w.see(tern, oats, "1", daysAgo(9))
			w.see(tern, oats, "1", daysAgo(10), listing(250), fails)
			w.see(tern, oats, "1", daysAgo(2), listing(250), fails)
		}, failsGate},
		{"a newer failing row of a series that has passing ones does not count", func(w *tiny) {
			w.see(tern, oats, "1", daysAgo(10))
			w.see(tern, oats, "1", daysAgo(1), fails)
			w.see(tern, oats, "1", daysAgo(2), listing(250), sale, members)
		}, conditional},
		{"at one time the highest id", func(w *tiny) {
			w.see(tern, oats, "1", id(7), sale, members)
			w.see(tern, oats, "1", id(6), listing(250), fails)
		}, conditional},
		{"at one time the highest id, the other way", func(w *tiny) {
			w.see(tern, oats, "1", id(6), sale, members)
			w.see(tern, oats, "1", id(7), listing(250), fails)
		}, failsGate},
		{"there is a price", func(w *tiny) {
			w.see(tern, oats, "1", daysAgo(3))
			w.see(tern, oats, "1", listing(250), fails)
		}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newTiny()
			w.listing(250, tern, oats)
			w.store(20, tern)
			test.see(w)
			same(t, "reason", test.reason, w.compare(t, list(oats, "1")).reason(tern, oats))
		})
	}
}

// Exclusions come by chain, then item, and explain every missing item.
func TestExclusionsInOrder(t *testing.T) {
	w := newTiny()
	w.see(wren, oats, "1")
	w.see(auk, fish, "1")
	w.see(auk, oats, "1", fails)
	same(t, "exclusions", []Exclusion{
		{"auk", oats, failsGate}, {"tern", oats, unobserved}, {"tern", fish, unobserved}, {"wren", fish, unobserved},
	}, w.compare(t, list(fish, "1", oats, "1")).Exclusions)
}
