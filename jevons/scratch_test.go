package jevons

import (
	"slices"
	"testing"
	"time"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

// A worker keeps the plans of the last few sets of geographies, and no more,
// however many a panel with many gaps asks for.
func TestPlansAreKept(t *testing.T) {
	data, err := synth.Generate(synth.Config{Through: panel.DateOf(2026, time.November, 20), Weeks: 2})
	if err != nil {
		t.Fatal(err)
	}
	p, err := data.Panel()
	if err != nil {
		t.Fatal(err)
	}
	l := newLayout(p)
	w := &scratch{wanted: make([]bool, len(l.geos))}
	for g := 1; g < len(l.geos); g++ {
		clear(w.wanted)
		w.wanted[g] = true
		plan := w.plan(l)
		if !slices.Equal(plan.wanted, w.wanted) || w.plan(l) != plan {
			t.Fatalf("geography %d has the plan of others, or a new one each time", g)
		}
		if len(w.plans) > 8 {
			t.Fatalf("%d plans are kept", len(w.plans))
		}
	}
	w.wanted[0] = true
	if w.plan(l) != &l.all {
		t.Error("the nation has another plan than the one for all")
	}
}
