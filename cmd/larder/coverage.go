package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

func (a *app) coverageCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "coverage",
		Short: "Say why cells of the index are missing",
		Long: `Prints every cell of the index from the base week to the last closed week, published or
not, with the reason, and each product that is not matched with its own. A terminal
shows where cells are missing, by reason.`,
		Example: `  larder coverage --level national --category overall --from 2026-10-01
  larder coverage --missing --city Halifax --format csv`,
	}
	db, chosen, format := a.dbFlag(cmd), selectionFlags(cmd), formatFlag(cmd)
	onlyMissing := cmd.Flags().Bool("missing", false, "only cells that are not published")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *chosen.series == "v1" {
			return usagef("--series v1: rows of the pilot series are stored, and nothing says why others are missing")
		}
		all, err := a.open(cmd.Context(), *db, true)
		if err != nil {
			return err
		}
		if err := chosen.check(all.Panel.Cities(), indexBanners(all.Panel), all.Panel.Categories()); err != nil {
			return err
		}
		index, err := a.table(all.Panel, nil, "v2", jevons.Options{})
		if err != nil {
			return err
		}
		var cells []jevons.CoverageCell
		closed := all.Panel.Calendar().LastClosed(a.now)
		for x := range jevons.NewCoverage(all.Rows, index).Cells(chosen.Filter, closed) {
			if !*onlyMissing || x.Reason != "" {
				cells = append(cells, x)
			}
		}
		if *format == "json" {
			printArray(a.stdout, mapped(cells, func(x jevons.CoverageCell) table.CoverageCell {
				return table.CoverageCell{CoverageCell: x}
			}), asJSON)
			return nil
		}
		if a.stdout.width > 0 {
			printCoverage(a.stdout, cells)
			return nil
		}
		coverageSheet(cells, *format == "table").print(a.stdout, *format)
		return nil
	}
	return cmd
}

// reasonWords say what the codes of coverage mean.
var reasonWords = map[string]string{
	"no_prices": "no product is priced", "before_entry": "too few products yet to begin the headline",
	"no_base": "no price in the base week", "below_floor": "too few products are matched",
	"not_priced": "no row in the week", "filtered": "the gate dropped its rows",
	"not_in_base": "no series that was priced in the base",
}

// absence is a cell that is not published, or a product that is not matched in one.
type absence struct {
	week   panel.Week
	reason string
	of     string // the place, or the product
}

// printAbsences groups what is missing by reason, the most frequent first.
func printAbsences(w *output, what string, list []absence) {
	byReason := map[string][]absence{}
	for _, x := range list {
		byReason[x.reason] = append(byReason[x.reason], x)
	}
	reasons := slices.SortedFunc(maps.Keys(byReason), func(a, b string) int {
		return cmp.Or(len(byReason[b])-len(byReason[a]), strings.Compare(a, b))
	})
	fmt.Fprintln(w)
	sheetOf(reasons, func(reason *string) []any {
		all, times := byReason[*reason], map[string]int{}
		for _, x := range all {
			times[x.of]++
		}
		most := slices.SortedFunc(maps.Keys(times), func(a, b string) int {
			return cmp.Or(times[b]-times[a], strings.Compare(a, b))
		})
		shown := mapped(most[:min(len(most), 5)], func(of string) string {
			return fmt.Sprintf("%s (%d)", of,
				times[of])
		})
		if more := len(most) - len(shown); more > 0 {
			shown = append(shown, fmt.Sprintf("%d more", more))
		}
		return []any{*reason + ": " + reasonWords[*reason], len(all), all[0].week, all[len(all)-1].week,
			phrase.And(shown)}
	}, what, ">times", "from", "to", "where").print(w, "table")
}

func printCoverage(w *output, cells []jevons.CoverageCell) {
	var absent, unmatched []absence
	for _, x := range cells {
		_, place, _ := strings.Cut(x.Cell.String(), ", ")
		if x.Reason != "" {
			absent = append(absent, absence{x.Week, x.Reason, place})
		}
		for _, u := range x.Unmatched {
			unmatched = append(unmatched, absence{x.Week, u.Reason, fmt.Sprint(u.Product)})
		}
	}
	fmt.Fprintf(w, "%d of %s are not published\n", len(absent), phrase.Count(len(cells), "cell"))
	printAbsences(w, "cells not published", absent)
	printAbsences(w, "products not matched", unmatched)
}

// coverageSheet lists the cells: for people, or with the columns that JSON has.
func coverageSheet(cells []jevons.CoverageCell, people bool) *sheet {
	columns := []string{"date", "city", "retailer", "category", "published", "reason", "item_count", "total_items",
		"unmatched"}
	if people {
		columns = []string{"week", "city", "banner", "category", "published", "reason", ">items", ">of", "not matched"}
	}
	return sheetOf(cells, func(x *jevons.CoverageCell) []any {
		var category any
		if people || x.Cell.Category != basket.Overall {
			category = x.Cell.Category
		}
		var unmatched []string
		for _, u := range x.Unmatched {
			unmatched = append(unmatched, fmt.Sprintf("%d %s", u.Product, u.Reason))
		}
		return []any{
			x.Week, orNil(x.Cell.City), orNil(x.Cell.Banner), category, x.Reason == "", orNil(x.Reason),
			x.ItemCount, x.TotalItems, orNil(strings.Join(unmatched, "; ")),
		}
	}, columns...)
}
