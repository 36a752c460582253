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

// comparison holds what the page must show, as package compare computes it from the snapshot in service.
type comparison struct {
	*compare.Result
	lines []compare.Line
	split compare.Split
}

// answers compares a list.
func (f *server) answers(list compare.Request) *comparison {
	f.T.Helper()
	r := apitest.Compared(f.T, f.Snapshots.Current().Projection(), list, f.Clock.Now())
	return &comparison{r.WithLinks(f.API.BaseURL), r.Lines(), r.Split()}
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
func amount(m fmt.Stringer) string {
	if m.String() == "" {
		return "–"
	}
	whole, cents, _ := strings.Cut(m.String(), ".")
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
		if !slices.Equal(total, []string{fmt.Sprint(s.CompleteRequestedList), amount(s.Total), amount(s.Total)}) {
			x.t.Errorf("total of %s: %q, want %v and %s", s.Key, total, s.CompleteRequestedList, amount(s.Total))
		}
	}
	if !slices.Equal(got.Stores, keys) {
		x.t.Errorf("chains %q, want %q", got.Stores, keys)
	}
	if len(got.Cells) != len(want.lines) {
		x.t.Errorf("%d cells, want %d", len(got.Cells), len(want.lines))
	}
	priced := map[string]compare.Money{}
	for _, line := range want.lines {
		key := fmt.Sprint(line.StoreKey, " ", line.ItemID)
		cell := got.Cells[key]
		priced[key] = line.LineTotal
		reason, total := line.Reason.String(), amount(line.LineTotal)
		if len(cell) != 2 || cell[0] != reason || reason == "" && !hasWord(cell[1], total) || reason != "" && strings.Contains(cell[1], "$") {
			x.t.Errorf("%s, item %d: %q, want %q %s", line.StoreKey, line.ItemID, cell, reason, total)
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
	switch whole := slices.IndexFunc(want.Stores, func(s compare.Store) bool { return !s.CompleteRequestedList }); {
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
	if r.Status == compare.Lowest && !strings.HasPrefix(headline, want.store(r.StoreKeys[0]).Name+", "+amount(want.Stores[0].Total)) {
		x.t.Errorf("the headline does not begin with the chain and its price: %q", headline)
	}
	x.there(`#split[data-status="` + want.split.Status + `"]`)
	stops := get[shownTable](x, readTable, "#split").Cells
	if best := want.split.Best; best != nil {
		for _, stop := range best.Stops {
			for _, id := range stop.ItemIDs {
				key := fmt.Sprint(stop.StoreKey, " ", id)
				if cell := stops[key]; len(cell) != 2 || !hasWord(cell[1], amount(priced[key])) {
					x.t.Errorf("at the stop %s: %q, want %s", key, cell, amount(priced[key]))
				}
				delete(stops, key)
			}
		}
		x.says("#split", amount(best.Total))
	}
	if len(stops) > 0 {
		x.t.Errorf("the stops have more: %v", stops)
	}
}

// store finds a chain by its key.
func (c *comparison) store(key string) *compare.Store {
	return &c.Stores[slices.IndexFunc(c.Stores, func(s compare.Store) bool { return s.Key == key })]
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
