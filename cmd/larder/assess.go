package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

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
it leaves out. docs/checking.md explains each. The table has the last week; CSV and JSON
have all weeks.`,
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
		x, err := assess.New(all.Panel, assess.Options{Through: through, Window: *window})
		if err != nil {
			return err
		}
		sales := check.NewSales(all.Rows, all.Panel, through)
		switch *format {
		case "json":
			return printObject(a.stdout, assessed{
				x.Weeks, mapped(x.Lines, func(l assess.Line) assessedLine {
					return assessedLine{l.Method, l.Category.String(), mapped(l.Levels, level)}
				}),
				mapped(x.Sweep, func(v assess.Variant) variant { return variant{v.Name, level(v.Level)} }), sales,
			})
		case "csv":
			assessedWeeks(x).print(a.stdout, *format)
		default:
			assessedNow(x).print(a.stdout, *format)
			fmt.Fprintln(a.stdout)
			sheetOf(x.Sweep, func(v *assess.Variant) []any { return []any{v.Name, level(v.Level)} },
				"published method with", ">last headline").print(a.stdout, *format)
			printSales(a.stdout, sales)
		}
		return nil
	}
	return cmd
}

// assessed is an assessment as JSON. docs/checking.md explains the members.
type assessed struct {
	Weeks any            `json:"weeks"`
	Lines []assessedLine `json:"lines"`
	Sweep []variant      `json:"sweep"`
	Sales *check.Sales   `json:"sales"`
}

type assessedLine struct {
	Method   assess.Method `json:"method"`
	Category string        `json:"category"`
	Levels   []any         `json:"levels"`
}

type variant struct {
	Name  string `json:"options"`
	Level any    `json:"last_headline"`
}

// level writes a level with six decimals, and nil for none.
func level(v float64) any { return decimals(v, 6) }

func decimals(v float64, n int) any {
	if math.IsNaN(v) {
		return nil
	}
	return json.Number(strconv.FormatFloat(v, 'f', n, 64))
}

// assessedWeeks has a row for each week and category, with the level of each method.
func assessedWeeks(x *assess.Assessment) *sheet {
	columns, categories := []string{"date", "category"}, x.Of(assess.Published)
	for _, m := range assess.Methods {
		columns = append(columns, string(m))
	}
	return &sheet{columns, func(yield func([]any) bool) {
		for k, week := range x.Weeks {
			for c, line := range categories {
				row := []any{week, line.Category}
				for _, m := range assess.Methods {
					row = append(row, level(x.Of(m)[c].Levels[k]))
				}
				if !yield(row) {
					return
				}
			}
		}
	}}
}

// assessedNow has a row for each category: each method's last level, and how far its line is from the published one.
func assessedNow(x *assess.Assessment) *sheet {
	columns := []string{"category"}
	for _, m := range assess.Methods {
		columns = append(columns, ">"+string(m))
		if m != assess.Published {
			columns = append(columns, ">rms")
		}
	}
	var rows [][]any
	for c, published := range x.Of(assess.Published) {
		row := []any{published.Category}
		for _, m := range assess.Methods {
			line := x.Of(m)[c]
			row = append(row, decimals(line.Levels[len(line.Levels)-1], 2))
			if m != assess.Published {
				row = append(row, decimals(assess.RMS(&published, &line), 2))
			}
		}
		rows = append(rows, row)
	}
	return newSheet(rows, columns...)
}

func printSales(w *output, sales *check.Sales) {
	percent := func(x *float64) any {
		if x == nil {
			return nil
		}
		return fmt.Sprintf("%.1f%%", 100**x)
	}
	base, usual := sales.Base, sales.Median
	fmt.Fprintln(w, "\nsales in the base week, which are in every later level")
	newSheet([][]any{
		{"rows on sale", percent(base.OnSale), percent(usual.OnSale)},
		{"mean discount", percent(base.Discount), percent(usual.Discount)},
	}, "", ">base week", ">median of the weeks").print(w, "table")
}
