package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// workedPages are the pages of the worked example, by name, to be changed.
type workedPages map[string]map[string]any

func readWorked(t testing.TB) workedPages {
	t.Helper()
	a, err := txtar.ParseFile("testdata/script/verify.txtar")
	if err != nil {
		t.Fatal(err)
	}
	pages := workedPages{}
	for _, f := range a.Files {
		if name, ok := strings.CutSuffix(f.Name, ".json"); ok {
			pages[name] = decodeNumbers(t, f.Data)
		}
	}
	delete(pages, "refusal")
	return pages
}

// decodeNumbers keeps numbers as they are written.
func decodeNumbers(t testing.TB, text []byte) (page map[string]any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&page); err != nil {
		t.Fatal(err)
	}
	return page
}

func (w workedPages) meta(page string) map[string]any { return w[page]["meta"].(map[string]any) }

func (w workedPages) row(page string, i int) map[string]any {
	return w[page]["observations"].([]any)[i].(map[string]any)
}

// member follows names into a row.
func member(row map[string]any, names ...string) map[string]any {
	for _, name := range names {
		row = row[name].(map[string]any)
	}
	return row
}

// count makes meta say how many rows there are.
func (w workedPages) count(page string) {
	w.meta(page)["count"] = len(w[page]["observations"].([]any))
}

// drop takes a row out, and leaves no trace of it.
func (w workedPages) drop(page string, i int) {
	rows := w[page]["observations"].([]any)
	w[page]["observations"] = append(rows[:i:i], rows[i+1:]...)
	w.count(page)
}

// copyOf adds a page under another name.
func (w workedPages) copyOf(t testing.TB, page, name string) {
	t.Helper()
	text, err := json.Marshal(w[page])
	if err != nil {
		t.Fatal(err)
	}
	w[name] = decodeNumbers(t, text)
}

// cut makes two pages of one: the rows before the first place, and, as "rest",
// those from the second on.
func (w workedPages) cut(t testing.TB, page string, to, from int) {
	t.Helper()
	w.copyOf(t, page, "rest")
	rows := w[page]["observations"].([]any)
	w[page]["observations"], w["rest"]["observations"] = rows[:to], w["rest"]["observations"].([]any)[from:]
	w.count(page)
	w.count("rest")
	m, rest := w.meta(page), w.meta("rest")
	m["limit"], m["has_more"], m["next_offset"], m["filtered_identity"] = to, true, to, 0
	rest["offset"] = from
}

// join makes one page of the two weeks.
func (w workedPages) join() {
	w["week"]["observations"] = append(w["base"]["observations"].([]any), w["week"]["observations"].([]any)...)
	member(w.meta("week"), "filters")["from"] = "2026-06-01"
	delete(w, "base")
	w.count("week")
}

// verify writes the pages to files and checks the headline, with more arguments.
func (w workedPages) verify(t *testing.T, more ...string) (code int, stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	args := []string{"--date", "2026-07-26"}
	for _, name := range slices.Sorted(maps.Keys(w)) {
		text, err := json.Marshal(w[name])
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, name+".json")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	return verify(t, append(args, more...)...)
}

// A page that a client stored as it was sent is unpacked; a bad one is refused.
func TestVerifyCompressed(t *testing.T) {
	text, err := json.Marshal(readWorked(t)["base"])
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(text)
	z.Close()
	p, err := readPage(packed.Bytes())
	if err != nil || len(p.prices) != 6 {
		t.Errorf("%v: %+v", err, p)
	}
	if _, err := readPage(packed.Bytes()[:packed.Len()/2]); err == nil || !strings.Contains(err.Error(), "gzip and can't be unpacked") {
		t.Errorf("half of it: %v", err)
	}
}

// No input makes the reader panic, and a page that it takes is consistent.
func FuzzReadPage(f *testing.F) {
	for _, page := range readWorked(f) {
		text, err := json.Marshal(page)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"error":"send a key"}`))
	f.Add([]byte(`{"meta":{"endpoint":"/api/v1/prices"},"observations":null}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		p, err := readPage(content)
		if err != nil {
			if p != nil || err.Error() == "" {
				t.Errorf("refused with %+v, %q", p, err)
			}
			return
		}
		if n := len(p.prices) + len(p.products) + len(p.index); n != *p.meta.Count {
			t.Errorf("%d rows, count %d", n, *p.meta.Count)
		}
		for i := range p.prices {
			if r := &p.prices[i]; !r.price.Valid() || r.id <= 0 || r.city == "" || r.banner == "" {
				t.Errorf("took %+v", r)
			}
		}
		if p.meta.Endpoint != productsEndpoint {
			if q, err := queriesOf([]*page{p}); err == nil && len(q) == 1 {
				_, _ = q[0].whole(), q[0].ordered() // must not panic
			}
		}
	})
}
