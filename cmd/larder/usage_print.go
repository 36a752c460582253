package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/larder-index/larder/httpapi/state"
)

func printUsage(w io.Writer, format string, list []state.Usage) error {
	switch format {
	case "json":
		return printUsageJSON(w, list)
	case "csv":
		return printUsageCSV(w, list)
	}
	return printUsageTable(w, list)
}

// printUsageTable adds a line for all that a key requested.
func printUsageTable(w io.Writer, list []state.Usage) error {
	var rows [][]string
	for _, u := range list {
		id, name, tier := noValue, noValue, noValue
		if u.Key.ID != 0 {
			id, name, tier = fmt.Sprint(u.Key.ID), u.Key.Name, u.Key.Tier.String()
		}
		line := func(endpoint, status string, t state.Totals) {
			rows = append(rows, append([]string{id, name, tier, endpoint, status}, totals(t)...))
		}
		for _, l := range u.Lines {
			line(l.Endpoint, statusClass(l.StatusClass), l.Totals)
		}
		line("all", "all", u.Total)
	}
	return printColumns(w, []column{
		right("key"), left("name"), left("tier"), left("endpoint"), left("status"),
		right("requests"), right("counted"), right("bytes"), left("first"), left("last"),
	}, rows)
}

// printUsageCSV writes no sums: they are the reader's to make.
func printUsageCSV(w io.Writer, list []state.Usage) error {
	out := csv.NewWriter(w)
	out.Write([]string{"month", "key_id", "name", "tier", "endpoint", "status", "requests", "counted", "bytes", "first", "last"})
	for _, u := range list {
		key := []string{u.Month.String(), "", "", ""}
		if u.Key.ID != 0 {
			key = []string{u.Month.String(), fmt.Sprint(u.Key.ID), u.Key.Name, u.Key.Tier.String()}
		}
		for _, l := range u.Lines {
			row := append(key[:len(key):len(key)], l.Endpoint, statusClass(l.StatusClass))
			out.Write(append(row, totals(l.Totals)...))
		}
	}
	out.Flush()
	return out.Error()
}

func statusClass(class int) string { return fmt.Sprintf("%dxx", class) }

func totals(t state.Totals) []string {
	return []string{
		fmt.Sprint(t.Requests), fmt.Sprint(t.Counted), fmt.Sprint(t.Bytes),
		t.First.Format(time.RFC3339), t.Last.Format(time.RFC3339),
	}
}

// totalsJSON is state.Totals as JSON has it.
type totalsJSON struct {
	Requests int64     `json:"requests"`
	Counted  int64     `json:"counted"`
	Bytes    int64     `json:"bytes"`
	First    time.Time `json:"first"`
	Last     time.Time `json:"last"`
}

type usageLineJSON struct {
	Endpoint string `json:"endpoint"`
	Status   string `json:"status"`
	totalsJSON
}

type usageJSON struct {
	Month state.Month `json:"month"`
	KeyID *int64      `json:"key_id"` // null: no key that is known
	Name  *string     `json:"name"`
	Tier  *state.Tier `json:"tier"`
	totalsJSON
	Lines []usageLineJSON `json:"lines"`
}

func printUsageJSON(w io.Writer, list []state.Usage) error {
	out := make([]usageJSON, len(list))
	for i, u := range list {
		out[i] = usageJSON{Month: u.Month, totalsJSON: totalsJSON(u.Total)}
		if u.Key.ID != 0 {
			out[i].KeyID, out[i].Name, out[i].Tier = &u.Key.ID, &u.Key.Name, &u.Key.Tier
		}
		for _, l := range u.Lines {
			out[i].Lines = append(out[i].Lines, usageLineJSON{l.Endpoint, statusClass(l.StatusClass), totalsJSON(l.Totals)})
		}
	}
	return json.NewEncoder(w).Encode(out)
}
