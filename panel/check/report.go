package check

import (
	"time"

	"github.com/larder-index/larder/panel"
)

// Report describes the quality and the collection of a panel's rows, as
// of a moment. "larder check" prints it.
type Report struct {
	Now        time.Time
	Counts     panel.Counts
	Quarantine []RuleCount // in the order of QuarantineRules
	Filtered   *Filtered
	Weeks      ReportWeeks
	Active     int            // products at full coverage
	Coverage   []CityCoverage // in the panel's order of cities
	Attrition  *Attrition
	Health     *Health
	Findings   []Finding // in the order of the rules
}

// RuleCount counts the quarantine entries of one rule.
type RuleCount struct {
	Rule     string `json:"rule"`
	InForce  int    `json:"in_force"`
	Released int    `json:"released"`
}

// ReportWeeks is the weeks of the index.
type ReportWeeks struct {
	Base       panel.Week   `json:"base"`
	LastClosed panel.Week   `json:"last_closed"`
	Priced     []panel.Week `json:"with_prices"`
	Missing    []panel.Week `json:"missing"` // closed weeks between the first and the last without any price
}

// NewReport examines a panel, all of its observations and all of its quarantine
// entries, as of the given time.
func NewReport(p *panel.Panel, rows *panel.Rows, entries []panel.Quarantine, now time.Time) *Report {
	closed := panel.LastClosed(now)
	r := &Report{
		Now: now, Counts: p.Counts(),
		Weeks:  ReportWeeks{p.BaseWeek(), closed, append([]panel.Week{}, p.Weeks()...), append([]panel.Week{}, missingWeeks(p, closed)...)},
		Active: activeProducts(p), Coverage: coverageOf(p), Attrition: NewAttrition(p, closed),
	}
	r.Filtered, r.Health = NewFiltered(rows, p), NewHealth(rows, p, now)
	for _, name := range panel.QuarantineRules {
		r.Quarantine = append(r.Quarantine, RuleCount{Rule: name})
	}
	for i := range entries {
		if n := &r.Quarantine[entries[i].Rule]; entries[i].Released {
			n.Released++
		} else {
			n.InForce++
		}
	}
	for _, rule := range rules {
		if found := rule.find(r); len(found) > 0 {
			r.Findings = append(r.Findings, Finding{rule.code, found})
		}
	}
	return r
}
