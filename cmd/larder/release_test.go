package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
)

// TestThirtyReleases releases a panel thirty times. There are late rows, corrections, a changed
// weight, a listing that is set aside and let go, other terms and another base week. It saves
// what the command printed and the server sent at each release. At the end both give the same
// bytes as of that release, and the changes of each release turn one index into the next.
func TestThirtyReleases(t *testing.T) {
	if testing.Short() {
		t.Skip("makes thirty releases")
	}
	t.Parallel()
	w := newWeekly(t, 33, 50)
	var saved [][2][]byte // series v2 and v1
	var instants []string
	var served []savedAnswer
	key := w.newKey(t)
	index := func(series string, flags ...string) []byte {
		return larder(t, append([]string{"index", "--series", series, "--format", "json"}, flags...)...)
	}
	for i, week := range w.weeks {
		w.deliver(w.rows[week])
		if i < 3 {
			continue
		}
		switch i {
		case 10:
			dearer := func(p panel.Price) panel.Price { return p + 10_000 }
			w.deliver([][]string{w.priced(w.rows[w.weeks[9]][3], dearer), w.priced(w.rows[w.weeks[0]][5], dearer)}, "--correct", "read from the wrong shelf")
		case 15:
			w.set("products.csv", 1, "basket_weight", func(string) string { return "0.08" })
			w.deliver(w.rows[week])
		case 18:
			w.settings([]string{"coverage_note", "one chain is missing"}, []string{"licence", "ask first"})
		case 20:
			larder(t, "quarantine", "add", "--db", w.next, "--listing", "1", "--reason", "a test")
		case 24:
			entry := operatorEntry(t, w.next)
			larder(t, "quarantine", "release", entry, "--db", w.next, "--reason", "the test is over")
		case 28:
			w.settings([]string{"base_week", w.weeks[1]})
		}
		now := w.after(week)
		larder(t, w.release(now, release.Rules()...)...)
		saved = append(saved, [2][]byte{index("v2", "--db", w.live, "--now", now), index("v1", "--db", w.live, "--now", now)})
		instants = append(instants, now)
		id := fmt.Sprintf("r%d", len(instants))
		served = append(served, w.answers(key, now, id)...)
		if i%10 == 0 {
			served = append(served, w.answers(key, later(t, now, 3), id)...)
		}
	}
	if len(saved) != 30 {
		t.Fatalf("%d releases", len(saved))
	}
	now := w.serve(t, testNow)
	w.sameAsOf(now, key, served)
	revised := listOf(t, w.revisions(now, key, "limit=997"))
	var before map[string]json.RawMessage
	var union []json.RawMessage
	causes := map[string]int{}
	for i, want := range saved {
		id := fmt.Sprintf("r%d", i+1)
		for k, series := range []string{"v2", "v1"} {
			for _, asOf := range []string{id, instants[i]} {
				if got := index(series, "--log", w.log, "--as-of", asOf); !bytes.Equal(got, want[k]) {
					t.Errorf("as of %s series %s is not what it was: %s", asOf, series, cmp.Diff(string(want[k]), string(got)))
				}
			}
		}
		changes := w.revisions(now, key, "limit=997&release="+id)
		if shown := larder(t, "releases", "show", id, "--log", w.log, "--format", "json"); !bytes.Equal(compact(t, shown), compact(t, changes)) {
			t.Errorf("the command shows other revisions of %s: %.500s, not %.500s", id, shown, changes)
		}
		after := revise(t, before, changes, causes)
		if diff := cmp.Diff(rowsByCell(t, want[0]), after); diff != "" {
			t.Errorf("the revisions of %s do not lead to its index: %s", id, diff)
		}
		before = after
		union = append(union, listOf(t, changes)...)
		if i%10 > 0 {
			continue
		}
		for _, since := range []string{id, url.QueryEscape(instants[i])} {
			rest := listOf(t, w.revisions(now, key, "limit=10000&since="+since))
			if !slices.EqualFunc(revised[len(union):], rest, slices.Equal) {
				t.Errorf("since %s there are %d revisions, not the last %d of %d", since, len(rest), len(revised)-len(union), len(revised))
			}
		}
	}
	if !slices.EqualFunc(revised, union, slices.Equal) {
		t.Errorf("all %d revisions are not the %d of all releases", len(revised), len(union))
	}
	for _, cause := range []string{"new_week", "rows", "quarantine", "reference", "settings"} {
		if causes[cause] == 0 {
			t.Errorf("no change has the cause %s: %v", cause, causes)
		}
	}
	larder(t, "releases", "verify", "--log", w.log)
}

// operatorEntry returns the id of the operator's entry.
func operatorEntry(t *testing.T, db string) string {
	t.Helper()
	var entries []struct {
		ID   int64  `json:"id"`
		Rule string `json:"rule"`
	}
	if err := json.Unmarshal(larder(t, "quarantine", "list", "--db", db, "--format", "json"), &entries); err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Rule == "listed" {
			return strconv.FormatInt(e.ID, 10)
		}
	}
	t.Fatal("no entry")
	return ""
}

// figuresKey names the cell and week of a row, by its members.
func figuresKey(t *testing.T, row map[string]json.RawMessage) string {
	var parts []string
	for _, name := range []string{"date", "city", "retailer", "category"} {
		if row[name] == nil {
			t.Fatalf("no %s in %v", name, row)
		}
		parts = append(parts, string(row[name]))
		delete(row, name)
	}
	return strings.Join(parts, " ")
}

// rowsByCell returns the figures of index rows by cell and week.
func rowsByCell(t *testing.T, index []byte) map[string]json.RawMessage {
	var rows []map[string]json.RawMessage
	if err := json.Unmarshal(index, &rows); err != nil {
		t.Fatal(err)
	}
	all := map[string]json.RawMessage{}
	for _, row := range rows {
		key := figuresKey(t, row)
		all[key] = sorted(t, row)
	}
	return all
}

// sorted writes an object with its members sorted.
func sorted(t *testing.T, v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// revise applies revisions to figures by cell and week, and counts their causes. The old
// figures must be those that were there.
func revise(t *testing.T, before map[string]json.RawMessage, revisions []byte, causes map[string]int) map[string]json.RawMessage {
	t.Helper()
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(revisions, &list); err != nil {
		t.Fatal(err)
	}
	after := map[string]json.RawMessage{}
	for key, figures := range before {
		after[key] = figures
	}
	for _, x := range list {
		key := figuresKey(t, x)
		var old, next map[string]json.RawMessage
		var why []string
		for name, into := range map[string]any{"old": &old, "new": &next, "causes": &why} {
			if err := json.Unmarshal(x[name], into); err != nil {
				t.Fatal(err)
			}
		}
		for _, cause := range why {
			causes[cause]++
		}
		was, had := before[key]
		if had != (old != nil) || had && !bytes.Equal(was, sorted(t, old)) {
			t.Fatalf("%s was %s, not %s", key, was, sorted(t, old))
		}
		if next == nil {
			delete(after, key)
		} else {
			after[key] = sorted(t, next)
		}
	}
	return after
}
