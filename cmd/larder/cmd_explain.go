package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

func (a *app) explainCommand() *cobra.Command {
	var db, format, date, city, banner, category string
	cmd := &cobra.Command{
		Use:   "explain",
		Short: "Take one published row apart",
		Long: `Prints the products behind one row: each one's relative against the base, its
normalized weight, how many stores it was matched at and how many of these were
trimmed, and its contribution in percentage points. The contributions add up to
the row's change since its base, and to its change over the week.`,
		Example: `  larder explain --date 2026-11-15
  larder explain --date 2026-11-15 --city Toronto --category dairy`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("format", format, tableOrJSON); err != nil {
				return err
			}
			if err := required(cmd, "date", date); err != nil {
				return err
			}
			week, err := panel.ParseWeek(date)
			if err != nil {
				return usagef("--date: %v", err)
			}
			p, now, err := a.openPanel(cmd.Context(), db)
			if err != nil {
				return err
			}
			cell, err := cellOf(p, city, banner, category)
			if err != nil {
				return err
			}
			table, err := a.table(p, "v2", now)
			if err != nil {
				return err
			}
			e, err := table.Explain(p, week, cell)
			if err != nil {
				return err
			}
			if format == "json" {
				return printExplanationJSON(a.stdout, e)
			}
			return printExplanation(a.stdout, e)
		},
	}
	dbFlag(cmd, &db)
	f := cmd.Flags()
	f.StringVar(&date, "date", "", "the row's week, by the `date` of its Sunday")
	f.StringVar(&city, "city", "", "a city's display `name` (default: national)")
	f.StringVar(&banner, "banner", "", "a banner's `key`; needs --city (default: all banners)")
	f.StringVar(&category, "category", "overall", "a category, or overall for the headline")
	completeWith(cmd, "category", categories()...)
	formatFlag(cmd, &format, tableOrJSON...)
	return cmd
}

// cellOf names the cell of the given flags.
func cellOf(p *panel.Panel, city, banner, category string) (jevons.Cell, error) {
	cell := jevons.Cell{Level: jevons.National, City: city, Banner: banner}
	if err := oneOfOrNone("city", city, cityNames(p)); err != nil {
		return cell, err
	}
	if err := oneOfOrNone("banner", banner, indexBanners(p)); err != nil {
		return cell, err
	}
	if err := oneOfOrNone("category", category, categories()); err != nil {
		return cell, err
	}
	switch {
	case banner != "" && city == "":
		return cell, usagef("--banner %s needs --city: a banner's index is that of one city", banner)
	case banner != "":
		cell.Level = jevons.Banner
	case city != "":
		cell.Level = jevons.City
	}
	if category != "" {
		cell.Category, _ = basket.ParseCategory(category) // checked above
	}
	return cell, nil
}

func printExplanation(w io.Writer, e *jevons.Explanation) error {
	r := e.Row
	fmt.Fprintf(w, "%s, week %s: index %s, %d of %d products\n", r.Cell, r.Week, r.Index, r.ItemCount, r.TotalItems)
	d := e.SinceBase
	fmt.Fprintf(w, "\nSince %s: %+.4f%%, over the series priced in both weeks\n", d.From, d.Change)
	if err := printSinceBase(w, d); err != nil {
		return err
	}
	if e.WoW == nil {
		fmt.Fprintln(w, "\nNo week-over-week change is published for this row.")
		return nil
	}
	fmt.Fprintf(w, "\nOver the week, since %s: %+.4f%%, ", e.WoW.From, e.WoW.Change)
	if r.Cell.Category == basket.Overall {
		fmt.Fprintf(w, "over the series priced in all of %s, %s and %s\n", d.From, e.WoW.From, r.Week)
	} else {
		fmt.Fprintf(w, "the ratio of two published levels, each over its own series: what comes or goes counts\n")
	}
	return printOverWeek(w, *e.WoW)
}

func printSinceBase(w io.Writer, d jevons.Decomposition) error {
	var rows [][]string
	for _, c := range d.Products {
		rows = append(rows, append(productCells(c), relative(c.Relative),
			fmt.Sprintf("%.4f", c.Share), fmt.Sprint(c.Stores), fmt.Sprint(c.Trimmed), c.Rounded.String()))
	}
	rows = append(rows, []string{"", "sum", "", "", "", "", "", sumOf(d)})
	return printColumns(w, append(productColumns(),
		right("relative"), right("weight"), right("stores"), right("trimmed"), right("points")), rows)
}

func printOverWeek(w io.Writer, d jevons.Decomposition) error {
	var rows [][]string
	for _, c := range d.Products {
		change := noValue
		if c.Before != 0 && c.Relative != 0 {
			change = fmt.Sprintf("%.4f", 100*(c.Relative/c.Before-1))
		}
		rows = append(rows, append(productCells(c), relative(c.Before), relative(c.Relative), change,
			fmt.Sprintf("%.4f", c.Share), fmt.Sprint(c.Stores), fmt.Sprint(c.Trimmed), c.Rounded.String()))
	}
	rows = append(rows, []string{"", "sum", "", "", "", "", "", "", "", sumOf(d)})
	return printColumns(w, append(productColumns(),
		right("base to before"), right("base to now"), right("week %"), right("weight"), right("stores"), right("trimmed"), right("points")), rows)
}

func productColumns() []column { return []column{right("id"), left("product"), left("category")} }

func productCells(c jevons.Contribution) []string {
	return []string{fmt.Sprint(c.Product.ID), c.Product.Name, c.Product.Category.String()}
}

// sumOf adds up the points as they are printed.
func sumOf(d jevons.Decomposition) string {
	var sum int64
	for _, c := range d.Products {
		sum += c.Rounded.Units
	}
	return panel.FixedOf(sum).String()
}

// relative writes a relative against the base; 0 stands for "not matched".
func relative(r float64) string {
	if r == 0 {
		return noValue
	}
	return fmt.Sprintf("%.6f", r)
}
