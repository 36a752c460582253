package httpapi_test

import (
	"fmt"
	"testing"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

func TestScanCap(t *testing.T) {
	t.Parallel()
	_, after := apitest.SmallSnapshots()
	inRange := func(scanCap int) (truncated, total string, rows int) {
		f := apitest.ServeFile(t, after, func(c *httpapi.Config) { c.ScanCap = scanCap })
		v := f.Get("/api/v1/shrinkflation?confidence=low&from=2026-10-01&to=2026-10-20&limit=10000", f.Key(state.Standard)).JSON(t)
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

	// The cap counts events in the range, whether they match or not.
	f := apitest.ServeFile(t, after, func(c *httpapi.Config) { c.ScanCap = all - 1 })
	v := f.Get("/api/v1/shrinkflation?confidence=high&banner=northlarch&from=2026-10-01&to=2026-10-20", f.Key(state.Standard)).JSON(t)
	if at(v, "meta.scan_truncated") != "true" {
		t.Error("few events match of more than may be looked at: no scan_truncated")
	}
}
