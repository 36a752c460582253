package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel/check"
	"github.com/larder-index/larder/panel/sqlite"
)

func (a *app) checkCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Verify a snapshot and report what is in it",
		Long: `Verifies that the snapshot is byte for byte as it was published, and reports what it
holds, what the quality gate filtered and why, and how collection went. Warnings come
last and say what to do.`,
		Example: `  larder check --db larder.db
  larder check --db larder.db --filtered > filtered.csv`,
	}
	db, format := a.dbFlag(cmd), formatFlag(cmd, tableOrJSON...)
	filtered := cmd.Flags().Bool("filtered", false, "print every row that the gate filtered, as CSV, and nothing else")
	strict := cmd.Flags().Bool("strict", false, "end with status 5 if there are warnings")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *filtered && cmd.Flags().Changed("format") {
			return usagef("--filtered and --format contradict each other: filtered rows are printed as CSV")
		}
		all, err := a.open(cmd.Context(), *db, true)
		if err != nil {
			return err
		}
		c := a.newReport(all)
		switch {
		case *filtered:
			c.filteredRows().print(a.stdout, "csv")
		case *format == "json":
			err = printObject(a.stdout, c)
		default:
			c.print(a.stdout)
		}
		if n := len(c.Warnings); err == nil && *strict && n > 0 {
			kinds := mapped(c.Warnings, func(w warning) string { return w.Kind })
			err = fmt.Errorf("%s, and --strict takes none: %s", phrase.Count(n, "warning"), strings.Join(kinds, "; "))
			fmt.Fprintf(a.stderr, "larder: %v\n", err)
			return exitError{exitWarned, err}
		}
		return err
	}
	return cmd
}

// checked is a snapshot's report. In its JSON weeks are dates and times are RFC 3339 in UTC.
type checked struct {
	Snapshot *sqlite.Info `json:"snapshot"`
	*check.Report
	Warnings []warning `json:"warnings"` // those of the report, then the stops that a release would meet
}

func (a *app) newReport(all *sqlite.Contents) *checked {
	snapshot, failed := a.releasable(all)
	r := check.NewReport(all.Panel, all.Rows, all.Quarantine, a.now)
	c := &checked{&all.Info, r, warningsOf(r.Findings)}
	if failed != nil {
		c.Warnings = append(c.Warnings, warning{"there is no index", []string{failed.Error()},
			"mend that first; nothing can be released"})
		return c
	}
	c.Warnings = append(c.Warnings, warningsOfRules(release.Newest(snapshot), "a release is stopped")...)
	for i := range c.Coverage {
		x := &c.Coverage[i]
		if rows := snapshot.Table.Select(jevons.Filter{Level: jevons.City, City: x.City,
			Categories: []string{basket.Overall.String()}}); len(rows) > 0 {
			x.Entry, x.LastPublished = &rows[0].Week, &rows[len(rows)-1].Week
		}
	}
	return c
}

// filteredRows returns every row that the gate filtered, oldest first, with its
// texts as they were scraped.
func (c *checked) filteredRows() *sheet {
	return &sheet{[]string{
		"observation_id", "observed_at", "product_id", "product", "banner", "city", "store_id", "retailer_product_id",
		"scraped_name", "package_size", "effective_price", "verdict", "rule", "quarantine_id", "reason",
	}, func(yield func([]any) bool) {
		for r := range c.Filtered.All {
			entry := int64(0)
			if r.Judgement.Entry != nil {
				entry = r.Judgement.Entry.ID
			}
			if !yield([]any{
				r.ID, r.ObservedAt.Format(time.RFC3339Nano), r.Product.ID, r.Product.Name, r.Store.Banner, r.City,
				r.Observation.Store, r.Listing,
				r.ScrapedName, r.PackageSize, r.Effective, r.Judgement.Verdict, r.Judgement.Rule(), orNil(entry),
				r.Judgement,
			}) {
				return
			}
		}
	}}
}

// warning is a finding as a command shows it.
type warning struct {
	Kind   string   `json:"kind"`       // names it for people
	Found  []string `json:"found"`      // the evidence in words, one text for each case
	Remedy string   `json:"what_to_do"` // in words
}

// findingWords say of each code of a finding what it is and what to do about it.
var findingWords = map[string]struct{ kind, remedy string }{
	"empty_index": {
		"the index is empty",
		`see "observations in the index" above for what leaves the rows out`,
	},
	"unpriced_base_week": {
		"no prices in the base week",
		"see base_week in settings.csv: it should be the first week that was collected in full",
	},
	"missing_weeks": {
		"weeks missing from the index",
		"import what was collected then, if anything was; otherwise the index has no row for them: the next headline " +
			"change spans the gap, and the next change of a category is null",
	},
	"attrition": {
		fmt.Sprintf("under %d%% of the base week's series are left", check.LeastMatched),
		`see which products lack a price ("larder coverage"), and map the listings that took the place of ` +
			"those that ended",
	},
	"future_rows": {
		"rows from the future",
		"see that the collector's clock and time zone are right, and --now if you gave it; these rows are in the " +
			"index once their week closes",
	},
	"much_filtered": {
		"products that lose much to the gate",
		"look at their rows (--filtered): retire listings of another thing (active 0 in retailer_products.csv); " +
			"where the listing is right, mend the product's line in product_specs.csv, import it, and lift the " +
			"quarantine entry, which stays otherwise",
	},
	"collection_stopped": {
		"collection stopped",
		"see whether the feed still runs; if the banner has left the city, set its stores inactive",
	},
	"silent_stores": {
		fmt.Sprintf("active stores not seen in the last %d days", check.SilentDays),
		"see whether the feed still runs; set a store that has closed inactive (active 0 in stores.csv)",
	},
}

func warningsOf(findings []check.Finding) []warning {
	list := []warning{}
	for _, f := range findings {
		w := findingWords[f.Code]
		list = append(list, warning{w.kind, f.Found, w.remedy})
	}
	return list
}
