package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

func (a *app) explainCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain",
		Short: "Take one published row apart",
		Long: `Prints the products behind one row: relatives against the base, normalized weights,
stores, trimmed ones, and contributions in percentage points, which add up to the row's
change since its base, and to its change over the week.`,
		Example: `  larder explain --date 2026-11-15
  larder explain --date 2026-11-15 --city Toronto --category dairy`,
	}
	db, format := a.dbFlag(cmd), formatFlag(cmd, tableOrJSON...)
	var week panel.Week
	var chosen selection
	addFlag(cmd, &week, "date", "the row's week, by the `date` of its Sunday", panel.ParseWeek)
	cityFlag(cmd, &chosen.City, " (default: national)")
	cmd.Flags().StringVar(&chosen.Banner, "banner", "", "a banner's `key`; needs --city (default: all banners)")
	chosen.category = categoryFlag(cmd, basket.Overall.String(), "")
	needs(cmd, "date")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		all, err := a.open(cmd.Context(), *db, false)
		if err != nil {
			return err
		}
		p := all.Panel
		if err := chosen.check(p.Cities(), indexBanners(p), p.Categories()); err != nil {
			return err
		}
		cell := jevons.Cell{Level: jevons.LevelOf(chosen.City, chosen.Banner), City: chosen.City, Banner: chosen.Banner}
		cell.Category, _ = p.Categories().Parse(*chosen.category) // checked
		if cell.Banner != "" && cell.City == "" {
			return usagef("--banner %s needs --city: a banner's index is that of one city", cell.Banner)
		}
		index, err := a.table(p, nil, "v2", true)
		if err != nil {
			return err
		}
		e, err := index.Explain(week, cell)
		switch {
		case err != nil:
			return err
		case *format == "json":
			return printObject(a.stdout, table.Explanation{Explanation: e, About: p.About()})
		}
		printExplanation(a.stdout, e)
		return nil
	}
	return cmd
}

func printExplanation(w *output, e *jevons.Explanation) {
	row, since := &e.Row, &e.Since
	fmt.Fprintf(w, "%s, week %s: index %s, %d of %d products\n", row.Cell, row.Week, row.Index, row.ItemCount,
		row.TotalItems)
	fmt.Fprintf(w, "\nSince %s: %+.4f%%, over the series priced in both weeks\n", since.From, since.Change)
	quality := row.Extra.Quality
	headline := row.Cell.Category == basket.Overall
	fmt.Fprintln(w, intervalText("index", headline, quality.SE, quality.Low, quality.High, panel.FixedOf(100_0000)))
	printContributions(w, since, false)
	if e.WoW == nil {
		fmt.Fprintln(w, "\nNo week-over-week change is published for this row.")
		return
	}
	over := "the ratio of two published levels, each over its own series: what comes or goes counts"
	if headline {
		over = fmt.Sprintf("over the series priced in all of %s, %s and %s", since.From, e.WoW.From, row.Week)
	}
	fmt.Fprintf(w, "\nOver the week, since %s: %+.4f%%, %s\n", e.WoW.From, e.WoW.Change, over)
	fmt.Fprintln(w, intervalText("change", headline, quality.SEWoW, quality.LowWoW, quality.HighWoW, panel.FixedOf(0)))
	printContributions(w, e.WoW, true)
}

// intervalText writes a 95% interval and says whether it contains the value of no change, or why
// there is none.
func intervalText(of string, headline bool, se, low, high, same panel.Fixed) string {
	switch {
	case !headline:
		return "no interval: only a headline has one"
	case se == panel.FixedOf(0):
		return "no interval: all products moved alike"
	case !low.Valid:
		return "too few products for an interval"
	}
	text := fmt.Sprintf("95%% interval of the %s: %s to %s; sensitivity to the choice of products, not of stores", of,
		low, high)
	if low.Units <= same.Units && same.Units <= high.Units {
		text += "\nother goods could have shown a rise or a fall: the interval contains " +
			strings.TrimSuffix(same.String(), ".0000")
	}
	return text
}

// printContributions writes one line for each product, and the sum of the points
// as they are printed.
func printContributions(w *output, d *jevons.Decomposition, overWeek bool) {
	names := []string{">id", "product", "category", ">relative", ">weight", ">stores", ">trimmed", ">points"}
	if overWeek {
		names = slices.Replace(names, 3, 4, ">base to before", ">base to now", ">week %")
	}
	var rows [][]any
	var sum int64
	for i := range d.Products {
		c := &d.Products[i]
		row := []any{c.Product.ID, c.Product.Name, c.Product.Category}
		if overWeek {
			row = append(row, relative(c.Before))
		}
		row = append(row, relative(c.Relative))
		if overWeek {
			row = append(row, c.OverWeek())
		}
		row = append(row, fmt.Sprintf("%.4f", c.Share), c.Stores, c.Trimmed)
		rows = append(rows, append(row, c.Rounded))
		sum += c.Rounded.Units
	}
	last := slices.Repeat([]any{""}, len(names))
	last[1], last[len(last)-1] = "sum", panel.FixedOf(sum)
	newSheet(append(rows, last), names...).print(w, "table")
}

// relative writes a relative against the base. 0 is "not matched".
func relative(r float64) any {
	if r == 0 {
		return nil
	}
	return fmt.Sprintf("%.6f", r)
}
