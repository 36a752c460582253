package browser

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/panel"
)

// testStatuses opens a list in each situation and compares all that is shown with the
// API's bodies.
func testStatuses(t *testing.T, b *browser) {
	f := serve(t, situationSnapshot(t), apitest.Ample)
	seen := map[string]bool{}
	for _, s := range situations {
		t.Run(s.city, func(t *testing.T) {
			list := apitest.List(t, s.city, situationItems)
			want := f.answers(list)
			if want.Recommendation.Status != s.recommendation || want.split.Status != s.split {
				t.Fatalf("the prices lead to %s and %s, want %s and %s", want.Recommendation.Status, want.split.Status, s.recommendation, s.split)
			}
			x := b.open(t, f.API.BaseURL)
			x.visit(apitest.PageURL("", list))
			x.compared(want)
			look := x.glance
			if !seen[s.recommendation] {
				look = x.everywhere
			}
			look("shopper-" + s.recommendation + "-" + s.split + "-" + s.city)
		})
		seen[s.recommendation], seen["split "+s.split] = true, true
	}
	all := []string{
		"insufficient_coverage", "lowest", "size_basis_disagrees", "split covers_list", "split insufficient_coverage",
		"split no_saving", "split one_chain", "split saves", "split size_basis_disagrees", "too_close_to_call",
	}
	if got := slices.Sorted(maps.Keys(seen)); !slices.Equal(got, all) {
		t.Errorf("statuses %q, want %q", got, all)
	}
}

// situation is a city whose prices lead to one answer. Its chains are alder, birch and
// cedar, which sell the items 1, 3 and 4 at the given prices: "-" is no price, a size may
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
	m := &apitest.Market{Products: world.Products, Cities: world.Cities}
	for _, key := range []string{"alder", "birch", "cedar"} {
		m.Banners = append(m.Banners, basket.Banner{Key: key, Name: strings.ToUpper(key[:1]) + key[1:], Retailer: key, InIndex: true, InShopper: true})
	}
	for _, s := range situations {
		for i, list := range s.prices {
			m.Stores = append(m.Stores, panel.Store{ID: int64(len(m.Stores) + 1), Banner: m.Banners[i].Key, City: s.city, Active: true, LocationCertain: true})
			for k, text := range strings.Fields(list) {
				price, size, _ := strings.Cut(text, "/")
				if price == "-" {
					continue
				}
				m.Listings = append(m.Listings, panel.Listing{ID: int64(len(m.Listings) + 1), ProductID: []int64{1, 3, 4}[k], Banner: m.Banners[i].Key, Active: true})
				m.Rows = append(m.Rows, panel.Observation{
					ID: int64(len(m.Rows) + 1), Listing: int64(len(m.Listings)), Store: int64(len(m.Stores)),
					Effective: dollarsOf(t, price), PackageSize: size, InStock: panel.Yes, ObservedAt: apitest.Now.AddDate(0, 0, -1),
				})
			}
		}
	}
	return m.Snapshot(t)
}

func dollarsOf(t testing.TB, text string) panel.Price {
	t.Helper()
	p, err := panel.ParsePrice(text)
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", text, err))
	}
	return p
}
