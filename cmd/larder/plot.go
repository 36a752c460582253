package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/site/chart"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/assess"
	"github.com/larder-index/larder/jevons/table"
)

var chartFormats = []string{".svg", ".png"}

func (a *app) plotCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plot",
		Short: "Draw the selected series as a chart",
		Long: `Draws one line for each selected series into an SVG or PNG file. A chart of at most 4
lines shows the 95% interval of each headline as a band.`,
		Example: `  larder plot --db larder.db --out headline.svg --level national --category overall
  larder plot --db larder.db --out dairy.png --level city --city Toronto --view since --since 2026-08-02
  larder plot --db larder.db --out indice.png --level national --category overall --lang fr`,
	}
	db, chosen := a.dbFlag(cmd), selectionFlags(cmd)
	var unit viewFlags
	addViewFlags(cmd, &unit, table.ViewIndex.String(), "")
	languages := []string{"en", "fr"}
	f := cmd.Flags()
	out := f.String("out", "", "the `file` to write: .svg or .png")
	assessment := f.Bool("assess", false, "draw the lines of \"larder assess\" for one --category (default: overall)")
	language := choice(cmd, "lang", "en", "the language of the chart's own texts: "+phrase.Or(languages), languages...)
	needs(cmd, "out")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		ending := strings.ToLower(filepath.Ext(*out))
		if !slices.Contains(chartFormats, ending) {
			return usagef("--out %s: the name must end in %s", *out, phrase.Or(chartFormats))
		}
		view, err := unit.read(*chosen.series)
		if err != nil {
			return err
		}
		a.kept = true
		all, err := a.open(cmd.Context(), *db, true)
		if err != nil {
			return err
		}
		p := all.Panel
		if err := chosen.check(p.Cities(), indexBanners(p), p.Categories()); err != nil {
			return err
		}
		index, err := a.table(p, nil, *chosen.series, *chosen.series == "v2")
		if err != nil {
			return err
		}
		filter := chosen.Filter
		if *assessment {
			filter.Level = jevons.National
			if len(filter.Categories) == 0 {
				filter.Categories = []string{basket.Overall.String()}
			}
		}
		s := chart.Selection{
			Table: index, Quality: index, Over: p.Calendar().LastClosed(a.now), Rows: index.Select(filter),
			Banners: p.Banners(), View: view,
			Since: unit.since, Names: table.NewNames(p.Cities(), indexBanners(p), p.Categories()), About: p.About(),
			Lang: map[string]*words.Language{"en": words.English, "fr": words.French}[*language].Of(p.About()),
		}
		if n := len(s.Rows); n > 0 {
			s.Places = words.PlacesOf(p, s.Rows[n-1].Week)
		}
		figure, mixed, err := s.Figure()
		if many, ok := errors.AsType[chart.TooManyError](err); ok {
			return usagef("%d series match, and a chart can show %d; choose with --level, --category, --city or "+
				"--banner, such as --level national --category overall", int(many), chart.MaxLines)
		}
		if err != nil {
			return sinceError(err, s.Names)
		}
		if *assessment {
			if len(figure.Lines) != 1 || view != table.ViewIndex {
				return usagef("--assess draws levels of the whole panel; " +
					"leave out --view, --level, --city and --banner")
			}
			x, err := assess.New(p, p.Calendar().LastClosed(a.now), assess.Window)
			if err != nil {
				return err
			}
			figure.Lines, figure.Notes = chart.Assessed(s.Lang, x, filter.Categories[0]), nil
			figure.Title, figure.Name = figure.Name, ""
		}
		figure.Credit(p.About())
		figure.Version = chart.Snapshot(s.Lang, all.Info.Hash)
		if mixed {
			fmt.Fprintln(a.stderr, "larder: these headlines have different entry weeks; their levels do not compare")
		}
		var drawn []byte
		if ending == ".png" {
			drawn, err = figure.PNG(chart.Wide)
		} else {
			drawn, err = figure.SVG(chart.Wide)
		}
		if err != nil {
			return err
		}
		if err := atomicfile.Write(*out, 0o644,
			func(w io.Writer) error { _, err := w.Write(drawn); return err }); err != nil {
			return fmt.Errorf("write %s: %w", *out, err)
		}
		return nil
	}
	return cmd
}
