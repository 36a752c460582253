package httpapi_test

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// withoutDate takes generated_at out of an answer.
func withoutDate(b []byte) string {
	return string(regexp.MustCompile(`"generated_at":"[^"]*"`).ReplaceAll(b, nil))
}

// indexQueries are asked at the moment of every release, and again as of it.
var indexQueries = []string{
	"?limit=900", "?limit=7&offset=3", "?level=city&city=Toronto&from=2026-09-01", "?category=dairy&to=2026-11-01&limit=300", "?series=v1&limit=90", "?banner=tillbrook&limit=1",
	"?view=since&since=2026-08-30&level=national&limit=40", "?view=yoy&limit=3",
}

// TestReleasesOneAfterTheOther releases a panel week by week under a running server. Later,
// as_of gives each answer again, except for generated_at.
func TestReleasesOneAfterTheOther(t *testing.T) {
	t.Parallel()
	f, x := apitest.ServeReleases(t)
	key := f.Key(state.Standard)
	type saved struct {
		at    time.Time
		path  string
		body  string
		asked string
	}
	var all []saved
	if r := f.Get("/readyz", ""); r.StatusCode != http.StatusServiceUnavailable || at(r.JSON(t), "snapshot.file.reason") != `"not_released"` {
		t.Errorf("before the first release: %d %s", r.StatusCode, r.Content)
	}
	x.Weekly(t, f, 4, func(r string) {
		f.Clock.Advance(90 * time.Minute)
		for _, path := range []string{"/api/public/index", "/api/v1/index"} {
			for _, q := range indexQueries {
				got := f.Get(path+q, key)
				apitest.WantStatus(t, got, http.StatusOK)
				if id := at(got.JSON(t), "meta.release.id"); id != `"`+r+`"` {
					t.Fatalf("%s: %s, want %s", path+q, id, r)
				}
				all = append(all, saved{f.Clock.Now(), path, withoutDate(got.Content), q})
			}
		}
		// Released rows are those of the snapshot, which has more to tell of them.
		apitest.WantStatus(t, f.Get("/api/v1/index?include=quality,contributions", key), http.StatusOK)
		apitest.WantError(t, "include", f.Get("/api/v1/index?include=quality&as_of="+r, key), http.StatusBadRequest, "invalid_parameter")
		for _, s := range all {
			got := f.Get(s.path+s.asked+"&as_of="+s.at.Format(time.RFC3339), key)
			if text := withoutDate(got.Content); text != s.body {
				t.Fatalf("%s as of %s after %s:\n%.700s\nwas\n%.700s", s.path+s.asked, s.at, r, text, s.body)
			}
		}
	})
}

// TestStrangerTiesRowsToTheLog rebuilds the rows of r3, and the hashes up to the signed checkpoint, from
// answers of the interface alone. Of other programs it uses tlog and note.
func TestStrangerTiesRowsToTheLog(t *testing.T) {
	t.Parallel()
	f, x := apitest.ServeReleases(t)
	x.Weekly(t, f, 3, nil)
	f.Clock.Advance(7 * 24 * time.Hour)
	key := f.Key(state.Standard)
	get := func(path string, into any) (text []byte) {
		r := f.Get(path, key)
		apitest.WantStatus(t, r, http.StatusOK)
		if d := json.NewDecoder(bytes.NewReader(r.Content)); into != nil {
			d.UseNumber()
			if err := d.Decode(into); err != nil {
				t.Fatal(path, err)
			}
		}
		return r.Content
	}
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(places []int64) (list []tlog.Hash, err error) {
		for _, i := range places {
			list = append(list, stored[i])
		}
		return list, nil
	})
	var announced struct{ Releases []struct{ ID, Leaf string } }
	get("/releases.json", &announced)
	rows := map[string][]json.Number{}
	for i, r := range announced.Releases {
		text := get("/api/v1/releases/"+r.ID+"/leaf", nil)
		if hash := tlog.RecordHash(text); hex.EncodeToString(hash[:]) != r.Leaf {
			t.Fatalf("%s: the leaf is not the hash of its text", r.ID)
		}
		more := must(tlog.StoredHashes(int64(i), text, reader))
		stored = append(stored, more...)
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		if lines[0] != "larder-release/1" || !strings.HasPrefix(lines[1], `{"id":"`+r.ID+`",`) || len(lines) < 100 {
			t.Fatalf("%s begins with %.200q", r.ID, lines[:2])
		}
		for _, line := range lines[2:] {
			var week, level, city, banner, category string
			var causes []string
			var old, new []json.Number
			if err := json.Unmarshal([]byte(line), &[]any{&week, &level, &city, &banner, &category, &causes, &old, &new}); err != nil {
				t.Fatal(line, err)
			}
			cell := strings.Join([]string{week, city, banner, category}, " ")
			if !slices.Equal(rows[cell], old) {
				t.Fatalf("%s: %s does not follow from %s", r.ID, line, rows[cell])
			}
			if rows[cell] = new; new == nil {
				delete(rows, cell)
			}
		}
	}
	var page struct{ Observations []map[string]any }
	get("/api/v1/index?as_of=r3&from=2026-01-01&limit=10000", &page)
	if len(page.Observations) != len(rows) || len(rows) < 1000 {
		t.Errorf("%d rows, %d of the log", len(page.Observations), len(rows))
	}
	for _, row := range page.Observations {
		var cell []string
		for _, name := range []string{"date", "city", "retailer", "category"} {
			text, _ := row[name].(string)
			cell = append(cell, text)
		}
		if cell[3] == "" {
			cell[3] = "overall"
		}
		var figures []json.Number
		for _, name := range []string{"index_value", "basket_cost_cad", "pct_change_wow", "pct_change_mom", "pct_change_yoy", "item_count", "total_items"} {
			figure, ok := row[name].(json.Number)
			if ok && !strings.HasSuffix(name, "s") && name != "item_count" {
				figure = json.Number(decimal.RequireFromString(figure.String()).Shift(4).String())
			}
			figures = append(figures, figure)
		}
		of := strings.Join(cell, " ")
		if len(rows[of]) < len(figures) || !slices.Equal(figures, rows[of][:len(figures)]) { // later columns follow
			t.Fatalf("%s: %v, in the log %v", of, figures, rows[of])
		}
	}
	var then, now struct{ Products []any }
	get("/api/v1/products?as_of=r3", &then)
	if get("/api/v1/products", &now); len(then.Products) < 40 || !reflect.DeepEqual(then, now) {
		t.Errorf("products of r3: %v", then)
	}
	verifier := must(note.NewVerifier(x.Verifier))
	root, err1 := tlog.TreeHash(3, reader)
	signed, err2 := note.Open(get("/releases/checkpoint", nil), note.VerifierList(verifier))
	check(cmp.Or(err1, err2))
	if want := fmt.Sprintf("%s\n3\n%s\n", verifier.Name(), root); signed.Text != want {
		t.Errorf("the checkpoint says %q, want %q", signed.Text, want)
	}
}

// TestRevisionsLeadFromTableToTable applies the revisions of each release to the table of the
// release before. The result is the release's own table, however the pages are cut.
func TestRevisionsLeadFromTableToTable(t *testing.T) {
	t.Parallel()
	f, x := apitest.ServeReleases(t)
	key := f.Key(state.Standard)
	x.Weekly(t, f, 4, nil)
	lengths := []func() int{func() int { return 10_000 }, func() int { return 313 }, func() int { return 1000 }}
	all := revisionsResource.walk(f, key, "", lengths[0]).rows
	var union []json.RawMessage
	table, revised := map[string]string{}, 0
	for n := 1; n <= 4; n++ {
		part := revisionsResource.walk(f, key, fmt.Sprintf("release=r%d", n), lengths[n%3]).rows
		union = append(union, part...)
		for _, text := range part {
			var row struct {
				Date, City, Retailer, Category json.RawMessage
				Release                        string
				Causes                         []string
				Old, New                       json.RawMessage
			}
			check(json.Unmarshal(text, &row))
			cell := fmt.Sprintf("%s,%s,%s,%s", row.Date, row.City, row.Retailer, row.Category)
			if old, ok := table[cell]; ok != (string(row.Old) != "null") || ok && old != string(row.Old) || row.Release != fmt.Sprintf("r%d", n) || len(row.Causes) == 0 {
				t.Fatalf("r%d: %s after %s", n, text, old)
			}
			if table[cell] = string(row.New); string(row.New) == "null" {
				delete(table, cell)
			} else if string(row.Old) != "null" {
				revised++
			}
		}
		rows := indexResource.walk(f, key, fmt.Sprintf("as_of=r%d&from=2026-01-01", n), lengths[0]).rows
		if len(rows) != len(table) {
			t.Fatalf("r%d: %d rows, want %d", n, len(rows), len(table))
		}
		for _, text := range rows {
			cut := strings.Index(string(text), `,"index_value"`)
			cell := strings.NewReplacer(`{"date":`, "", `"city":`, "", `"retailer":`, "", `"category":`, "").Replace(string(text[:cut]))
			if got := "{" + string(text[cut+1:]); got != table[cell] {
				t.Fatalf("r%d: %s is %s, want %s", n, cell, got, table[cell])
			}
		}
	}
	sameRows(t, union, all)
	if revised == 0 {
		t.Error("no row was revised")
	}
	since := revisionsResource.walk(f, key, "since=r2", lengths[1]).rows
	sameRows(t, since, all[len(all)-len(since):])
	if len(revisionsResource.walk(f, key, "since=2026-11-02T13:30:00Z", lengths[0]).rows) != len(since) {
		t.Error("since an instant is another list")
	}
	var toronto []json.RawMessage
	for _, text := range all {
		if strings.Contains(string(text), `"city":"Toronto"`) && strings.Contains(string(text), `"retailer":null,"category":"dairy"`) && string(text[9:19]) >= "2026-10-01" {
			toronto = append(toronto, text)
		}
	}
	const filtered = "city=Toronto&level=city&category=dairy&from=2026-10-01"
	sameRows(t, revisionsResource.walk(f, key, filtered, func() int { return 3 }).rows, toronto)
	if none := f.Get("/api/v1/revisions?since=r4", key); at(none.JSON(t), "meta.count")+at(none.JSON(t), "meta.has_more") != "0false" {
		t.Errorf("since the newest: %s", none.Content)
	}
	for i, id := range []string{"r4", "r3", "r2", "r1"} {
		v := f.Get(fmt.Sprintf("/api/v1/releases?limit=1&offset=%d", i), key).JSON(t)
		if got := at(v, "releases.0.id") + at(v, "meta.has_more") + at(v, "meta.next_due"); got != fmt.Sprintf(`"%s"%t"2026-11-23T13:30:00Z"`, id, i < 3) {
			t.Errorf("releases from %d: %s", i, got)
		}
	}
}

var revisionsResource = resource{"/api/v1/revisions", "revisions"}

// TestSwapOfReleasesUnderLoad asks while releases are published, whose log and snapshot are
// replaced one after the other. Each answer is wholly of the release that it names.
func TestSwapOfReleasesUnderLoad(t *testing.T) {
	t.Parallel()
	asked := []string{
		"/api/v1/index?from=2026-08-01&to=2026-12-01", "/api/public/index?from=2026-08-01&to=2026-12-01&level=city&limit=40", "/api/v1/products",
		"/api/v1/prices?from=2026-10-20&to=2026-12-01&limit=40", "/api/v1/revisions?limit=400&from=2026-10-01",
	}
	want := map[string]string{} // bodies by release and address
	id := func(r *apitest.Response) string { return r.Header.Get("X-Release") }
	before, x := apitest.ServeReleases(t, apitest.Ample)
	x.Weekly(t, before, 4, func(string) {
		for _, url := range asked {
			r := before.Get(url, before.Key(state.Standard))
			want[id(r)+url] = withoutDate(r.Content)
		}
	})
	if len(want) != 4*len(asked) {
		t.Fatalf("%d bodies", len(want))
	}
	var wg sync.WaitGroup
	stop := make(chan struct{})
	again := func(do func(n int)) {
		wg.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				if t.Failed() {
					return
				}
				do(n)
			}
		})
	}
	f, x := apitest.ServeReleases(t, apitest.Ample)
	key := f.Key(state.Standard)
	for i, db := range x.Snapshots(t) {
		if i > 0 {
			f.Clock.Advance(7 * 24 * time.Hour)
		}
		if x.Publish(t, f, db, ""); i > 0 {
			continue // the server is left to find out by itself
		}
		f.Look(false)
		for i := range 3 {
			again(func(n int) {
				url := asked[(i+n)%len(asked)]
				r := f.Get(url, key)
				if body, ok := want[id(r)+url]; !ok || withoutDate(r.Content) != body {
					t.Errorf("%s: %d of %s, another body than that release has", url, r.StatusCode, id(r))
				}
			})
		}
		again(func(int) { f.Look(false) })
	}
	close(stop)
	wg.Wait()
	if f.Look(false); id(f.Get(asked[0], key)) != "r4" {
		t.Error("in the end another one is served")
	}
	if n := f.Snapshots.Status().Refused; n != 0 {
		t.Errorf("%d refused", n)
	}
}
