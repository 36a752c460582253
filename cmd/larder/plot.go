package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/larder-index/larder/httpapi/chart"
	"github.com/larder-index/larder/jevons"
	"github.com/spf13/cobra"
)

// chartFormats are the file endings that a chart can be written as.
var chartFormats = []string{".svg", ".png", ".pdf"}

func (a *app) plotCommand() *cobra.Command {
	var (
		db, out, title, source, companion string
		chosen                            selection
		method                            methodFlags
	)
	cmd := &cobra.Command{
		Use:   "plot",
		Short: "Draw the selected series as a chart",
		Long: `Draws one line for each selected series into an SVG, PNG or PDF file. A week
that is not published is a gap in its line. A chart of at most 4 lines shows the
95% interval of each as a band. The levels of headlines with different entry weeks do not compare: the chart says so when it shows some.`,
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
			options, err := method.options()
			if err != nil {
				return err
			}
			if err := checkCompanion(companion, chosen.series); err != nil {
				return err
			}
			options.Quality = companion == "" && chosen.series == "v2"
			p, rows, now, err := a.openFor(cmd.Context(), db, companion)
			if err != nil {
				return err
			}
			filter, err := chosen.filter(p)
			if err != nil {
				return err
			}
			table, err := a.companion(p, rows, cmp.Or(companion, chosen.series), now, options)
			if err != nil {
				return err
			}
			c, series, err := chart.New(table, table.Select(filter))
			if errors.Is(err, chart.ErrTooMany) {
				return usagef("%d series match, and a chart can show %d; choose with --level, --category, --city or --banner", series, chart.MaxLines)
			}
			if err != nil {
				return err
			}
			if companion != "" {
				c.Title += " (companion series: " + companion + ")"
				c.Notes = append(c.Notes, companionNotes[companion])
			}
			c.Title = cmp.Or(title, c.Title)
			about := p.About()
			source = cmp.Or(source, about.Attribution, about.Source, about.Publisher, "Larder, weekly matched-model Jevons index")
			first, last := c.Period()
			c.Source = fmt.Sprintf("Source: %s. Weeks ending %s to %s.", about.Label(source), first, last)
			c.Notice = about.Notice()
			if c.Mixed {
				fmt.Fprintln(a.stderr, "larder: these headlines have different entry weeks; their levels do not compare")
			}
			drawn, err := c.Draw(strings.ToLower(filepath.Ext(out))[1:])
			if errors.Is(err, chart.ErrLongTitle) {
				return usagef("--title: %d characters do not fit above the chart; use fewer", len([]rune(c.Title)))
			}
			if err != nil {
				return err
			}
			return writeWhole(out, drawn)
		},
	}
	dbFlag(cmd, &db)
	chosen.register(cmd)
	method.register(cmd)
	companionFlag(cmd, &companion)
	f := cmd.Flags()
	f.StringVar(&out, "out", "", "the `file` to write: .svg, .png or .pdf")
	f.StringVar(&source, "source", "", "whose prices they are, for the line below the chart")
	f.StringVar(&title, "title", "", "the chart's title (default: what is selected)")
	return cmd
}

// companionNotes say below a chart what a companion series is.
var companionNotes = map[string]string{
	jevons.RegularSeries: "Prices without sales. Never splice this series into the published one.",
	jevons.LinkedSeries:  "The base moves once a year or later. Never splice this series into the published one.",
}

// writeWhole writes a file in one piece: a failure leaves none.
func writeWhole(path string, content io.WriterTo) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".chart-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, errors.Unwrap(err))
	}
	defer os.Remove(tmp.Name()) // fails once it is renamed
	_, err = content.WriteTo(tmp)
	if err = errors.Join(err, tmp.Chmod(0o644), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
