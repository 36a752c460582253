package synth_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

var november = panel.DateOf(2026, 11, 20)

func generate(t testing.TB, c synth.Config) *synth.Data {
	t.Helper()
	if c.Through == 0 {
		c.Through = november
	}
	d, err := synth.Generate(c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// digest is that of the panel's files, in order of their names.
func digest(t *testing.T, d *synth.Data) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "panel")
	if err := d.WriteDir(dir); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	for _, f := range files {
		content, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		h.Write(content)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// A change of a digest changes the demo panel for everybody: then raise Version,
// and put the new digest here.
func TestSameConfigSamePanel(t *testing.T) {
	for _, tt := range []struct {
		config synth.Config
		want   string
	}{
		{synth.Config{}, "dbfed62c7e29dc66"},
		{synth.Config{Seed: 7, Weeks: 30, Stores: 60, Through: panel.DateOf(2027, 3, 14)}, "edd2bcb6ccac432e"},
	} {
		t.Run(fmt.Sprintf("seed %d", tt.config.Seed), func(t *testing.T) {
			t.Parallel()
			if got := digest(t, generate(t, tt.config)); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestBaseWeekAndWeeks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		through string
		weeks   int
		base    string
		want    int
	}{
		{"2026-11-20", 0, "2026-07-19", 18}, // a Friday: the last closed week is 2026-11-15
		{"2026-11-22", 0, "2026-07-19", 18}, // a Sunday: its week closes at midnight
		{"2026-11-23", 0, "2026-07-19", 19},
		{"2026-07-22", 0, "2026-06-28", 4}, // too early for the default base week
		{"2026-11-20", 1, "2026-11-15", 1},
		{"2026-11-20", 520, "2016-12-04", 520},
	} {
		through, err := panel.ParseDate(tt.through)
		if err != nil {
			t.Fatal(err)
		}
		d := generate(t, synth.Config{Through: through, Weeks: tt.weeks, Stores: 13})
		if d.BaseWeek.String() != tt.base || d.Config.Weeks != tt.want {
			t.Errorf("through %s, %d weeks: %d from %s, want %d from %s", tt.through, tt.weeks, d.Config.Weeks, d.BaseWeek, tt.want, tt.base)
		}
	}
}

func TestConfigThatCannotBeMet(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		config synth.Config
		want   string
	}{
		{synth.Config{}, "through 1970-01-01 is not from 1980-01-01 to 2150-01-01"},
		{synth.Config{Through: panel.DateOf(1979, 12, 31)}, "through 1979-12-31 is not from 1980-01-01 to 2150-01-01"},
		{synth.Config{Through: panel.DateOf(2150, 1, 2)}, "through 2150-01-02 is not from 1980-01-01 to 2150-01-01"},
		{synth.Config{Through: november, Weeks: -1}, "-1 weeks; use 1 to 2600"},
		{synth.Config{Through: november, Weeks: 2601}, "2601 weeks; use 1 to 2600"},
		{synth.Config{Through: november, Stores: -1}, "-1 stores; use 1 to 20000"},
		{synth.Config{Through: november, Stores: 20_001}, "20001 stores; use 1 to 20000"},
	} {
		if _, err := synth.Generate(tt.config); err == nil || err.Error() != "synth: "+tt.want {
			t.Errorf("%+v: %v, want %s", tt.config, err, tt.want)
		}
	}
	generate(t, synth.Config{Through: panel.DateOf(1980, 1, 1), Weeks: 2600, Stores: 1})
}

func TestRowsAreSound(t *testing.T) {
	for _, c := range []synth.Config{{}, {Seed: 3, Weeks: 4}, {Seed: 4, Weeks: 60, Stores: 80}} {
		t.Run(fmt.Sprintf("seed %d", c.Seed), func(t *testing.T) {
			t.Parallel()
			d := generate(t, c)
			const verified = "broadmoose"
			var last panel.Observation
			end := (d.Config.Through + 1).Time(panel.Toronto)
			for o := range d.Observations() {
				l, s := d.Listings[o.Listing-1], d.Stores[o.Store-1]
				switch {
				case l.ID != o.Listing || s.ID != o.Store || l.Banner != s.Banner:
					t.Fatalf("row %d: listing %d is not one of store %d", o.ID, o.Listing, o.Store)
				case o.ID <= last.ID || o.ObservedAt.Before(last.ObservedAt):
					t.Fatalf("row %d at %s follows row %d at %s", o.ID, o.ObservedAt, last.ID, last.ObservedAt)
				case panel.WeekOf(o.ObservedAt) < d.BaseWeek.Add(-1) || !o.ObservedAt.Before(end) || o.ObservedAt.Location() != time.UTC:
					t.Fatalf("row %d is of %s", o.ID, o.ObservedAt)
				case !o.Effective.Valid() || o.Regular < 0 || o.Sale < 0 || o.ScrapedName == "":
					t.Fatalf("row %d: %+v", o.ID, o)
				case (o.Sale > 0) != o.OnSale || o.OnSale && o.Sale != o.Effective || !o.OnSale && (o.SaleEndsOn != 0 || o.SaleCondition != 0):
					t.Fatalf("row %d: its sale is not consistent: %+v", o.ID, o)
				case s.Banner != verified && (o.RegularSource != panel.NoSource || o.PromoDetail != ""):
					t.Fatalf("row %d of a banner that is not verified has a source", o.ID)
				case o.RegularSource == panel.AssumedEqual && o.Regular != o.Effective:
					t.Fatalf("row %d: the regular price is assumed and differs", o.ID)
				}
				last = *o
			}
		})
	}
}

// The figures of the two interfaces: 146 stores of the 21 banners of the index, 20 others, 13
// cities, 26 chains for shoppers, one of them verified. Prices of all 21 banners count.
func TestShape(t *testing.T) {
	t.Parallel()
	d := generate(t, synth.Config{})
	var inIndex, inShopper, verified, inactive, storesOfIndex int
	counted := map[string]bool{}
	for _, b := range d.Banners {
		if err := b.Validate(); err != nil {
			t.Error(err)
		}
		inIndex += one(b.InIndex)
		inShopper += one(b.InShopper)
		verified += one(b.Verified)
	}
	for _, s := range d.Stores {
		inactive += one(!s.Active)
		if slices.ContainsFunc(d.Banners, func(b basket.Banner) bool { return b.Key == s.Banner && b.InIndex }) {
			storesOfIndex++
			counted[s.Banner] = counted[s.Banner] || s.Active
		}
	}
	for _, words := range []string{"not a census", "Bigfathom and Broadmoose", "Nickelbasket"} {
		if !slices.ContainsFunc(d.Settings, func(s panel.Setting) bool { return s.Key == "coverage_note" && strings.Contains(s.Value, words) }) {
			t.Errorf("the note on coverage lacks %q", words)
		}
	}
	for _, p := range d.Products {
		if err := p.Validate(); err != nil {
			t.Error(err)
		}
	}
	maps.DeleteFunc(counted, func(_ string, active bool) bool { return !active })
	got := []int{len(d.Stores), storesOfIndex, len(counted), len(d.Cities), inIndex, inShopper, verified, inactive, len(d.Products), len(d.Specs)}
	if want := []int{166, 146, 21, 13, 21, 26, 1, 1, 50, 50}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// What a reader should see occurs.
func TestOneOfEach(t *testing.T) {
	t.Parallel()
	d := generate(t, synth.Config{})
	count := map[string]int{}
	for o := range d.Observations() {
		for what, is := range map[string]bool{
			"rows":                          true,
			"on sale":                       o.OnSale,
			"no end":                        o.OnSale && o.SaleEndsOn == 0,
			"end":                           o.SaleEndsOn != 0,
			"multi-buy":                     o.SaleCondition == panel.MultiBuy,
			"member":                        o.SaleCondition == panel.Member,
			"out of stock":                  o.InStock == panel.No,
			"no regular price":              o.Regular == 0,
			"conditional, no regular price": o.Regular == 0 && o.SaleCondition != 0,
			"assumed":                       o.RegularSource == panel.AssumedEqual,
			"of a package":                  o.PromoDetail != "",
			"in a fixed pack by weight":     o.PackageSize == "0.4 kg",
			"four decimals":                 o.Effective%100 != 0,
			"late on Sunday":                o.ObservedAt.Weekday() == time.Monday && o.ObservedAt.In(panel.Toronto).Weekday() == time.Sunday,
		} {
			count[what] += one(is)
		}
	}
	for what, n := range count {
		if n == 0 {
			t.Errorf("no row: %s", what)
		}
	}
	if share := float64(count["on sale"]) / float64(count["rows"]); share < 0.04 || share > 0.15 {
		t.Errorf("%.0f%% of the rows are on sale", 100*share)
	}
}

// A folder with files in it is refused.
func TestWriteDirRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := generate(t, synth.Config{Stores: 1, Weeks: 1}).WriteDir(dir); err == nil || !strings.Contains(err.Error(), "it is not empty") {
		t.Errorf("got %v", err)
	}
}

// Ten years are about 3.2 million rows.
func BenchmarkObservations(b *testing.B) {
	d := generate(b, synth.Config{Weeks: 520})
	rows := 0
	for b.Loop() {
		rows = 0
		for range d.Observations() {
			rows++
		}
	}
	b.ReportMetric(float64(rows), "rows")
}
