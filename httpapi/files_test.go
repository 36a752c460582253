package httpapi_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons/release/folder"
	"github.com/larder-index/larder/panel"
)

// TestFilesAreThePages compares the CSV files of a release with all pages of the endpoints, digit for digit.
func TestFilesAreThePages(t *testing.T) {
	t.Parallel()
	f, x := apitest.ServeReleases(t)
	f.Clock.Set(apitest.Now)
	demo, _ := apitest.Demo()
	m := *demo // its last three weeks, and events
	m.Rows = slices.DeleteFunc(slices.Clone(m.Rows), func(o panel.Observation) bool {
		return o.ObservedAt.Before(apitest.Now.AddDate(0, 0, -24))
	})
	_, m.Events = apitest.Small()
	m.Events = slices.Clone(m.Events[:200])
	for i := range m.Events {
		m.Events[i].Listing = m.Listings[i].ID
	}
	db := m.Snapshot(t)
	x.Publish(t, f, db, "")
	f.Clock.Advance(7 * 24 * time.Hour)
	x.Publish(t, f, db, "", "jump", "lost", "vanished", "frozen", "scale") // the same with a week more
	f.Look(false)
	dir := must(folder.Publish(t.Context(), t.TempDir(), x.Live, x.Log))
	key := f.Key(state.Enterprise)
	const always = "from=2020-01-01&to=2030-01-01"
	for name, pages := range map[string]struct {
		query, rows string
		more        []string // columns that no page has
	}{
		"index":         {"/api/v1/index?include=quality&" + always, "observations", nil},
		"coverage":      {"/api/v1/coverage?" + always, "cells", nil},
		"revisions":     {"/api/v1/revisions?release=r2", "revisions", []string{"old_ci95_low", "old_ci95_high", "new_ci95_low", "new_ci95_high"}},
		"prices":        {"/api/v1/prices?" + always, "observations", []string{"week"}},
		"products":      {"/api/v1/products?", "products", nil},
		"shrinkflation": {"/api/v1/shrinkflation?confidence=low&" + always, "events", nil},
	} {
		t.Run(name, func(t *testing.T) {
			packed := must(gzip.NewReader(bytes.NewReader(apitest.Read(filepath.Join(dir, name+".csv.gz")))))
			cells := must(csv.NewReader(packed).ReadAll())
			header, cells := cells[0], cells[1:]
			if name == "products" { // pages have them by category
				page := page(f, pages.query, key, "").JSON(t)
				place := map[string]int{}
				for i, x := range page["products"].([]any) {
					place[at(x, "id")] = i
				}
				slices.SortFunc(cells, func(a, b []string) int { return place[a[0]] - place[b[0]] })
			}
			n, offset, more := 0, "0", true
			for more {
				query := pages.query
				if pages.rows != "products" {
					query += "&limit=10000&offset=" + offset
				}
				page := page(f, query, key, "").JSON(t)
				list, ok := page[pages.rows].([]any)
				if !ok {
					t.Fatalf("%.500v", page)
				}
				for _, x := range list {
					if n == len(cells) {
						t.Fatalf("the file has %d rows only", n)
					}
					row := map[string]string{}
					flatten(row, "", x.(map[string]any))
					for i, column := range header {
						if want := row[column]; !slices.Contains(pages.more, column) && cells[n][i] != want {
							t.Fatalf("row %d: %s is %q in the file and %q on the page", n, column, cells[n][i], want)
						}
						delete(row, column)
					}
					if len(row) > 0 {
						t.Fatalf("the file lacks %v", row)
					}
					n++
				}
				offset = at(page, "meta.next_offset")
				more = at(page, "meta.has_more") == "true"
			}
			if n != len(cells) || n == 0 {
				t.Errorf("the file has %d rows, the pages %d", len(cells), n)
			}
		})
	}
}

// flatten adds the members of a row as texts, by the names of columns. Null is the empty text.
func flatten(row map[string]string, prefix string, members map[string]any) {
	for name, v := range members {
		switch v := v.(type) {
		case map[string]any:
			switch name {
			case "promo_detail":
				text, _ := json.Marshal(v)
				row[name] = string(text)
			case "products":
				flatten(row, "product_", v)
			case "old", "new":
				figures := map[string]string{}
				flatten(figures, "", v)
				for column, text := range figures {
					row[name+"_"+column] = text
				}
			default:
				flatten(row, prefix, v)
			}
		case []any:
			text, _ := json.Marshal(v)
			row[name] = string(text)
		case nil:
			if name != "old" && name != "new" {
				row[name] = ""
			}
		default:
			if name == "id" || name == "name" {
				name = prefix + name
			}
			row[name] = fmt.Sprint(v)
		}
	}
}

const files = "/api/v1/files/"

// publishedFolder starts a server of a released snapshot and of the folder of its release.
func publishedFolder(t *testing.T) (f *apitest.Server, dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "site")
	f, x := apitest.ServeReleases(t, func(c *httpapi.Config) { c.Publish = dir })
	x.Publish(t, f, x.Snapshots(t)[0], "")
	must(folder.Publish(t.Context(), dir, x.Live, x.Log))
	return f, dir
}

// TestPublishedFiles gets every file of a release, by the tiers, whole and in part.
func TestPublishedFiles(t *testing.T) {
	t.Parallel()
	f, dir := publishedFolder(t)
	standard, research := f.Key(state.Standard), f.Key(state.Research)
	latest := f.Get(files+folder.Latest, research)
	if id := latest.JSON(t)["release"]; id != "r1" || latest.Header.Get("Cache-Control") != "private, no-cache" {
		t.Errorf("the newest is %v: %v", id, latest.Header)
	}
	sums := f.Get(files+"r1/SHA256SUMS", research)
	n := 0
	for line := range strings.Lines(string(sums.Content)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		got := f.Get(files+"r1/"+name, standard)
		if fmt.Sprintf("%x", sha256.Sum256(got.Content)) != sum || got.Header.Get("Cache-Control") != "private, max-age=31536000, immutable" {
			t.Errorf("%s: %d, %d bytes, %v", name, got.StatusCode, len(got.Content), got.Header)
		}
		if n++; strings.HasPrefix(name, "products.") || name == folder.Descriptor {
			apitest.WantStatus(t, f.Get(files+"r1/"+name, research), http.StatusOK)
		} else {
			apitest.WantError(t, name, f.Get(files+"r1/"+name, research), http.StatusPaymentRequired, "tier_required")
		}
	}
	if n < 20 {
		t.Errorf("the sums are of %d files", n)
	}
	apitest.WantError(t, "no key", f.Get(files+"r1/leaf", ""), http.StatusUnauthorized, "unauthorized")

	one := f.Key(state.Standard)
	whole := apitest.Read(filepath.Join(dir, "r1", "prices.parquet"))
	head := f.Do("HEAD", files+"r1/prices.parquet", one, "")
	tag := head.Header.Get("ETag")
	if head.Header.Get("Content-Length") != fmt.Sprint(len(whole)) || head.Header.Get("Accept-Ranges") != "bytes" || tag == "" {
		t.Errorf("HEAD: %v", head.Header)
	}
	part := f.Get(files+"r1/prices.parquet", one, apitest.Header("Range", "bytes=4-99"), apitest.Header("If-Range", tag))
	if part.StatusCode != http.StatusPartialContent || string(part.Content) != string(whole[4:100]) {
		t.Errorf("a range: %d, %d bytes", part.StatusCode, len(part.Content))
	}
	all := f.Get(files+"r1/prices.parquet", one, apitest.Header("Range", "bytes=4-99"), apitest.Header("If-Range", `"other"`))
	if all.StatusCode != http.StatusOK || string(all.Content) != string(whole) {
		t.Errorf("a range of another file: %d, %d bytes", all.StatusCode, len(all.Content))
	}
	apitest.WantStatus(t, f.Get(files+"r1/prices.parquet", one, apitest.Header("If-None-Match", tag)), http.StatusNotModified)
	beyond := f.Get(files+"r1/prices.parquet", one, apitest.Header("Range", "bytes=99999999-"))
	apitest.WantError(t, "beyond", beyond, http.StatusRequestedRangeNotSatisfiable, "range_not_satisfiable")
	apitest.WantError(t, "a parameter", f.Get(files+"r1/leaf?x=1", one), http.StatusBadRequest, "invalid_parameter")
	if used := at(f.Get("/api/v1/usage", one).JSON(t), "month.used"); used != "3" { // HEAD, the range and the whole
		t.Errorf("%s requests count", used)
	}
}

// TestPublishedFilesRefused asks for what is not in the folder.
func TestPublishedFilesRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret")
	err := errors.Join(os.MkdirAll(filepath.Join(dir, "r1", "panel"), 0o700), os.WriteFile(secret, []byte("secret"), 0o600),
		os.WriteFile(filepath.Join(dir, "r1", ".leaf"), nil, 0o600), os.Symlink(secret, filepath.Join(dir, "r1", "linked")))
	if err != nil {
		t.Fatal(err)
	}
	f := apitest.ServeReleased(t, func(c *httpapi.Config) { c.Publish = dir })
	key := f.Key(state.Enterprise)
	for _, name := range []string{
		"", "latest.json", "latest", "r1", "r1/", "r1/panel", "r1/panel/", "r2/index.parquet", "r1/nonesuch.parquet", "r1/.leaf", "r1//leaf",
		"r1/a%00b", "../secret", "r1/../../secret", "r1/..", "r1/%2e%2e/%2e%2e/secret", "r1%2fleaf", "r1/products./../leaf", "r1/" + strings.Repeat("x", 5000),
	} {
		apitest.WantError(t, name, f.Get(files+name, key), http.StatusNotFound, "not_found")
	}
	apitest.WantError(t, "a link that leads out", f.Get(files+"r1/linked", key), http.StatusInternalServerError, "internal_error")
	g := apitest.ServeReleased(t)
	got := g.Get(files+"latest.json", g.Key(state.Research))
	if apitest.WantError(t, "no folder", got, http.StatusNotFound, "not_found"); !strings.Contains(string(got.Content), "larder serve --publish DIR") {
		t.Errorf("%s", got.Content)
	}
}
