package panel

import (
	"slices"
	"time"
)

// Report describes the quality and the collection of a panel's rows, as
// of a moment. "larder check" prints it.
type Report struct {
	Now        time.Time
	Counts     Counts
	Quarantine []RuleCount // in the order of QuarantineRules
	Filtered   *Filtered
	Weeks      ReportWeeks
	Active     int            // products at full coverage
	Coverage   []CityCoverage // in the panel's order of cities
	Attrition  *Attrition
	Health     *Health
	Warnings   []Warning // in the order of the rules
}

// RuleCount counts the quarantine entries of one rule.
type RuleCount struct {
	Rule     string `json:"rule"`
	InForce  int    `json:"in_force"`
	Released int    `json:"released"`
}

// ReportWeeks is the weeks of the index.
type ReportWeeks struct {
	Base       Week   `json:"base"`
	LastClosed Week   `json:"last_closed"`
	Priced     []Week `json:"with_prices"`
	Missing    []Week `json:"missing"` // closed weeks between the first and the last without any price
}

// NewReport examines a panel, all of its observations and all of its quarantine
// entries, as of the given time.
func NewReport(p *Panel, rows *Rows, entries []Quarantine, now time.Time) *Report {
	closed := LastClosed(now)
	r := &Report{
		Now: now, Counts: p.Counts(),
		Weeks:  ReportWeeks{p.BaseWeek(), closed, append([]Week{}, p.Weeks()...), append([]Week{}, p.MissingWeeks(closed)...)},
		Active: p.ActiveProducts(), Coverage: p.Coverage(), Attrition: p.Attrition(closed), Warnings: []Warning{},
	}
	r.Filtered, r.Health = NewFiltered(rows, p), NewHealth(rows, p, now)
	for _, name := range QuarantineRules {
		r.Quarantine = append(r.Quarantine, RuleCount{Rule: name})
	}
	for i := range entries {
		if n := &r.Quarantine[entries[i].Rule]; entries[i].Released {
			n.Released++
		} else {
			n.InForce++
		}
	}
	for _, rule := range slices.Concat(panelWarnings, rowWarnings) {
		if found := rule.find(r); len(found) > 0 {
			r.Warnings = append(r.Warnings, Warning{rule.code, rule.kind, found, rule.remedy})
		}
	}
	return r
}
