//go:build browser

package httpapi

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
	"github.com/larder-index/larder/panel/sqlite"
)

// situation is a city whose prices lead to one answer. Its chains are alder, birch and
// cedar, which sell the items 1, 3 and 4 at the given prices: "-" is none, a size may
// follow. The standard sizes are 750 g, 4 L and 454 g, and prices are of those.
type situation struct {
	city           string
	prices         []string // by chain
	recommendation string
	split          string
}

const situationItems = "1,3,4"

// situations has every status of a recommendation and of a split, by hand.
var situations = []situation{
	{"vancouver", []string{"10 20 30", "12 25 35"}, "lowest", "no_saving"},
	{"calgary", []string{"10 20 30", "10 20.10 30"}, "too_close_to_call", "no_saving"},
	// At the shelf 8.00 + 20 + 30 against 59.50, at standard sizes 60 against 59.50.
	{"edmonton", []string{"10/600g 20 30", "9 20.50 30"}, "size_basis_disagrees", "no_saving"},
	{"saskatoon", []string{"10 20 30", "10/600g 25 35"}, "lowest", "size_basis_disagrees"},
	{"st-johns", []string{"10 20 30"}, "insufficient_coverage", "one_chain"},
	{"winnipeg", []string{"10 20 -", "- 15 30", "- - 40"}, "insufficient_coverage", "covers_list"}, // 55.00, or 70.00 with cedar
	{"toronto", []string{"10 - -", "- 15 -", "- - 20"}, "insufficient_coverage", "insufficient_coverage"},
	{"ottawa", []string{"10 - 20", "- - 30"}, "insufficient_coverage", "insufficient_coverage"},         // nobody has milk
	{"montreal", []string{"10 20 30", "20 10 40"}, "lowest", "saves"},                                   // of a single pair
	{"quebec-city", []string{"10 20 30", "20 10 40", "30 30 25"}, "lowest", "saves"},                    // 50.00, the others 55.00
	{"charlottetown", []string{"10 20 -", "- 15 30", "- 14 -"}, "insufficient_coverage", "covers_list"}, // of a single pair
	// At the shelf 60.00 with alder and 61.50 with cedar, at standard sizes 62.50 and 61.50.
	{"moncton", []string{"12.50/600g 20 -", "- 25 30", "11.50 20 -"}, "insufficient_coverage", "size_basis_disagrees"},
	{"halifax", []string{"20 20 10.50", "- - 10", "20.10 20.10 -"}, "insufficient_coverage", "saves"}, // close, all of them
}

// situationSnapshot imports the situations.
func situationSnapshot(t testing.TB) string {
	t.Helper()
	world := basket.Canada()
	m := &market{Products: world.Products, Cities: world.Cities}
	for _, key := range []string{"alder", "birch", "cedar"} {
		m.banners = append(m.banners, basket.Banner{Key: key, Name: strings.ToUpper(key[:1]) + key[1:], Retailer: key, InIndex: true, InShopper: true})
	}
	for _, s := range situations {
		for i, list := range s.prices {
			m.stores = append(m.stores, panel.Store{ID: int64(len(m.stores) + 1), Banner: m.banners[i].Key, City: s.city, Active: true, LocationCertain: true})
			for k, text := range strings.Fields(list) {
				price, size, _ := strings.Cut(text, "/")
				if price == "-" {
					continue
				}
				m.listings = append(m.listings, panel.Listing{ID: int64(len(m.listings) + 1), ProductID: []int{1, 3, 4}[k], Banner: m.banners[i].Key, Active: true})
				m.rows = append(m.rows, panel.Observation{
					ID: int64(len(m.rows) + 1), Listing: int64(len(m.listings)), Store: int64(len(m.stores)),
					Effective: dollarsOf(t, price), PackageSize: size, InStock: panel.Yes, ObservedAt: testNow.AddDate(0, 0, -1),
				})
			}
		}
	}
	return m.snapshot(t)
}

// market is a small panel in the making.
type market struct {
	Products []basket.Product
	Cities   []basket.City
	banners  []basket.Banner
	stores   []panel.Store
	listings []panel.Listing
	rows     []panel.Observation
}

func (m *market) snapshot(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	w, err := csvdir.Create(filepath.Join(dir, "panel"), csvdir.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for _, err := range []error{
		csvdir.WriteSorted(w, csvdir.Settings, []csvdir.Setting{{Key: "base_week", Value: panel.DefaultBaseWeek.String()}}),
		csvdir.WriteSorted(w, csvdir.Products, m.Products), csvdir.WriteSorted(w, csvdir.Cities, slices.Clone(m.Cities)),
		csvdir.WriteSorted(w, csvdir.Banners, m.banners), csvdir.WriteSorted(w, csvdir.Stores, m.stores),
		csvdir.WriteSorted(w, csvdir.Listings, m.listings), csvdir.WriteSorted(w, csvdir.Observations, m.rows), w.Commit(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return imported(t, filepath.Join(dir, "panel"))
}

// imported makes a snapshot of a panel directory that is free of faults.
func imported(t testing.TB, dir string) string {
	t.Helper()
	db := filepath.Join(t.TempDir(), "panel.db")
	if _, err := sqlite.Import(context.Background(), dir, db, sqlite.ImportOptions{Strict: true}); err != nil {
		t.Fatal(err)
	}
	return db
}

func dollarsOf(t testing.TB, text string) panel.Price {
	t.Helper()
	p, err := panel.ParsePrice(text)
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", text, err))
	}
	return p
}
