package synth

import (
	"iter"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
)

// WriteDir writes the data as a panel directory at a place where there is
// nothing yet, or an empty folder. Verdicts and plants are not part of it:
// deriving them is the reader's work.
func (d *Data) WriteDir(dir string) error {
	w, err := csvdir.Create(dir, csvdir.WriteOptions{})
	if err != nil {
		return err
	}
	defer w.Abort()
	settings := []panel.Setting{{Key: "base_week", Value: d.BaseWeek.String()}}
	for _, write := range []func() error{
		func() error { return csvdir.WriteSorted(w, csvdir.Settings, settings) },
		func() error { return csvdir.WriteSorted(w, csvdir.Products, d.Products) },
		func() error { return csvdir.WriteSorted(w, csvdir.Cities, d.Cities) },
		func() error { return csvdir.WriteSorted(w, csvdir.Banners, d.Banners) },
		func() error { return csvdir.WriteSorted(w, csvdir.Stores, d.Stores) },
		func() error { return csvdir.WriteSorted(w, csvdir.Listings, d.Listings) },
		func() error { return csvdir.Write(w, csvdir.Observations, pointers(d.Observations())) },
		func() error { return csvdir.WriteSorted(w, csvdir.Specs, d.Specs) },
		func() error { return csvdir.WriteSorted(w, csvdir.Pilot, d.Pilot) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return w.Commit()
}

// pointers yields the address of one copy of each value in turn.
func pointers(rows iter.Seq[panel.Observation]) iter.Seq2[*panel.Observation, error] {
	return func(yield func(*panel.Observation, error) bool) {
		var o panel.Observation
		for o = range rows {
			if !yield(&o, nil) {
				return
			}
		}
	}
}
