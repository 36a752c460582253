package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi"
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

func printIndex(w io.Writer, format string, rows []jevons.Row) error {
	switch format {
	case "json":
		return printIndexJSON(w, rows)
	case "csv":
		return printIndexCSV(w, rows)
	}
	return printIndexTable(w, rows)
}

func printIndexJSON(w io.Writer, rows []jevons.Row) error {
	out := bufio.NewWriterSize(w, 1<<16)
	out.WriteByte('[')
	var line []byte
	for i := range rows {
		line = line[:0]
		if i > 0 {
			line = append(line, ',')
		}
		line = httpapi.AppendObservation(append(line, '\n'), &rows[i])
		out.Write(line)
	}
	out.WriteString("\n]\n")
	return out.Flush()
}

// printIndexCSV writes the same members as the JSON; an empty cell is null.
func printIndexCSV(w io.Writer, rows []jevons.Row) error {
	out := csv.NewWriter(w)
	out.Write([]string{
		"date", "city", "retailer", "category", "index_value", "basket_cost_cad",
		"pct_change_wow", "pct_change_mom", "item_count", "total_items", "pct_change_yoy",
	})
	for i := range rows {
		r := &rows[i]
		category := ""
		if r.Cell.Category != basket.Overall {
			category = r.Cell.Category.String()
		}
		out.Write([]string{
			r.Week.String(), r.Cell.City, r.Cell.Banner, category, r.Index.String(), dollars(r.BasketCost),
			r.WoW.String(), r.MoM.String(), count(r.ItemCount), count(r.TotalItems), r.YoY.String(),
		})
	}
	out.Flush()
	return out.Error()
}

func printIndexTable(w io.Writer, rows []jevons.Row) error {
	cells := make([][]string, len(rows))
	for i := range rows {
		r := &rows[i]
		cells[i] = []string{
			r.Week.String(), r.Cell.Level.String(), orDash(r.Cell.City), orDash(r.Cell.Banner), r.Cell.Category.String(),
			r.Index.String(), orDash(dollars(r.BasketCost)), orDash(r.WoW.String()), orDash(r.MoM.String()), orDash(r.YoY.String()),
			orDash(count(r.ItemCount)) + "/" + orDash(count(r.TotalItems)),
		}
	}
	return printColumns(w, []column{
		left("week"), left("level"), left("city"), left("banner"), left("category"),
		right("index"), right("basket $"), right("week %"), right("month %"), right("year %"), right("items"),
	}, cells)
}

// dollars writes two decimals; null is the empty string.
func dollars(f panel.Fixed) string {
	if !f.Valid {
		return ""
	}
	return string(f.Append(nil, 2))
}

// count writes a number of products; a negative one is null.
func count(n int32) string {
	if n < 0 {
		return ""
	}
	return fmt.Sprint(n)
}
