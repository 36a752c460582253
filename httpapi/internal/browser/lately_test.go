//go:build browser

package browser

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/panel"
)

// latelySnapshot imports a chain in cities of which prices were collected up to some
// Sunday: to this week, to the last and the one before of the weeks that are no longer
// shown, and to the first of those that are.
func latelySnapshot(t testing.TB) string {
	t.Helper()
	world := basket.Canada()
	m := &apitest.Market{Products: world.Products, Cities: slices.DeleteFunc(world.Cities, func(c basket.City) bool {
		return !slices.Contains([]string{"toronto", "winnipeg", "moncton", "halifax", "ottawa"}, c.Slug)
	}),
		Banners: []basket.Banner{{Key: "alder", Name: "Alder", Retailer: "alder", InIndex: true, InShopper: true}}}
	for i, p := range world.Products {
		m.Listings = append(m.Listings, panel.Listing{ID: int64(i + 1), ProductID: p.ID, Banner: "alder", Active: true})
	}
	for i, c := range []struct{ slug, first, last string }{
		{"toronto", "2026-07-19", "2026-11-15"},
		{"winnipeg", "2026-07-19", "2026-10-11"},
		{"moncton", "2026-07-19", "2026-10-04"},
		{"halifax", "2026-08-02", "2026-10-18"},
	} {
		store := int64(i + 1)
		m.Stores = append(m.Stores, panel.Store{ID: store, Banner: "alder", City: c.slug, Active: true, LocationCertain: true})
		for at := sunday(t, c.first); !at.After(sunday(t, c.last)); at = at.AddDate(0, 0, 7) {
			for k, listing := range m.Listings {
				price := panel.Price(40_000 + 1000*k + 100*(at.YearDay()/7%3)) // $4.00 and more
				m.Rows = append(m.Rows, panel.Observation{
					ID: int64(len(m.Rows) + 1), Listing: listing.ID, Store: store, Effective: price, InStock: panel.Yes,
					ObservedAt: at.Add(-24 * time.Hour),
				})
			}
		}
	}
	return m.Snapshot(t)
}

func sunday(t testing.TB, text string) time.Time {
	t.Helper()
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		t.Fatal(err)
	}
	return day
}

// testLately looks for cities of which nothing was published for weeks: the table
// leaves them out and says so, and their past is there for the chart.
func testLately(t *testing.T, b *browser) {
	f := serve(t, latelySnapshot(t))
	key := f.standardKey()
	d := &dashboard{f: f, key: key, all: f.index(key), tab: f.signedIn(b, key)}
	d.visit("/?tab=costs")
	d.there("#places tr[data-place]")
	if got := d.apiRequests(); len(got) != 3 {
		t.Errorf("asks for %q", got)
	}
	check := func(places, words string) {
		t.Helper()
		got := get[[]string](d.tab, `() => [...document.querySelectorAll("#places tr[data-place]")].map((e) => e.dataset.place).sort()`)
		if strings.Join(got, ", ") != places {
			t.Errorf("the table has %q, want %s", got, places)
		}
		if got := d.text("#places-left-out"); got != words {
			t.Errorf("left out (-want +got):\n-%s\n+%s", words, got)
		}
	}
	check("halifax.overall, toronto.overall", "Not in this table, as nothing was published in the last five weeks: "+
		"Moncton (last in the week to October 4, 2026); Ottawa (never published); Winnipeg (last in the week to October 11, 2026). Earlier weeks can be put on the chart above.")
	d.glance("dashboard-left-out")
	d.click("#places input[value=banner]")
	d.there(`#places tr[data-place="toronto.alder.overall"]`)
	check("halifax.alder.overall, toronto.alder.overall", "Not in this table, as nothing was published in the last five weeks: "+
		"Alder in Moncton (last in the week to October 4, 2026); Alder in Winnipeg (last in the week to October 11, 2026). Earlier weeks can be put on the chart above.")
	d.choose("#places-city", "Toronto")
	if n := d.count("#places-left-out"); n != 0 {
		t.Error("in Toronto nothing is left out, but something is said")
	}
	for list, want := range map[string][]string{"#places-city": {"", "Halifax", "Toronto"}, "#picker-city": {"Halifax", "Moncton", "Toronto", "Winnipeg"}} {
		if got := get[[]string](d.tab, `(s) => [...document.querySelector(s).options].map((e) => e.value)`, list); !slices.Equal(got, want) {
			t.Errorf("%s offers %q, want %q", list, got, want)
		}
	}
	d.add("winnipeg.overall")
	d.click(`#places tr[data-place="toronto.alder.overall"] [data-add]`)
	d.there(`#chosen li[data-series="toronto.alder.overall"]`)
}
