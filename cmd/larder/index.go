package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
)

func (a *app) indexCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Print the weekly index",
		Long: `Prints the published rows of the weekly index: national, by city and by banner in a
city; the headline ("overall") and the categories. A week has the name of its Sunday
and is published once it has closed. --format json prints the array that /api/v1/index
calls "observations".

Never splice the rows of a companion into the published series. --log prints the rows as
the newest release of a release log has them, and --as-of as an earlier one had them.`,
		Example: `  larder index --level national --category overall
  larder index --db larder.db --city Toronto --level city --category dairy --include quality --format csv
  larder index --level city --category overall --from 2026-11-01 --against Toronto`,
	}
	db, log := a.dbFlag(cmd), logFlag(cmd)
	chosen, extra, format := selectionFlags(cmd), extraFlags(cmd), formatFlag(cmd)
	asOf := cmd.Flags().String("as-of", "", "with --log: a release such as r12, or an RFC 3339 `instant`")
	timing := cmd.Flags().Bool("timing", false, "also print how long loading and computing took")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		series, err := extra.check(*format, *chosen.series)
		if err != nil {
			return err
		}
		if *log != "" || *asOf != "" {
			if err := fromLogOnly(cmd); err != nil {
				return err
			}
			return a.printReleased(*log, *asOf, *format, chosen, extra)
		}
		started := time.Now()
		all, err := a.open(cmd.Context(), *db, series == jevons.RegularSeries)
		if err != nil {
			return err
		}
		p := all.Panel
		if err := chosen.check(p.Cities(), indexBanners(p), p.Categories()); err != nil {
			return err
		}
		if err := findCity(table.Against, extra.against, p.Cities(), cityName); err != nil {
			return err
		}
		loaded := time.Now()
		index, err := a.table(p, all.Rows, series, extra.has(table.IncludeQuality))
		if err != nil {
			return err
		}
		computed := time.Now()
		selected := index.Select(chosen.Filter)
		if extra.has(table.IncludeContributions) {
			if selected, err = index.WithContributions(selected); err != nil {
				return err
			}
		}
		if *extra.against != "" {
			if selected, err = index.WithDifferences(selected, *extra.against); err != nil {
				return err
			}
		}
		names := table.NewNames(p.Cities(), indexBanners(p), p.Categories())
		if err := extra.setView(p.About(), index, selected, names); err != nil {
			return err
		}
		writeIndex(a.stdout, *format, selected, extra)
		a.sayCredit(p.About())
		if len(selected) == 0 {
			fmt.Fprintln(a.stderr,
				"larder: no published row matches; \"larder explain\" says why a cell has none in a week")
		}
		if base := index.Options.Base; base != 0 && !slices.Contains(p.Weeks(), base) {
			fmt.Fprintf(a.stderr, "larder: no price counts in the base week %s, so no category can be published\n",
				base)
		}
		if !*timing {
			return nil
		}
		return json.NewEncoder(a.stderr).Encode(struct {
			Load         float64 `json:"load_s"`
			Compute      float64 `json:"compute_s"`
			Observations int     `json:"observations"`
			Rows         int     `json:"rows"`
		}{loaded.Sub(started).Seconds(), computed.Sub(loaded).Seconds(), p.Counts().Observations, len(index.Rows)})
	}
	return cmd
}

// fromLogOnly fails when --log or --as-of comes without the other flags that it needs or
// with those that need a snapshot.
func fromLogOnly(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	switch {
	case !given("log"):
		return usagef("--as-of needs --log, the release log to read")
	case given("db") && !given("as-of"): // LARDER_DB or LARDER_LOG may be set for a server
		return usagef("--db and --log name two sources; leave one out, or add --as-of to read the log")
	}
	for _, name := range []string{"include", table.Against, "companion", "timing"} {
		if given(name) {
			return usagef("--log and --%s exclude each other: a release log has the published rows and no more", name)
		}
	}
	return nil
}

func (a *app) printReleased(log, asOf, format string, chosen *selection, extra *extraColumns) error {
	index, of, err := a.releasedTable(log, asOf, *chosen.series)
	if err != nil {
		return err
	}
	cities := mapped(of.Cities, func(name string) basket.City { return basket.City{Name: name} })
	if err := chosen.check(cities, of.Banners, of.Categories); err != nil {
		return err
	}
	selected := index.Select(chosen.Filter)
	if err := extra.setView(of.About, index, selected, table.NewNames(nil, of.Banners, of.Categories)); err != nil {
		return err
	}
	writeIndex(a.stdout, format, selected, extra)
	return nil
}

// writeIndex writes the rows: a table for people, or what the API calls
// observations as CSV or JSON.
func writeIndex(w *output, format string, rows []jevons.Row, extra *extraColumns) {
	columns := extra.columns(format)
	if format == "json" {
		printArray(w, rows, func(b []byte, r *jevons.Row) []byte { return table.AppendJSON(b, r, columns) })
		return
	}
	var names []string
	for _, c := range columns {
		switch {
		case format == "csv":
			names = append(names, c.Name)
		case c.Right:
			names = append(names, ">"+c.Title)
		default:
			names = append(names, c.Title)
		}
	}
	sheetOf(rows, func(r *jevons.Row) []any {
		cells := make([]any, len(columns))
		for i := range columns {
			cells[i] = orNil(string(columns[i].AppendText(nil, r)))
		}
		return cells
	}, names...).print(w, format)
}
