package main

import (
	"fmt"
	"io"
	"strings"

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

var tableOrJSON = []string{"table", "json"}

// cellOf names the cell of the given flags.
func cellOf(p *panel.Panel, city, banner, category string) (jevons.Cell, error) {
	cell := jevons.Cell{Level: jevons.National, City: city, Banner: banner}
	if err := oneOf("city", city, cityNames(p)); err != nil {
		return cell, err
	}
	if err := oneOf("banner", banner, indexBanners(p)); err != nil {
		return cell, err
	}
	if err := oneOf("category", category, categories()); err != nil {
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
	fmt.Fprintf(w, "\nSince %s: %+.4f%%\n", e.SinceBase.From, e.SinceBase.Change)
	if err := printDecomposition(w, e.SinceBase); err != nil {
		return err
	}
	if e.WoW == nil {
		fmt.Fprintln(w, "\nNo week-over-week change is published for this row.")
		return nil
	}
	fmt.Fprintf(w, "\nOver the week, since %s: %+.4f%%\n", e.WoW.From, e.WoW.Change)
	return printDecomposition(w, *e.WoW)
}

func printDecomposition(w io.Writer, d jevons.Decomposition) error {
	rows := make([][]string, 0, len(d.Products)+1)
	var sum int64
	for _, c := range d.Products {
		sum += c.Rounded.Units
		rows = append(rows, []string{
			fmt.Sprint(c.Product.ID), c.Product.Name, c.Product.Category.String(),
			relative(c.Before), relative(c.Relative), fmt.Sprintf("%.4f", c.Share),
			fmt.Sprint(c.Stores), fmt.Sprint(c.Trimmed), c.Rounded.String(),
		})
	}
	rows = append(rows, []string{"", "sum", "", "", "", "", "", "", panel.FixedOf(sum).String()})
	return printColumns(w, []column{
		right("id"), left("product"), left("category"), right("before"), right("relative"), right("weight"),
		right("stores"), right("trimmed"), right("points"),
	}, rows)
}

// relative writes a relative against the base; 0 stands for "not matched".
func relative(r float64) string {
	if r == 0 {
		return noValue
	}
	return fmt.Sprintf("%.6f", r)
}

func joinOr(words []string) string {
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
