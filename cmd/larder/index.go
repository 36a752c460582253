package main

import (
	"cmp"
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
		log, asOf  string
		extra      extraColumns
		chosen     selection
		method     methodFlags
		timing     bool
	)
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Print the weekly index",
		Long: `Prints the published rows of the weekly index: national, by city and by banner
in a city; the headline ("overall") and nine categories. Weeks are named by
their Sunday and published once they have closed.

--format json prints the array that /api/v1/index calls "observations".
--companion regular is the series of prices without sales, --companion linked one
whose base moves every year. They have rows and changes of their own: never splice
them into the published series.

--include quality adds standard errors, an interval, what is matched and a status to
each row; --include contributions, for --format json, what each product or category
adds. --trim and --floor change the method; the figures then say that they are not
the published ones, in a line, a column or a member.

--view adds the column of a unit where rows lack it: with --view since the percent
change against the week --since, of published levels. A series without a level in that
week is refused.

--log prints the rows as the newest release of a release log has them, and --as-of
as an earlier one had them.

--timing adds a line of JSON on standard error; its compute_s covers the whole
published table, whatever is selected.`,
		Example: `  larder index --level national --category overall
  larder index --db larder.db --city Toronto --from 2026-09-01 --format csv
  larder index --city Toronto --level city --category dairy --include quality
  larder index --level national --view since --since 2026-07-19`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("format", format, formats); err != nil {
				return err
			}
			options, err := method.options()
			if err != nil {
				return err
			}
			if err := extra.check(format, chosen.series); err != nil {
				return err
			}
			options.Quality = extra.quality
			if log != "" || asOf != "" {
				if err := fromLogOnly(cmd); err != nil {
					return err
				}
				return a.printReleased(log, asOf, format, &chosen, &extra)
			}
			started := time.Now()
			p, rows, now, err := a.openFor(cmd.Context(), db, extra.companion)
			if err != nil {
				return err
			}
			loaded := time.Now()
			filter, err := chosen.filter(p)
			if err != nil {
				return err
			}
			table, err := a.companion(p, rows, cmp.Or(extra.companion, chosen.series), now, options)
			if err != nil {
				return err
			}
			computed := time.Now()
			selected := table.Select(filter)
			if extra.contributions {
				if selected, err = table.WithContributions(p, selected); err != nil {
					return err
				}
			}
			if err := extra.setView(table, selected, jevons.NewNames(p.Cities(), indexBanners(p))); err != nil {
				return err
			}
			extra.method = options.Method()
			if err := writeIndex(a.stdout, format, selected, &extra); err != nil {
				return err
			}
			a.sayCredit(p.About())
			if len(selected) == 0 {
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
	method.register(cmd)
	extra.register(cmd)
	formatFlag(cmd, &format, formats...)
	logFlag(cmd, &log)
	cmd.Flags().StringVar(&asOf, "as-of", "", "with --log: a release such as r12, or an RFC 3339 `instant`")
	cmd.Flags().BoolVar(&timing, "timing", false, "also print how long loading and computing took")
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
	for _, name := range []string{"include", "companion", "trim", "floor", "timing"} {
		if given(name) {
			return usagef("--log and --%s exclude each other: a release log has the published rows and no more", name)
		}
	}
	return nil
}

// printReleased prints the rows as a release had them.
func (a *app) printReleased(log, asOf, format string, chosen *selection, extra *extraColumns) error {
	table, cities, banners, err := a.releasedTable(log, asOf, chosen.series)
	if err != nil {
		return err
	}
	filter, err := chosen.filterIn(cities, banners)
	if err != nil {
		return err
	}
	selected := table.Select(filter)
	if err := extra.setView(table, selected, jevons.NewNames(nil, banners)); err != nil {
		return err
	}
	return writeIndex(a.stdout, format, selected, extra)
}

// writeIndex writes the rows: a table for people, or what the API calls
// observations as CSV or JSON.
func writeIndex(w io.Writer, format string, rows []jevons.Row, extra *extraColumns) error {
	columns := extra.columns(format)
	switch format {
	case "json":
		return printArray(w, "\n", func(yield func([]byte) bool) {
			var b []byte
			for i := range rows {
				if b = jevons.AppendJSON(b[:0], &rows[i], columns); !yield(b) {
					return
				}
			}
		})
	case "csv":
		return indexSheet(rows, columns, columnName).printCSV(w)
	}
	if extra.method != "" {
		fmt.Fprintln(w, methodNote(extra.method))
	}
	return indexSheet(rows, columns, columnTitle).printTable(w)
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
