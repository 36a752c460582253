package httpapi_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

// changingMarket is a panel of two places in which anything may happen between releases.
type changingMarket struct {
	*testing.T
	*apitest.Market
	r    *rand.Rand
	db   string
	next int64 // id of a row
}

func newChangingMarket(t *testing.T, seed uint64) *changingMarket {
	x := &changingMarket{t, &apitest.Market{
		Cities: []basket.City{{Slug: "here", Name: "Here", Province: "NL"}, {Slug: "there", Name: "There", Province: "NS"}},
		Banners: []basket.Banner{
			{Key: "index", Name: "I", Retailer: "I & Co.", InIndex: true}, {Key: "reviewed", Name: "R", Retailer: "R", Verified: true}, {Key: "shopper", Name: "S", Retailer: "S", InShopper: true},
		},
	}, rand.New(rand.NewPCG(seed, 5)), filepath.Join(t.TempDir(), "panel.db"), 1}
	for id := 1; id <= 3; id++ {
		x.Products = append(x.Products, basket.Product{
			ID: id, Name: fmt.Sprint("Milk ", id), Category: basket.Dairy, StandardSize: 1000, Unit: basket.Millilitre, Weight: 0.25, SoldBy: basket.ByPackage, Active: true,
		})
		x.Specs = append(x.Specs, basket.Spec{ProductID: id, Require: [][]string{{"milk"}}})
	}
	for i, b := range x.Banners {
		for k, c := range x.Cities {
			x.Stores = append(x.Stores, panel.Store{ID: int64(10*i + k + 1), Banner: b.Key, City: c.Slug, Active: true})
		}
		for _, p := range x.Products {
			x.Listings = append(x.Listings, panel.Listing{ID: int64(10*i + p.ID), ProductID: p.ID, Banner: b.Key, Name: p.Name, Active: true})
		}
	}
	return x
}

func pick[T any](x *changingMarket, list []T) *T { return &list[x.r.IntN(len(list))] }

// observe adds a week of rows.
func (x *changingMarket) observe(week panel.Week) (added []panel.Observation) {
	for _, s := range x.Stores {
		for _, l := range x.Listings {
			if l.Banner != s.Banner {
				continue
			}
			o := panel.Observation{
				ID: x.next, Listing: l.ID, Store: s.ID, Effective: panel.Price(30000 + 100*x.r.IntN(100)), ScrapedName: "Fresh milk",
				ObservedAt: (week.Date() - panel.Date(x.r.IntN(6))).Time(panel.Toronto).Add(time.Duration(x.r.IntN(20)) * time.Hour),
			}
			if x.next++; x.r.IntN(9) == 0 {
				o.ScrapedName = "Butter"
			}
			if l.Banner == "reviewed" && x.r.IntN(3) > 0 {
				o.RegularSource = panel.Scraped
			}
			added = append(added, o)
		}
	}
	x.Rows = append(x.Rows, added...)
	return added
}

// release changes the panel, and makes a snapshot of it.
func (x *changingMarket) release(week panel.Week) {
	t := x.T
	now := week.Date().Time(panel.Toronto).Add(30 * time.Hour)
	all := x.observe(week)
	rebuilt := x.r.IntN(5) == 0
	if rebuilt { // from other rows, some under other ids
		at := x.r.IntN(len(x.Rows))
		x.Rows = slices.Delete(x.Rows, at, min(at+3, len(x.Rows)))
		x.Rows[0].ID, x.Rows[1].ID = x.Rows[1].ID, x.Rows[0].ID
		all = x.Rows
		if err := os.RemoveAll(x.db); err != nil {
			t.Fatal(err)
		}
	}
	for range x.r.IntN(4) { // corrections
		o := *pick(x, x.Rows)
		if o.Effective += 700; !slices.ContainsFunc(all, func(a panel.Observation) bool { return a.ID == o.ID }) {
			all = append(all, o)
		}
	}
	for range x.r.IntN(4) {
		flip := func(b *bool) { *b = !*b || x.r.IntN(3) > 0 }
		switch l, p, s := pick(x, x.Listings), pick(x, x.Products), pick(x, x.Stores); x.r.IntN(8) {
		case 0:
			flip(&l.Active)
		case 1:
			flip(&p.Active)
		case 2:
			flip(&s.Active)
		case 3:
			p.Weight = float64(1+x.r.IntN(9)) / 16
		case 4:
			l.ProductID = p.ID
		case 5:
			p.Name = fmt.Sprint("Milk <", x.r.IntN(99), ">")
		case 6:
			pick(x, x.Cities).Province = string(rune('A' + x.r.IntN(26)))
		default:
			b := &x.Banners[1+x.r.IntN(2)]
			b.InIndex = !b.InIndex
		}
	}
	m, folder := *x.Market, filepath.Join(t.TempDir(), "panel")
	m.Rows = all
	if err := m.Write(folder); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Import(t.Context(), folder, x.db, sqlite.ImportOptions{Correct: "it was misread", Now: now, Rejects: x.db + ".rejects.csv"}); err != nil {
		t.Fatal(err)
	}
	if rejects, err := os.ReadFile(x.db + ".rejects.csv"); err == nil {
		t.Fatalf("%s", rejects)
	}
	for range x.r.IntN(3) {
		e := panel.Quarantine{Listing: pick(x, x.Listings).ID, Reason: fmt.Sprint("tried ", x.r.IntN(99)), From: week.Date() - panel.Date(x.r.IntN(30))}
		if x.r.IntN(2) == 0 {
			e.City = pick(x, x.Cities).Slug
		}
		if _, err := sqlite.SetAside(t.Context(), x.db, e, now); err != nil {
			t.Fatal(err)
		}
	}
	contents, err := sqlite.LoadAll(t.Context(), x.db)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range contents.Quarantine {
		if !e.Released && x.r.IntN(4) == 0 {
			if _, err := sqlite.Lift(t.Context(), x.db, e.ID, "it was right", now); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// replica is what a warehouse has: rows by id.
type replica map[int64]string

// TestPricesChangedSince releases a panel in which rows come, are corrected, set aside, let go and lost,
// and in which products, listings, stores and banners change. Of any earlier release, and of any filter,
// a copy to which the changes are applied has the rows that all pages have.
func TestPricesChangedSince(t *testing.T) {
	t.Parallel()
	met := map[string]int{}
	for seed := range uint64(4) {
		f, releases := apitest.ServeReleases(t, apitest.Ample)
		key := f.Key(state.Standard)
		x := newChangingMarket(t, seed)
		x.Base = panel.WeekOf(f.Clock.Now()).Add(-1)
		rows := func(query string) []json.RawMessage {
			return pricesResource.walk(f, key, query, func() int { return 1 + x.r.IntN(60) }, nil).rows
		}
		filters := []string{"", "&product_id=1", "&product_id=2&city=Here", "&city=There", "&banner=index", "&from=2026-10-27&to=2026-11-20"}
		var kept [][]replica // by release and filter
		for n := range 9 {
			x.release(x.Base.Add(n))
			releases.Publish(t, f, x.db, "", "scale", "shift", "jump", "surge", "vanished", "lost", "frozen", "revision", "restatement", "nothing_new")
			f.Look(false)
			f.Clock.Advance(time.Hour)
			kept = append(kept, nil)
			for i, filter := range filters {
				q := strings.Replace("from=2026-01-01&to=2027-12-31"+filter, "from=2026-01-01&to=2027-12-31&from", "from", 1)
				now := replica{}
				for _, text := range rows(q) {
					now[idOf(t, text)] = string(text)
				}
				kept[n] = append(kept[n], now)
				for since := -1; since <= n; since++ {
					copied, name := replica{}, fmt.Sprint("r", since+1)
					if since < 0 {
						name = "2026-01-01T00:00:00Z"
					} else {
						maps.Copy(copied, kept[since][i])
					}
					seen := map[int64]bool{}
					for _, text := range rows("changed_since=" + url.QueryEscape(name) + filter) {
						id, change := idOf(t, text), change(t, text, copied, filter == "")
						if met[change]++; seen[id] {
							t.Fatalf("seed %d: %s to r%d %s: row %d is there twice", seed, name, n+1, filter, id)
						}
						if seen[id] = true; change == "set_aside" {
							delete(copied, id)
						} else {
							copied[id] = string(text[:strings.LastIndex(string(text), `,"change"`)]) + "}"
						}
					}
					if diff := gocmp.Diff(now, copied); diff != "" {
						t.Fatalf("seed %d: %s to r%d %s: -pages +copy\n%s", seed, name, n+1, filter, diff)
					}
				}
			}
			f.Clock.Advance(7*24*time.Hour - time.Hour)
		}
	}
	t.Log(met)
	for _, change := range []string{"added", "let_go", "restated", "set_aside"} {
		if met[change] < 100 {
			t.Errorf("%s was met %d times", change, met[change])
		}
	}
}

func idOf(t *testing.T, text json.RawMessage) int64 {
	var row struct{ ID int64 }
	if err := json.Unmarshal(text, &row); err != nil {
		t.Fatal(err)
	}
	return row.ID
}

// change returns how a row changed. Without a filter it is the change of the copy.
func change(t *testing.T, text json.RawMessage, copied replica, all bool) string {
	var row struct {
		ID                            int64
		Change, Release, Rule, Reason string
	}
	if err := json.Unmarshal(text, &row); err != nil || row.Release == "" || row.Rule == "" || row.Reason == "" {
		t.Fatal(string(text), err)
	}
	if _, had := copied[row.ID]; all && had != (row.Change == "restated" || row.Change == "set_aside") && row.Rule != "new_row" {
		t.Fatalf("%s, and the copy has it: %t", text, had)
	}
	return row.Change
}
