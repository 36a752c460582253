package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/jevons"
)

// chartFormats are the file endings that a chart can be written as.
var chartFormats = []string{".svg", ".png", ".pdf"}

func (a *app) plotCommand() *cobra.Command {
	var (
		db, out, title string
		chosen         selection
	)
	cmd := &cobra.Command{
		Use:   "plot",
		Short: "Draw the selected series as a chart",
		Long: `Draws one line for each selected series into an SVG, PNG or PDF file. A week
that is not published is a gap in its line. The levels of headlines with
different entry weeks do not compare: the chart says so when it shows some.`,
		Example: `  larder plot --out headline.svg --level national --category overall
  larder plot --out dairy.png --level city --category dairy --from 2026-08-02`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := required(cmd, "out", out); err != nil {
				return err
			}
			if err := oneOf("out", strings.ToLower(filepath.Ext(out)), chartFormats); err != nil {
				return usagef("--out %s: the name must end in %s", out, joinOr(chartFormats))
			}
			p, now, err := a.openPanel(cmd.Context(), db)
			if err != nil {
				return err
			}
			filter, err := chosen.filter(p)
			if err != nil {
				return err
			}
			table, err := a.table(p, chosen.series, now)
			if err != nil {
				return err
			}
			c, err := newChart(table.Select(filter), table.Options.Base, chosen.series)
			if err != nil {
				return err
			}
			if title != "" {
				c.title = title
			}
			if db == "" {
				c.source = "Source: Larder's demo snapshot. Synthetic prices, invented chains."
			}
			if c.mixed {
				fmt.Fprintln(a.stderr, "larder: these headlines have different entry weeks; their levels do not compare")
			}
			return c.save(out)
		},
	}
	dbFlag(cmd, &db)
	chosen.register(cmd)
	f := cmd.Flags()
	f.StringVar(&out, "out", "", "the `file` to write: .svg, .png or .pdf")
	f.StringVar(&title, "title", "", "the chart's title (default: what is selected)")
	return cmd
}

// seriesOf groups rows by cell, in the order that the cells first appear.
func seriesOf(rows []jevons.Row) [][]jevons.Row {
	at := map[jevons.Cell]int{}
	var all [][]jevons.Row
	for _, r := range rows {
		i, ok := at[*r.Cell]
		if !ok {
			i = len(all)
			at[*r.Cell] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], r)
	}
	return all
}
