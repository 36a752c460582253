package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

func (a *app) checkCommand() *cobra.Command {
	var (
		db, format string
		filtered   bool
	)
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Verify a snapshot and report what is in it",
		Long: `Verifies that the snapshot is byte for byte as it was published, and reports
what it holds: rows of each table, what the index leaves out, the quarantine,
what the quality gate filtered and why, the coverage of every city in its latest
weeks, and the health of collection. Warnings come last and say what to do.

Findings are data: the exit status is 0 all the same, and 1 for a damaged
snapshot. --filtered prints every row that the gate filtered, as CSV; --format
json prints all sections in full, as one object.`,
		Example: `  larder check --db larder.db
  larder check --db larder.db --filtered > filtered.csv
  larder check`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("format", format, tableOrJSON); err != nil {
				return err
			}
			if filtered && cmd.Flags().Changed("format") {
				return usagef("--filtered and --format contradict each other: filtered rows are printed as CSV")
			}
			c, err := a.newCheck(cmd.Context(), db)
			switch {
			case err != nil:
				return err
			case filtered:
				return c.filteredRows().printCSV(a.stdout)
			case format == "json":
				return printObject(a.stdout, c.body())
			}
			return c.print(a.stdout)
		},
	}
	dbFlag(cmd, &db)
	cmd.Flags().BoolVar(&filtered, "filtered", false, "print every row that the gate filtered, as CSV, and nothing else")
	formatFlag(cmd, &format, tableOrJSON...)
	return cmd
}

// check is a snapshot's report with what the index publishes of each city.
type check struct {
	*panel.Report
	info   *sqlite.Info
	cities []cityCoverage
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

func (a *app) newCheck(ctx context.Context, db string) (*check, error) {
	now, err := a.clock()
	if err != nil {
		return nil, err
	}
	path, err := a.snapshotPath(ctx, db, now)
	if err != nil {
		return nil, err
	}
	all, err := sqlite.LoadAll(ctx, path)
	if err != nil {
		return nil, err
	}
	table, err := a.table(all.Panel, "v2", now)
	if err != nil {
		return nil, err
	}
	c := &check{panel.NewReport(all.Panel, all.Rows, all.Quarantine, now), &all.Info, []cityCoverage{}}
	for _, x := range c.Coverage {
		city := cityCoverage{City: x.City, Active: c.Active, Weeks: c.Weeks.Priced, Products: x.Products, Stores: x.Stores}
		if rows := table.Select(jevons.Filter{Level: jevons.City, City: x.City, Categories: headline}); len(rows) > 0 {
			city.Entry, city.LastPublished = &rows[0].Week, &rows[len(rows)-1].Week
		}
		c.cities = append(c.cities, city)
	}
	return c, nil
}

// body returns what "larder check --format json" prints: every section in full.
// Weeks are dates and times are RFC 3339 in UTC.
func (c *check) body() any {
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
	return struct {
		Snapshot   snapshot          `json:"snapshot"`
		Counts     panel.Counts      `json:"observations"`
		Quarantine []panel.RuleCount `json:"quarantine"`
		Filtered   *panel.Filtered   `json:"filtered"`
		Weeks      panel.ReportWeeks `json:"weeks"`
		Coverage   []cityCoverage    `json:"coverage"`
		Health     *panel.Health     `json:"health"`
		Warnings   []panel.Warning   `json:"warnings"`
	}{
		snapshot{c.info.Path, c.info.Bytes, c.info.SchemaVersion, c.info.Hash, orNil(c.info.First), orNil(c.info.Last), rows},
		c.Counts, c.Quarantine, c.Filtered, c.Weeks, c.cities, c.Health, c.Warnings,
	}
}

// filteredRows returns every row that the gate filtered, oldest first, with its
// texts as they were scraped.
func (c *check) filteredRows() *sheet {
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

// print writes the sections one after the other. One that can't be written ends
// the report.
func (c *check) print(w io.Writer) error {
	for _, section := range []func(io.Writer) error{
		c.printSnapshot, c.printFiltered, c.printCoverage, c.printPlaces, c.printGaps, c.printWarnings,
	} {
		if err := section(w); err != nil {
			return err
		}
	}
	return nil
}

// printSnapshot writes the counts of the snapshot's rows and entries.
func (c *check) printSnapshot(w io.Writer) error {
	fmt.Fprintf(w, "snapshot %s\n%d bytes, schema %d, seal intact: sha256 %s\n", c.info.Path, c.info.Bytes, c.info.SchemaVersion, c.info.Hash)
	if !c.info.First.IsZero() {
		fmt.Fprintf(w, "observed from %s to %s\n", c.info.First.Format(time.RFC3339), c.info.Last.Format(time.RFC3339))
	}
	for _, s := range []*sheet{
		sheetOf(c.info.Rows, func(t *sqlite.TableRows) []any { return []any{t.Table, t.Rows} }, "table", ">rows"),
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
		sheetOf(c.Quarantine, func(n *panel.RuleCount) []any { return []any{n.Rule, n.InForce, n.Released} },
			"quarantine entries", ">in force", ">released"),
	} {
		fmt.Fprintln(w)
		if err := s.printTable(w); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, `"larder quarantine list" shows each with its evidence`)
	return err
}

// mostShown is how many lines of a list are printed.
const mostShown = 10

// printFiltered says what the gate filtered: by reason, then by what it filters
// most.
func (c *check) printFiltered(w io.Writer) error {
	f := c.Filtered
	fmt.Fprintf(w, "\nthe quality gate (%s) filtered %d of %d rows (%s); %d more count nowhere: inactive store, product or listing\n",
		f.Gate, f.Dropped, f.Passed+f.Dropped, f.Share(), f.Nowhere)
	if f.Dropped == 0 {
		return nil
	}
	err := sheetOf(f.Reasons, func(g *panel.FilteredGroup) []any {
		r := f.Example(g)
		return []any{g.Key, g.Dropped, r.ID, panel.DateIn(r.ObservedAt, panel.Toronto), r.ProductName(), r.StoreName(), g.Why()}
	}, "reason", ">filtered", ">example id", "observed", "product", "store", "why").printTable(w)
	if err != nil {
		return err
	}
	for _, by := range []struct {
		name   string
		groups []panel.FilteredGroup
	}{{"product", f.Products}, {"banner", f.Banners}, {"store", f.Stores}, {"listing", f.Listings}} {
		fmt.Fprintln(w)
		if err := printFirst(w, mostShown, by.groups, func(g *panel.FilteredGroup) []any {
			return []any{g.Name, g.Dropped, g.Rows, g.Share(), g.Why()}
		}, "by "+by.name, ">filtered", ">of", ">share", "why the newest is"); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(w, `"larder check --filtered" prints every one of these rows as CSV`)
	return err
}

// printFirst writes the first rows of a list, and how many more there are.
func printFirst[T any](w io.Writer, most int, list []T, cells func(*T) []any, columns ...string) error {
	err := sheetOf(list[:min(len(list), most)], cells, columns...).printTable(w)
	if err == nil && len(list) > most {
		_, err = fmt.Fprintf(w, "and %d more\n", len(list)-most)
	}
	return err
}

// printCoverage writes how much of the basket each city prices in the newest
// closed weeks.
func (c *check) printCoverage(w io.Writer) error {
	const shown = 8
	weeks := c.Weeks.Priced
	if len(weeks) > 0 {
		fmt.Fprintf(w, "\nbase week %s; %d weeks with prices, %s to %s; last closed week %s\n",
			c.Weeks.Base, len(weeks), weeks[0], weeks[len(weeks)-1], c.Weeks.LastClosed)
	}
	last := len(weeks)
	for last > 0 && weeks[last-1] > c.Weeks.LastClosed {
		last--
	}
	first := max(0, last-shown)
	columns := []string{"city", "entry week", "last published", ">stores"}
	for _, week := range weeks[first:last] {
		columns = append(columns, ">"+week.String()[5:])
	}
	fmt.Fprintf(w, "\ncoverage: share of the %d active products priced, by city and week\n", c.Active)
	return sheetOf(c.cities, func(x *cityCoverage) []any {
		row := []any{x.City, nil, nil, nil}
		if x.Entry != nil {
			row[1], row[2] = *x.Entry, *x.LastPublished
		}
		if last > 0 {
			row[3] = x.Stores[last-1]
		}
		for _, products := range x.Products[first:last] {
			row = append(row, fmt.Sprintf("%d%%", 100*products/max(1, c.Active)))
		}
		return row
	}, columns...).printTable(w)
}

// printPlaces writes when every banner was last seen in every city.
func (c *check) printPlaces(w io.Writer) error {
	fmt.Fprintf(w, "\nhealth of collection on %s, over %d rows of all banners, filtered ones included\n",
		panel.DateIn(c.Now, panel.Toronto), c.Health.Rows)
	return sheetOf(c.Health.Places, func(p *panel.PlaceSeen) []any {
		last := "never"
		if !p.Last.IsZero() {
			last = p.Last.In(panel.Toronto).Format("2006-01-02 15:04")
		}
		return []any{p.Banner, p.City, last, p.Stores, p.Stores - len(p.Silent)}
	}, "banner", "city", "last seen", ">active stores", fmt.Sprintf(">seen in %d days", panel.SilentDays)).printTable(w)
}

// printGaps writes the weeks in which nothing was collected, newest first.
func (c *check) printGaps(w io.Writer) error {
	h := c.Health
	switch {
	case h.First == 0:
		_, err := fmt.Fprintln(w, "\nno closed week has any row")
		return err
	case len(h.Gaps) == 0:
		_, err := fmt.Fprintf(w, "\nno week from %s to %s is missing anywhere\n", h.First, h.Last)
		return err
	}
	newest := slices.Clone(h.Gaps)
	slices.SortStableFunc(newest, func(a, b panel.Gap) int { return int(b.To - a.To) })
	fmt.Fprintf(w, "\nweeks without any row, from %s to %s, newest first\n", h.First, h.Last)
	return printFirst(w, 2*mostShown, newest, func(g *panel.Gap) []any {
		row := []any{"everywhere", "all", g.From, g.To, g.Weeks}
		if g.City != "" {
			row[0] = g.City
		}
		if g.Banner != "" {
			row[1] = g.Banner
		}
		return row
	}, "city", "banner", "from", "to", ">weeks")
}

// printWarnings ends the report.
func (c *check) printWarnings(w io.Writer) error {
	if len(c.Warnings) == 0 {
		_, err := fmt.Fprintln(w, "\nno warnings")
		return err
	}
	for _, x := range c.Warnings {
		fmt.Fprintf(w, "\nWARNING: %s\n", x.Kind)
		for _, found := range x.Found[:min(len(x.Found), mostShown)] {
			fmt.Fprintf(w, "  %s\n", found)
		}
		if n := len(x.Found) - mostShown; n > 0 {
			fmt.Fprintf(w, "  and %d more\n", n)
		}
		if _, err := fmt.Fprintf(w, "  What to do: %s\n", x.Remedy); err != nil {
			return err
		}
	}
	return nil
}
