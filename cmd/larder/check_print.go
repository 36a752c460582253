package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/larder-index/larder/panel/check"
	"github.com/larder-index/larder/panel/sqlite"
)

func (c *checked) print(w *output) {
	for _, section := range []func(*output){
		c.printSnapshot, c.printFiltered, c.printCoverage, c.printAttrition, c.printPlaces, c.printGaps,
		c.printWarnings,
	} {
		section(w)
	}
}

func (c *checked) printSnapshot(w *output) {
	of := c.Snapshot
	fmt.Fprintf(w, "snapshot %s\n%d bytes, schema %d, seal intact: sha256 %s\n", of.Path, of.Bytes, of.SchemaVersion,
		of.Hash)
	if !of.First.IsZero() {
		fmt.Fprintf(w, "observed from %s to %s\n", of.First.Format(time.RFC3339), of.Last.Format(time.RFC3339))
	}
	for _, s := range []*sheet{
		sheetOf(of.Rows, func(t *sqlite.TableRows) []any { return []any{t.Table, t.Rows} }, "table", ">rows"),
		newSheet([][]any{
			{"left out: inactive store", c.Counts.InactiveStore},
			{"left out: retired listing", c.Counts.RetiredListing},
			{"left out: inactive product", c.Counts.InactiveProduct},
			{"left out: banner outside the index", c.Counts.OutsideIndex},
			{"left out: quarantined", c.Counts.Quarantined},
			{"left out: not the product by title or size", c.Counts.FailsIdentity},
			{"used", c.Counts.Used},
			{"all", c.Counts.Observations},
		}, "observations in the index", ">rows"),
		sheetOf(c.Quarantine, func(n *check.RuleCount) []any {
			return []any{n.Rule, n.InForce, n.Released, n.Withdrawn}
		}, "quarantine entries", ">in force", ">lifted", ">withdrawn"),
	} {
		fmt.Fprintln(w)
		s.print(w, "table")
	}
	fmt.Fprintln(w, `"larder quarantine list" shows each with its evidence`)
}

const mostShown = 10

// printFiltered says what the gate filtered: by reason, then by what it filters
// most.
func (c *checked) printFiltered(w *output) {
	f := c.Filtered
	fmt.Fprintf(w, "\nthe quality gate (%s) filtered %d of %d rows (%s); %d more count nowhere: inactive store, "+
		"product or listing\n", f.Gate, f.Filtered, f.Passed+f.Filtered, f.Share(), f.Nowhere)
	if f.Filtered == 0 {
		return
	}
	sheetOf(f.Reasons, func(g *check.FilteredGroup) []any {
		r := f.Example(g)
		return []any{g.Key, g.Filtered, r.ID, c.Calendar.DateIn(r.ObservedAt), r.ProductName(), r.StoreName(),
			g.Why()}
	}, "reason", ">filtered", ">example id", "observed", "product", "store", "why").print(w, "table")
	for _, by := range []struct {
		name   string
		groups []check.FilteredGroup
	}{{"product", f.Products}, {"banner", f.Banners}, {"store", f.Stores}, {"listing", f.Listings}} {
		fmt.Fprintln(w)
		printFirst(w, mostShown, by.groups, func(g *check.FilteredGroup) []any {
			return []any{g.Name, g.Filtered, g.Rows, g.Share(), g.Why()}
		}, "by "+by.name, ">filtered", ">of", ">share", "why the newest is")
	}
	fmt.Fprintln(w, `"larder check --filtered" prints every one of these rows as CSV`)
}

func printFirst[T any](w *output, most int, list []T, cells func(*T) []any, columns ...string) {
	sheetOf(list[:min(len(list), most)], cells, columns...).print(w, "table")
	if len(list) > most {
		fmt.Fprintf(w, "and %d more\n", len(list)-most)
	}
}

const weeksShown = 8

func (c *checked) printAttrition(w *output) {
	a := c.Attrition
	fmt.Fprintf(w, "\nsample of the index: %d series were priced in the base week\n", a.Base)
	sheetOf(a.Weeks[max(0, len(a.Weeks)-weeksShown):], func(x *check.WeekOfUse) []any {
		return []any{
			x.Week, x.Matched, fmt.Sprintf("%.1f%%", 100*float64(x.Matched)/float64(max(a.Base, 1))),
			x.Came, x.Went, x.InUse, fmt.Sprintf("%.1f", x.Median),
		}
	}, "week", ">of the base", ">share", ">came", ">went", ">in use", ">median age, weeks").print(w, "table")
}

func (c *checked) printCoverage(w *output) {
	weeks := c.Weeks.Priced
	if len(weeks) > 0 {
		derived := ""
		if c.Snapshot.BaseWeek == 0 {
			derived = " (the first whole week of prices, since settings.csv has no base_week)"
		}
		fmt.Fprintf(w, "\nbase week %s%s; %d weeks with prices, %s to %s; last closed week %s\n",
			c.Weeks.Base, derived, len(weeks), weeks[0], weeks[len(weeks)-1], c.Weeks.LastClosed)
	}
	last := len(weeks)
	for last > 0 && weeks[last-1] > c.Weeks.LastClosed {
		last--
	}
	first := max(0, last-weeksShown)
	columns := []string{"city", "entry week", "last published", ">stores"}
	for _, week := range weeks[first:last] {
		columns = append(columns, ">"+week.String()[5:])
	}
	fmt.Fprintf(w, "\ncoverage: share of the %d active products priced, by city and week\n", c.Active)
	sheetOf(c.Coverage, func(x *check.CityCoverage) []any {
		row := []any{x.City, orNone(x.Entry), orNone(x.LastPublished), nil}
		if last > 0 {
			row[3] = x.Stores[last-1]
		}
		for _, products := range x.Products[first:last] {
			row = append(row, fmt.Sprintf("%d%%", 100*products/max(1, c.Active)))
		}
		return row
	}, columns...).print(w, "table")
}

func (c *checked) printPlaces(w *output) {
	fmt.Fprintf(w, "\nhealth of collection on %s, over %d rows of all banners, filtered ones included\n",
		c.Calendar.DateIn(c.Now), c.Health.Rows)
	sheetOf(c.Health.Places, func(p *check.PlaceSeen) []any {
		last := "never"
		if p.Last != nil {
			last = p.Last.In(c.Calendar.Zone()).Format("2006-01-02 15:04")
		}
		return []any{p.Banner, p.City, last, p.Stores, p.Stores - len(p.Silent)}
	}, "banner", "city", "last seen", ">active stores", fmt.Sprintf(">seen in %d days", check.SilentDays)).print(w,
		"table")
}

func (c *checked) printGaps(w *output) {
	h := c.Health
	switch {
	case h.First == 0:
		fmt.Fprintln(w, "\nno closed week has any row")
		return
	case len(h.Gaps) == 0:
		fmt.Fprintf(w, "\nno week from %s to %s is missing anywhere\n", h.First, h.Last)
		return
	}
	newest := slices.Clone(h.Gaps)
	slices.SortStableFunc(newest, func(a, b check.Gap) int { return int(b.To - a.To) })
	fmt.Fprintf(w, "\nweeks without any row, from %s to %s, newest first\n", h.First, h.Last)
	printFirst(w, 2*mostShown, newest, func(g *check.Gap) []any {
		return []any{cmp.Or(g.City, "everywhere"), cmp.Or(g.Banner, "all"), g.From, g.To, g.Weeks}
	}, "city", "banner", "from", "to", ">weeks")
}

func (c *checked) printWarnings(w *output) {
	if len(c.Warnings) == 0 {
		fmt.Fprintln(w, "\nno warnings")
	}
	for _, x := range c.Warnings {
		printWarning(w, x)
	}
}

func printWarning(w io.Writer, x warning) {
	fmt.Fprintf(w, "\nWARNING: %s\n", x.Kind)
	for _, found := range x.Found[:min(len(x.Found), mostShown)] {
		fmt.Fprintf(w, "  %s\n", found)
	}
	if n := len(x.Found) - mostShown; n > 0 {
		fmt.Fprintf(w, "  and %d more\n", n)
	}
	fmt.Fprintf(w, "  What to do: %s\n", x.Remedy)
}
