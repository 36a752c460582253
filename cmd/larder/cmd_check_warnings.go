package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/panel"
)

// warning is a kind of finding that somebody should act on.
type warning struct {
	Kind  string
	Found []string // in words, one each
	ToDo  string
}

// printWarnings ends the report.
func (r *check) printWarnings(w io.Writer) error {
	warnings := r.warnings()
	if len(warnings) == 0 {
		_, err := fmt.Fprintln(w, "\nno warnings")
		return err
	}
	for _, x := range warnings {
		fmt.Fprintf(w, "\nWARNING: %s\n", x.Kind)
		for _, found := range x.Found[:min(len(x.Found), mostShown)] {
			fmt.Fprintf(w, "  %s\n", found)
		}
		if n := len(x.Found) - mostShown; n > 0 {
			fmt.Fprintf(w, "  and %d more\n", n)
		}
		if _, err := fmt.Fprintf(w, "  What to do: %s\n", x.ToDo); err != nil {
			return err
		}
	}
	return nil
}

// warnings returns all kinds that have a finding.
func (r *check) warnings() []warning {
	all := slices.Concat(r.panelWarnings(), r.gateWarnings(), r.collectionWarnings())
	return slices.DeleteFunc(all, func(x warning) bool { return len(x.Found) == 0 })
}

// panelWarnings are about the panel as a whole.
func (r *check) panelWarnings() []warning {
	p, h := r.Panel, r.health
	var empty, base, missing, ahead []string
	switch {
	case len(p.Weeks()) == 0:
		empty = append(empty, "no week has a price that counts in the index")
	case !p.HasWeek(p.BaseWeek()):
		base = append(base, fmt.Sprintf("no price counts in the base week %s, so no category can be published", p.BaseWeek()))
	}
	for _, week := range p.MissingWeeks(panel.LastClosed(r.now)) {
		missing = append(missing, fmt.Sprintf("no price counts in the week %s", week))
	}
	if h.Ahead > 0 {
		ahead = append(ahead, fmt.Sprintf("%s dated after %s", plural(h.Ahead, "row"), panel.DateIn(r.now, panel.Toronto)))
	}
	return []warning{
		{"the index is empty", empty, `see "observations in the index" above for what leaves the rows out`},
		{"no prices in the base week", base, "see base_week in settings.csv: it should be the first week that was collected in full"},
		{"weeks missing from the index", missing, "import what was collected then, if anything was; otherwise the index has no row for them: the next headline change spans the gap, and the next change of a category is null"},
		{"rows from the future", ahead, "see that the collector's clock and time zone are right, and --now if you gave it; these rows are in the index once their week closes"},
	}
}

// A product that loses so large a part of its rows to the gate, of so many, has
// wrong listings, or a spec that is wrong itself.
const (
	muchFiltered = 20 // percent
	ofManyRows   = 20
)

// gateWarnings are about what the gate filters.
func (r *check) gateWarnings() []warning {
	var much []string
	for i := range r.filtered.Products {
		g := &r.filtered.Products[i]
		if g.Rows >= ofManyRows && 100*g.Dropped >= muchFiltered*g.Rows {
			much = append(much, fmt.Sprintf("%s: %d of %d rows (%s); the newest because %s",
				r.productName(int(g.ID)), g.Dropped, g.Rows, percent(g.Dropped, g.Rows), why(g)))
		}
	}
	return []warning{{"products that lose much to the gate", much,
		"look at their rows (--filtered): retire listings of another thing (active 0 in retailer_products.csv); where the listing is right, mend the product's line in product_specs.csv, import it, and release the quarantine entry, which stays otherwise"}}
}

// collectionWarnings are about single feeds.
func (r *check) collectionWarnings() []warning {
	h := r.health
	var stopped, drops, frozen []string
	for _, g := range h.Gaps {
		if g.Lasting {
			stopped = append(stopped, fmt.Sprintf("%s: nothing since the week before %s (%s)", placeName(g.Banner, g.City), g.From, plural(g.Weeks(), "closed week")))
		}
	}
	for _, d := range h.Drops {
		drops = append(drops, fmt.Sprintf("%s: %d products in the week %s, usually %v", placeName(d.Banner, d.City), d.Products, h.Last, d.Usual))
	}
	for _, f := range h.Frozen {
		frozen = append(frozen, fmt.Sprintf("store %d (%s): the same prices from the week %s to %s; %d of %d changed from one week to the next, about %.0f were to be expected",
			f.Store, placeName(f.Banner, f.City), f.Since, f.To, f.Changed, f.Matched, f.Expected))
	}
	return []warning{
		{"collection stopped", stopped, "see whether the feed still runs; if the banner has left the city, set its stores inactive"},
		{fmt.Sprintf("active stores not seen in the last %d days", panel.SilentDays), r.silent(), "see whether the feed still runs; set a store that has closed inactive (active 0 in stores.csv)"},
		{"far fewer products than usual", drops, "see what the newest round missed: pages that failed, listings that changed their number; map new listings in retailer_products.csv"},
		{"prices that stand still while their dates move", frozen, "compare some of the newest rows with what the shop asks; if a copy was collected, mend the feed, and set the store inactive until then, since its prices hold the index back"},
	}
}

// silent lists the stores that were not seen lately, by banner and city; all at
// once if it is all of them.
func (r *check) silent() (found []string) {
	stores, silent := 0, 0
	var last time.Time // that any of them was seen
	for i := range r.health.Places {
		p := &r.health.Places[i]
		stores += p.Stores
		silent += len(p.Silent)
		var each []string
		for _, s := range p.Silent {
			seen := "never"
			if !s.Last.IsZero() {
				seen = "last " + panel.DateIn(s.Last, panel.Toronto).String()
			}
			if s.Last.After(last) {
				last = s.Last
			}
			each = append(each, fmt.Sprintf("store %d (%s)", s.ID, seen))
		}
		if len(each) > 0 {
			found = append(found, fmt.Sprintf("%s: %s", placeName(p.Banner, p.City), strings.Join(each, ", ")))
		}
	}
	if silent == stores && stores > 1 {
		found = []string{fmt.Sprintf("none of the %d active stores was seen%s", stores, since(last))}
	}
	return found
}

// since says since when nothing was seen.
func since(last time.Time) string {
	if last.IsZero() {
		return ": there is no row of theirs"
	}
	return " since " + panel.DateIn(last, panel.Toronto).String()
}

// placeName names a banner in a city; either may be empty, for all of them.
func placeName(banner, city string) string {
	switch {
	case city == "":
		return "everywhere"
	case banner == "":
		return city + ", all banners"
	}
	return banner + " in " + city
}
