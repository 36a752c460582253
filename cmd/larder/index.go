package main

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
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

var formats = []string{"table", "csv", "json"}

func formatFlag(cmd *cobra.Command, format *string, accepted ...string) {
	cmd.Flags().StringVar(format, "format", "table", "how to print: "+joinOr(accepted))
	completeWith(cmd, "format", accepted...)
}

// printIndex writes the rows: a table for people, or what the API calls
// observations as CSV or JSON.
func printIndex(w io.Writer, format string, rows []jevons.Row) error {
	switch format {
	case "json":
		return observations(rows).printJSON(w, "\n")
	case "csv":
		return observations(rows).printCSV(w)
	}
	return sheetOf(rows, func(r *jevons.Row) []any {
		return []any{
			r.Week, r.Cell.Level, orNil(r.Cell.City), orNil(r.Cell.Banner), r.Cell.Category,
			r.Index, dollars(r.BasketCost), r.WoW, r.MoM, r.YoY, orDash(count(r.ItemCount)) + "/" + orDash(count(r.TotalItems)),
		}
	}, "week", "level", "city", "banner", "category",
		">index", ">basket $", ">week %", ">month %", ">year %", ">items").printTable(w)
}

func observations(rows []jevons.Row) *sheet {
	return sheetOf(rows, func(r *jevons.Row) []any {
		var category any
		if r.Cell.Category != basket.Overall {
			category = r.Cell.Category
		}
		return []any{
			r.Week, orNil(r.Cell.City), orNil(r.Cell.Banner), category, r.Index, dollars(r.BasketCost),
			r.WoW, r.MoM, json.Number(count(r.ItemCount)), json.Number(count(r.TotalItems)), r.YoY,
		}
	}, "date", "city", "retailer", "category", "index_value", "basket_cost_cad",
		"pct_change_wow", "pct_change_mom", "item_count", "total_items", "pct_change_yoy")
}

// dollars writes two decimals.
func dollars(f panel.Fixed) any {
	if !f.Valid {
		return nil
	}
	return json.Number(f.Append(nil, 2))
}

// count writes a number of products; a negative one is null.
func count(n int32) string {
	if n < 0 {
		return ""
	}
	return fmt.Sprint(n)
}
