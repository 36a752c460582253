package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// chartFormats are the file endings that a chart can be written as.
var chartFormats = []string{".svg", ".png", ".pdf"}

func (a *app) plotCommand() *cobra.Command {
	var (
		db, out, title, source string
		chosen                 selection
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
			if !slices.Contains(chartFormats, strings.ToLower(filepath.Ext(out))) {
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
			c, err := newChart(table, table.Select(filter))
			if err != nil {
				return err
			}
			if title != "" {
				c.title = title
			}
			c.source = source
			if source == "" {
				c.source = "Larder, weekly matched-model Jevons index"
				if db == "" {
					c.source = "Larder's demo snapshot; synthetic prices, invented chains"
				}
			}
			first, last := c.period()
			c.source = fmt.Sprintf("Source: %s. Weeks ending %s to %s.", c.source, first, last)
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
	f.StringVar(&source, "source", "", "whose prices they are, for the line below the chart")
	f.StringVar(&title, "title", "", "the chart's title (default: what is selected)")
	return cmd
}
