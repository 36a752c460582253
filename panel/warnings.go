package panel

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/internal/phrase"
)

// Warning is a finding that somebody should act on.
type Warning struct {
	Code   string   `json:"-"`          // names the rule for programs
	Kind   string   `json:"kind"`       // names it for people
	Found  []string `json:"found"`      // the evidence in words, one text for each case
	Remedy string   `json:"what_to_do"` // in words
}

// warningRule finds the evidence for one kind of warning. Without evidence there
// is no warning.
type warningRule struct {
	code, kind, remedy string
	find               func(*Report) []string
}

// panelWarnings are the rules about the panel. In reports they come first.
var panelWarnings = []warningRule{
	{
		"empty_index", "the index is empty",
		`see "observations in the index" above for what leaves the rows out`,
		func(r *Report) []string {
			return when(len(r.Weeks.Priced) == 0, "no week has a price that counts in the index")
		},
	},
	{
		"unpriced_base_week", "no prices in the base week",
		"see base_week in settings.csv: it should be the first week that was collected in full",
		func(r *Report) []string {
			w := &r.Weeks
			return when(len(w.Priced) > 0 && !slices.Contains(w.Priced, w.Base),
				"no price counts in the base week %s, so no category can be published", w.Base)
		},
	},
	{
		"missing_weeks", "weeks missing from the index",
		"import what was collected then, if anything was; otherwise the index has no row for them: the next headline change spans the gap, and the next change of a category is null",
		func(r *Report) []string {
			return each(r.Weeks.Missing, func(w Week) string { return fmt.Sprintf("no price counts in the week %s", w) })
		},
	},
	{
		"attrition", fmt.Sprintf("under %d%% of the base week's series are left", leastMatched),
		`see which products lack a price ("larder coverage"), and map the listings that took the place of those that ended; the series of linked bases ("larder index --companion linked") shows how much the old sample matters`,
		func(r *Report) []string { return r.Attrition.fewLeft() },
	},
}

// rowWarnings are the rules about rows: those about the gate, then those about single
// feeds.
var rowWarnings = []warningRule{
	{
		"future_rows", "rows from the future",
		"see that the collector's clock and time zone are right, and --now if you gave it; these rows are in the index once their week closes",
		func(r *Report) []string {
			return when(r.Health.Ahead > 0, "%s dated after %s", phrase.Count(r.Health.Ahead, "row"), DateIn(r.Now, Toronto))
		},
	},
	{
		"much_filtered", "products that lose much to the gate",
		"look at their rows (--filtered): retire listings of another thing (active 0 in retailer_products.csv); where the listing is right, mend the product's line in product_specs.csv, import it, and release the quarantine entry, which stays otherwise",
		muchFiltered,
	},
	{
		"collection_stopped", "collection stopped",
		"see whether the feed still runs; if the banner has left the city, set its stores inactive",
		stopped,
	},
	{
		"silent_stores", fmt.Sprintf("active stores not seen in the last %d days", SilentDays),
		"see whether the feed still runs; set a store that has closed inactive (active 0 in stores.csv)",
		silentStores,
	},
	{
		"coverage_drop", "far fewer products than usual",
		"see what the newest round missed: pages that failed, listings that changed their number; map new listings in retailer_products.csv",
		func(r *Report) []string {
			return each(r.Health.Drops, func(d CoverageDrop) string {
				return fmt.Sprintf("%s: %d products in the week %s, usually %v", placeName(d.Banner, d.City), d.Products, d.Week, d.Usual)
			})
		},
	},
	{
		"frozen_feed", "prices that stand still while their dates move",
		"compare some of the newest rows with what the shop asks; if a copy was collected, mend the feed, and set the store inactive until then, since its prices hold the index back",
		func(r *Report) []string {
			return each(r.Health.Frozen, func(f FrozenFeed) string {
				return fmt.Sprintf("store %d (%s): the same prices from the week %s to %s; %d of %d changed from one week to the next, about %.0f were to be expected",
					f.Store, placeName(f.Banner, f.City), f.Since, f.To, f.Changed, f.Matched, f.Expected)
			})
		},
	},
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
			return fmt.Sprintf("store %d (last %s)", s.ID, DateIn(s.Last.Time, Toronto))
		})
		found = append(found, fmt.Sprintf("%s: %s", placeName(p.Banner, p.City), strings.Join(names, ", ")))
	}
	switch {
	case silent < stores || stores < 2:
		return found
	case last.IsZero():
		return []string{fmt.Sprintf("none of the %d active stores was seen: there is no row of theirs", stores)}
	}
	return []string{fmt.Sprintf("none of the %d active stores was seen since %s", stores, DateIn(last, Toronto))}
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
