package httpapi_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// TestOpenAPIAnswers gets, from every licensed address, every answer that is
// documented of it but for faults. The recorder holds each against the document.
func TestOpenAPIAnswers(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	research, standard := f.Key(state.Research), f.Key(state.Standard)
	disabled := f.Key(state.Standard)
	f.Disable(disabled)
	for path, operations := range apitest.OpenAPI().Paths() {
		responses, _ := apitest.OpenAPI().At(operations, "get", "responses").(map[string]any)
		if responses["429"] == nil || strings.HasPrefix(path, "/api/shopper/") {
			continue
		}
		t.Run(path, func(t *testing.T) {
			f := f.For(t)
			// as makes the request with a key: in a session where it must be.
			as := func(secret, query string, change ...apitest.Change) *apitest.Response {
				if strings.HasPrefix(path, "/account/") {
					change, secret = append(change, apitest.WithCookie(f.SignIn(secret))), ""
				}
				return f.Get(path+query, secret, change...)
			}
			expect := func(r *apitest.Response, status int) {
				t.Helper()
				if r.StatusCode != status {
					t.Errorf("%s: %d %.300s; want %d", r.Request.URL, r.StatusCode, r.Content, status)
				}
			}
			r := as(standard, "")
			expect(r, http.StatusOK)
			if responses["304"] != nil {
				expect(as(standard, "", apitest.Header("If-None-Match", r.Header.Get("ETag"))), http.StatusNotModified)
			}
			expect(as(standard, "?nonesuch=1"), http.StatusBadRequest)
			expect(f.Get(path, ""), http.StatusUnauthorized)
			if responses["402"] != nil {
				expect(as(research, ""), http.StatusPaymentRequired)
			}
			if strings.HasPrefix(path, "/account/") {
				expect(ended(t, path), http.StatusForbidden)
			} else {
				expect(as(disabled, ""), http.StatusForbidden)
			}
			once := f.Key(state.Standard, func(n *state.NewKey) { n.PerMinute = 1 })
			expect(as(once, ""), http.StatusOK)
			expect(as(once, ""), http.StatusTooManyRequests)
			expect(f.Do(http.MethodHead, path, "", ""), http.StatusUnauthorized)
			expect(f.Do(http.MethodPut, path, standard, "{}"), http.StatusMethodNotAllowed)
		})
	}
}

// ended asks in a session whose key has expired in its course.
func ended(t *testing.T, path string) *apitest.Response {
	g := apitest.Serve(t)
	cookie := apitest.WithCookie(g.SignIn(g.Key(state.Standard, func(n *state.NewKey) { n.Expires = apitest.Now.Add(1) })))
	g.Clock.Advance(2)
	return g.Get(path, "", cookie)
}

// TestOpenAPIAccountQueries gets the refusals of queries where secrets are sent.
func TestOpenAPIAccountQueries(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		if r := f.Do(method, "/account/session?key=x", "", ""); r.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d %s", method, r.StatusCode, r.Content)
		}
	}
}

// An answer that can't be logged after it was made and packed leaves nothing of
// itself in the refusal.
func TestUnloggedAnswer(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	key := f.Key(state.Standard)
	f.API.BeforeIndex(func() { f.State.Close() })
	r := f.Get("/api/v1/index", key, apitest.Header("Accept-Encoding", "gzip"))
	apitest.WantError(t, "unlogged", r, http.StatusInternalServerError, "internal_error")
	if r.Header.Get("Content-Encoding") != "" {
		t.Errorf("%v", r.Header)
	}
}

// A page whose rows are sent straight from the snapshot is whole in every form, also
// at its edges. It is billed by its length.
func TestSharedRows(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	key := f.Key(state.Professional)
	rows := len(publicIndexResource.walk(f, key, "", func() int { return 8000 }, nil).rows)
	for _, x := range []struct {
		name, query string
		rows        int
	}{
		{"first page", "", min(rows, 5000)},
		{"all rows", "?limit=8000", min(rows, 8000)},
		{"one row", "?limit=1", 1},
		{"a page inside", "?limit=7&offset=13", 7},
		{"the end", "?offset=" + strconv.Itoa(rows-3), 3},
		{"past the end", "?offset=" + strconv.Itoa(rows), 0},
		{"no days", "?from=2026-11-20&to=2026-11-01", 0},
	} {
		t.Run(x.name, func(t *testing.T) {
			path := "/api/public/index" + x.query
			before := used(t, f)
			plain := f.Get(path, key)
			if got := used(t, f) - before; plain.StatusCode != http.StatusOK || got != int64(len(plain.Content)) {
				t.Errorf("status %d, %d bytes, %d logged", plain.StatusCode, len(plain.Content), got)
			}
			var body struct{ Observations []json.RawMessage }
			if err := json.Unmarshal(plain.Content, &body); err != nil || len(body.Observations) != x.rows {
				t.Errorf("%d rows, not %d; %v", len(body.Observations), x.rows, err)
			}
			if head := f.Do(http.MethodHead, path, key, ""); head.ContentLength != int64(len(plain.Content)) || len(head.Content) > 0 {
				t.Errorf("HEAD: length %d and %d bytes, not %d and 0", head.ContentLength, len(head.Content), len(plain.Content))
			}
			if got := used(t, f) - before; got != int64(len(plain.Content)) {
				t.Errorf("after HEAD, %d bytes logged, not %d", got, len(plain.Content))
			}
			packed := f.Get(path, key, apitest.Header("Accept-Encoding", "gzip"))
			if len(plain.Content) < 1024 {
				return
			}
			z, err := gzip.NewReader(bytes.NewReader(packed.Content))
			if err != nil {
				t.Fatal(err)
			}
			if unpacked, err := io.ReadAll(z); err != nil || !bytes.Equal(unpacked, plain.Content) {
				t.Errorf("packed, it is another response: %v", err)
			}
		})
	}
}

// used returns the bytes that were billed.
func used(t *testing.T, f *apitest.Server) (bytes int64) {
	t.Helper()
	all, err := f.State.Usage(context.Background(), state.MonthOf(apitest.Now), 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range all {
		bytes += u.Total.Bytes
	}
	return bytes
}
