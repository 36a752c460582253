package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/chart"
	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/jevons"
)

// chartFormats are the file endings that a chart can be written as.
var chartFormats = []string{".svg", ".png"}

// chartLanguages are the languages of a chart's own texts.
var chartLanguages = []string{chart.English.Lang, chart.French.Lang}

func (a *app) plotCommand() *cobra.Command {
	var (
		db, out, title, source, companion, lang string
		square                                  bool
		chosen                                  selection
		unit                                    viewFlags
		method                                  methodFlags
	)
	cmd := &cobra.Command{
		Use:   "plot",
		Short: "Draw the selected series as a chart",
		Long: `Draws one line for each selected series into an SVG or PNG file. A line ends
with its name and its last value. A week that is not published is a gap in its
line. A chart of at most 4 lines shows the 95% interval of each level as a band.

--view draws another unit than the index: the change from a year ago, since the
week --since or in four weeks, in percent, or the cost of the basket. The levels of
headlines with different entry weeks do not compare: the chart says so when it
shows some. In every other view, places compare.

A PNG image has 1200 by 675 pixels, or with --square 1080 by 1080.`,
		Example: `  larder plot --out headline.svg --level national --category overall
  larder plot --out dairy.png --level city --city Toronto --view since --since 2026-08-02
  larder plot --out indice.png --level national --category overall --lang fr --square`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := required(cmd, "out", out); err != nil {
				return err
			}
			if !slices.Contains(chartFormats, strings.ToLower(filepath.Ext(out))) {
				return usagef("--out %s: the name must end in %s", out, phrase.Or(chartFormats))
			}
			options, err := method.options()
			if err != nil {
				return err
			}
			if err := cmp.Or(checkCompanion(companion, chosen.series), unit.check(chosen.series), oneOf("lang", lang, chartLanguages)); err != nil {
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
			s := chart.Selection{
				Table: table, Rows: table.Select(filter), Banners: p.Banners(),
				Names: jevons.NewNames(p.Cities(), indexBanners(p)), Words: chart.WordsOf(lang),
			}
			s.View, s.Since = unit.read()
			figure, mixed, err := s.Figure()
			var many chart.TooManyError
			if errors.As(err, &many) {
				return usagef("%d series match, and a chart can show %d; choose with --level, --category, --city or --banner", int(many), chart.MaxLines)
			}
			if err != nil {
				return sinceError(err, s.Names)
			}
			if note := s.Words.Companions[companion]; companion != "" {
				figure.Title += note[0]
				figure.Notes = append(figure.Notes, note[1])
			}
			figure.Title = cmp.Or(title, figure.Title)
			figure.Annotations = p.Annotations()
			figure.Credit(p.About(), source)
			if mixed {
				fmt.Fprintln(a.stderr, "larder: these headlines have different entry weeks; their levels do not compare")
			}
			drawn, err := draw(figure, strings.ToLower(filepath.Ext(out)), square)
			if errors.Is(err, chart.ErrLongTitle) {
				return usagef("--title: %d characters do not fit above the chart; use fewer", len([]rune(figure.Title)))
			}
			if err != nil {
				return err
			}
			err = atomicfile.Write(out, 0o644, func(w io.Writer) error { _, err := w.Write(drawn); return err })
			if err != nil {
				return fmt.Errorf("write %s: %w", out, err)
			}
			return nil
		},
	}
	dbFlag(cmd, &db)
	chosen.register(cmd)
	method.register(cmd)
	companionFlag(cmd, &companion)
	unit.register(cmd, jevons.ViewIndex.String(), "")
	f := cmd.Flags()
	f.StringVar(&out, "out", "", "the `file` to write: .svg or .png")
	f.StringVar(&source, "source", "", "whose prices they are, for the line below the chart")
	f.StringVar(&title, "title", "", "the chart's title (default: what is selected)")
	f.StringVar(&lang, "lang", "en", "the language of the chart's own texts: "+phrase.Or(chartLanguages))
	f.BoolVar(&square, "square", false, "as high as it is wide")
	completeWith(cmd, "lang", chartLanguages...)
	return cmd
}

// draw renders the figure in the format of a file's ending.
func draw(f *chart.Figure, ending string, square bool) ([]byte, error) {
	size := chart.Wide
	if square {
		size = chart.Square
	}
	if ending == ".png" {
		return f.PNG(size)
	}
	return f.SVG(size, chart.File)
}
