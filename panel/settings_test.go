package panel

import (
	"cmp"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
)

func TestSettingCheck(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ key, value, want string }{ // want: in the error; none if empty
		{"base_week", "2026-07-19", ""},
		{"base_week", "2026-07-20", "value: base_week needs a Sunday"},
		{"publisher", "Example Prices Ltd", ""},
		{"source", "two\nlines", "value: source has a line break"},
		{"licence", strings.Repeat("x", 2001), "value: licence has 2001 bytes"},
		{"place", strings.Repeat("é", 50), ""},
		{"place", strings.Repeat("é", 51), "value: place has 51 characters; pictures show at most 50"},
		{"contact", "prices@example.org", ""},
		{"contact", "https://example.org/contact", ""},
		{"contact", "Prices <prices@example.org>", "value: contact needs an e-mail address"},
		{"contact", "javascript:alert(1)", "value: contact needs an e-mail address"},
		{"upgrade_url", "https://example.org/plans?from=api", ""},
		{"upgrade_url", "prices@example.org", "value: upgrade_url needs the address of a page"},
		{"upgrade_url", "https://u:p@example.org/", "value: upgrade_url needs the address of a page"},
		{"upgrade_url", "javascript://example.org/%0aalert(1)", "value: upgrade_url needs the address of a page"},
		{"release_time", "Mon 08:30", ""},
		{"release_time", "Mon 8:30", "value: release_time needs a weekday and a time of day, such as Mon 08:30, not \"Mon 8:30\""},
		{"synthetic", "1", ""},
		{"synthetic", "yes", "value: synthetic needs 0 or 1"},
		{"currency", "EUR", ""},
		{"currency", "eur", "value: currency needs a currency of ISO 4217 in three capitals, such as CAD"},
		{"currency", "ZZZ", "value: currency needs a currency of ISO 4217"},
		{"country", "DE", ""},
		{"country", "de", "value: country needs a country of ISO 3166 in two capitals, such as CA"},
		{"country", "EU", "value: country needs a country of ISO 3166"},
		{"time_zone", "Europe/Berlin", ""},
		{"time_zone", "Local", "value: time_zone needs a time zone of the IANA database, such as Europe/Berlin"},
		{"time_zone", "CET", "value: time_zone needs a time zone of the IANA database"},
		{"language", "fr", ""},
		{"language", "de", "value: language needs a language of the pages, en or fr, not \"de\""},
		{"colour", "red", `key: "colour" is unknown; known are base_week, publisher, contact,`},
	} {
		err := (&Setting{c.key, c.value}).Check()
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s,%q: %v, want %q", c.key, c.value, err, c.want)
		}
	}
}

// The label of a source without a name of its own has the cities with prices, and never more.
func TestSourceLabel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key, value string
		stores     []int64 // with a price
		want       string
	}{
		{"publisher", "P", []int64{2, 3}, "Larder weekly grocery price index, Ay"},
		{"publisher", "P", []int64{1, 2}, "Larder weekly grocery price index, 2 cities"},
		{"publisher", "P", nil, "Larder weekly grocery price index, 2 cities"}, // of the stores
		{"places", "regions", []int64{1, 2}, "Larder weekly grocery price index, 2 regions"},
		{"place", "Ontario", []int64{2}, "Larder weekly grocery price index, Ontario"},
		{"source", "Ours", []int64{2}, "Ours"},
		{"synthetic", "1", []int64{1}, "Larder weekly grocery price index, Bee (invented prices)"},
	} {
		b := goodBuilder(t)
		err := b.AddSetting(Setting{c.key, c.value})
		for _, id := range c.stores {
			err = cmp.Or(err, b.Observe(&Observation{Listing: map[int64]int64{1: 2, 2: 2, 3: 3}[id], Store: id, Effective: 1_0000, ObservedAt: noon}))
		}
		p, err2 := b.Build()
		if err := cmp.Or(err, err2); err != nil {
			t.Fatal(err)
		}
		if got := p.About().SourceLabel(); got != c.want {
			t.Errorf("%s %s, prices of stores %v: %q, want %q", c.key, c.value, c.stores, got, c.want)
		}
	}
	b := NewBuilder(0)
	for i, city := range basket.Canada().Cities {
		key := city.Slug
		if err := cmp.Or(b.AddCity(city), b.AddBanner(basket.Banner{Key: key, Name: key, Retailer: key}), b.AddStore(Store{ID: int64(i + 1), Banner: key, City: key})); err != nil {
			t.Fatal(err)
		}
	}
	p, err := b.Build()
	if err != nil || p.About().SourceLabel() != "Larder weekly grocery price index, Canada" {
		t.Errorf("all cities: %v, %v", p, err)
	}
	if got := (&About{country: "GB"}).SourceLabel(); got != defaultSource+"United Kingdom" {
		t.Errorf("all cities of another country: %q", got)
	}
}
