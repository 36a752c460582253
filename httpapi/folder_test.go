package httpapi_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

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
