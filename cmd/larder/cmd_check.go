package main

import (
	"context"
	"fmt"
	"io"
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
			if err := oneOf("format", format, checkFormats); err != nil {
				return err
			}
			if filtered && cmd.Flags().Changed("format") {
				return usagef("--filtered and --format contradict each other: filtered rows are printed as CSV")
			}
			r, err := a.newCheck(cmd.Context(), db)
			if err != nil {
				return err
			}
			switch {
			case filtered:
				return r.printFilteredCSV(a.stdout)
			case format == "json":
				return r.printJSON(a.stdout)
			}
			return r.print(a.stdout)
		},
	}
	dbFlag(cmd, &db)
	cmd.Flags().BoolVar(&filtered, "filtered", false, "print every row that the gate filtered, as CSV, and nothing else")
	formatFlag(cmd, &format, checkFormats...)
	return cmd
}

var checkFormats = []string{"table", "json"}

// check is a snapshot and what is found in it.
type check struct {
	*sqlite.Contents
	now      time.Time
	filtered *panel.Filtered
	health   *panel.Health
	table    *jevons.Table

	// The places of records in the panel's lists, by id.
	products map[int]int
	stores   map[int64]int
	listings map[int64]int
	cities   map[string]string // display names by slug
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
	p := all.Panel
	r := &check{
		Contents: all, now: now, products: map[int]int{}, stores: map[int64]int{}, listings: map[int64]int{}, cities: map[string]string{},
		filtered: panel.NewFiltered(all.Rows, p), health: panel.NewHealth(all.Rows, p, now),
	}
	for i, x := range p.Products() {
		r.products[x.ID] = i
	}
	for i, x := range p.Stores() {
		r.stores[x.ID] = i
	}
	for i, x := range p.Listings() {
		r.listings[x.ID] = i
	}
	for _, x := range p.Cities() {
		r.cities[x.Slug] = x.Name
	}
	r.table, err = a.table(p, "v2", now)
	return r, err
}

// print writes the report. A section that can't be written ends it.
func (r *check) print(w io.Writer) error {
	for _, section := range []func(io.Writer) error{
		r.printSnapshot, r.printCounts, r.printQuarantine, r.printFiltered, r.printCoverage, r.printHealth, r.printWarnings,
	} {
		if err := section(w); err != nil {
			return err
		}
	}
	return nil
}

func (r *check) printSnapshot(w io.Writer) error {
	info := &r.Info
	fmt.Fprintf(w, "snapshot %s\n%d bytes, schema %d, seal intact: sha256 %s\n", info.Path, info.Bytes, info.SchemaVersion, info.Hash)
	if !info.First.IsZero() {
		fmt.Fprintf(w, "observed from %s to %s\n", info.First.Format(time.RFC3339), info.Last.Format(time.RFC3339))
	}
	fmt.Fprintln(w)
	var rows [][]string
	for _, t := range info.Rows {
		rows = append(rows, []string{t.Table, fmt.Sprint(t.Rows)})
	}
	return printColumns(w, []column{left("table"), right("rows")}, rows)
}

func (r *check) printCounts(w io.Writer) error {
	c := r.Panel.Counts()
	fmt.Fprintln(w)
	return printColumns(w, []column{left("observations in the index"), right("rows")}, [][]string{
		{"left out: inactive store", fmt.Sprint(c.InactiveStore)},
		{"left out: retired listing", fmt.Sprint(c.RetiredListing)},
		{"left out: inactive product", fmt.Sprint(c.InactiveProduct)},
		{"left out: banner outside the index", fmt.Sprint(c.OutsideIndex)},
		{"left out: quarantined", fmt.Sprint(c.Quarantined)},
		{"left out: not the product by title or size", fmt.Sprint(c.FailsIdentity)},
		{"used", fmt.Sprint(c.Used)},
		{"all", fmt.Sprint(c.Observations)},
	})
}
