package main

import (
	"fmt"
	"strings"

	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
)

// stopWords words the findings of a stop rule.
type stopWords struct {
	title  string
	told   func(x *release.Case) string
	remedy func(first *release.Case) string
	meant  string // when the release is right all the same
}

const (
	correctRows = `larder import DIR --db NEXT --correct "REASON"`
	mostTold    = 20 // cases of one rule
)

// setAside writes the command that sets a banner's rows of some weeks aside.
func setAside(banner string, from, to panel.Week) string {
	return fmt.Sprintf(`larder quarantine add --db NEXT --banner %s --from %s --to %s --reason "REASON"`, banner, from.Date()-6, to)
}

var stopRules = map[release.Rule]stopWords{
	release.Scale: {"a banner's prices have another scale than before", func(x *release.Case) string {
		ratio := fmt.Sprintf("%.2f times", x.Value)
		if x.Value < 1 {
			ratio = fmt.Sprintf("1/%.2f of", 1/x.Value)
		}
		text := fmt.Sprintf("%s, week %s: the median of %d prices is %s the price of the same listing and store before, such as %s after %s of listing %d at store %d",
			x.Place, x.Week, x.More[0], ratio, x.More[1], x.More[2], x.More[3], x.More[4])
		if x.More[5] != 0 {
			text += fmt.Sprintf("; %s set %d of them aside", x.More[6], x.More[5])
		}
		return text
	}, func(first *release.Case) string {
		return fmt.Sprintf("import the rows again in the right scale with %s, or set them aside with %s", correctRows, setAside(first.Place, first.Week, first.Week))
	}, "the prices are right"},

	release.Jump: {"a headline moves far more than it used to", func(x *release.Case) string {
		text := fmt.Sprintf("%s, week %s: %+.4f%% ", x.Cell, x.Week, x.More[0])
		if x.Kind == release.JumpPercent {
			return text + fmt.Sprintf("is more than %.0f%%", x.Bound)
		}
		return text + fmt.Sprintf("is %.1f robust standard deviations from the median of its %d changes before, %+.4f%%", x.Value, x.More[1], x.More[2])
	}, func(first *release.Case) string {
		command := "larder explain --db NEXT --date " + first.Week.String()
		if first.Cell.City != "" {
			command += fmt.Sprintf(" --city %q", first.Cell.City)
		}
		return fmt.Sprintf("see what moved it (%s); if rows are wrong, import them again with %s, or set them aside with %s", command, correctRows, setAside("BANNER", first.Week, first.Week))
	}, "prices did move so"},

	release.Revision: {"a released level moves a lot", func(x *release.Case) string {
		return fmt.Sprintf("%s, week %s: %s was released and is now %s, because of %s", x.Cell, x.Week, x.More[0], x.More[1], x.More[2].(*release.Change).CauseText(" and "))
	}, func(*release.Case) string {
		return "see every changed cell with its causes (larder diff OLD NEXT --format csv); if rows are wrong, import them again with " + correctRows +
			", or let the entry go that set them aside (larder quarantine list, larder quarantine release ID)"
	}, "the restatement is meant"},

	release.Lost: {"cells of the last released week are gone", func(x *release.Case) string {
		switch {
		case x.Kind == release.LostCells:
			return fmt.Sprintf("%d of the %d cells of the last released week, %s, such as %q", x.More[0], x.More[1], x.Week, x.Cell)
		case x.Kind != "":
			return fmt.Sprintf("the %s %s had %.0f cells and has none now", x.Kind, x.Place, x.Value)
		case x.Week == 0:
			return "the new table has no rows"
		}
		return fmt.Sprintf("the new table's last week is %s", x.Week)
	}, func(*release.Case) string {
		return "find what was not collected, or what the gate filtered (larder check --db NEXT), and import it (larder import DIR --db NEXT)"
	}, "the place is gone"},

	release.Frozen: {"a banner's prices do not move at all", func(x *release.Case) string {
		return fmt.Sprintf("%s: all %.0f series with a row in each of the weeks %s to %s have one price in all of them", x.Place, x.Value, x.More[0], x.Week)
	}, func(first *release.Case) string {
		return "compare some of the newest rows with what the shop asks; if a copy was collected, set its rows aside with " +
			setAside(first.Place, first.More[0].(panel.Week).Add(1), first.Week)
	}, "the prices did not move"},

	release.NothingNew: {"there is nothing to release", func(x *release.Case) string {
		if x.Week == 0 {
			return "no new closed week and no changed cell; no week was ever released"
		}
		return fmt.Sprintf("no new closed week and no changed cell; the last released week is %s", x.Week)
	}, func(*release.Case) string {
		return "import the rows of the new week first (larder import DIR --db NEXT), and release once it has closed"
	}, "it is to be released all the same"},
}

// stop is a stop rule that fired, in words.
type stop struct {
	Rule     release.Rule `json:"rule"`
	Evidence []string     `json:"evidence"` // one text for each case
	Remedy   string       `json:"what_to_do"`
}

// wordStops words findings.
func wordStops(findings []release.Finding) []stop {
	list := []stop{}
	for _, f := range findings {
		words, s := stopRules[f.Rule], stop{Rule: f.Rule}
		for i := range f.Cases[:min(len(f.Cases), mostTold)] {
			s.Evidence = append(s.Evidence, words.told(&f.Cases[i]))
		}
		if more := len(f.Cases) - mostTold; more > 0 {
			s.Evidence = append(s.Evidence, fmt.Sprintf("and %d more cells", more))
		}
		s.Remedy = fmt.Sprintf(`%s; if %s, release with --accept %s="REASON"`, words.remedy(&f.Cases[0]), words.meant, f.Rule)
		list = append(list, s)
	}
	return list
}

// warning returns the stop as a finding of "larder check".
func (s *stop) warning() warning {
	return warning{fmt.Sprintf("a release would be stopped by the rule %s: %s", s.Rule, stopRules[s.Rule].title), s.Evidence, s.Remedy}
}

// ruleList has one line for each stop rule.
func ruleList() string {
	var b strings.Builder
	for _, r := range release.Rules() {
		fmt.Fprintf(&b, "  %-12s %s\n", r, stopRules[r].title)
	}
	return b.String()
}
