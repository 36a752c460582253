package main

import (
	"time"

	"github.com/larder-index/larder/panel"
)

type filteredJSON struct {
	Gate     string      `json:"gate_version"`
	Rows     int         `json:"rows"`
	Nowhere  int         `json:"count_nowhere"`
	Passed   int         `json:"passed"`
	Dropped  int         `json:"filtered"`
	Reasons  []groupJSON `json:"by_reason"`
	Products []groupJSON `json:"by_product"`
	Banners  []groupJSON `json:"by_banner"`
	Stores   []groupJSON `json:"by_store"`
	Listings []groupJSON `json:"by_listing"`
}

// groupJSON has one of Key, a reason or a banner's key, and ID.
type groupJSON struct {
	Key     string `json:"key,omitempty"`
	ID      int64  `json:"id,omitempty"`
	Dropped int    `json:"filtered"`
	Rows    int    `json:"rows"`
	Example int64  `json:"example_observation_id"`
	Reason  string `json:"example_reason"`
}

func (r *check) filteredJSON() filteredJSON {
	groups := func(list []panel.FilteredGroup) []groupJSON {
		out := []groupJSON{}
		for _, g := range list {
			out = append(out, groupJSON{g.Key, g.ID, g.Dropped, g.Rows, r.Rows.At(g.Example).ID, g.Reason})
		}
		return out
	}
	f := r.filtered
	return filteredJSON{
		Gate: panel.GateVersion, Rows: f.Rows, Nowhere: f.Nowhere, Passed: f.Passed, Dropped: len(f.Dropped), Reasons: groups(f.Reasons),
		Products: groups(f.Products), Banners: groups(f.Banners), Stores: groups(f.Stores), Listings: groups(f.Listings),
	}
}

type healthJSON struct {
	Rows   int          `json:"rows"`
	Ahead  int          `json:"rows_from_the_future"`
	Seen   []seenJSON   `json:"last_seen"`
	Gaps   []gapJSON    `json:"missing_weeks"`
	Drops  []dropJSON   `json:"coverage_drops"`
	Frozen []frozenJSON `json:"frozen_feeds"`
}

type seenJSON struct {
	Banner string       `json:"banner"`
	City   string       `json:"city"`
	Stores int          `json:"active_stores"`
	Last   *time.Time   `json:"last_seen"`
	Silent []silentJSON `json:"not_seen_lately"`
}

type silentJSON struct {
	Store int64      `json:"store_id"`
	Last  *time.Time `json:"last_seen"`
}

// gapJSON has no banner where all of a city's are meant, and no city where all
// are.
type gapJSON struct {
	City    string `json:"city,omitempty"`
	Banner  string `json:"banner,omitempty"`
	From    string `json:"from"`
	To      string `json:"to"`
	Weeks   int    `json:"weeks"`
	Lasting bool   `json:"lasting"`
}

type dropJSON struct {
	Banner   string  `json:"banner"`
	City     string  `json:"city"`
	Week     string  `json:"week"`
	Products int     `json:"products"`
	Usual    float64 `json:"usual"`
}

type frozenJSON struct {
	Store    int64   `json:"store_id"`
	Banner   string  `json:"banner"`
	City     string  `json:"city"`
	Since    string  `json:"since"`
	To       string  `json:"to"`
	Matched  int     `json:"matched"`
	Changed  int     `json:"changed"`
	Expected float64 `json:"expected_changes"`
}

func (r *check) healthJSON() healthJSON {
	h := r.health
	body := healthJSON{Rows: h.Rows, Ahead: h.Ahead, Seen: []seenJSON{}, Gaps: []gapJSON{}, Drops: []dropJSON{}, Frozen: []frozenJSON{}}
	for _, p := range h.Places {
		seen := seenJSON{p.Banner, p.City, p.Stores, timeOrNull(p.Last), []silentJSON{}}
		for _, s := range p.Silent {
			seen.Silent = append(seen.Silent, silentJSON{s.ID, timeOrNull(s.Last)})
		}
		body.Seen = append(body.Seen, seen)
	}
	for _, g := range h.Gaps {
		body.Gaps = append(body.Gaps, gapJSON{g.City, g.Banner, g.From.String(), g.To.String(), g.Weeks(), g.Lasting})
	}
	for _, d := range h.Drops {
		body.Drops = append(body.Drops, dropJSON{d.Banner, d.City, h.Last.String(), d.Products, d.Usual})
	}
	for _, f := range h.Frozen {
		body.Frozen = append(body.Frozen, frozenJSON{f.Store, f.Banner, f.City, f.Since.String(), f.To.String(), f.Matched, f.Changed, f.Expected})
	}
	return body
}
