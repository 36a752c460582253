package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

// listedEntry is an entry as "larder quarantine list" prints it.
type listedEntry struct {
	ID          int64
	Rule        string
	Listing     int64  `json:"retailer_product_id"`
	Name        string `json:"retailer_name"`
	Product     int    `json:"product_id"`
	Banner      string
	Store       *int64 `json:"store_id"`
	City        *string
	Observation *int64 `json:"observation_id"`
	FoundAt     string `json:"found_at"`
	Rows        int
	Released    bool
	Reason      string
}

func listEntries(t *testing.T, db string, args ...string) []listedEntry {
	t.Helper()
	var list []listedEntry
	if err := json.Unmarshal(larder(t, append([]string{"quarantine", "list", "--format", "json", "--db", db}, args...)...), &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// Every entry is listed with as many rows as were planted for it: those of
// active stores, listings and products.
func TestEntriesAndTheirRows(t *testing.T) {
	t.Parallel()
	db, d := demoOf(t, 2, 9)
	stores := map[int64]panel.Store{}
	for _, s := range d.Stores {
		stores[s.ID] = s
	}
	cities := map[string]string{}
	for _, c := range d.Cities {
		cities[c.Slug] = c.Name
	}
	list := listEntries(t, db)
	rules := map[string]int{}
	for i, x := range list {
		rules[x.Rule]++
		m := d.Listings[x.Listing-1]
		rows := 0
		for o := range d.Observations() {
			if o.Listing == x.Listing && (x.Store == nil || o.Store == *x.Store) && (x.Observation == nil || o.ID == *x.Observation) &&
				m.Active && d.Products[m.ProductID-1].Active && stores[o.Store].Active {
				rows++
			}
		}
		if x.Rows != rows || rows == 0 || x.ID != int64(i+1) || x.Product != m.ProductID || x.Banner != m.Banner || x.Released || x.Reason == "" {
			t.Errorf("%+v, want %d rows of %+v", x, rows, m)
		}
		if x.Store != nil && *x.City != cities[stores[*x.Store].City] {
			t.Errorf("%+v: store %d is in %s", x, *x.Store, stores[*x.Store].City)
		}
	}
	if len(rules) != 3 {
		t.Errorf("rules %v", rules)
	}
	first := list[0]
	for _, c := range []struct {
		args []string
		want func(listedEntry) bool
	}{
		{[]string{"--rule", first.Rule}, func(x listedEntry) bool { return x.Rule == first.Rule }},
		{[]string{"--banner", first.Banner}, func(x listedEntry) bool { return x.Banner == first.Banner }},
		{[]string{"--product", fmt.Sprint(first.Product)}, func(x listedEntry) bool { return x.Product == first.Product }},
	} {
		want := slices.DeleteFunc(slices.Clone(list), func(x listedEntry) bool { return !c.want(x) })
		if diff := cmp.Diff(want, listEntries(t, db, c.args...)); diff != "" || len(want) == len(list) {
			t.Errorf("%v: %d of %d: %s", c.args, len(want), len(list), diff)
		}
	}
	rows, err := csv.NewReader(bytes.NewReader(larder(t, "quarantine", "list", "--db", db, "--format", "csv"))).ReadAll()
	if err != nil || len(rows) != 1+len(list) {
		t.Fatalf("%d rows of CSV, %v", len(rows), err)
	}
	for i, r := range rows[1:] {
		x := list[i]
		if diff := cmp.Diff([]string{fmt.Sprint(x.ID), x.Name, fmt.Sprint(x.Rows), x.Reason}, []string{r[0], r[3], r[11], r[13]}); diff != "" {
			t.Errorf("-json +csv: %s", diff)
		}
	}
}

// The command tells what a release led to: rows that fail identity don't pass
// when a wrong product's entry goes, and other entries of the listing stay.
func TestReleaseTellsWhatItLeadsTo(t *testing.T) {
	t.Parallel()
	db, d := demoOf(t, 2, 9)
	release := func(x listedEntry) string {
		t.Helper()
		stdout, stderr, code := try("quarantine", "release", fmt.Sprint(x.ID), "--db", db, "--reason", "looked at")
		if code != exitDone || stdout != "" {
			t.Fatalf("exit status %d, %s, %s", code, stdout, stderr)
		}
		return stderr
	}
	list := listEntries(t, db)
	find := func(p synth.Plant) listedEntry {
		i := slices.IndexFunc(list, func(x listedEntry) bool {
			return x.Listing == p.Listings[0] && (x.Store == nil && len(p.Stores) == 0 || x.Store != nil && slices.Contains(p.Stores, *x.Store))
		})
		if i < 0 {
			t.Fatalf("no entry for %+v", p)
		}
		return list[i]
	}
	wrong := find(d.Planted(synth.WrongProduct)[0])
	if got, want := release(wrong), fmt.Sprintf("of its %d rows, pass again: 0; fail identity by title or size: %d; held by other entries: 0\n", wrong.Rows, wrong.Rows); !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	i := slices.IndexFunc(d.Planted(synth.WrongBasis), func(p synth.Plant) bool { return len(p.Stores) > 1 })
	basis := find(d.Planted(synth.WrongBasis)[i])
	got := release(basis)
	if want := fmt.Sprintf("of its %d rows, pass again: %d; fail identity by title or size: 0; held by other entries: 0\n", basis.Rows, basis.Rows); !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	others := 0
	for _, x := range list {
		if x.Listing == basis.Listing && x.ID != basis.ID {
			others++
			if want := fmt.Sprintf("entry %d, wrong_basis, still sets aside %d rows of this listing, at store %d in %s\n", x.ID, x.Rows, *x.Store, *x.City); !strings.Contains(got, want) {
				t.Errorf("got %s, want %s", got, want)
			}
		}
	}
	if n := strings.Count(got, "still sets aside"); n != others || n == 0 {
		t.Errorf("%d others are named, want %d: %s", n, others, got)
	}
	left := listEntries(t, db)
	if n := len(listEntries(t, db, "--all")); len(left) != len(list)-2 || n != len(list) {
		t.Errorf("%d in force, %d in all, of %d", len(left), n, len(list))
	}
	for _, x := range listEntries(t, db, "--all") {
		if x.Released && x.Rows != 0 {
			t.Errorf("released, and %d rows: %+v", x.Rows, x)
		}
	}
}

func TestReasonsOfSeveralLines(t *testing.T) {
	t.Parallel()
	for _, reason := range []string{"one\ntwo", "one\r", "\n"} {
		for _, args := range [][]string{{"release", "1"}, {"add", "--listing", "1"}} {
			args = append([]string{"quarantine"}, append(args, "--db", "none.db", "--reason", reason)...)
			if _, stderr, code := try(args...); code != exitUsage || !strings.Contains(stderr, "--reason") {
				t.Errorf("%q: exit status %d, %s", args, code, stderr)
			}
		}
	}
}
