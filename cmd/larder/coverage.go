package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
)

func (a *app) coverageCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "coverage",
		Short: "Say why cells of the index are missing",
		Long: `Prints every cell of the index from the base week to the last closed week, published or
not, with the reason, and each product that is not matched with its own.`,
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
		index, err := a.table(all.Panel, nil, "v2", false)
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
		coverageSheet(cells, *format == "table").print(a.stdout, *format)
		return nil
	}
	return cmd
}

// coverageSheet lists the cells with the columns that JSON has. For people the headline has a category too.
func coverageSheet(cells []jevons.CoverageCell, people bool) *sheet {
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
	}, "date", "city", "retailer", "category", "published", "reason", ">item_count", ">total_items", "unmatched")
}
