//go:build browser

package httpapi

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/larder-index/larder/compare"
)

// comparison is the bodies that the page of the comparison shows, numbers as they are
// written. They are asked for beside it, by another client.
type comparison struct {
	EvaluatedOn    string
	Recommendation struct {
		Status                             string
		StoreKeys, Reasons, CloseStoreKeys []string
	}
	Stores []struct {
		Key, Name                      string
		TotalCAD, SizeAdjustedTotalCAD json.Number
		CompleteRequestedList          bool
		MissingItemIDs                 []int
	}
	ComparisonURL string
	Caveats       []string

	Lines []struct {
		StoreKey           string
		ItemID             int
		Quantity           json.Number
		Reason             string
		TotalCAD, ShelfCAD json.Number
		ObservedOn         string
	}
	Split struct {
		Status          string
		Baseline        *struct{ StoreKey, Name string }
		BaselineIsClose bool
		Best            *struct {
			TotalCAD, SavingCAD json.Number
			Stops               []struct {
				StoreKey, Name string
				TotalCAD       json.Number
				ItemIDs        []int
			}
		}
		ClosePairs       []struct{ StoreKeys []string }
		UncoveredItemIDs []int
	}
}

// answers asks for both bodies.
func (f *fixture) answers(list compare.Request) *comparison {
	f.t.Helper()
	var a comparison
	body := bodyOf(f.t, list)
	f.fetch(http.MethodPost, pathCompare, body, &a)
	f.fetch(http.MethodPost, pathLines, body, &a)
	return &a
}

// fetch decodes an answer, without what turns the direction of writing. It is no test of that answer; others are.
func (f *fixture) fetch(method, path, body string, v any, change ...func(*http.Request)) {
	f.t.Helper()
	r, err := http.NewRequestWithContext(f.t.Context(), method, f.http.URL+path, strings.NewReader(body))
	if err != nil {
		f.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for _, edit := range change {
		edit(r)
	}
	resp, err := f.http.Client().Do(r)
	if err != nil {
		f.t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		f.t.Fatalf("%s: %s", path, resp.Status)
	}
	received, err := io.ReadAll(resp.Body)
	if err != nil {
		f.t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(strings.ReplaceAll(string(received), turning, "")))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		f.t.Fatal(err)
	}
}

// amount is how the page writes an amount; a dash for none.
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
