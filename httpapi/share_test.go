package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
)

// A page whose rows are sent from where they stand in the snapshot is whole in
// every form, also at its edges, and is billed as long as it is.
func TestSharedRows(t *testing.T) {
	f := serveDemo(t)
	key := f.key(state.Professional)
	table, err := f.snapshots.Current().v2()
	if err != nil {
		t.Fatal(err)
	}
	_, rows := table.between(0, panel.LastClosed(testNow).Date())
	for _, x := range []struct {
		name, query string
		rows        int
	}{
		{"first page", "", min(rows, publicIndexPage)},
		{"all rows", "?limit=8000", min(rows, publicIndexMost)},
		{"one row", "?limit=1", 1},
		{"a page inside", "?limit=7&offset=13", 7},
		{"the end", "?offset=" + strconv.Itoa(rows-3), 3},
		{"past the end", "?offset=" + strconv.Itoa(rows), 0},
		{"no days", "?from=2026-11-20&to=2026-11-01", 0},
	} {
		t.Run(x.name, func(t *testing.T) {
			path := "/api/public/index" + x.query
			before := used(t, f)
			plain := f.get(path, key)
			if got := used(t, f) - before; plain.StatusCode != http.StatusOK || got != int64(len(plain.body)) {
				t.Errorf("status %d, %d bytes, %d logged", plain.StatusCode, len(plain.body), got)
			}
			var body struct{ Observations []json.RawMessage }
			if err := json.Unmarshal(plain.body, &body); err != nil || len(body.Observations) != x.rows {
				t.Errorf("%d rows, not %d; %v", len(body.Observations), x.rows, err)
			}
			if head := f.do(http.MethodHead, path, key, ""); head.ContentLength != int64(len(plain.body)) || len(head.body) > 0 {
				t.Errorf("HEAD: length %d and %d bytes, not %d and 0", head.ContentLength, len(head.body), len(plain.body))
			}
			if got := used(t, f) - before; got != int64(len(plain.body)) {
				t.Errorf("after HEAD, %d bytes logged, not %d", got, len(plain.body))
			}
			packed := f.get(path, key, header("Accept-Encoding", "gzip"))
			if len(plain.body) < minPacked {
				return
			}
			z, err := gzip.NewReader(bytes.NewReader(packed.body))
			if err != nil {
				t.Fatal(err)
			}
			if unpacked, err := io.ReadAll(z); err != nil || !bytes.Equal(unpacked, plain.body) {
				t.Errorf("packed, it is another response: %v", err)
			}
		})
	}
}

// used returns the bytes that were billed.
func used(t *testing.T, f *fixture) (bytes int64) {
	t.Helper()
	all, err := f.state.Usage(context.Background(), state.MonthOf(testNow), 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range all {
		bytes += u.Total.Bytes
	}
	return bytes
}
