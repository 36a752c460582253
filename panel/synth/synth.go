// Package synth makes up a price panel: invented chains, invented prices, and one or more of
// each oddity of real collections (file odd.go).
//
// The caller chooses the seed, the last day, the number of weeks and the number of stores.
// The same Config gives the same panel, to the last digit, on every platform: all arithmetic
// on prices is in whole cents and millionths. Nothing reads the clock. Rows are computed a
// week at a time when they are asked for, so ten years of them need no memory.
//
// The default panel has 146 stores of 26 banners in thirteen cities. Prices rise by a few
// percent a year, swing with the season where food grows on fields, are set every few weeks,
// end in 9 or 7, and are cut by 10 to 30 percent now and then.
package synth

import (
	"cmp"
	"fmt"
	"iter"
	"sync"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
)

// Config says which panel to generate. The zero value of a member means its
// default; Through has no default.
type Config struct {
	Seed    uint64     // default DefaultSeed
	Through panel.Date // the last day with prices, in Toronto
	Weeks   int        // closed weeks; default: from panel.DefaultBaseWeek on, at least 4
	Stores  int        // default DefaultStores
}

// DefaultSeed is the seed of the demo panel.
const DefaultSeed = 1

// Version changes whenever the same Config begins to give another panel.
const Version = 6

const (
	minDefaultWeeks = 4
	maxWeeks        = 2600   // fifty years
	maxStores       = 20_000 // more than a country has
)

// Data is a synthetic panel. Callers read its lists and leave them unchanged:
// the observations are computed from them on demand.
type Data struct {
	Config   Config // with its defaults filled in
	BaseWeek panel.Week
	Settings []panel.Setting // by key; they say that all of it is invented
	Products []basket.Product
	Cities   []basket.City
	Banners  []basket.Banner
	Stores   []panel.Store
	Listings []panel.Listing
	Specs    []basket.Spec
	Pilot    []panel.PilotRow

	Annotations []panel.Annotation // events that say that they are invented

	world *world
	gate  func() *panel.Gate // made once
}

// Generate returns the panel of the given configuration. It fails when the
// configuration can't be met, and says which values can.
//
// The base week is the first of the Weeks closed weeks. The last of them is the
// newest that has closed by Through. So with Through in November 2026 and Weeks
// left at 0, the base week is panel.DefaultBaseWeek. Observations run from the
// evening before the base week to the end of Through, so the open week is there
// as far as it goes.
func Generate(cfg Config) (*Data, error) {
	cfg.Seed = cmp.Or(cfg.Seed, DefaultSeed)
	cfg.Stores = cmp.Or(cfg.Stores, DefaultStores)
	first, last := panel.DateOf(1980, 1, 1), panel.DateOf(2150, 1, 1)
	closed := panel.LastClosed(cfg.Through.Time(panel.Toronto))
	if cfg.Weeks == 0 {
		cfg.Weeks = max(int(closed-panel.DefaultBaseWeek)/7+1, minDefaultWeeks)
	}
	switch {
	case cfg.Through < first || cfg.Through > last:
		return nil, fmt.Errorf("synth: through %s is not from %s to %s", cfg.Through, first, last)
	case cfg.Weeks < 1 || cfg.Weeks > maxWeeks:
		return nil, fmt.Errorf("synth: %d weeks; use 1 to %d", cfg.Weeks, maxWeeks)
	case cfg.Stores < 1 || cfg.Stores > maxStores:
		return nil, fmt.Errorf("synth: %d stores; use 1 to %d", cfg.Stores, maxStores)
	}
	w := newWorld(cfg, closed.Add(1-cfg.Weeks))
	w.plant()
	d := &Data{
		Config: cfg, BaseWeek: w.base, world: w,
		Settings: []panel.Setting{
			{Key: panel.KeyBaseWeek, Value: w.base.String()},
			{Key: panel.KeyPublisher, Value: "Larder demonstration (invented)"},
			{Key: panel.KeySource, Value: "Larder demonstration, Canada"},
			{Key: panel.KeySynthetic, Value: "1"},
		},
		Products: w.products, Cities: basket.Canada().Cities, Specs: basket.Canada().Specs, Pilot: w.pilot(),
		Annotations: []panel.Annotation{
			{
				Date: w.base.Add(cfg.Weeks/3).Date() - 3, Series: "national.dairy",
				Text: "Invented: a new dairy opens", TextFr: "Inventé : ouverture d’une laiterie",
			},
			{
				Date: w.base.Add(cfg.Weeks*2/3).Date() - 2,
				Text: "Invented: truck drivers on strike", TextFr: "Inventé : grève des camionneurs",
			},
		},
	}
	d.gate = sync.OnceValue(d.judge)
	for _, c := range w.Chains {
		d.Banners = append(d.Banners, c.Banner)
	}
	for i := range w.stores {
		d.Stores = append(d.Stores, w.stores[i].Store)
	}
	for _, l := range w.listings {
		d.Listings = append(d.Listings, l.Listing)
	}
	return d, nil
}

// Observations yields every observation by time, then id; ids ascend. Each has the verdict of
// the quality gate over the whole panel. Several goroutines may range over it at once, any
// number of times.
func (d *Data) Observations() iter.Seq[panel.Observation] {
	return func(yield func(panel.Observation) bool) {
		gate := d.gate()
		for o := range d.world.rows() {
			if o.Verdict = gate.Screen(o.Label()).Verdict(o.Store, o.ID, o.ObservedAt); !yield(o) {
				return
			}
		}
	}
}

// judge returns the quality gate with what its rules find in the panel.
func (d *Data) judge() *panel.Gate {
	gate := panel.NewGate(d.Products, d.Stores, d.Listings, d.Specs, nil)
	found := panel.NewDerivation(gate, d.Banners, d.Stores)
	for o := range d.world.rows() {
		found.Add(gate.Screen(o.Label()), o.Store, o.ID, o.Effective, o.ObservedAt)
	}
	return panel.NewGate(d.Products, d.Stores, d.Listings, d.Specs, found.Entries())
}

// Panel builds the in-memory panel of the data, with the verdicts of Observations.
func (d *Data) Panel() (*panel.Panel, error) {
	b := panel.NewBuilder(d.BaseWeek)
	err := cmp.Or(
		addAll(b.AddSetting, d.Settings),
		addAll(b.AddProduct, d.Products), addAll(b.AddCity, d.Cities), addAll(b.AddBanner, d.Banners),
		addAll(b.AddStore, d.Stores), addAll(b.AddListing, d.Listings), addAll(b.AddPilot, d.Pilot), addAll(b.AddAnnotation, d.Annotations),
	)
	if err != nil {
		return nil, err
	}
	for o := range d.Observations() {
		if err := b.Observe(&o); err != nil {
			return nil, err
		}
	}
	return b.Build()
}

func addAll[T any](add func(T) error, list []T) error {
	for _, x := range list {
		if err := add(x); err != nil {
			return err
		}
	}
	return nil
}

// WriteDir writes the data as a panel directory, into a new or an empty folder.
// A write that fails leaves nothing behind.
func (d *Data) WriteDir(dir string) error {
	w, err := csvdir.Create(dir, csvdir.WriteOptions{})
	if err != nil {
		return err
	}
	defer w.Abort()
	observations := func(yield func(*panel.Observation, error) bool) {
		for o := range d.world.rows() {
			if !yield(&o, nil) {
				return
			}
		}
	}
	err = cmp.Or(
		csvdir.WriteSorted(w, csvdir.Settings, d.Settings),
		csvdir.WriteSorted(w, csvdir.Products, d.Products),
		csvdir.WriteSorted(w, csvdir.Cities, d.Cities),
		csvdir.WriteSorted(w, csvdir.Banners, d.Banners),
		csvdir.WriteSorted(w, csvdir.Stores, d.Stores),
		csvdir.WriteSorted(w, csvdir.Listings, d.Listings),
		csvdir.Write(w, csvdir.Observations, observations),
		csvdir.WriteSorted(w, csvdir.Specs, d.Specs),
		csvdir.WriteSorted(w, csvdir.Pilot, d.Pilot),
		csvdir.WriteSorted(w, csvdir.Annotations, d.Annotations),
	)
	if err != nil {
		return err
	}
	return w.Commit()
}
