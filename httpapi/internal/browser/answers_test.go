//go:build browser

package browser

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

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
func (f *server) answers(list compare.Request) *comparison {
	f.T.Helper()
	var a comparison
	body := apitest.Body(f.T, list)
	f.fetch(http.MethodPost, "/api/shopper/compare", body, &a)
	f.fetch(http.MethodPost, "/shopper/lines", body, &a)
	return &a
}

// fetch decodes an answer, without what turns the direction of writing. It is no test of that answer; others are.
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
	d := json.NewDecoder(strings.NewReader(strings.ReplaceAll(string(received), turning, "")))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		f.T.Fatal(err)
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
