package panel

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Of Mass: the share of all rows, in percent, and the rows that a finding needs.
const (
	massPercent    = 20
	leastMass      = 30
	leastOfABanner = 8
)

// Mass counts rows by banner and by the rule that the gate judges them by. Where one mistake spoils a large part
// of an import, it finds that once instead of row by row. Its zero value has no rows.
type Mass struct {
	rows map[MassFinding]int // by banner, and by banner and rule
}

// MassFinding is a rule of the gate that filters or quarantines a large part of the rows.
type MassFinding struct {
	Rule     string
	Banner   string // key of the banner none of whose rows passes; empty: a part of all rows
	Rows, Of int    // those that fail the rule, and all
}

// Add counts n rows of a banner, with the rule of their Judgement.
func (m *Mass) Add(banner, rule string, n int) {
	if m.rows == nil {
		m.rows = map[MassFinding]int{}
	}
	for _, key := range [...]MassFinding{{}, {Rule: rule}, {Banner: banner}, {Rule: rule, Banner: banner}} {
		m.rows[key] += n
	}
}

// Found returns the rules that at least a fifth of all rows fail, of at least 30. Without such a rule it returns the
// banners none of whose rows passes, of at least 8, with the rule that most of them fail. It leaves out what an
// operator listed or corrected.
func (m *Mass) Found() (found []MassFinding) {
	byBanner := map[string]MassFinding{}
	for key, n := range m.rows {
		all := m.rows[MassFinding{Banner: key.Banner}]
		passed := m.rows[MassFinding{Rule: fits, Banner: key.Banner}]
		x := MassFinding{key.Rule, key.Banner, n, all}
		switch {
		case key.Rule == "" || key.Rule == fits || key.Rule == Listed.String() || key.Rule == Corrected.String():
		case key.Banner == "" && all >= leastMass && 100*n >= massPercent*all:
			found = append(found, x)
		case key.Banner != "" && all >= leastOfABanner && passed == 0:
			if most := byBanner[key.Banner]; n > most.Rows || n == most.Rows && x.Rule < most.Rule {
				byBanner[key.Banner] = x
			}
		}
	}
	if found == nil {
		found = slices.Collect(maps.Values(byBanner))
	}
	slices.SortFunc(found, func(a, b MassFinding) int {
		return cmp.Or(cmp.Compare(a.Banner, b.Banner), cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Rule, b.Rule))
	})
	return found
}

// String says how many rows fail the rule.
func (a MassFinding) String() string {
	if a.Banner != "" {
		return fmt.Sprintf("none of %d rows of %s passes; %s sets %d of them aside", a.Of, a.Banner, a.Rule, a.Rows)
	}
	return fmt.Sprintf("%s sets aside %d of %d rows (%d%%)", a.Rule, a.Rows, a.Of, 100*a.Rows/a.Of)
}
