// Package apitest has the fixtures of tests of the API: panels, a server under test on a real
// connection, and a recorder that checks every response against the OpenAPI document.
package apitest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/jevons/release/folder"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
	"github.com/larder-index/larder/shrink"
)

// Now is a Friday noon in Toronto. The week published last is 2026-11-15.
var Now = time.Date(2026, 11, 20, 17, 0, 0, 0, time.UTC)

// dir is the folder of the panels that tests share. Run removes it.
var dir = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "larder-apitest-*")
	must(err)
	return dir
})

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// Run runs the tests, then removes the panels that they shared. It fails a run of all tests that left a documented
// response untried.
func Run(m *testing.M) int {
	debug.SetMemoryLimit(1200 << 20) // collects more often when snapshots of several tests are in memory
	code := checkCoverage(m.Run())
	os.RemoveAll(dir())
	return code
}

// Demo is the panel that most tests serve, and its snapshot. They are made once. It is the
// synthetic panel with a retired listing, an inactive product, and rows with another thing's
// title or an impossible regular price.
var Demo = sync.OnceValues(func() (*Market, string) {
	d, err := synth.Generate(synth.Config{Through: panel.Calendar{}.DateIn(Now)})
	must(err)
	m := market(d, func(*panel.Observation) bool { return true })
	former := d.Products[3]
	former.ID, former.Name, former.Active = 51, "Soft margarine, 454 g", false
	m.Settings = d.Settings[1:]
	m.Products = append(slices.Clone(d.Products), former)
	m.Listings = slices.Clone(d.Listings)
	m.Listings[60].Active, m.Listings[140].ProductID = false, 51
	for i := range m.Rows {
		o := &m.Rows[i]
		switch i % 5000 {
		case 0:
			o.ScrapedName = "Chocolate Cake"
		case 1, 2: // of another pack, or of a case
			o.OnSale, o.Sale, o.SaleEndsOn, o.SaleCondition = true, o.Effective, 0, panel.NoCondition
			if o.Regular = o.Effective * 4 / 5; i%5000 == 2 {
				o.Regular = o.Effective * 5
			}
		}
	}
	folder := filepath.Join(dir(), "demo")
	must(m.Write(folder))
	return m, importFolder(folder)
})

// Other is a snapshot that differs from the demo's.
var Other = sync.OnceValue(func() string {
	d, err := synth.Generate(synth.Config{Seed: 7, Weeks: 3, Through: panel.Calendar{}.DateIn(Now)})
	must(err)
	return importData("other", d)
})

// Long is a snapshot of a few stores and over a year of weeks.
var Long = sync.OnceValue(func() string {
	d, err := synth.Generate(synth.Config{Weeks: 60, Stores: 40, Through: panel.Calendar{}.DateIn(Now)})
	must(err)
	return importData("long", d)
})

func importData(name string, d *synth.Data) string {
	folder := filepath.Join(dir(), name)
	must(d.WriteDir(folder))
	return importFolder(folder)
}

func importFolder(folder string) string {
	db := folder + ".db"
	_, err := sqlite.Import(context.Background(), folder, db, sqlite.ImportOptions{Strict: true, Detect: shrink.Detect})
	must(err)
	return db
}

// Small is a smaller panel than the demo. It has many imported events of all kinds beside
// those of the detector.
var Small = sync.OnceValues(func() (*synth.Data, []panel.ShrinkEvent) {
	d, err := synth.Generate(synth.Config{Through: panel.Calendar{}.DateIn(Now), Stores: 80})
	must(err)
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
			// Many events share a second.
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

// SmallSnapshots are two snapshots of the small panel: one of 2 November, and the same with
// all later rows.
var SmallSnapshots = sync.OnceValues(func() (before, after string) {
	d, events := Small()
	write := func(name string, until time.Time) string {
		m := market(d, func(o *panel.Observation) bool { return o.ObservedAt.Before(until) })
		for _, e := range events {
			if e.DetectedAt.Before(until) {
				m.Events = append(m.Events, e)
			}
		}
		folder := filepath.Join(dir(), name)
		must(m.Write(folder))
		return folder
	}
	older, newer := write("before", panel.Calendar{}.Start(panel.DateOf(2026, 11, 2))), write("after", Now)
	before, after = older+".db", newer+".db"
	_, err := sqlite.Import(context.Background(), older, before, sqlite.ImportOptions{Strict: true, Detect: shrink.Detect})
	must(err)
	must(os.WriteFile(after, Read(before), 0o600))
	_, err = sqlite.Import(context.Background(), newer, after, sqlite.ImportOptions{Strict: true, Detect: shrink.Detect})
	must(err)
	return before, after
})

// Market is a small panel in the making.
type Market struct {
	Base       panel.Week        // default panel.DefaultBaseWeek
	Settings   []panel.Setting   // beside the base week
	Categories basket.Categories // nil: the nine
	Products   []basket.Product
	Cities     []basket.City
	Banners    []basket.Banner
	Stores     []panel.Store
	Listings   []panel.Listing
	Specs      []basket.Spec
	Pilot      []panel.PilotRow
	Events     []panel.ShrinkEvent
	Rows       []panel.Observation
}

// market has the rows of a synthetic panel that are in, with all that they refer to.
func market(d *synth.Data, in func(*panel.Observation) bool) *Market {
	m := &Market{
		Base: d.BaseWeek, Products: d.Products, Cities: d.Cities, Banners: d.Banners, Stores: d.Stores,
		Listings: d.Listings, Specs: d.Specs, Pilot: d.Pilot,
	}
	for o := range d.Observations() {
		if in(o) {
			m.Rows = append(m.Rows, *o)
		}
	}
	return m
}

// Write writes the panel into a folder.
func (m *Market) Write(folder string) error {
	return csvdir.WriteDir(folder, func(w *csvdir.Writer) error {
		return errors.Join(
			csvdir.WriteSorted(w, csvdir.Settings, append(m.Settings, panel.Setting{Key: "base_week", Value: cmp.Or(m.Base, panel.DefaultBaseWeek).String()})),
			csvdir.WriteSorted(w, csvdir.Categories, m.Categories),
			csvdir.WriteSorted(w, csvdir.Products, m.Products),
			csvdir.WriteSorted(w, csvdir.Cities, m.Cities),
			csvdir.WriteSorted(w, csvdir.Banners, m.Banners),
			csvdir.WriteSorted(w, csvdir.Stores, m.Stores),
			csvdir.WriteSorted(w, csvdir.Listings, m.Listings),
			csvdir.WriteSorted(w, csvdir.Specs, m.Specs),
			csvdir.WriteSorted(w, csvdir.Pilot, m.Pilot),
			csvdir.WriteSorted(w, csvdir.ShrinkEvents, m.Events),
			csvdir.WriteSorted(w, csvdir.Observations, m.Rows),
		)
	})
}

// Snapshot imports the panel and returns the path of its snapshot.
func (m *Market) Snapshot(t testing.TB) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "panel")
	if err := m.Write(folder); err != nil {
		t.Fatal(err)
	}
	return Import(t, folder)
}

// Import makes a snapshot of a good panel folder.
func Import(t testing.TB, folder string) string {
	t.Helper()
	db := filepath.Join(t.TempDir(), "panel.db")
	if _, err := sqlite.Import(context.Background(), folder, db, sqlite.ImportOptions{Strict: true, Detect: shrink.Detect}); err != nil {
		t.Fatal(err)
	}
	return db
}

// Read returns the content of an existing file.
func Read(path string) []byte {
	b, err := os.ReadFile(path)
	must(err)
	return b
}

// Replace puts content in the place of a file, as an import does.
func Replace(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := errors.Join(os.WriteFile(path+".new", content, 0o644), os.Rename(path+".new", path)); err != nil {
		t.Fatal(err)
	}
}

// elsewhere are the cities of Elsewhere by those of the synthetic panel.
var elsewhere = map[string]basket.City{
	"vancouver": {Slug: "muenchen", Name: "München", Province: "BY"},
	"montreal":  {Slug: "hamburg", Name: "Hamburg", Province: "HH"},
	"toronto":   {Slug: "berlin", Name: "Berlin", Province: "BE"},
}

// ownCategories are the categories of Elsewhere by those of the synthetic panel.
var ownCategories = map[string]string{
	"dairy": "frisch", "produce_fruit": "frisch", "produce_veg": "frisch", "meat": "fleisch", "bakery": "brot",
	"pantry": "vorrat", "frozen": "vorrat", "beverages": "vorrat", "household": "haushalt",
}

// Elsewhere is the panel of a publisher in Germany, and its snapshot: three cities, prices in euros, Berlin's clock, five
// categories, and ids of products up to 700. Its shops and prices are invented, and it says so.
var Elsewhere = sync.OnceValues(func() (*Market, string) {
	d, err := synth.Generate(synth.Config{Through: panel.Calendar{}.DateIn(Now)})
	must(err)
	d.Pilot = nil
	stores := map[int64]bool{}
	d.Stores = slices.DeleteFunc(slices.Clone(d.Stores), func(s panel.Store) bool { return elsewhere[s.City].Slug == "" })
	for i := range d.Stores {
		d.Stores[i].City, stores[d.Stores[i].ID] = elsewhere[d.Stores[i].City].Slug, true
	}
	m := market(d, func(o *panel.Observation) bool { return stores[o.Store] })
	m.Settings = nil
	for _, x := range [][2]string{
		{"country", "DE"}, {"currency", "EUR"}, {"time_zone", "Europe/Berlin"}, {"place", "Deutschland"}, {"synthetic", "1"},
		{"publisher", "Beispielverlag (erfunden)"}, {"source", "Erfundene Preise"}, {"contact", "post@example.org"},
	} {
		m.Settings = append(m.Settings, panel.Setting{Key: x[0], Value: x[1]})
	}
	m.Cities = nil
	for _, c := range elsewhere {
		m.Cities = append(m.Cities, c)
	}
	m.Banners = slices.Clone(d.Banners)
	for i := range m.Banners {
		m.Banners[i].Retailer = strings.TrimSuffix(m.Banners[i].Retailer, " Canada")
	}
	m.Categories = basket.Categories{{Slug: "frisch", Name: "Fresh food", NameFr: "Frais"}, {Slug: "fleisch", Name: "Meat", NameFr: "Viande"},
		{Slug: "brot", Name: "Bread", NameFr: "Pain"}, {Slug: "vorrat", Name: "Cupboard", NameFr: "Réserve"}, {Slug: "haushalt", Name: "Home", NameFr: "Maison"}}
	const apart = 14 // ids of products
	m.Products, m.Listings, m.Specs = slices.Clone(d.Products), slices.Clone(d.Listings), slices.Clone(d.Specs)
	for i := range m.Products {
		m.Products[i].ID *= apart
		m.Products[i].Category = ownCategories[m.Products[i].Category]
	}
	for i := range m.Listings {
		m.Listings[i].ProductID *= apart
	}
	for i := range m.Specs {
		m.Specs[i].ProductID *= apart
	}
	path := filepath.Join(dir(), "elsewhere")
	must(m.Write(path))
	return m, importFolder(path)
})

var elsewhereReleased = sync.OnceValue(func() *prepared.Snapshots {
	_, db := Elsewhere()
	return released("elsewhere-released", db)
})

// elsewherePublished is the folder of that release.
var elsewherePublished = sync.OnceValue(func() string {
	elsewhereReleased()
	files, site := filepath.Join(dir(), "elsewhere-released"), filepath.Join(dir(), "elsewhere-site")
	_, err := folder.Publish(context.Background(), site, filepath.Join(files, "live.db"), filepath.Join(files, "releases.db"))
	must(err)
	return site
})

// ServeElsewhere starts a server on the snapshot of Elsewhere, which was released at Now. It checks responses against
// the OpenAPI document that the server itself gives.
func ServeElsewhere(t testing.TB, change ...func(*httpapi.Config)) *Server {
	t.Helper()
	change = append(change, func(c *httpapi.Config) { c.Publish = elsewherePublished() })
	f := start(t, "", change, func(func() time.Time) *prepared.Snapshots { return elsewhereReleased() })
	r, err := http.Get(f.HTTP.URL + "/openapi.json")
	must(err)
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	must(err)
	f.Document = strict(text)
	return f
}
