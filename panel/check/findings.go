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
// words, one text for each case. The command that shows it says what to do about it.
type Finding struct {
	Code  string
	Found []string
}

// LeastMatched is the percentage of the base week's series under which few are left.
const LeastMatched = 70

// The rule of much_filtered: a product that loses so large a part of so many rows
// to the gate has wrong listings or a wrong spec.
const (
	muchPercent = 20
	muchOfRows  = 20
)

// findingsOf applies the rules, in the order of reports: those about the panel, then the gate,
// then single feeds. Without a case there is no finding.
func findingsOf(r *Report) (list []Finding) {
	found := func(code, format string, a ...any) {
		if n := len(list); n == 0 || list[n-1].Code != code {
			list = append(list, Finding{Code: code})
		}
		f := &list[len(list)-1]
		f.Found = append(f.Found, fmt.Sprintf(format, a...))
	}
	w, sample, health := &r.Weeks, r.Attrition.Weeks, r.Health
	if len(w.Priced) == 0 {
		found("empty_index", "no week has a price that counts in the index")
	} else if !slices.Contains(w.Priced, w.Base) {
		found("unpriced_base_week", "no price counts in the base week %s, so no category can be published", w.Base)
	}
	for _, week := range w.Missing {
		found("missing_weeks", "no price counts in the week %s", week)
	}
	for _, x := range sample[max(0, len(sample)-1):] {
		if base := r.Attrition.Base; 100*x.Matched < LeastMatched*base {
			found("attrition", "%d of the %d series of the base week are priced in the week %s (%s)",
				x.Matched, base, x.Week, percent(x.Matched, base))
		}
	}
	if health.Ahead > 0 {
		found("future_rows", "%s dated after %s", phrase.Count(health.Ahead, "row"), r.Calendar.DateIn(r.Now))
	}
	for _, g := range r.Filtered.Products {
		if g.Rows >= muchOfRows && 100*g.Filtered >= muchPercent*g.Rows {
			found("much_filtered", "%s: %d of %d rows (%s); the newest because %s",
				g.Name, g.Filtered, g.Rows, g.Share(), g.Why())
		}
	}
	for _, g := range health.Gaps {
		if g.Lasting {
			found("collection_stopped", "%s: nothing since the week before %s (%s)",
				placeName(g.Banner, g.City), g.From, phrase.Count(g.Weeks, "closed week"))
		}
	}
	for _, text := range silentStores(r.Calendar, health.Places) {
		found("silent_stores", "%s", text)
	}
	return list
}

// silentStores lists the stores that were not seen lately, by banner and city. If
// no store was seen, it says so once.
func silentStores(clock panel.Calendar, places []PlaceSeen) (found []string) {
	stores, silent := 0, 0
	var last *time.Time // that any of the silent ones was seen
	for _, p := range places {
		stores += p.Stores
		silent += len(p.Silent)
		var names []string
		for _, s := range p.Silent {
			seen := "never"
			if s.Last != nil {
				seen = "last " + clock.DateIn(*s.Last).String()
			}
			if last == nil || s.Last != nil && s.Last.After(*last) {
				last = s.Last
			}
			names = append(names, fmt.Sprintf("store %d (%s)", s.ID, seen))
		}
		if names != nil {
			found = append(found, placeName(p.Banner, p.City)+": "+strings.Join(names, ", "))
		}
	}
	switch {
	case silent < stores || stores < 2:
		return found
	case last == nil:
		return []string{fmt.Sprintf("none of the %d active stores was seen: there is no row of theirs", stores)}
	}
	return []string{fmt.Sprintf("none of the %d active stores was seen since %s",
		stores, clock.DateIn(*last))}
}

// Why returns the example's reason without its verdict, which the rule tells.
func (g *FilteredGroup) Why() string { return strings.TrimPrefix(g.Reason, "quarantined: ") }

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
