package oracle

import (
	"slices"

	"github.com/larder-index/larder/panel"
)

// Minimize returns a copy of the world without the observations, listings and
// stores that fails does not need. It is for reading the world in which two
// evaluations differ: fails reports whether they still do.
func Minimize(w *World, fails func(*World) bool) *World {
	small := *w
	for again := true; again; {
		again = false
		for i := len(small.Observations) - 1; i >= 0; i-- {
			next := small
			next.Observations = without(small.Observations, i)
			if fails(&next) {
				small, again = next, true
			}
		}
		for i := len(small.Listings) - 1; i >= 0; i-- {
			next := small
			next.Listings = without(small.Listings, i)
			if !small.seen(func(o panel.Observation) bool { return o.Listing == small.Listings[i].ID }) && fails(&next) {
				small, again = next, true
			}
		}
		for i := len(small.Stores) - 1; i >= 0; i-- {
			next := small
			next.Stores = without(small.Stores, i)
			if !small.seen(func(o panel.Observation) bool { return o.Store == small.Stores[i].ID }) && fails(&next) {
				small, again = next, true
			}
		}
	}
	return &small
}

func (w *World) seen(is func(panel.Observation) bool) bool {
	return slices.ContainsFunc(w.Observations, is)
}

func without[T any](list []T, i int) []T { return slices.Delete(slices.Clone(list), i, i+1) }
