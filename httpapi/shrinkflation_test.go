package httpapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
)

// eventJSON is what tests read of an event.
type eventJSON struct {
	ID         int64
	New        string    `json:"new_package_size"`
	DetectedAt time.Time `json:"detected_at"`
	Confidence string
	Flag       string
}

// gradeByHand is the rule of the document in floating point; the planted
// changes stay clear of its bounds but for those that are exact.
func gradeByHand(e *panel.ShrinkEvent) (confidence, flag string) {
	s, u := e.PctSizeChange.Float64(), e.PctUnitPriceChange.Float64()
	apart := max(u+s, -u-s) // s is negative
	switch {
	case s > -2 && e.PctSizeChange.Valid:
		return "low", "suspect_tiny"
	case s == -20:
		return "low", "suspect_swap"
	case !e.PctSizeChange.Valid, !e.PctUnitPriceChange.Valid, apart > 30:
		return "low", "suspect_unit_mismatch"
	case apart > 15:
		return "medium", "ok"
	}
	return "high", "ok"
}

// TestShrinkflationFilters compares random queries with a slow filter over the
// imported events, whatever became of their listings since.
func TestShrinkflationFilters(t *testing.T) {
	_, after := smallSnapshots()
	f := serveSnapshot(t, after)
	key := f.key(state.Standard)
	d, events := small()
	slices.SortFunc(events, func(a, b panel.ShrinkEvent) int {
		return cmp.Or(a.DetectedAt.Compare(b.DetectedAt), cmp.Compare(a.ID, b.ID))
	})
	r := rand.New(rand.NewPCG(29, 31))
	levels := []string{"high", "medium", "low"}
	banners := f.snapshots.Current().indexBanners
	gone, hidden, compared := 0, 0, 0
	for range 80 {
		level, banner := r.IntN(3), ""
		from := panel.DateOf(2026, 6, 25) + panel.Date(r.IntN(150))
		to := from + panel.Date(r.IntN(90))
		query := fmt.Sprintf("from=%s&to=%s&confidence=%s", from, to, levels[level])
		if r.IntN(2) == 0 {
			banner = banners[r.IntN(len(banners))]
			query += "&banner=" + banner
		}
		var want []panel.ShrinkEvent
		for _, e := range events {
			m := find(d.Listings, func(m *panel.Listing) bool { return m.ID == e.Listing })
			p := find(d.Products, func(p *basket.Product) bool { return p.ID == m.ProductID })
			n := find(d.Banners, func(n *basket.Banner) bool { return n.Key == m.Banner })
			confidence, _ := gradeByHand(&e)
			day := panel.DateIn(e.DetectedAt, panel.Toronto)
			if day < from || day > to || slices.Index(levels, confidence) > level || banner != "" && banner != n.Key {
				continue
			}
			if !n.InIndex {
				hidden++
				continue
			}
			if !m.Active || !p.Active {
				gone++
			}
			want = append(want, e)
		}
		got := shrinkflationResource.walk(f, key, query, func() int { return 1 + r.IntN(900) }, nil)
		next := 0
		for _, m := range got.rows {
			var e eventJSON
			if err := json.Unmarshal(m, &e); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(e.New, "imported") {
				continue // one that the detector found
			}
			if next == len(want) || e.ID != want[next].ID || !e.DetectedAt.Equal(want[next].DetectedAt) {
				t.Fatalf("%s: event %d is %s, of %d", query, next, m, len(want))
			}
			if confidence, flag := gradeByHand(&want[next]); e.Confidence != confidence || e.Flag != flag {
				t.Fatalf("%s: %s, want %s %s", query, m, confidence, flag)
			}
			next++
		}
		if next != len(want) {
			t.Fatalf("%s: %d events, want %d", query, next, len(want))
		}
		compared += next
	}
	if compared < 3000 || gone < 20 || hidden < 20 {
		t.Errorf("compared %d, of former listings %d, left out %d", compared, gone, hidden)
	}
}

func TestShrinkflationPages(t *testing.T) {
	_, after := smallSnapshots()
	f := serveSnapshot(t, after)
	key := f.key(state.Standard)
	for name, limit := range pageLengths(rand.New(rand.NewPCG(1, 2))) {
		query := "from=2026-07-01&confidence=low"
		if name == "1" || name == "7" {
			query = "from=2026-10-15&confidence=medium&to=2026-11-05"
		}
		whole := shrinkflationResource.walk(f, key, query, func() int { return 10_000 }, nil)
		sameRows(t, shrinkflationResource.walk(f, key, query, limit, nil).rows, whole.rows)
		v := f.get("/api/v1/shrinkflation?limit=2&"+query, key).json(t)
		if got := at(v, "meta.total_matched"); got != fmt.Sprint(len(whole.rows)) || len(whole.rows) < 50 {
			t.Errorf("total_matched is %s of %d", got, len(whole.rows))
		}
	}
}

func TestScanCap(t *testing.T) {
	_, after := smallSnapshots()
	inRange := func(scanCap int) (truncated, total string, rows int) {
		f := serveSnapshot(t, after, func(c *Config) { c.ScanCap = scanCap })
		v := f.get("/api/v1/shrinkflation?confidence=low&from=2026-10-01&to=2026-10-20&limit=10000", f.key(state.Standard)).json(t)
		return at(v, "meta.scan_truncated"), at(v, "meta.total_matched"), len(v["events"].([]any))
	}
	truncated, total, all := inRange(0)
	if truncated != absent || all < 100 || total != fmt.Sprint(all) {
		t.Fatalf("without a cap: scan_truncated %s, total_matched %s, %d events", truncated, total, all)
	}
	for _, c := range []struct {
		scanCap int
		want    string
		rows    int
	}{{all + 1, absent, all}, {all, absent, all}, {all - 1, "true", all - 1}, {1, "true", 1}} {
		truncated, total, rows := inRange(c.scanCap)
		if truncated != c.want || rows != c.rows || total != fmt.Sprint(c.rows) {
			t.Errorf("with a cap of %d: scan_truncated %s, total_matched %s, %d events", c.scanCap, truncated, total, rows)
		}
	}

	// The cap is on what is looked at, not on what matches.
	f := serveSnapshot(t, after, func(c *Config) { c.ScanCap = all - 1 })
	v := f.get("/api/v1/shrinkflation?confidence=high&banner=northlarch&from=2026-10-01&to=2026-10-20", f.key(state.Standard)).json(t)
	if at(v, "meta.scan_truncated") != "true" {
		t.Error("few events match of more than may be looked at: no scan_truncated")
	}
}
