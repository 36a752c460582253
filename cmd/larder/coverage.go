package main

import (
	"cmp"
	"encoding/json"
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
		if err := chosen.check(all.Panel.Cities(), indexBanners(all.Panel)); err != nil {
			return err
		}
		index, err := a.table(all.Panel, nil, "v2", jevons.Options{})
		if err != nil {
			return err
		}
		var cells []jevons.CoverageCell
		for x := range jevons.NewCoverage(all.Rows, index).Cells(chosen.Filter, panel.LastClosed(a.now)) {
			if !*onlyMissing || x.Reason != "" {
				cells = append(cells, x)
			}
		}
		if *format == "json" {
			printArray(a.stdout, cells, func(b []byte, x *jevons.CoverageCell) []byte {
				text, _ := json.Marshal(table.CoverageCell{CoverageCell: *x}) // it has texts and numbers only
				return append(b, text...)
			})
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

// missing counts what is missing for one reason.
type missing struct {
	reason      string
	count       int
	first, last panel.Week
	of          map[string]int // by place, or by product
}

// printMissing groups what is missing of cells by reason, the most frequent first.
func printMissing(w *output, what string, cells []jevons.CoverageCell,
	each func(*jevons.CoverageCell, func(reason, of string)),
) {
	var list []*missing
	for i := range cells {
		week := cells[i].Week
		each(&cells[i], func(reason, of string) {
			at := slices.IndexFunc(list, func(m *missing) bool { return m.reason == reason })
			if at < 0 {
				at = len(list)
				list = append(list, &missing{reason: reason, first: week, of: map[string]int{}})
			}
			m := list[at]
			m.count, m.last = m.count+1, week
			m.of[of]++
		})
	}
	slices.SortStableFunc(list, func(a, b *missing) int { return b.count - a.count })
	fmt.Fprintln(w)
	sheetOf(list, func(m **missing) []any {
		x := *m
		most := slices.SortedFunc(maps.Keys(x.of), func(a, b string) int {
			return cmp.Or(x.of[b]-x.of[a], strings.Compare(a, b))
		})
		shown := mapped(most[:min(len(most), 5)],
			func(of string) string { return fmt.Sprintf("%s (%d)", of, x.of[of]) })
		if more := len(most) - len(shown); more > 0 {
			shown = append(shown, fmt.Sprintf("%d more", more))
		}
		return []any{x.reason + ": " + reasonWords[x.reason], x.count, x.first, x.last, phrase.And(shown)}
	}, what, ">times", "from", "to", "where").print(w, "table")
}

func printCoverage(w *output, cells []jevons.CoverageCell) {
	absent := len(cells)
	for _, x := range cells {
		if x.Reason == "" {
			absent--
		}
	}
	fmt.Fprintf(w, "%d of %s are not published\n", absent, phrase.Count(len(cells), "cell"))
	printMissing(w, "cells not published", cells, func(x *jevons.CoverageCell, note func(reason, of string)) {
		if _, place, _ := strings.Cut(x.Cell.String(), ", "); x.Reason != "" {
			note(x.Reason, place)
		}
	})
	printMissing(w, "products not matched", cells, func(x *jevons.CoverageCell, note func(reason, of string)) {
		for _, u := range x.Unmatched {
			note(u.Reason, fmt.Sprint(u.Product))
		}
	})
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
