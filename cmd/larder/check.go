package main

import (
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/check"
	"github.com/larder-index/larder/panel/sqlite"
)

func (a *app) checkCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Verify a snapshot and report what is in it",
		Long: `Verifies that the snapshot is byte for byte as it was published, and reports
what it holds: rows of each table, what the index leaves out, the quarantine,
what the quality gate filtered and why, the coverage of every city in its latest
weeks, how the sample ages, and the health of collection. Warnings come last and say what to do.

Findings are data: the exit status is 0 all the same, and 1 for a damaged
snapshot. --filtered prints every row that the gate filtered, as CSV. --spread
prints the chains and items of each city whose listings have unit prices that
spread over 2 to 1, with the two ends, as CSV: such listings may be different
goods. It looks at the prices that a comparison may use as of --now. --format json
prints all sections in full, as one object.`,
		Example: `  larder check --db larder.db
  larder check --db larder.db --filtered > filtered.csv
  larder check --db larder.db --spread > spread.csv
  larder check`,
	}
	db, format := dbFlag(cmd), formatFlag(cmd, tableOrJSON...)
	filtered := cmd.Flags().Bool("filtered", false, "print every row that the gate filtered, as CSV, and nothing else")
	spread := cmd.Flags().Bool("spread", false, "print the chains and items whose listings spread in unit price, as CSV, and nothing else")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		switch given := cmd.Flags().Changed("format"); {
		case *spread && (*filtered || given):
			return usagef("--spread takes neither --filtered nor --format: it prints its own rows, as CSV")
		case *filtered && given:
			return usagef("--filtered and --format contradict each other: filtered rows are printed as CSV")
		}
		all, err := a.openAll(cmd.Context(), *db)
		if err != nil {
			return err
		}
		if *spread {
			return printSpreads(a.stdout, compare.NewProjection(all.Panel, all.Rows).Spreads(a.now))
		}
		c, err := a.newReport(all)
		switch {
		case err != nil:
			return err
		case *filtered:
			return c.filteredRows().print(a.stdout, "csv")
		case *format == "json":
			return printObject(a.stdout, c.body())
		}
		return c.print(a.stdout)
	}
	return cmd
}

// printSpreads writes the chains and items whose listings spread in unit price.
func printSpreads(w io.Writer, list []compare.Spread) error {
	return sheetOf(list, func(s *compare.Spread) []any {
		return []any{
			s.City, s.StoreKey, s.ItemID, s.Item, s.Listings,
			s.Lowest.Price, s.Lowest.Listing, s.Lowest.Title, s.Lowest.PackageSize,
			s.Highest.Price, s.Highest.Listing, s.Highest.Title, s.Highest.PackageSize,
		}
	}, "city", "banner", "product_id", "product", "listings",
		"lowest_price", "lowest_retailer_product_id", "lowest_scraped_name", "lowest_package_size",
		"highest_price", "highest_retailer_product_id", "highest_scraped_name", "highest_package_size").print(w, "csv")
}

// checked is a snapshot's report with what the index publishes of each city.
type checked struct {
	*check.Report
	info   *sqlite.Info
	cities []cityCoverage
	// Warnings are those of the report, then the stops that a release would meet.
	Warnings []warning
}

// cityCoverage is the coverage of a city beside its published headline.
type cityCoverage struct {
	City          string       `json:"city"`
	Entry         *panel.Week  `json:"entry_week"`
	LastPublished *panel.Week  `json:"last_published"`
	Active        int          `json:"active_products"`
	Weeks         []panel.Week `json:"weeks"`
	Products      []int        `json:"products"`
	Stores        []int        `json:"stores"`
}

func (a *app) newReport(all *sqlite.Contents) (*checked, error) {
	snapshot, err := a.releasable(all)
	if err != nil {
		return nil, err
	}
	c := &checked{check.NewReport(all.Panel, all.Rows, all.Quarantine, a.now), &all.Info, []cityCoverage{}, nil}
	c.Warnings = warningsOf(c.Findings)
	for _, stop := range wordStops(release.Newest(snapshot)) {
		c.Warnings = append(c.Warnings, stop.warning())
	}
	for _, x := range c.Coverage {
		city := cityCoverage{City: x.City, Active: c.Active, Weeks: c.Weeks.Priced, Products: x.Products, Stores: x.Stores}
		if rows := snapshot.Table.Select(jevons.Filter{Level: jevons.City, City: x.City, Categories: []basket.Category{basket.Overall}}); len(rows) > 0 {
			city.Entry, city.LastPublished = &rows[0].Week, &rows[len(rows)-1].Week
		}
		c.cities = append(c.cities, city)
	}
	return c, nil
}

// body returns what "larder check --format json" prints: every section in full.
// Weeks are dates and times are RFC 3339 in UTC.
func (c *checked) body() any {
	type snapshot struct {
		Path   string           `json:"path"`
		Bytes  int64            `json:"bytes"`
		Schema int              `json:"schema"`
		Hash   string           `json:"sha256"`
		First  any              `json:"first_observed"`
		Last   any              `json:"last_observed"`
		Rows   map[string]int64 `json:"rows"`
	}
	rows := map[string]int64{}
	for _, t := range c.info.Rows {
		rows[t.Table] = t.Rows
	}
	first, last := orNil(c.info.First), orNil(c.info.Last)
	return struct {
		Snapshot   snapshot          `json:"snapshot"`
		Counts     panel.Counts      `json:"observations"`
		Quarantine []check.RuleCount `json:"quarantine"`
		Filtered   *check.Filtered   `json:"filtered"`
		Weeks      check.ReportWeeks `json:"weeks"`
		Coverage   []cityCoverage    `json:"coverage"`
		Attrition  *check.Attrition  `json:"attrition"`
		Health     *check.Health     `json:"health"`
		Warnings   []warning         `json:"warnings"`
	}{
		snapshot{c.info.Path, c.info.Bytes, c.info.SchemaVersion, c.info.Hash, first, last, rows},
		c.Counts, c.Quarantine, c.Filtered, c.Weeks, c.cities, c.Attrition, c.Health, c.Warnings,
	}
}

// filteredRows returns every row that the gate filtered, oldest first, with its
// texts as they were scraped.
func (c *checked) filteredRows() *sheet {
	return &sheet{[]string{
		"observation_id", "observed_at", "product_id", "product", "banner", "city", "store_id", "retailer_product_id",
		"scraped_name", "package_size", "effective_price", "verdict", "rule", "quarantine_id", "reason",
	}, func(yield func([]any) bool) {
		for r := range c.Filtered.All {
			entry := ""
			if r.Judgement.Entry != nil {
				entry = strconv.FormatInt(r.Judgement.Entry.ID, 10)
			}
			if !yield([]any{
				r.ID, r.ObservedAt.Format(time.RFC3339Nano), r.Product.ID, r.Product.Name, r.Store.Banner, r.City, r.Observation.Store, r.Listing,
				r.ScrapedName, r.PackageSize, r.Effective, r.Judgement.Verdict, r.Judgement.Rule(), entry, r.Judgement,
			}) {
				return
			}
		}
	}}
}
