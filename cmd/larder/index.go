package main

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/jevons"
)

func (a *app) indexCommand() *cobra.Command {
	var (
		db, format string
		chosen     selection
		timing     bool
	)
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Print the weekly index",
		Long: `Prints the published rows of the weekly index: national, by city and by banner
in a city; the headline ("overall") and nine categories. Weeks are named by
their Sunday and published once they have closed.

--format json prints the array that /api/v1/index calls "observations".
--timing adds a line of JSON on standard error; its compute_s covers the whole
published table, whatever is selected.`,
		Example: `  larder index --level national --category overall
  larder index --db larder.db --city Toronto --from 2026-09-01 --format csv`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("format", format, formats); err != nil {
				return err
			}
			started := time.Now()
			p, now, err := a.openPanel(cmd.Context(), db)
			if err != nil {
				return err
			}
			loaded := time.Now()
			filter, err := chosen.filter(p)
			if err != nil {
				return err
			}
			table, err := a.table(p, chosen.series, now)
			if err != nil {
				return err
			}
			computed := time.Now()
			rows := table.Select(filter)
			if err := printIndex(a.stdout, format, rows); err != nil {
				return err
			}
			if len(rows) == 0 {
				fmt.Fprintln(a.stderr, "larder: no published row matches; \"larder explain\" says why a cell has none in a week")
			}
			if base := table.Options.Base; base != 0 && !p.HasWeek(base) {
				fmt.Fprintf(a.stderr, "larder: no price counts in the base week %s, so no category can be published\n", base)
			}
			if timing {
				return json.NewEncoder(a.stderr).Encode(struct {
					Load         float64 `json:"load_s"`
					Compute      float64 `json:"compute_s"`
					Observations int     `json:"observations"`
					Rows         int     `json:"rows"`
				}{loaded.Sub(started).Seconds(), computed.Sub(loaded).Seconds(), p.Counts().Observations, len(table.Rows)})
			}
			return nil
		},
	}
	dbFlag(cmd, &db)
	chosen.register(cmd)
	formatFlag(cmd, &format, formats...)
	cmd.Flags().BoolVar(&timing, "timing", false, "also print how long loading and computing took")
	return cmd
}

// printIndex writes the rows: a table for people, or what the API calls
// observations as CSV or JSON.
func printIndex(w io.Writer, format string, rows []jevons.Row) error {
	switch format {
	case "json":
		return indexSheet(rows, jevons.Columns(), columnName).printJSON(w, "\n")
	case "csv":
		return indexSheet(rows, jevons.Columns(), columnName).printCSV(w)
	}
	return indexSheet(rows, jevons.PrintedColumns(), columnTitle).printTable(w)
}

func columnName(c jevons.Column) string { return c.Name }

func columnTitle(c jevons.Column) string {
	if c.Right {
		return ">" + c.Title
	}
	return c.Title
}

func indexSheet(rows []jevons.Row, columns []jevons.Column, name func(jevons.Column) string) *sheet {
	var names []string
	for _, c := range columns {
		names = append(names, name(c))
	}
	return sheetOf(rows, func(r *jevons.Row) []any {
		cells := make([]any, len(columns))
		for i := range columns {
			text := string(columns[i].AppendText(nil, r))
			if columns[i].Number != nil {
				cells[i] = json.Number(text)
			} else {
				cells[i] = orNil(text)
			}
		}
		return cells
	}, names...)
}
