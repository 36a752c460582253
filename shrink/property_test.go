package shrink_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/shrink"
)

// randomRows is a small panel in which packs change all the time: sizes in
// several notations, texts that are none, ties in time, regular prices of every
// source.
func randomRows(seed uint64) (basket.Product, []panel.Observation) {
	r := rand.New(rand.NewPCG(seed, 5))
	texts := []string{
		"500 g", "0.5 kg", "500g (17.6 oz)", "450 g", "450g", "5 x 90 g", "400 g", "333.3 g", "~400 g", "350 - 450 g", "1 lb",
		"", "Fresh", "10 Pack 76 g", "per kg", "400 g by weight", "500 mL", "12 ct", "6 bagels, 450 g", "0,499999 kg",
	}
	texts = texts[:3+r.IntN(len(texts)-2)]
	p := yogurt
	p.StandardSize = []float64{750, 0.1, 333.3, 3}[r.IntN(4)]
	p.Unit = []basket.Unit{basket.Gram, basket.Gram, basket.Gram, basket.Count}[r.IntN(4)]
	n, stores := 3+r.IntN(40), 1+r.IntN(4)
	ids := r.Perm(n)
	rows := make([]panel.Observation, n)
	text := ""
	for i := range rows {
		if i == 0 || r.IntN(3) == 0 {
			text = texts[r.IntN(len(texts))]
		}
		rows[i] = panel.Observation{
			ID: int64(1 + ids[i]), Listing: int64(1 + seed), Store: int64(1 + r.IntN(stores)), PackageSize: text,
			Effective: panel.Price(1 + r.IntN(90_000)), Verdict: panel.Verdict(r.IntN(3)),
			ObservedAt: start.Add(time.Duration(r.IntN(n)) * time.Hour),
		}
		if r.IntN(2) == 0 {
			rows[i].Regular = rows[i].Effective + panel.Price(r.IntN(9000))
			rows[i].RegularSource = panel.RegularSource(r.IntN(4))
		}
	}
	return p, rows
}

// TestEqualsSlowDetector compares every field of every event.
func TestEqualsSlowDetector(t *testing.T) {
	events, several := 0, 0
	for seed := range uint64(20_000) {
		p, rows := randomRows(seed)
		got, want := shrink.Detect(p, int64(1+seed), rows), slowDetect(p, rows)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, d)
		}
		events += len(got)
		for _, e := range got {
			if len(e.Observations) > 4 {
				several++
			}
		}
	}
	if events < 2500 || several < 1000 {
		t.Errorf("only %d events, %d of them at several stores: it tests too little", events, several)
	}
}

// TestWhatChangesNoEvent: the order of the rows, their verdicts and rows that
// come later change no event, and what is no candidate gives none.
func TestWhatChangesNoEvent(t *testing.T) {
	refused := 0
	for seed := range uint64(400) {
		p, rows := randomRows(seed)
		whole := shrink.Detect(p, listing, rows)
		same := func(change string, rows []panel.Observation, want []panel.ShrinkEvent) {
			t.Helper()
			if d := cmp.Diff(want, shrink.Detect(p, listing, rows)); d != "" {
				t.Fatalf("seed %d, %s (-want +got):\n%s", seed, change, d)
			}
		}
		for n := range uint64(5) {
			other := shuffled(n, rows)
			kept := slices.Clone(other)
			same("another order", other, whole)
			if d := cmp.Diff(kept, other); d != "" {
				t.Fatalf("seed %d: the rows were changed:\n%s", seed, d)
			}
		}
		judged, nameless := slices.Clone(rows), slices.Clone(rows)
		var texts []string
		for i := range rows {
			judged[i].Verdict = panel.Quarantined
			nameless[i].ID = 0 // a caller need not have ids
			texts = append(texts, rows[i].PackageSize)
		}
		same("all quarantined", judged, whole)
		same("another order, no ids", shuffled(seed, nameless), shrink.Detect(p, listing, nameless))
		for hour := range 40 {
			until := start.Add(time.Duration(hour) * time.Hour)
			early := slices.DeleteFunc(slices.Clone(rows), func(o panel.Observation) bool { return o.ObservedAt.After(until) })
			var want []panel.ShrinkEvent
			for _, e := range whole {
				if !e.DetectedAt.After(until) {
					want = append(want, e)
				}
			}
			same("the first hours", early, want)
		}
		if !shrink.Candidate(p, texts) {
			refused++
			same("no candidate", rows, nil)
		}
	}
	if refused < 13 {
		t.Errorf("only %d are no candidates: it tests too little", refused)
	}
}

// Without ids, rows that differ in nothing but the store still have an order.
func TestOrderWithoutIDs(t *testing.T) {
	rows := []panel.Observation{
		row(0, 1, 0, "750 g", "4"), row(0, 2, 0, "750 g", "5"), row(0, 3, 0, "750 g", "6"),
		row(0, 3, 7, "650 g", "6"), row(0, 3, 8, "650 g", "6"), row(0, 1, 9, "650 g", "6"), row(0, 2, 9, "650 g", "6"),
	}
	want := shrink.Detect(yogurt, listing, rows)
	slices.Reverse(rows)
	if d := cmp.Diff(want, shrink.Detect(yogurt, listing, rows)); d != "" || len(want) != 1 {
		t.Errorf("%d events; another order gives (-want +got):\n%s", len(want), d)
	}
}
