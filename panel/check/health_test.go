package check

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"

	"github.com/larder-index/larder/panel"
)

// week1 is the first week of the hand-made collections below.
var week1 = panel.Week(panel.DateOf(2026, time.January, 11))

// collected is a collection made by hand: products 1 to 24 and the inactive 25;
// Halifax and Toronto; tern, of the index, with stores 1 and 2 in Halifax, 3 in
// Toronto and the inactive 4; auk, outside it, with store 5 in Halifax. The
// listing of product p is p at tern and 100+p at auk; 30 is a retired one.
type collected struct {
	t    *testing.T
	b    *panel.Builder
	rows []panel.Observation
}

func newCollected(t *testing.T) *collected {
	t.Helper()
	c := &collected{t: t, b: panel.NewBuilder(week1)}
	c.fill(c.b)
	return c
}

// fill adds the reference records.
func (c *collected) fill(b *panel.Builder) {
	for id := int64(1); id <= 25; id++ {
		c.must(b.AddProduct(basket.Product{
			ID: id, Name: fmt.Sprintf("product %d", id), Category: "dairy", Weight: 1, StandardSize: 400,
			Unit: basket.Gram, SoldBy: basket.ByPackage, Active: id <= 24,
		}))
	}
	for _, city := range []basket.City{{Slug: "halifax", Name: "Halifax", Province: "NS"}, {Slug: "toronto", Name: "Toronto", Province: "ON"}} {
		c.must(b.AddCity(city))
	}
	c.must(b.AddBanner(basket.Banner{Key: "tern", Name: "Tern", Retailer: "Tern", InIndex: true}))
	c.must(b.AddBanner(basket.Banner{Key: "auk", Name: "Auk", Retailer: "Auk"}))
	for _, s := range []panel.Store{
		{ID: 1, Banner: "tern", City: "halifax", Active: true}, {ID: 2, Banner: "tern", City: "halifax", Active: true},
		{ID: 3, Banner: "tern", City: "toronto", Active: true}, {ID: 4, Banner: "tern", City: "toronto"},
		{ID: 5, Banner: "auk", City: "halifax", Active: true},
	} {
		c.must(b.AddStore(s))
	}
	for id := int64(1); id <= 25; id++ {
		c.must(b.AddListing(panel.Listing{ID: id, ProductID: id, Banner: "tern", Active: true}))
		c.must(b.AddListing(panel.Listing{ID: 100 + id, ProductID: id, Banner: "auk", Active: true}))
	}
	c.must(b.AddListing(panel.Listing{ID: 30, ProductID: 1, Banner: "tern"}))
}

func (c *collected) must(err error) {
	if err != nil {
		c.t.Helper()
		c.t.Fatal(err)
	}
}

// see adds a row of the Wednesday of a week, counted from 1.
func (c *collected) see(store, listing int64, week int, price panel.Price) {
	c.seeAt(store, listing, wednesday(week), price)
}

func wednesday(week int) time.Time {
	return (week1.Add(week-1).Date() - 4).Time(panel.Calendar{}.Zone()).Add(9 * time.Hour)
}

func (c *collected) seeAt(store, listing int64, at time.Time, price panel.Price) {
	c.rows = append(c.rows, panel.Observation{ID: int64(len(c.rows) + 1), Store: store, Listing: listing, ObservedAt: at, Effective: price})
}

// health is that of the morning after the given week.
func (c *collected) health(lastClosed int) *Health {
	return c.healthAt((week1.Add(lastClosed-1).Date() + 1).Time(panel.Calendar{}.Zone()).Add(6 * time.Hour))
}

func (c *collected) healthAt(now time.Time) *Health {
	c.t.Helper()
	p, err := c.b.Build()
	c.must(err)
	return NewHealth(c.judge(p, nil, nil), p, now)
}

func (c *collected) judge(p *panel.Panel, specs []basket.Spec, entries []panel.Quarantine) *panel.Rows {
	r, err := panel.NewRows(panel.NewGate(panel.Calendar{}, p.Products(), p.Stores(), p.Listings(), specs, entries), func(yield func(*panel.Observation, error) bool) {
		for i := range c.rows {
			if !yield(&c.rows[i], nil) {
				return
			}
		}
	})
	c.must(err)
	return r
}

func TestPlacesSeen(t *testing.T) {
	c := newCollected(t)
	now := time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
	day := 24 * time.Hour
	c.seeAt(1, 1, now.Add(-8*day), 100)             // just in time
	c.seeAt(2, 1, now.Add(-8*day-time.Second), 100) // too late
	c.seeAt(3, 25, now, 100)                        // an inactive product
	c.seeAt(3, 30, now, 100)                        // a retired listing
	c.seeAt(4, 1, now, 100)                         // an inactive store
	c.seeAt(5, 101, now.Add(-day), 100)
	c.seeAt(5, 101, now.Add(-2*day), 100)
	c.seeAt(2, 2, now.Add(16*time.Hour), 100) // tomorrow, in Toronto
	c.seeAt(5, 101, now.Add(15*time.Hour), 100)
	h := c.healthAt(now)
	want := []PlaceSeen{
		{"auk", "Halifax", 1, new(now.Add(15 * time.Hour)), []SilentStore{}},
		{"tern", "Halifax", 2, new(now.Add(-8 * day)), []SilentStore{{2, new(now.Add(-8*day - time.Second))}}},
		{"tern", "Toronto", 1, nil, []SilentStore{{ID: 3}}},
	}
	if diff := cmp.Diff(want, h.Places); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if h.Rows != 5 || h.Ahead != 1 {
		t.Errorf("%d rows, %d ahead; want 5 and 1", h.Rows, h.Ahead)
	}
}

func TestGaps(t *testing.T) {
	// One digit for each week: 1 has a row. The last digit may be of the open
	// week, when closed says so.
	for _, test := range []struct {
		name                         string
		ternHalifax, auk, ternToront string
		closed                       int
		want                         []string
	}{
		{"none", "1111", "1111", "1111", 4, nil},
		{"before the first week is no gap", "1111", "0011", "0001", 4, nil},
		{"a banner in a city", "1111", "1011", "1111", 4, []string{"auk in Halifax 2-2"}},
		{"a city", "1011", "1011", "1111", 4, []string{" in Halifax 2-2"}},
		{"a city with one banner", "1111", "1111", "1001", 4, []string{" in Toronto 2-3"}},
		{"everywhere", "1011", "1011", "1011", 4, []string{" in  2-2"}},
		{"the widest place only", "1001", "1001", "1101", 4, []string{" in  3-3", " in Halifax 2-2"}},
		{"collection stopped", "1111", "1100", "1111", 4, []string{"auk in Halifax 3-4 lasting"}},
		{"a stop everywhere", "11", "11", "11", 4, []string{" in  3-4 lasting"}},
		{"the open week counts not as missing", "1111", "1110", "1111", 3, nil},
		{"nor as collected", "1101", "1111", "1111", 3, []string{"tern in Halifax 3-3 lasting"}},
		{"two gaps", "10101", "11111", "11111", 5, []string{"tern in Halifax 2-2", "tern in Halifax 4-4"}},
		{"the city is not yet there", "1111", "1111", "0000", 4, nil},
		{"a banner that comes later, in a week its city lacks", "1011", "0001", "1111", 4, []string{" in Halifax 2-2"}},
		{"nothing at all", "", "", "", 4, nil},
		{"the open week only", "0001", "", "", 3, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newCollected(t)
			for _, place := range []struct {
				weeks          string
				store, listing int64
			}{{test.ternHalifax, 1, 1}, {test.auk, 5, 101}, {test.ternToront, 3, 1}} {
				for k, seen := range place.weeks {
					if seen == '1' {
						c.see(place.store, place.listing, k+1, 100)
					}
				}
			}
			var got []string
			for _, g := range c.health(test.closed).Gaps {
				text := fmt.Sprintf("%s in %s %d-%d", g.Banner, g.City, int(g.From-week1)/7+1, int(g.To-week1)/7+1)
				if g.Lasting {
					text += " lasting"
				}
				if g.Weeks != int(g.To-g.From)/7+1 {
					t.Errorf("%d weeks in %s", g.Weeks, text)
				}
				got = append(got, text)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
