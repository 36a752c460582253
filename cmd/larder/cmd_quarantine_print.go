package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"
)

// entryJSON is an entry as "larder quarantine list --format json" prints it,
// and as --format csv does, an empty cell for null.
type entryJSON struct {
	ID              int64   `json:"id"`
	Rule            string  `json:"rule"`
	RetailerProduct int64   `json:"retailer_product_id"`
	RetailerName    string  `json:"retailer_name"`
	ProductID       int     `json:"product_id"`
	Product         string  `json:"product"`
	Banner          string  `json:"banner"`
	Store           *int64  `json:"store_id"`
	City            *string `json:"city"`
	Observation     *int64  `json:"observation_id"`
	FoundAt         *string `json:"found_at"`
	Rows            int     `json:"rows"`
	Released        bool    `json:"released"`
	Reason          *string `json:"reason"`
}

func (x *setAside) json() entryJSON {
	return entryJSON{
		ID: x.ID, Rule: x.Rule.String(), RetailerProduct: x.Listing, RetailerName: x.listing.Name,
		ProductID: x.product.ID, Product: x.product.Name, Banner: x.banner.Key,
		Store: unlessZero(x.Store), City: unlessZero(x.city), Observation: unlessZero(x.Observation),
		FoundAt: unlessZero(x.found(time.RFC3339Nano)), Rows: x.held(), Released: x.Released, Reason: unlessZero(x.Reason),
	}
}

func unlessZero[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

func (x *setAside) found(layout string) string {
	if x.FoundAt.IsZero() {
		return ""
	}
	return x.FoundAt.UTC().Format(layout)
}

// what says in words what an entry is for.
func (x *setAside) what() string {
	return fmt.Sprintf("retailer product %d %q (%s) of %s, %s", x.Listing, x.listing.Name, x.product.Name, x.banner.Key, x.place())
}

// place says which of a listing's rows are meant.
func (x *setAside) place() string {
	store := fmt.Sprintf("store %d in %s", x.Store, x.city)
	switch {
	case x.Observation != 0:
		return fmt.Sprintf("row %d at %s", x.Observation, store)
	case x.Store != 0:
		return store
	}
	return "every store"
}

func printEntries(w io.Writer, format string, entries []setAside) error {
	switch format {
	case "json":
		list := make([]entryJSON, len(entries))
		for i := range entries {
			list[i] = entries[i].json()
		}
		out := json.NewEncoder(w)
		out.SetIndent("", "  ")
		return out.Encode(list)
	case "csv":
		return printEntriesCSV(w, entries)
	}
	cells := make([][]string, len(entries))
	for i := range entries {
		x := &entries[i]
		state := "in force"
		if x.Released {
			state = "released"
		}
		cells[i] = []string{
			fmt.Sprint(x.ID), x.Rule.String(), fmt.Sprint(x.Listing), x.listing.Name, x.product.Name, x.banner.Key,
			x.place(), orDash(x.found(time.RFC3339)), fmt.Sprint(x.held()), state, orDash(x.Reason),
		}
	}
	return printColumns(w, []column{
		right("id"), left("rule"), right("listing"), left("name"), left("product"), left("banner"),
		left("where"), left("found"), right("rows"), left("state"), left("evidence"),
	}, cells)
}

func printEntriesCSV(w io.Writer, entries []setAside) error {
	id := func(v int64) string {
		if v == 0 {
			return ""
		}
		return strconv.FormatInt(v, 10)
	}
	out := csv.NewWriter(w)
	out.Write([]string{
		"id", "rule", "retailer_product_id", "retailer_name", "product_id", "product", "banner",
		"store_id", "city", "observation_id", "found_at", "rows", "released", "reason",
	})
	for i := range entries {
		x := &entries[i]
		out.Write([]string{
			id(x.ID), x.Rule.String(), id(x.Listing), x.listing.Name, fmt.Sprint(x.product.ID), x.product.Name, x.banner.Key,
			id(x.Store), x.city, id(x.Observation), x.found(time.RFC3339Nano), fmt.Sprint(x.held()), strconv.FormatBool(x.Released), x.Reason,
		})
	}
	out.Flush()
	return out.Error()
}
