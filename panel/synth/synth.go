// Package synth makes up a price panel: invented chains, invented prices, and one of each thing
// that a reader of a real collection sees (file odd.go).
//
// The same Config gives the same panel, to the last digit, on every platform: prices are whole
// cents, factors whole millionths, and nothing reads the clock. Rows are computed a week at a
// time when they are asked for, so ten years of them need no memory.
package synth

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
)

// Config says which panel to generate. A zero means the default; Through has none.
type Config struct {
	Seed    uint64     // default DefaultSeed
	Through panel.Date // the last day with prices, in Toronto
	Weeks   int        // closed weeks; default: from panel.DefaultBaseWeek on, at least 4
	Stores  int        // default DefaultStores
}

var clock panel.Calendar // of all panels

// DefaultSeed is the seed of the demo panel.
const DefaultSeed = 1

// coverageNote says what the index of the panel leaves out.
const coverageNote = "The panel is not a census: the index excludes two large mass-market retailers (Bigfathom and " +
	"Broadmoose) and three chains that only shopping lists compare (Cornerlynx, Dépôt Gris and Farmgatebox); one " +
	"discount retailer (Nickelbasket) is partial, and prices are made up as online list prices. Separately verified " +
	"prices of Broadmoose appear in /api/v1/prices with their own dates and coverage."

// Version changes whenever the same Config begins to give another panel.
const Version = 9

const (
	maxWeeks  = 2600   // fifty years
	maxStores = 20_000 // more than a country has
)

// Data is a synthetic panel. Weeks are numbered from the base week, 0. Week -1 is the run-up to
// it, and the week after the closed ones is still open.
type Data struct {
	Config   // with its defaults filled in
	BaseWeek panel.Week
	Settings []panel.Setting // by key; they say that all of it is invented
	Products []basket.Product
	Cities   []basket.City
	Banners  []basket.Banner
	Stores   []panel.Store
	Listings []panel.Listing
	Specs    []basket.Spec
	Pilot    []panel.PilotRow

	country  country
	stores   []store
	listings []*listing
	trend    [][]int64 // the country's price level by product, then week + lead
}

// Generate returns the panel of the given configuration. It fails when the
// configuration can't be met, and says which values can.
//
// The base week is the first of the Weeks closed weeks, and the last of them the newest that has
// closed by Through. Observations run from the evening before the base week to the end of
// Through, so the open week is there as far as it goes.
func Generate(cfg Config) (*Data, error) {
	cfg.Seed = cmp.Or(cfg.Seed, DefaultSeed)
	cfg.Stores = cmp.Or(cfg.Stores, DefaultStores)
	first, last := panel.DateOf(1980, 1, 1), panel.DateOf(2150, 1, 1)
	closed := clock.LastClosed(clock.Start(cfg.Through))
	if cfg.Weeks == 0 {
		cfg.Weeks = max(int(closed-panel.DefaultBaseWeek)/7+1, 4)
	}
	switch {
	case cfg.Through < first || cfg.Through > last:
		return nil, fmt.Errorf("synth: through %s is not from %s to %s", cfg.Through, first, last)
	case cfg.Weeks < 1 || cfg.Weeks > maxWeeks:
		return nil, fmt.Errorf("synth: %d weeks; use 1 to %d", cfg.Weeks, maxWeeks)
	case cfg.Stores < 1 || cfg.Stores > maxStores:
		return nil, fmt.Errorf("synth: %d stores; use 1 to %d", cfg.Stores, maxStores)
	}
	base := closed.Add(1 - cfg.Weeks)
	d := &Data{
		Config: cfg, BaseWeek: base, country: newCountry(),
		Settings: []panel.Setting{
			{Key: "base_week", Value: base.String()},
			{Key: "coverage_note", Value: coverageNote},
			{Key: "publisher", Value: "Larder demonstration (invented)"},
			{Key: "source", Value: "Larder demonstration"},
			{Key: "synthetic", Value: "1"},
			{Key: "weights_period", Value: base.Date().String()[:4]},
			{Key: "weights_source", Value: "invented for the demo"},
		},
		Products: basket.Canada().Products, Cities: basket.Canada().Cities, Specs: basket.Canada().Specs,
	}
	d.build()
	without := func(c basket.City) bool {
		return !slices.ContainsFunc(d.Stores, func(s panel.Store) bool { return s.City == c.Slug })
	}
	if !slices.ContainsFunc(d.Cities, without) {
		d.Settings[3].Value += ", Canada"
	}
	d.pilot()
	return d, nil
}

// WriteDir writes the data as a panel directory, into a new or an empty folder.
// A write that fails leaves nothing behind.
func (d *Data) WriteDir(dir string) error {
	return csvdir.WriteDir(dir, func(w *csvdir.Writer) error {
		return cmp.Or(
			csvdir.WriteSorted(w, csvdir.Settings, d.Settings),
			csvdir.WriteSorted(w, csvdir.Products, d.Products),
			csvdir.WriteSorted(w, csvdir.Cities, d.Cities),
			csvdir.WriteSorted(w, csvdir.Banners, d.Banners),
			csvdir.WriteSorted(w, csvdir.Stores, d.Stores),
			csvdir.WriteSorted(w, csvdir.Listings, d.Listings),
			csvdir.WriteSorted(w, csvdir.Specs, d.Specs),
			csvdir.WriteSorted(w, csvdir.Pilot, d.Pilot),
			csvdir.Write(w, csvdir.Observations, d.Observations()),
		)
	})
}

// pilot makes the rows of the pilot series: the Sundays of March to June 2026, up to Through.
func (d *Data) pilot() {
	last := min(panel.DateOf(2026, 6, 30), d.Through)
	for i, at := range []site{{}, {city: "montreal"}, {city: "toronto"}, {"toronto", "northlarch"}} {
		for _, c := range basket.Categories(nil).Slices() {
			level := int64(one) // in ten-thousandths: 100
			for week := panel.Week(panel.DateOf(2026, 3, 1)); week.Date() <= last; week = week.Add(1) {
				d.Pilot = append(d.Pilot, panel.PilotRow{
					Date: week, City: at.city, Banner: at.banner, Category: c.Slug(),
					IndexValue: panel.FixedOf(level), ItemCount: -1, TotalItems: -1,
				})
				level += d.draw(-3500, 4500, "pilot", i, c.Index(), int(week))
			}
		}
	}
}
