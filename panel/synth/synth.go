package synth

import (
	"fmt"
	"iter"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Config says which panel to generate. The zero value of a member means its
// default; Through has none.
type Config struct {
	Seed    uint64     // default DefaultSeed
	Through panel.Date // the last day that is observed, in Toronto
	Weeks   int        // closed weeks; default: from panel.DefaultBaseWeek on, at least 4
	Stores  int        // default DefaultStores
}

// DefaultSeed is the seed of the demo panel.
const DefaultSeed = 1

// Version changes whenever the same Config begins to give another panel.
const Version = 3

const (
	minDefaultWeeks = 4
	maxWeeks        = 2600   // fifty years
	maxStores       = 20_000 // more than a country has
)

// Data is a synthetic panel. Its lists are the caller's to read, not to change:
// the observations are computed from them as they are asked for.
type Data struct {
	Config   Config // with its defaults filled in
	BaseWeek panel.Week
	Products []basket.Product
	Cities   []basket.City
	Banners  []basket.Banner
	Stores   []panel.Store
	Listings []panel.Listing
	Specs    []basket.Spec
	Pilot    []panel.PilotRow

	planted []Plant
	world   *world
}

// Generate returns the panel of the given configuration.
//
// The base week is the first of the Weeks closed weeks, the last of which is
// the newest that has closed by Through: with Through in November 2026 and
// Weeks left at 0 that is panel.DefaultBaseWeek. Observations run from the
// evening before the base week to the end of Through, so the open week is there
// as far as it goes.
func Generate(cfg Config) (*Data, error) {
	if cfg.Seed == 0 {
		cfg.Seed = DefaultSeed
	}
	if cfg.Stores == 0 {
		cfg.Stores = DefaultStores
	}
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
	d := &Data{Config: cfg, BaseWeek: closed.Add(1 - cfg.Weeks), Cities: basket.Canada().Cities}
	d.world = newWorld(cfg, d.BaseWeek, cfg.Weeks)
	d.planted = d.world.plant()
	d.Products = d.world.products
	for _, c := range d.world.chains {
		d.Banners = append(d.Banners, c.Banner)
	}
	for i := range d.world.stores {
		d.Stores = append(d.Stores, d.world.stores[i].Store)
	}
	for _, l := range d.world.listings {
		d.Listings = append(d.Listings, l.Listing)
	}
	d.Specs = basket.CanadaSpecs()
	d.Pilot = d.world.pilot()
	return d, nil
}

// Observations yields every observation by time, then id; ids ascend. The
// verdict is the one that the quality gate should reach over the whole panel:
// rows of planted wrong listings and prices are quarantined, single rows with
// another title or pack fail identity, all others pass.
// It can be ranged over any number of times, by several goroutines at once.
func (d *Data) Observations() iter.Seq[panel.Observation] { return d.world.rows() }

// Panel builds the in-memory panel of the data, with the verdicts of
// Observations.
func (d *Data) Panel() (*panel.Panel, error) {
	b := panel.NewBuilder(d.BaseWeek)
	if err := addAll(b.AddProduct, d.Products); err != nil {
		return nil, err
	}
	if err := addAll(b.AddCity, d.Cities); err != nil {
		return nil, err
	}
	if err := addAll(b.AddBanner, d.Banners); err != nil {
		return nil, err
	}
	if err := addAll(b.AddStore, d.Stores); err != nil {
		return nil, err
	}
	if err := addAll(b.AddListing, d.Listings); err != nil {
		return nil, err
	}
	if err := addAll(b.AddPilot, d.Pilot); err != nil {
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
