package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/check"
	"github.com/larder-index/larder/shrink"
)

func (a *app) shrinkflationCommand() *cobra.Command {
	const recentDays = 90 // how far back events are shown unless --from is given
	cmd := &cobra.Command{
		Use:   "shrinkflation",
		Short: "Print packs that got smaller",
		Long: `Prints the recorded changes of listings to a smaller pack, with the grade that says how
far to trust each. --confidence medium includes high, low includes all. --format json
prints the array that /api/v1/shrinkflation calls "events".`,
		Example: `  larder shrinkflation
  larder shrinkflation --db larder.db --confidence low --from 2026-08-01 --format csv`,
	}
	var (
		least    shrink.Confidence
		from, to panel.Date
	)
	grades := []string{shrink.High.String(), shrink.Medium.String(), shrink.Low.String()}
	db, format := a.dbFlag(cmd), formatFlag(cmd)
	choiceOf(cmd, &least, "confidence", grades[0], "lowest grade to show: "+phrase.Or(grades), grades,
		shrink.ParseConfidence)
	banner := cmd.Flags().String("banner", "", "a banner's `key` (default: all)")
	dateFlag(cmd, &from, "from", fmt.Sprintf("first `date`, YYYY-MM-DD (default: %d days ago)", recentDays))
	dateFlag(cmd, &to, "to", "last `date`, YYYY-MM-DD (default: today)")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		all, err := a.open(cmd.Context(), *db, true)
		if err != nil {
			return err
		}
		if err := oneOf("banner", *banner, bannerKeys(all.Panel)); err != nil {
			return err
		}
		if from != 0 && to != 0 && from > to {
			return usagef("--from %s is after --to %s", from, to)
		}
		calendar := all.Panel.Calendar()
		today := calendar.DateIn(a.now)
		if from == 0 {
			from = today - recentDays
		}
		if to == 0 {
			to = today
		}
		sold := check.Listings(all.Panel)
		events := slices.DeleteFunc(shrink.Select(calendar, all.Events, least, from, to), func(g shrink.Graded) bool {
			return *banner != "" && *banner != sold[g.Listing].Banner.Key
		})
		if len(events) == 0 {
			fmt.Fprintf(a.stderr,
				"larder: no event from %s to %s matches; --confidence low shows all grades, --from earlier ones\n",
				from, to)
		}
		printEvents(a.stdout, *format, all.Panel.About().Sign(), events, sold)
		return nil
	}
	return cmd
}

func printEvents(w *output, format, sign string, events []shrink.Graded, sold map[int64]check.Listed) {
	switch format {
	case "json":
		printArray(w, mapped(events, func(g shrink.Graded) wire.Event {
			return prepared.NewEvent(&g, sold[g.Listing])
		}), asJSON)
		return
	case "csv": // the members of the JSON
		sheetOf(events, func(g *shrink.Graded) []any {
			of := sold[g.Listing]
			return []any{
				g.ID, g.OldPackageSize, g.NewPackageSize, plainNumber(g.OldSize), plainNumber(g.NewSize), g.SizeUnit,
				g.PctSizeChange, plainNumber(g.OldUnitPrice), plainNumber(g.NewUnitPrice), g.PctUnitPriceChange,
				g.ShelfPrice,
				g.DetectedAt.UTC(), g.Confidence, g.Flag, of.Banner.Retailer, of.Banner.Key, of.Name, of.Brand,
				of.ProductID, of.Product.Name, of.Product.Category,
			}
		}, "id", "old_package_size", "new_package_size", "old_size_numeric", "new_size_numeric", "size_unit",
			"pct_size_change", "old_unit_price", "new_unit_price", "pct_unit_price_change", "shelf_price_at_change",
			"detected_at", "confidence", "flag", "retailer", "banner", "retailer_name", "brand",
			"product_id", "product", "category").print(w, "csv")
		return
	}
	sheetOf(events, func(g *shrink.Graded) []any {
		of := sold[g.Listing]
		return []any{
			g.Day, g.Confidence, g.Flag, of.Banner.Key, of.Product.Name, of.Name, orNil(g.OldPackageSize),
			orNil(g.NewPackageSize),
			g.PctSizeChange, g.PctUnitPriceChange, g.ShelfPrice,
		}
	}, "detected", "grade", "flag", "banner", "product", "listing", "old pack", "new pack",
		">size %", ">unit price %", ">shelf "+sign).print(w, "table")
}

// plainNumber writes a number above 0 without an exponent; 0 is null.
func plainNumber(v float64) any {
	if v == 0 {
		return nil
	}
	return json.Number(strconv.FormatFloat(v, 'f', -1, 64))
}
