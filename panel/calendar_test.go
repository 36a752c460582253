package panel

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
)

// instants are moments beside which a week begins, with the week of the moment itself and of the second before. The
// clocks change by the rules of 2026 in the time zone database.
var instants = []struct{ zone, at, week, why string }{
	{"Asia/Tokyo", "2026-07-12T15:00:00Z", "2026-07-19", "Monday 00:00 is Sunday in UTC and in Toronto"},
	{"Europe/Berlin", "2026-03-29T22:00:00Z", "2026-04-05", "Sunday has 23 hours"},
	{"Europe/Berlin", "2026-10-25T23:00:00Z", "2026-11-01", "Sunday has 25 hours"},
	{"Asia/Beirut", "2026-03-29T21:00:00Z", "2026-04-05", "Sunday begins at 01:00"},
	{"Asia/Beirut", "2026-10-25T22:00:00Z", "2026-11-01", "Saturday has 25 hours"},
	{"America/Havana", "2026-03-09T04:00:00Z", "2026-03-15", "Sunday begins at 01:00"},
	{"America/Havana", "2026-11-02T05:00:00Z", "2026-11-08", "Sunday has 00:00 twice"},
	{defaultZone, "2026-07-20T04:00:00Z", "2026-07-26", "summer time"},
	{defaultZone, "2026-11-02T05:00:00Z", "2026-11-08", "a week of 169 hours ends"},
	{defaultZone, "2026-03-09T04:00:00Z", "2026-03-15", "a week of 167 hours ends"},
	{defaultZone, "2026-12-28T05:00:00Z", "2027-01-03", "week 53"},
}

// TestWeeksOfZones follows known instants through the builder.
func TestWeeksOfZones(t *testing.T) {
	t.Parallel()
	for _, x := range instants {
		at, err := time.Parse(time.RFC3339, x.at)
		if err != nil {
			t.Fatal(err)
		}
		b := NewBuilder(0)
		for _, err := range []error{
			b.AddSetting(Setting{"time_zone", x.zone}),
			b.AddProduct(basket.Product{ID: 1, Name: "p", Category: "dairy", StandardSize: 1, Unit: basket.Count, SoldBy: basket.ByPackage, Active: true}),
			b.AddCity(basket.City{Slug: "a", Name: "A"}), b.AddBanner(basket.Banner{Key: "x", Name: "X", Retailer: "X", InIndex: true}),
			b.AddStore(Store{ID: 1, Banner: "x", City: "a", Active: true}), b.AddListing(Listing{ID: 1, ProductID: 1, Banner: "x", Active: true}),
			b.Observe(&Observation{Listing: 1, Store: 1, Effective: 100, ObservedAt: at.Add(-time.Second)}),
			b.Observe(&Observation{Listing: 1, Store: 1, Effective: 100, ObservedAt: at}),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := b.AddSetting(Setting{"time_zone", x.zone}); err == nil || !strings.Contains(err.Error(), "add it before them") {
			t.Errorf("a time zone after observations: %v", err)
		}
		p, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		week, _ := ParseWeek(x.week)
		if got, want := fmt.Sprint(p.Weeks()), fmt.Sprint([]Week{week.Add(-1), week}); got != want {
			t.Errorf("%s, %s (%s): %s, want %s", x.zone, x.at, x.why, got, want)
		}
		if c := p.Calendar(); c.Start(week.Date()-6) != at.In(c.Zone()) || c.LastClosed(at) != week.Add(-1) || c.LastClosed(at.Add(-1)) != week.Add(-2) {
			t.Errorf("%s: Monday starts at %s; closed by %s is %s", x.zone, c.Start(week.Date()-6), at, c.LastClosed(at))
		}
	}
}

// TestDays has the first moments of days without a midnight, and with two. They bound what entries set aside.
func TestDays(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ zone, day, at string }{
		{"Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00Z"},    // 01:00
		{"Asia/Beirut", "2026-10-25", "2026-10-24T22:00:00Z"},    // after 23:00 came twice
		{"America/Havana", "2026-03-08", "2026-03-08T05:00:00Z"}, // 01:00
		{"America/Havana", "2026-11-01", "2026-11-01T04:00:00Z"}, // the first of two
		{"Asia/Kathmandu", "2026-03-29", "2026-03-28T18:15:00Z"},
		{"UTC", "2026-03-29", "2026-03-29T00:00:00Z"},
	} {
		c, err := NewCalendar(x.zone)
		day, _ := ParseDate(x.day)
		at, _ := time.Parse(time.RFC3339, x.at)
		entry := Quarantine{From: day}
		names := entry.Names(c, nil)
		if err != nil || !c.Start(day).Equal(at) || c.DateIn(at) != day || c.DateIn(at.Add(-1)) != day-1 || names(1, at.UnixNano()-1) || !names(1, at.UnixNano()) {
			t.Errorf("%s: %s starts at %s, want %s (%v)", x.zone, x.day, c.Start(day).UTC(), x.at, err)
		}
	}
	for zone, want := range map[string]string{"America/New_York": "New York", "America/Argentina/Buenos_Aires": "Buenos Aires", "UTC": "UTC", defaultZone: "Toronto"} {
		if c, err := NewCalendar(zone); err != nil || c.City() != want {
			t.Errorf("%s: %q, %v", zone, c.City(), err)
		}
	}
}
