package main

import (
	"encoding/json"
	"io"
	"time"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// checkJSON is what "larder check --format json" prints: every section in full,
// nothing cut to the first ten. Weeks and days are dates, times RFC 3339 in UTC;
// null is what there is none of.
type checkJSON struct {
	Snapshot   snapshotJSON    `json:"snapshot"`
	Index      indexCountsJSON `json:"observations"`
	Quarantine []entriesJSON   `json:"quarantine"`
	Filtered   filteredJSON    `json:"filtered"`
	Weeks      weeksJSON       `json:"weeks"`
	Coverage   []coverageJSON  `json:"coverage"`
	Health     healthJSON      `json:"health"`
	Warnings   []warningJSON   `json:"warnings"`
}

type snapshotJSON struct {
	Path   string           `json:"path"`
	Bytes  int64            `json:"bytes"`
	Schema int              `json:"schema"`
	Hash   string           `json:"sha256"`
	First  *time.Time       `json:"first_observed"`
	Last   *time.Time       `json:"last_observed"`
	Rows   map[string]int64 `json:"rows"`
}

type indexCountsJSON struct {
	All             int `json:"all"`
	InactiveStore   int `json:"inactive_store"`
	RetiredListing  int `json:"retired_listing"`
	InactiveProduct int `json:"inactive_product"`
	OutsideIndex    int `json:"outside_index"`
	Quarantined     int `json:"quarantined"`
	FailsIdentity   int `json:"fails_identity"`
	Used            int `json:"used"`
}

type entriesJSON struct {
	Rule     string `json:"rule"`
	InForce  int    `json:"in_force"`
	Released int    `json:"released"`
}

type weeksJSON struct {
	Base       string   `json:"base"`
	LastClosed string   `json:"last_closed"`
	Weeks      []string `json:"with_prices"`
	Missing    []string `json:"missing"`
}

type coverageJSON struct {
	City          string   `json:"city"`
	Entry         *string  `json:"entry_week"`
	LastPublished *string  `json:"last_published"`
	Total         int      `json:"active_products"`
	Weeks         []string `json:"weeks"`
	Products      []int    `json:"products"`
	Stores        []int    `json:"stores"`
}

type warningJSON struct {
	Kind  string   `json:"kind"`
	Found []string `json:"found"`
	ToDo  string   `json:"what_to_do"`
}

func (r *check) printJSON(w io.Writer) error {
	c := r.Panel.Counts()
	body := checkJSON{
		Snapshot: snapshotJSON{
			Path: r.Info.Path, Bytes: r.Info.Bytes, Schema: r.Info.SchemaVersion, Hash: r.Info.Hash,
			First: timeOrNull(r.Info.First), Last: timeOrNull(r.Info.Last), Rows: map[string]int64{},
		},
		Index: indexCountsJSON{
			All: c.Observations, InactiveStore: c.InactiveStore, RetiredListing: c.RetiredListing, InactiveProduct: c.InactiveProduct,
			OutsideIndex: c.OutsideIndex, Quarantined: c.Quarantined, FailsIdentity: c.FailsIdentity, Used: c.Used,
		},
		Filtered: r.filteredJSON(),
		Weeks: weeksJSON{
			Base: r.Panel.BaseWeek().String(), LastClosed: panel.LastClosed(r.now).String(),
			Weeks: weekNames(r.Panel.Weeks()), Missing: weekNames(r.Panel.MissingWeeks(panel.LastClosed(r.now))),
		},
		Coverage: r.coverageJSON(), Health: r.healthJSON(), Warnings: []warningJSON{},
	}
	for _, t := range r.Info.Rows {
		body.Snapshot.Rows[t.Table] = t.Rows
	}
	inForce, released := r.entries()
	for rule, name := range panel.QuarantineRules {
		body.Quarantine = append(body.Quarantine, entriesJSON{name, inForce[rule], released[rule]})
	}
	for _, x := range r.warnings() {
		body.Warnings = append(body.Warnings, warningJSON(x))
	}
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(body)
}

func (r *check) coverageJSON() []coverageJSON {
	list := []coverageJSON{}
	for _, c := range r.Panel.Coverage() {
		x := coverageJSON{City: c.City, Total: r.Panel.ActiveProducts(), Weeks: weekNames(r.Panel.Weeks()), Products: c.Products, Stores: c.Stores}
		if published := r.table.Select(jevons.Filter{Level: jevons.City, City: c.City, Categories: headline}); len(published) > 0 {
			first, last := published[0].Week.String(), published[len(published)-1].Week.String()
			x.Entry, x.LastPublished = &first, &last
		}
		list = append(list, x)
	}
	return list
}

func weekNames(weeks []panel.Week) []string {
	names := []string{}
	for _, w := range weeks {
		names = append(names, w.String())
	}
	return names
}
