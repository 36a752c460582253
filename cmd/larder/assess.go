package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/jevons/assess"
	"github.com/larder-index/larder/panel/check"
)

func (a *app) assessCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "assess",
		Short: "Set the published series beside multilateral ones",
		Long: `Computes the index of the whole panel by methods that compare every pair of weeks, and
by other options of the published one. They say whether the fixed base drifts, and what
it leaves out. The table has the last week; CSV and JSON have all weeks. What each figure
says and what to do is in docs/checking.md, from "The base week" on.`,
		Example: `  larder assess --db larder.db
  larder assess --db larder.db --format csv > assessment.csv
  larder plot --db larder.db --assess --out assessment.svg`,
	}
	db, format := a.dbFlag(cmd), formatFlag(cmd)
	window := cmd.Flags().Int("window", assess.Window, "`weeks` that are fitted at once")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		all, err := a.open(cmd.Context(), *db, true)
		if err != nil {
			return err
		}
		through := all.Panel.Calendar().LastClosed(a.now)
		x, err := assess.New(all.Panel, through, *window)
		if err != nil {
			return err
		}
		sales := check.NewSales(all.Rows, all.Panel, through)
		switch *format {
		case "json":
			return printObject(a.stdout, struct {
				*assess.Assessment
				Sales *check.Sales `json:"sales"`
			}{x, sales})
		case "csv":
			levelsByWeek(x).print(a.stdout, *format)
		default:
			lastLevels(x).print(a.stdout, *format)
			fmt.Fprintln(a.stdout)
			sheetOf(x.Sweep, func(v *assess.Variant) []any { return []any{v.Options, v.Level} },
				"published method with", ">last headline").print(a.stdout, *format)
			fmt.Fprintln(a.stdout, "\nsales in the base week, which are in every later level")
			newSheet([][]any{
				{"rows on sale", percent(sales.Base.OnSale), percent(sales.Median.OnSale)},
				{"mean discount", percent(sales.Base.Discount), percent(sales.Median.Discount)},
			}, "", ">base week", ">median of the weeks").print(a.stdout, *format)
		}
		return nil
	}
	return cmd
}

// levelsByWeek has a row for each week and category, with the level of each method.
func levelsByWeek(x *assess.Assessment) *sheet {
	columns := append([]string{"date", "category"},
		mapped(assess.Methods, func(m assess.Method) string { return string(m) })...)
	var rows [][]any
	for k, week := range x.Weeks {
		for c, line := range x.Of(assess.Published) {
			row := []any{week, line.Category}
			for _, m := range assess.Methods {
				row = append(row, x.Of(m)[c].Levels[k])
			}
			rows = append(rows, row)
		}
	}
	return newSheet(rows, columns...)
}

// lastLevels has a row for each category: the last level by each method, and how far its line is from the
// published one.
func lastLevels(x *assess.Assessment) *sheet {
	columns := []string{"category", ">" + string(assess.Published)}
	for _, m := range assess.Methods[1:] {
		columns = append(columns, ">"+string(m), ">rms")
	}
	var rows [][]any
	for c, published := range x.Of(assess.Published) {
		last := len(x.Weeks) - 1
		row := []any{published.Category, json.Number(published.Levels[last].Text(2))}
		for _, m := range assess.Methods[1:] {
			line := x.Of(m)[c]
			row = append(row, json.Number(line.Levels[last].Text(2)),
				json.Number(assess.RMS(&published, &line).Text(2)))
		}
		rows = append(rows, row)
	}
	return newSheet(rows, columns...)
}

func percent(share *float64) any {
	if share == nil {
		return nil
	}
	return fmt.Sprintf("%.1f%%", 100**share)
}
