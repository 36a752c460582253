package httpapi

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/state"
)

// priceIDs are the ids of a page of prices.
func priceIDs(t *testing.T, page []byte) (ids []string) {
	t.Helper()
	var x struct {
		Observations []struct {
			ID json.Number `json:"id"`
		} `json:"observations"`
	}
	if err := json.Unmarshal(page, &x); err != nil {
		t.Fatal(err)
	}
	for _, o := range x.Observations {
		ids = append(ids, o.ID.String())
	}
	return ids
}

// servedIDs are the ids of the prices that the programs ask for.
func servedIDs(t *testing.T) (ids []string) {
	f := serveDemo(t)
	key := f.key(state.Standard)
	for offset := 0; ; offset += pricesMost {
		r := f.get(fmt.Sprintf("/api/v1/prices?from=2026-11-02&to=2026-11-15&limit=%d&offset=%d", pricesMost, offset), key)
		ids = append(ids, priceIDs(t, r.body)...)
		if at(r.json(t), "meta.has_more") != "true" {
			return ids
		}
	}
}

// idsOfPages reads prices-0.json, prices-5000.json, and so on.
func idsOfPages(t *testing.T, dir string) (ids []string) {
	for offset := 0; ; offset += pricesPage {
		page, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("prices-%d.json", offset)))
		if err != nil {
			return ids
		}
		ids = append(ids, priceIDs(t, page)...)
	}
}

// idsOfLines reads prices.jsonl.
func idsOfLines(t *testing.T, dir string) (ids []string) {
	text, err := os.ReadFile(filepath.Join(dir, "prices.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", ",")
	return priceIDs(t, []byte(`{"observations":[`+lines+`]}`))
}

// idsOfTable reads prices.csv.
func idsOfTable(t *testing.T, dir string) (ids []string) {
	file, err := os.Open(filepath.Join(dir, "prices.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := slices.Index(records[0], "id")
	for _, record := range records[1:] {
		ids = append(ids, record[column])
	}
	return ids
}
