package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

func (a *app) indexCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Print the weekly index",
		Long: `Prints the published rows of the weekly index: national, by city and by banner in a
city; the headline ("overall") and the categories. A week has the name of its Sunday
and is published once it has closed. --format json prints the array that /api/v1/index
calls "observations". A terminal shows the newest rows; "larder index | less" has all.

Never splice the rows of a companion into the published series. --trim and --floor
change the method, and the figures then say so. --log prints the rows as the newest
release of a release log has them, and --as-of as an earlier one had them.`,
		Example: `  larder index --level national --category overall
  larder index --db larder.db --city Toronto --level city --category dairy --include quality --format csv
  larder index --level city --category overall --from 2026-11-01 --against Toronto`,
	}
	db, log := a.dbFlag(cmd), logFlag(cmd)
	chosen, method := selectionFlags(cmd), methodFlags(cmd)
	extra, format := extraFlags(cmd), formatFlag(cmd)
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
		method.Quality = extra.has(table.IncludeQuality) || a.stdout.width > 0 && series == "v2"
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
		index, err := a.table(p, all.Rows, series, *method)
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
		extra.method = method.Method()
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
	for _, name := range []string{"include", table.Against, "companion", "trim", "floor", "timing"} {
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
	if extra.method != "" && format == "table" {
		fmt.Fprintln(w, methodNote(extra.method))
	}
	if w.width > 0 && len(rows) > 0 {
		writeFinding(w, rows, columns)
		return
	}
	indexSheet(rows, columns, format).print(w, format)
}

func indexSheet(rows []jevons.Row, columns []table.Column, format string) *sheet {
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
	return sheetOf(rows, func(r *jevons.Row) []any {
		cells := make([]any, len(columns))
		for i := range columns {
			cells[i] = orNil(string(columns[i].AppendText(nil, r)))
		}
		return cells
	}, names...)
}

const mostLines = 36 // and some on standard error

// writeFinding writes what rows say in lines that a terminal shows at once: the newest row of their first cell in
// words, the newest week, and that cell by week. National rows stand for those of cities and banners.
func writeFinding(w *output, all []jevons.Row, columns []table.Column) {
	rows := slices.DeleteFunc(slices.Clone(all), func(r jevons.Row) bool { return r.Cell.Level != jevons.National })
	if len(rows) == 0 {
		rows = all
	}
	first := slices.IndexFunc(rows, func(r jevons.Row) bool { return r.Week == rows[len(rows)-1].Week })
	week, head := rows[first:], rows[first]
	series := slices.DeleteFunc(slices.Clone(rows), func(r jevons.Row) bool { return *r.Cell != *head.Cell })
	var text strings.Builder
	for most := mostLines; most > 0; most-- {
		text.Reset()
		short := &output{Writer: bufio.NewWriter(&text), width: w.width}
		printFinding(short, &head)
		week, series := week[:min(most, len(week))], series[max(0, len(series)-most):]
		fmt.Fprintf(short, "\nweek ending %s\n", head.Week)
		indexSheet(week, telling(week, columns), "table").print(short, "table")
		fmt.Fprintf(short, "\n%s, by week\n", head.Cell)
		indexSheet(series, telling(series, columns), "table").print(short, "table")
		shown := len(week) + len(series) - 1
		if shown < len(all) {
			fmt.Fprintf(short, "\n%d of %d rows; \"larder index | less\" has all\n", shown, len(all))
		}
		short.Flush()
		if strings.Count(text.String(), "\n") <= mostLines {
			break
		}
	}
	w.WriteString(text.String())
}

// telling leaves out columns without any value, and places and weeks that are the same in all rows.
func telling(rows []jevons.Row, columns []table.Column) []table.Column {
	return slices.DeleteFunc(slices.Clone(columns), func(c table.Column) bool {
		text := string(c.AppendText(nil, &rows[0]))
		return (text == "" || !c.Right && len(rows) > 1) && !slices.ContainsFunc(rows, func(r jevons.Row) bool {
			return string(c.AppendText(nil, &r)) != text
		})
	})
}

// printFinding says how far prices are from the base week, and how sure that is.
func printFinding(w *output, r *jevons.Row) {
	percent := func(units int64) string { return fmt.Sprintf("%+.1f%%", float64(units)/1e4) }
	finding, clear := fmt.Sprintf("index %s", r.Index), ""
	if r.Base != 0 && r.Base != r.Week && r.Index.Valid {
		finding = fmt.Sprintf("%s since the week ending %s", percent(r.Index.Units-100_0000), r.Base)
	}
	if r.Extra != nil && r.Extra.Quality != nil && r.Cell.Category == basket.Overall {
		q := r.Extra.Quality
		clear = intervalText("index", true, q.SE, q.Low, q.High, panel.FixedOf(100_0000)) + "\n"
	}
	if r.WoW.Valid {
		finding += fmt.Sprintf("; %s over the week", percent(r.WoW.Units))
	}
	name := strings.Replace(r.Cell.String(), "overall", "grocery prices", 1)
	fmt.Fprintf(w, "%s, week ending %s: %s\n%s", name, r.Week, finding, clear)
}
