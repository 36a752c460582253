package browser

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// comparison is the bodies that the page of the comparison shows, numbers as they are
// written. They are asked for beside it, by another client.
type comparison struct {
	EvaluatedOn    string
	Recommendation struct {
		Status                             string
		StoreKeys, Reasons, CloseStoreKeys []string
	}
	Stores     []comparedStore
	Exclusions []struct {
		StoreKey, Reason string
		ItemID           int
	}
	ComparisonURL string
	Caveats       []string

	Lines []comparedLine // made of the priced lines and the exclusions
	Split struct {
		Status string
		Best   *struct {
			TotalCAD json.Number
			Stops    []struct {
				StoreKey string
				TotalCAD json.Number
				ItemIDs  []int
			}
		}
	}
}

type comparedStore struct {
	Key, Name                      string
	TotalCAD, SizeAdjustedTotalCAD json.Number
	CompleteRequestedList          bool
	MissingItemIDs                 []int
	Lines                          []struct {
		ItemID       int
		LineTotalCAD json.Number
	}
}

// comparedLine holds the texts that the page shows for a chain and item.
type comparedLine struct {
	StoreKey string
	ItemID   int
	Reason   string
	TotalCAD json.Number
}

// answers asks for the body.
func (f *server) answers(list compare.Request) *comparison {
	f.T.Helper()
	var a comparison
	f.fetch(http.MethodPost, "/shopper/lines", apitest.Body(f.T, list), &a, apitest.Header("Sec-Fetch-Site", "same-origin"))
	for _, s := range a.Stores {
		for _, l := range s.Lines {
			a.Lines = append(a.Lines, comparedLine{s.Key, l.ItemID, "", l.LineTotalCAD})
		}
	}
	for _, x := range a.Exclusions {
		a.Lines = append(a.Lines, comparedLine{x.StoreKey, x.ItemID, x.Reason, ""})
	}
	return &a
}

// fetch decodes an answer. It is no test of that answer; others are.
func (f *server) fetch(method, path, body string, v any, change ...apitest.Change) {
	f.T.Helper()
	r, err := http.NewRequestWithContext(f.T.Context(), method, f.HTTP.URL+path, strings.NewReader(body))
	if err != nil {
		f.T.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for _, edit := range change {
		edit(r)
	}
	resp, err := f.HTTP.Client().Do(r)
	if err != nil {
		f.T.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		f.T.Fatalf("%s: %s", path, resp.Status)
	}
	received, err := io.ReadAll(resp.Body)
	if err != nil {
		f.T.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(received)))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		f.T.Fatal(err)
	}
}

// amount writes an amount as the page does, and no amount as a dash.
func amount(n json.Number) string {
	if n == "" {
		return "–"
	}
	whole, cents, _ := strings.Cut(n.String(), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return fmt.Sprintf("$%s.%s", whole, cents)
}

// shownTable is the lines and totals of a comparison as a person reads them, of all lists or of the stops.
type shownTable struct {
	Stores []string            `json:"stores"`
	Cells  map[string][]string `json:"cells"` // "alder 3": the reason that there is no price, and the text
	Totals map[string][]string `json:"totals"`
}

const readTable = `(lists) => {
	const text = (e) => e.textContent.replace(/\s+/g, " ").trim(); // of folds too
	const table = { stores: [], cells: {}, totals: {} };
	for (const e of document.querySelectorAll(lists + " .ticks li[data-item]")) table.cells[e.dataset.store + " " + e.dataset.item] = [e.dataset.reason ?? "", text(e.querySelector("label .num"))];
	for (const e of document.querySelectorAll("#chains-compared > li[data-store]")) {
		table.stores.push(e.dataset.store);
		table.totals[e.dataset.store] = [e.dataset.complete, text(e.querySelector("summary .num")), text(e.querySelector(".total .num"))];
	}
	return table;
}`

// compared waits for a comparison and checks that the page shows what the API
// says: status, reasons, every cell and total, and the split.
func (x *tab) compared(want *comparison) {
	x.t.Helper()
	r := want.Recommendation
	x.there(`#result:not([aria-busy=true]) #recommendation[data-status="` + r.Status + `"]`)
	await[bool](x, `() => document.readyState === "complete"`)
	got := get[shownTable](x, readTable, "#chains-compared")
	var keys []string
	for _, s := range want.Stores {
		keys = append(keys, s.Key)
		total := got.Totals[s.Key]
		if !slices.Equal(total, []string{fmt.Sprint(s.CompleteRequestedList), amount(s.TotalCAD), amount(s.TotalCAD)}) {
			x.t.Errorf("total of %s: %q, want %v and %s", s.Key, total, s.CompleteRequestedList, amount(s.TotalCAD))
		}
	}
	if !slices.Equal(got.Stores, keys) {
		x.t.Errorf("chains %q, want %q", got.Stores, keys)
	}
	if len(got.Cells) != len(want.Lines) {
		x.t.Errorf("%d cells, want %d", len(got.Cells), len(want.Lines))
	}
	priced := map[string]json.Number{}
	for _, line := range want.Lines {
		key := fmt.Sprint(line.StoreKey, " ", line.ItemID)
		cell := got.Cells[key]
		priced[key] = line.TotalCAD
		if len(cell) != 2 || cell[0] != line.Reason || line.Reason == "" && !hasWord(cell[1], amount(line.TotalCAD)) || line.Reason != "" && strings.Contains(cell[1], "$") {
			x.t.Errorf("%s, item %d: %q, want %q %s", line.StoreKey, line.ItemID, cell, line.Reason, amount(line.TotalCAD))
		}
	}
	var codes []string
	for _, reason := range r.Reasons {
		code, _, _ := strings.Cut(reason, ":")
		codes = append(codes, code)
	}
	shown := get[[]string](x, `() => [...document.querySelectorAll("#reasons li")].map((e) => e.dataset.code)`)
	slices.Sort(codes)
	slices.Sort(shown)
	if diff := cmp.Diff(codes, shown); diff != "" {
		x.t.Errorf("reasons (-want +got):\n%s", diff)
	}
	headline := x.text("#headline")
	named := slices.Concat(r.StoreKeys, r.CloseStoreKeys)
	switch whole := slices.IndexFunc(want.Stores, func(s comparedStore) bool { return !s.CompleteRequestedList }); {
	case r.Status != compare.InsufficientCoverage:
	case whole == 1 || whole < 0: // only one has the whole list
		named = []string{want.Stores[0].Key}
	}
	for _, s := range want.Stores {
		is, may := strings.Contains(headline, s.Name), slices.Contains(named, s.Key)
		if is != may {
			x.t.Errorf("status %s of %v, close %v: headline %q", r.Status, r.StoreKeys, r.CloseStoreKeys, headline)
		}
	}
	if r.Status == compare.Lowest && !strings.HasPrefix(headline, want.store(r.StoreKeys[0]).Name+", "+amount(want.Stores[0].TotalCAD)) {
		x.t.Errorf("the headline does not begin with the chain and its price: %q", headline)
	}
	x.there(`#split[data-status="` + want.Split.Status + `"]`)
	stops := get[shownTable](x, readTable, "#split").Cells
	if best := want.Split.Best; best != nil {
		for _, stop := range best.Stops {
			for _, id := range stop.ItemIDs {
				key := fmt.Sprint(stop.StoreKey, " ", id)
				if cell := stops[key]; len(cell) != 2 || !hasWord(cell[1], amount(priced[key])) {
					x.t.Errorf("at the stop %s: %q, want %s", key, cell, amount(priced[key]))
				}
				delete(stops, key)
			}
		}
		x.says("#split", amount(best.TotalCAD))
	}
	if len(stops) > 0 {
		x.t.Errorf("the stops have more: %v", stops)
	}
}

// store finds a chain by its key.
func (c *comparison) store(key string) *comparedStore {
	return &c.Stores[slices.IndexFunc(c.Stores, func(s comparedStore) bool { return s.Key == key })]
}

// hasWord says whether a text has a part, and not as part of a longer number.
func hasWord(text, part string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return !strings.ContainsRune("$0123456789.,–", r) }), part)
}

// there waits for an element to be in the page.
func (x *tab) there(selector string) {
	x.t.Helper()
	await[bool](x, `(s) => document.querySelector(s) !== null`, selector)
}
