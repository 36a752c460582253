package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// worked is the pages of the worked example in docs/methodology.md, by name and as
// JSON objects, to be damaged.
type worked map[string]any

func readWorked(t testing.TB) worked {
	t.Helper()
	w := worked{}
	for _, name := range []string{"base", "week", "products", "index"} {
		text, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		w[name] = parse(t, string(text))
	}
	return w
}

// parse reads a JSON value and keeps numbers as they are written.
func parse(t testing.TB, text string) (v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func encode(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// at returns the value at a path such as week.meta.filters.
func (w worked) at(path ...string) any {
	var v any = map[string]any(w)
	for _, name := range path {
		switch x := v.(type) {
		case map[string]any:
			v = x[name]
		case []any:
			i, _ := strconv.Atoi(name)
			v = x[i]
		}
	}
	return v
}

func (w worked) object(path ...string) map[string]any { return w.at(path...).(map[string]any) }

func (w worked) rows(page string) []any { return w.at(page, "observations").([]any) }

// setRows replaces a page's rows and their count.
func (w worked) setRows(page string, rows []any) {
	w.object(page)["observations"] = rows
	w.object(page, "meta")["count"] = len(rows)
}

// run carries out one command a line:
//
//	set PATH JSON      replaces or adds a member
//	del PATH           deletes a member or a whole page
//	drop PAGE ROW      deletes a row without leaving a trace
//	keep PAGE ROWS     keeps the first rows only, without leaving a trace
//	copy PAGE NAME     adds a page under another name
//	cut PAGE TO FROM   makes two pages: the rows before TO, and as "rest" those from FROM
//	only PAGE PRODUCT  keeps the rows of one product, as its query has them
//	join               makes one page of the two weeks
//	third              adds a week after the second with the same prices
func (w worked) run(t testing.TB, script string) {
	t.Helper()
	for line := range strings.Lines(script) {
		f := append(strings.SplitN(strings.TrimSpace(line), " ", 3), "")
		path := strings.Split(f[min(1, len(f)-1)], ".")
		last, number := path[len(path)-1], 0
		if len(f) > 2 {
			number, _ = strconv.Atoi(strings.Fields(f[2] + " 0")[0])
		}
		switch f[0] {
		case "set":
			w.object(path[:len(path)-1]...)[last] = parse(t, f[2])
		case "del":
			delete(w.object(path[:len(path)-1]...), last)
		case "drop":
			w.setRows(f[1], slices.Delete(slices.Clone(w.rows(f[1])), number, number+1))
		case "keep":
			w.setRows(f[1], w.rows(f[1])[:number])
		case "copy":
			w[f[2]] = parse(t, encode(t, w[f[1]]))
		case "cut":
			from, _ := strconv.Atoi(strings.Fields(f[2])[1])
			w.run(t, "copy "+f[1]+" rest")
			w.setRows("rest", w.rows("rest")[from:])
			w.setRows(f[1], w.rows(f[1])[:number])
			w.object("rest", "meta")["offset"] = from
			maps.Copy(w.object(f[1], "meta"), map[string]any{"limit": number, "has_more": true, "next_offset": number, "filtered_identity": 0})
		case "only":
			w.object(f[1], "meta", "filters")["product_id"] = f[2]
			w.setRows(f[1], slices.DeleteFunc(slices.Clone(w.rows(f[1])), func(r any) bool {
				return fmt.Sprint(r.(map[string]any)["retailer_products"].(map[string]any)["product_id"]) != f[2]
			}))
		case "join":
			w.setRows("week", append(w.rows("base"), w.rows("week")...))
			w.run(t, "set week.meta.filters.from \"2026-06-01\"\ndel base")
		case "third":
			w.run(t, "copy week third\nset third.meta.filters.from \"2026-07-27\"\nset third.meta.filters.to \"2026-08-02\"")
			for i, r := range w.rows("third") {
				r := r.(map[string]any)
				at, err := time.Parse(time.RFC3339, r["observed_at"].(string))
				if err != nil {
					t.Fatal(err)
				}
				r["id"], r["observed_at"] = json.Number(fmt.Sprint(301+i)), at.AddDate(0, 0, 7)
			}
		case "":
		default:
			t.Fatalf("no such command: %s", line)
		}
	}
}

// result checks the cell that a text names: a date, a category and, if given, a city
// and a banner.
func (w worked) result(t testing.TB, row string) (*Result, error) {
	t.Helper()
	var pages []*Page
	for _, name := range slices.Sorted(maps.Keys(w)) {
		p, err := ReadPage(name, strings.NewReader(encode(t, w[name])))
		if err != nil {
			return nil, err
		}
		pages = append(pages, p)
	}
	f := append(strings.Fields(row), "", "")
	week, err := panel.ParseWeek(f[0])
	category, err2 := basket.ParseCategory(f[1])
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	cell := jevons.Cell{Level: LevelOf(f[2], f[3]), City: f[2], Banner: f[3], Category: category}
	e, err := NewEvidence(pages)
	if err != nil {
		return nil, err
	}
	var published Published
	if w["index"] != nil {
		if published, err = e.Published(week, cell); err != nil {
			return nil, err
		}
	}
	r, err := e.Recompute(panel.DefaultBaseWeek, week)
	if err != nil {
		return nil, err
	}
	return r.Check(cell, published)
}

// check returns the verdict on a cell with the figures, or the error.
func (w worked) check(t testing.TB, row string) (string, error) {
	t.Helper()
	result, err := w.result(t, row)
	if err != nil {
		return "", err
	}
	if differs := result.Published != nil && !result.Matches(); differs != (len(result.Warnings) == 1) || differs != strings.HasPrefix(result.Verdict(), "DOES NOT") {
		t.Errorf("matches: %t; %d warnings; %s", result.Matches(), len(result.Warnings), result.Verdict())
	}
	var b bytes.Buffer
	fmt.Fprintln(&b, result.Verdict())
	for _, x := range result.Figures {
		fmt.Fprintf(&b, "%s %s", x.Column.Name, x.Text(x.Recomputed))
		if x.Needs != "" {
			fmt.Fprintf(&b, " needs %s", x.Needs)
		}
		fmt.Fprintln(&b)
	}
	return b.String(), nil
}
