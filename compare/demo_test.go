package compare_test

import (
	"iter"
	"sync"
	"testing"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

// demoData is the demo panel up to the day before demoNow, with the quarantine
// that a derivation finds in it; made once.
var demoData = sync.OnceValues(func() (*synth.Data, *panel.Rows) {
	data, err := synth.Generate(synth.Config{Through: panel.DateOf(2026, 11, 20)})
	if err != nil {
		panic(err)
	}
	gate := panel.NewGate(data.Products, data.Stores, data.Listings, data.Specs, nil)
	derivation := panel.NewDerivation(gate, data.Banners, data.Stores)
	for o := range data.Observations() {
		derivation.Add(gate.Screen(o.Label()), o.Store, o.ID, o.Effective, o.ObservedAt)
	}
	gate = panel.NewGate(data.Products, data.Stores, data.Listings, data.Specs, derivation.Entries())
	rows, err := panel.NewRows(gate, each(data.Observations()))
	if err != nil {
		panic(err)
	}
	return data, rows
})

func each(seq iter.Seq[panel.Observation]) iter.Seq2[*panel.Observation, error] {
	return func(yield func(*panel.Observation, error) bool) {
		for o := range seq {
			if !yield(&o, nil) {
				return
			}
		}
	}
}

func demoPanel(t testing.TB) (*panel.Panel, *panel.Rows) {
	t.Helper()
	data, rows := demoData()
	p, err := data.Panel()
	if err != nil {
		t.Fatal(err)
	}
	return p, rows
}

func demo(t testing.TB) *compare.Projection {
	t.Helper()
	return compare.NewProjection(demoPanel(t))
}
