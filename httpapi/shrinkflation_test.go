package httpapi_test

import (
	"fmt"
	"testing"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// TestScanCap: the cap counts events in the range of days, whether they match or not.
func TestScanCap(t *testing.T) {
	t.Parallel()
	_, after := apitest.SmallSnapshots()
	inRange := func(scanCap int, filter string) (truncated, total string, rows int) {
		f := apitest.ServeFile(t, after, func(c *httpapi.Config) { c.ScanCap = scanCap })
		v := f.Get("/api/v1/shrinkflation?"+filter+"&from=2026-10-01&to=2026-10-20&limit=10000", f.Key(state.Standard)).JSON(t)
		return at(v, "meta.scan_truncated"), at(v, "meta.total_matched"), len(v["events"].([]any))
	}
	truncated, total, all := inRange(0, "confidence=low")
	if truncated != absent || all < 100 || total != fmt.Sprint(all) {
		t.Fatalf("without a cap: scan_truncated %s, total_matched %s, %d events", truncated, total, all)
	}
	if truncated, total, rows := inRange(all, "confidence=low"); truncated != absent || rows != all || total != fmt.Sprint(all) {
		t.Errorf("with a cap of all: scan_truncated %s, total_matched %s, %d events", truncated, total, rows)
	}
	if truncated, total, rows := inRange(all-1, "confidence=low"); truncated != "true" || rows != all-1 || total != fmt.Sprint(all-1) {
		t.Errorf("with a cap of one less: scan_truncated %s, total_matched %s, %d events", truncated, total, rows)
	}
	if truncated, _, _ := inRange(all-1, "confidence=high&banner=northlarch"); truncated != "true" {
		t.Error("few events match of more than may be looked at: no scan_truncated")
	}
}
