package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

func (a *app) matchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "match",
		Short: "List listings that may be other goods than their items, and judge them",
		Long: `Prints the listings whose titles do not fit their items by words, with the words that
decided, the worst first, and those that wait because an import of files could not tell
whether they are items. "larder match accept" makes a listing exact in comparisons,
"reject" sets it aside. Rows of an accepted one that waits come with the next import of
their files.`,
		Example: `  larder match --db larder.db
  larder match --db larder.db --product 23 --all --format json
  larder match accept 117 --db larder.db --reason "seen in the shop"`,
	}
	db, format := a.dbFlag(cmd), formatFlag(cmd, tableOrJSON...)
	var product int64
	productFlag(cmd, &product)
	names := []string{"exact", "variant", "doubtful"}
	fit := cmd.Flags().String("fit", "",
		"the `fits` to list, with commas: exact, variant, doubtful (default: variant,doubtful)")
	gtin := cmd.Flags().String("gtin", "", "only listings with a `GTIN`, in any form")
	every := cmd.Flags().Bool("all", false, "those too that are exact, that you judged, or that have no rows that pass")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		fits := names
		if *fit != "" {
			fits = strings.Split(*fit, ",")
		} else if !*every {
			fits = names[1:]
		}
		for _, name := range fits {
			if err := oneOf("fit", name, names); err != nil {
				return err
			}
		}
		var code basket.GTIN
		if *gtin != "" {
			var err error
			if code, err = basket.ParseGTIN(*gtin); err != nil {
				return usagef("--gtin: %w", err)
			}
		}
		all, err := a.open(cmd.Context(), *db, true)
		if err != nil {
			return err
		}
		if _, ok := all.Panel.ProductAt(product); product != 0 && !ok {
			return usagef("--product %d: the snapshot has no product %d", product, product)
		}
		list := slices.DeleteFunc(all.Panel.Fits().Match(all.Rows), func(x panel.Matched) bool {
			other := product != 0 && x.Product != product || code != "" && x.GTIN != code
			shown := slices.Contains(fits, x.Fit.String()) || x.Waits && *fit == ""
			return other || !shown || !*every && (x.Rows == 0 && !x.Waits || x.Verdict != nil)
		})
		slices.SortStableFunc(list, func(x, y panel.Matched) int {
			return cmp.Or(cmp.Compare(y.Fit, x.Fit), y.Rows-x.Rows)
		})
		if len(list) == 0 {
			fmt.Fprintln(a.stderr, "larder: no listing matches; --all lists exact and judged ones too")
		}
		if *format == "json" {
			printArray(a.stdout, list, asJSON)
			return nil
		}
		columns := []string{">listing", "item", "banner", "title", "fit", "words", ">rows", "verdict", "gtin"}
		sheetOf(list, func(x *panel.Matched) []any {
			at, _ := all.Panel.ProductAt(x.Product)
			item := fmt.Sprintf("%d %s", x.Product, all.Panel.Products()[at].Name)
			cells := []any{x.Listing, item, x.Banner, x.Title, x.Fit, orNil(strings.Join(x.Words, ", ")), x.Rows,
				orNone(x.Verdict), orNil(string(x.GTIN))}
			if x.Waits && x.Verdict == nil {
				cells[7] = "waits"
			}
			return cells
		}, columns...).print(a.stdout, "table")
		return nil
	}
	return group(cmd, a.verdictCommand(panel.Accepted, &cobra.Command{
		Use:   "accept LISTING --db FILE --reason TEXT",
		Short: "Say that a listing is its item",
		Long: `Says that a listing is the item it is mapped to: in comparisons its titles are exact,
whatever their words. If "larder match reject" set it aside, it is let go. Verdicts
are kept with their times and the newest rules, so another one undoes this one.`,
		Example: `  larder match accept 117 --db larder.db --reason "seen in the shop"`,
	}), a.verdictCommand(panel.Rejected, &cobra.Command{
		Use:   "reject LISTING --db FILE --reason TEXT",
		Short: "Say that a listing is another good, and set it aside",
		Long: `Says that a listing is not the item it is mapped to. It is in no comparison and not in
the index: the quarantine gets an entry by the rule "listed", with the reason, and the
index is restated. "larder match accept" lifts that entry.`,
		Example: `  larder match reject 117 --db larder.db --reason "juice, not apples"`,
	}))
}

// verdictCommand completes a command that judges a listing.
func (a *app) verdictCommand(verdict panel.MatchVerdict, cmd *cobra.Command) *cobra.Command {
	return a.decideCommand(cmd, "a listing",
		func(ctx context.Context, db string, id int64, reason string, now time.Time) (panel.Quarantine, error) {
			e, err := sqlite.Match(ctx, db, panel.Match{Listing: id, Verdict: verdict, Reason: reason, At: now})
			if err == nil {
				fmt.Fprintf(a.stderr, "listing %d is %s\n", id, verdict)
			}
			return e, err
		})
}
