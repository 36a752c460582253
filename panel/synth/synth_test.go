package synth_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

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
		{synth.Config{}, "89c756e8a7e56afc"},
		{synth.Config{Seed: 7, Weeks: 30, Stores: 60, Through: panel.DateOf(2027, 3, 14)}, "c7bc7beff2d71642"},
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
	for _, c := range []synth.Config{
		{},
		{Through: panel.DateOf(1900, 1, 1)},
		{Through: november, Weeks: -1},
		{Through: november, Weeks: 1 << 20},
		{Through: november, Stores: -1},
		{Through: november, Stores: 1 << 20},
	} {
		if _, err := synth.Generate(c); err == nil {
			t.Errorf("%+v was generated", c)
		}
	}
}

func TestRowsAreSound(t *testing.T) {
	for _, c := range []synth.Config{{}, {Seed: 3, Weeks: 4}, {Seed: 4, Weeks: 60, Stores: 80}} {
		d := generate(t, c)
		stores, listings := map[int64]panel.Store{}, map[int64]panel.Listing{}
		for _, s := range d.Stores {
			stores[s.ID] = s
		}
		for _, m := range d.Listings {
			listings[m.ID] = m
		}
		verified := map[string]bool{}
		for _, b := range d.Banners {
			verified[b.Key] = b.Verified
		}
		var last panel.Observation
		end := (d.Config.Through + 1).Time(panel.Toronto)
		for o := range d.Observations() {
			m, s := listings[o.Listing], stores[o.Store]
			if m.ID == 0 || m.Banner != s.Banner {
				t.Fatalf("row %d: listing %d is not one of store %d", o.ID, o.Listing, o.Store)
			}
			if o.ID <= last.ID || o.ObservedAt.Before(last.ObservedAt) {
				t.Fatalf("row %d at %s follows row %d at %s", o.ID, o.ObservedAt, last.ID, last.ObservedAt)
			}
			if w := panel.WeekOf(o.ObservedAt); w < d.BaseWeek.Add(-1) || !o.ObservedAt.Before(end) || o.ObservedAt.Location() != time.UTC {
				t.Fatalf("row %d is of %s", o.ID, o.ObservedAt)
			}
			if !o.Effective.Valid() || o.Regular < 0 || o.Sale < 0 || o.ScrapedName == "" {
				t.Fatalf("row %d: %+v", o.ID, o)
			}
			if (o.Sale > 0) != o.OnSale || (o.OnSale && o.Sale != o.Effective) || (!o.OnSale && (o.SaleEndsOn != 0 || o.SaleCondition != 0)) {
				t.Fatalf("row %d: its sale is not consistent: %+v", o.ID, o)
			}
			if !verified[s.Banner] && (o.RegularSource != panel.NoSource || o.PromoDetail != "") {
				t.Fatalf("row %d of a banner that is not verified has a source", o.ID)
			}
			if o.RegularSource == panel.AssumedEqual && o.Regular != o.Effective {
				t.Fatalf("row %d: the regular price is assumed and differs", o.ID)
			}
			last = o
		}
	}
}

func TestPanelBuilds(t *testing.T) {
	for _, weeks := range []int{1, 4, 18, 60} {
		for seed := uint64(1); seed <= 2; seed++ {
			d := generate(t, synth.Config{Seed: seed, Weeks: weeks})
			p, err := d.Panel()
			if err != nil {
				t.Fatal(err)
			}
			// The run-up and the open week stand before and after the closed ones.
			if p.BaseWeek() != d.BaseWeek || len(p.Weeks()) != weeks+2 {
				t.Errorf("%d weeks: the panel has %d from base %s", weeks, len(p.Weeks()), p.BaseWeek())
			}
			c := p.Counts()
			if perWeek := float64(c.Observations) / (float64(weeks) + 0.6); perWeek < 5500 || perWeek > 7000 {
				t.Errorf("%d weeks: %d observations", weeks, c.Observations)
			}
			if c.InactiveStore == 0 || c.RetiredListing == 0 || c.InactiveProduct == 0 || c.OutsideIndex == 0 || c.Quarantined == 0 {
				t.Errorf("%d weeks: a way out of the index is not taken: %+v", weeks, c)
			}
		}
	}
}

func TestSmallAndLargePanelsBuild(t *testing.T) {
	for _, stores := range []int{1, 2, 5, 13, 30, 145, 147, 300} {
		for _, weeks := range []int{1, 3, 12} {
			d := generate(t, synth.Config{Stores: stores, Weeks: weeks})
			if len(d.Stores) != stores {
				t.Errorf("%d stores, want %d", len(d.Stores), stores)
			}
			if _, err := d.Panel(); err != nil {
				t.Errorf("%d stores, %d weeks: %v", stores, weeks, err)
			}
		}
	}
}

func TestShape(t *testing.T) {
	d := generate(t, synth.Config{})
	var inIndex, inShopper, verified, inactive int
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
	}
	// The figures of the two interfaces: 146 stores, 13 cities, 21 banners of
	// the index, 26 chains for shoppers, one of them verified.
	got := []int{len(d.Stores), len(d.Cities), inIndex, inShopper, verified, inactive, len(d.Products)}
	if want := fmt.Sprint([]int{146, 13, 21, 26, 1, 1, 51}); fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
	for _, p := range d.Products {
		if err := p.Validate(); err != nil {
			t.Error(err)
		}
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
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
