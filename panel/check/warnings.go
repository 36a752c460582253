package check

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/internal/phrase"

	"github.com/larder-index/larder/panel"
)

// Finding is something that somebody should act on: the code of its rule, and the evidence in
// words, one text for each case. What to do about it says the command that shows it.
type Finding struct {
	Code  string
	Found []string
}

// LeastMatched is the percentage of the base week's series under which few are left.
const LeastMatched = 70

// rules find the evidence of findings, in the order of reports: those about the panel, then the
// gate, then single feeds. Without evidence there is no finding.
var rules = []struct {
	code string
	find func(*Report) []string
}{
	{"empty_index", func(r *Report) []string {
		return when(len(r.Weeks.Priced) == 0, "no week has a price that counts in the index")
	}},
	{"unpriced_base_week", func(r *Report) []string {
		w := &r.Weeks
		return when(len(w.Priced) > 0 && !slices.Contains(w.Priced, w.Base),
			"no price counts in the base week %s, so no category can be published", w.Base)
	}},
	{"missing_weeks", func(r *Report) []string {
		return each(r.Weeks.Missing, func(w panel.Week) string { return fmt.Sprintf("no price counts in the week %s", w) })
	}},
	{"attrition", func(r *Report) []string { return r.Attrition.fewLeft() }},
	{"future_rows", func(r *Report) []string {
		return when(r.Health.Ahead > 0, "%s dated after %s", phrase.Count(r.Health.Ahead, "row"), panel.DateIn(r.Now, panel.Toronto))
	}},
	{"much_filtered", muchFiltered},
	{"collection_stopped", stopped},
	{"silent_stores", silentStores},
	{"coverage_drop", func(r *Report) []string {
		return each(r.Health.Drops, func(d CoverageDrop) string {
			return fmt.Sprintf("%s: %d products in the week %s, usually %v", placeName(d.Banner, d.City), d.Products, d.Week, d.Usual)
		})
	}},
	{"frozen_feed", func(r *Report) []string {
		return each(r.Health.Frozen, func(f FrozenFeed) string {
			return fmt.Sprintf("store %d (%s): the same prices from the week %s to %s; %d of %d changed from one week to the next, about %.0f were to be expected",
				f.Store, placeName(f.Banner, f.City), f.Since, f.To, f.Changed, f.Matched, f.Expected)
		})
	}},
}

// The rule of much_filtered: a product that loses so large a part of so many rows
// to the gate has wrong listings or a wrong spec.
const (
	muchPercent = 20
	muchOfRows  = 20
)

func muchFiltered(r *Report) (found []string) {
	for _, g := range r.Filtered.Products {
		if g.Rows >= muchOfRows && 100*g.Dropped >= muchPercent*g.Rows {
			found = append(found, fmt.Sprintf("%s: %d of %d rows (%s); the newest because %s", g.Name, g.Dropped, g.Rows, g.Share(), g.Why()))
		}
	}
	return found
}

func stopped(r *Report) (found []string) {
	for _, g := range r.Health.Gaps {
		if g.Lasting {
			found = append(found, fmt.Sprintf("%s: nothing since the week before %s (%s)", placeName(g.Banner, g.City), g.From, phrase.Count(g.Weeks, "closed week")))
		}
	}
	return found
}

// silentStores lists the stores that were not seen lately, by banner and city. If
// no store was seen, it says so once.
func silentStores(r *Report) (found []string) {
	stores, silent := 0, 0
	var last time.Time // that any of them was seen
	for _, p := range r.Health.Places {
		stores += p.Stores
		silent += len(p.Silent)
		if len(p.Silent) == 0 {
			continue
		}
		names := each(p.Silent, func(s SilentStore) string {
			if s.Last.After(last) {
				last = s.Last.Time
			}
			if s.Last.IsZero() {
				return fmt.Sprintf("store %d (never)", s.ID)
			}
			return fmt.Sprintf("store %d (last %s)", s.ID, panel.DateIn(s.Last.Time, panel.Toronto))
		})
		found = append(found, fmt.Sprintf("%s: %s", placeName(p.Banner, p.City), strings.Join(names, ", ")))
	}
	switch {
	case silent < stores || stores < 2:
		return found
	case last.IsZero():
		return []string{fmt.Sprintf("none of the %d active stores was seen: there is no row of theirs", stores)}
	}
	return []string{fmt.Sprintf("none of the %d active stores was seen since %s", stores, panel.DateIn(last, panel.Toronto))}
}

// Share returns the share of the group's rows that are dropped, in percent with
// one decimal.
func (g *FilteredGroup) Share() string { return percent(g.Dropped, g.Rows) }

// Why returns the example's reason without its verdict, which the rule tells.
func (g *FilteredGroup) Why() string { return strings.TrimPrefix(g.Reason, "quarantined: ") }

// Share returns the share of the judged rows that are dropped, in percent with one
// decimal.
func (f *Filtered) Share() string { return percent(f.Dropped, f.Passed+f.Dropped) }

func percent(n, all int) string {
	return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(max(all, 1)))
}

// when returns one text if the condition holds.
func when(condition bool, format string, a ...any) []string {
	if !condition {
		return nil
	}
	return []string{fmt.Sprintf(format, a...)}
}

// each returns a text for each element of a list.
func each[T any](list []T, text func(T) string) (found []string) {
	for _, x := range list {
		found = append(found, text(x))
	}
	return found
}

// placeName names a banner in a city. Either may be empty, for all of them.
func placeName(banner, city string) string {
	switch {
	case city == "":
		return "everywhere"
	case banner == "":
		return city + ", all banners"
	}
	return banner + " in " + city
}
