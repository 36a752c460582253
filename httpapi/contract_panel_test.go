package httpapi

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
)

// small is a smaller panel than demo, with many events of all kinds beside
// those that the detector finds.
var small = sync.OnceValues(func() (*synth.Data, []panel.ShrinkEvent) {
	d, err := synth.Generate(synth.Config{Through: panel.DateIn(testNow, panel.Toronto), Stores: 80})
	if err != nil {
		panic(err)
	}
	r := rand.New(rand.NewPCG(13, 17))
	change := func(from, to int) panel.Fixed { return panel.FixedOf(int64(from + r.IntN(to-from))) }
	var events []panel.ShrinkEvent
	for i := range 3000 {
		old := float64(100 + r.IntN(900))
		e := panel.ShrinkEvent{
			ID: int64(1 + i*7919%3000), Listing: d.Listings[r.IntN(len(d.Listings))].ID,
			OldPackageSize: fmt.Sprintf("%g g", old), NewPackageSize: fmt.Sprintf("%g g (imported %d)", old-1, i),
			OldSize: old, NewSize: old - 1, SizeUnit: "g", PctSizeChange: change(-19_0000, -1_0000), PctUnitPriceChange: change(-20_0000, 60_0000),
			OldUnitPrice: 0.01, NewUnitPrice: 0.0111, ShelfPrice: 49900,
			// A whole second, so that many share one.
			DetectedAt: time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(r.IntN(140*24)) * time.Hour),
		}
		switch r.IntN(12) {
		case 0:
			e.PctUnitPriceChange = panel.Fixed{}
		case 1:
			e.PctSizeChange = panel.FixedOf(-20_0000)
		case 2:
			e.PctSizeChange, e.OldSize, e.NewSize, e.SizeUnit = panel.Fixed{}, 0, 0, ""
		}
		events = append(events, e)
	}
	return d, events
})

// writePanel imports into db what had been collected before a moment.
func writePanel(d *synth.Data, events []panel.ShrinkEvent, dir, db string, before time.Time) error {
	w, err := csvdir.Create(dir, csvdir.WriteOptions{})
	if err != nil {
		return err
	}
	defer w.Abort()
	var known []panel.ShrinkEvent
	for _, e := range events {
		if e.DetectedAt.Before(before) {
			known = append(known, e)
		}
	}
	if err := errors.Join(
		csvdir.WriteSorted(w, csvdir.Settings, []csvdir.Setting{{Key: "base_week", Value: d.BaseWeek.String()}}),
		csvdir.WriteSorted(w, csvdir.Products, d.Products),
		csvdir.WriteSorted(w, csvdir.Cities, d.Cities),
		csvdir.WriteSorted(w, csvdir.Banners, d.Banners),
		csvdir.WriteSorted(w, csvdir.Stores, d.Stores),
		csvdir.WriteSorted(w, csvdir.Listings, d.Listings),
		csvdir.WriteSorted(w, csvdir.Specs, d.Specs),
		csvdir.WriteSorted(w, csvdir.Pilot, d.Pilot),
		csvdir.WriteSorted(w, csvdir.ShrinkEvents, known),
		csvdir.Write(w, csvdir.Observations, func(yield func(*panel.Observation, error) bool) {
			for o := range d.Observations() {
				if o.ObservedAt.Before(before) && !yield(&o, nil) {
					return
				}
			}
		}),
		w.Commit(),
	); err != nil {
		return err
	}
	_, err = sqlite.Import(context.Background(), dir, db, sqlite.ImportOptions{Strict: true})
	return err
}

// smallSnapshots returns two snapshots of the small panel, made once: as it was
// two weeks before the end, and the same brought up to date.
var smallSnapshots = sync.OnceValues(func() (before, after string) {
	demo() // makes the folder that TestMain removes
	d, events := small()
	before, after = filepath.Join(demoDir, "before.db"), filepath.Join(demoDir, "after.db")
	cut := panel.DateOf(2026, 11, 2).Time(panel.Toronto)
	if err := errors.Join(
		writePanel(d, events, filepath.Join(demoDir, "before"), before, cut),
		copyFile(before, after),
		writePanel(d, events, filepath.Join(demoDir, "after"), after, testNow),
	); err != nil {
		panic(err)
	}
	return before, after
})

func copyFile(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o600)
}
