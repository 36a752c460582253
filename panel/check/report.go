package check

import (
	"math"
	"slices"
	"time"

	"github.com/larder-index/larder/panel"
)

// Report describes the quality and the collection of a panel's rows, as
// of a moment. "larder check" prints it. Its JSON has every section in full, but for the findings.
type Report struct {
	Now        time.Time      `json:"-"`
	Calendar   panel.Calendar `json:"-"` // of the panel
	Counts     panel.Counts   `json:"observations"`
	Quarantine []RuleCount    `json:"quarantine"` // in the order of QuarantineRules
	Filtered   *Filtered      `json:"filtered"`
	Weeks      ReportWeeks    `json:"weeks"`
	Active     int            `json:"-"`        // products at full coverage
	Coverage   []CityCoverage `json:"coverage"` // in the panel's order of cities
	Attrition  *Attrition     `json:"attrition"`
	Health     *Health        `json:"health"`
	Findings   []Finding      `json:"-"` // in the order of the rules
}

// RuleCount counts the quarantine entries of one rule.
type RuleCount struct {
	Rule     string `json:"rule"`
	InForce  int    `json:"in_force"`
	Released int    `json:"released"`
	// Withdrawn counts those that import let go, since they no longer follow from the rows.
	Withdrawn int `json:"withdrawn"`
}

// ReportWeeks is the weeks of the index.
type ReportWeeks struct {
	Base       panel.Week   `json:"base"`
	LastClosed panel.Week   `json:"last_closed"`
	Priced     []panel.Week `json:"with_prices"`
	Missing    []panel.Week `json:"missing"` // closed weeks between the first and the last without any price
}

// CityCoverage says how much of the basket is priced in one city, week by week, by
// the rows that count in the index.
type CityCoverage struct {
	City          string       `json:"city"`           // display name
	Entry         *panel.Week  `json:"entry_week"`     // of the published headline; who computes the index sets it
	LastPublished *panel.Week  `json:"last_published"` // likewise
	Active        int          `json:"active_products"`
	Weeks         []panel.Week `json:"weeks"`
	Products      []int        `json:"products"` // by week: active products with a price
	Stores        []int        `json:"stores"`   // by week: stores with a price
}

// NewReport examines a panel, all of its observations and all of its quarantine
// entries, as of the given time.
func NewReport(p *panel.Panel, rows *panel.Rows, entries []panel.Quarantine, now time.Time) *Report {
	weeks, closed := p.Weeks(), p.Calendar().LastClosed(now)
	r := &Report{
		Now: now, Calendar: p.Calendar(), Counts: p.Counts(), Attrition: NewAttrition(p, closed),
		Weeks:    ReportWeeks{p.BaseWeek(), closed, slices.Concat([]panel.Week{}, weeks), []panel.Week{}},
		Filtered: NewFiltered(rows, p), Health: NewHealth(rows, p, now),
	}
	for k := 1; k < len(weeks); k++ {
		for w := weeks[k-1].Add(1); w < weeks[k] && w <= closed; w = w.Add(1) {
			r.Weeks.Missing = append(r.Weeks.Missing, w)
		}
	}
	for _, product := range p.Products() {
		if product.Active {
			r.Active++
		}
	}
	r.Coverage = coverageOf(p, r.Active)
	for _, name := range panel.QuarantineRules {
		r.Quarantine = append(r.Quarantine, RuleCount{Rule: name})
	}
	for _, e := range entries {
		switch n := &r.Quarantine[e.Rule]; {
		case !e.WithdrawnAt.IsZero():
			n.Withdrawn++
		case e.Released:
			n.Released++
		default:
			n.InForce++
		}
	}
	r.Findings = findingsOf(r)
	return r
}

// coverageOf returns the coverage of every city, in the panel's order of cities and
// weeks.
func coverageOf(p *panel.Panel, active int) []CityCoverage {
	all, weeks := make([]CityCoverage, len(p.Cities())), slices.Concat([]panel.Week{}, p.Weeks())
	for c := range all {
		all[c] = CityCoverage{City: p.Cities()[c].Name, Active: active, Weeks: weeks,
			Products: make([]int, len(weeks)), Stores: make([]int, len(weeks))}
	}
	type place struct{ city, at int32 }
	for k := range p.Weeks() {
		products, stores := map[place]bool{}, map[place]bool{}
		for i, log := range p.LogPrices(k) {
			if !math.IsNaN(log) {
				s := p.Series()[i]
				products[place{s.City, s.Product}], stores[place{s.City, s.Store}] = true, true
			}
		}
		for x := range products {
			all[x.city].Products[k]++
		}
		for x := range stores {
			all[x.city].Stores[k]++
		}
	}
	return all
}
