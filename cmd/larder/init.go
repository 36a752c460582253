package main

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/text/currency"
	"golang.org/x/text/language"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
	"github.com/larder-index/larder/panel/offers"
)

// examples has the files of example baskets, in a folder for each country.
//
//go:embed countries
var examples embed.FS

// canadian are the items of Canada's example basket, which is part of that of package basket.
var canadian = []int64{
	2, 3, 4, 5, 7, 8, 9, 12, 13, 14, 18, 19, 22, 25, 26, 27, 29, 32, 34, 36, 37, 38, 39, 41, 42, 43, 44, 46, 47, 48,
}

func (a *app) initCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "init DIR --country CC",
		Short: "Make a panel directory for a country, with an example basket",
		Long: `Makes a panel directory: the settings of a country, and the other files that an import
needs. For Bulgaria (BG), Canada (CA), Germany (DE) and Croatia (HR) it has a basket of 30
common goods, and words by which shops' titles are judged. Goods, names, sizes and weights
are examples: put your own in their place. For another country the basket is empty.

With --from it says in which form a file of prices is. For another form it guesses a
mapping, which import uses only if you name it: look at DIR/mapping.csv first.`,
		Example: `  larder init prices --country DE
  larder init prices --country HR --from cjenik.csv
  larder init prices --country JP --time-zone Asia/Tokyo`,
		Args: exactly("the folder to make"),
	}
	f := cmd.Flags()
	country := f.String("country", "", "the country of the prices, a `code` of ISO 3166 such as DE")
	zone := f.String("time-zone", "", "the time `zone` of a country without an example, such as Asia/Tokyo")
	from := f.String("from", "", "a `file` of prices, whose form is found or guessed")
	needs(cmd, "country")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		settings, err := firstSettings(*country, *zone)
		if err != nil {
			return err
		}
		var mapping []byte
		next := fmt.Sprintf("larder import %s %s --db larder.db", args[0], cmp.Or(*from, "FILE"))
		if form, unknown := offers.Detect([]string{*from}); unknown == nil {
			fmt.Fprintf(a.stderr, "larder: %s is in the form %s\n", *from, form.Name)
		} else if *from != "" {
			if form, mapping, err = offers.Guess(*from); err != nil {
				return err
			}
			sheetOf(form.Rows, func(r *offers.MappingRow) []any { return []any{r.Field, r.Column, orNil(r.Example)} },
				"field", "column", "example").print(a.stdout, "table")
			next += " --map " + filepath.Join(args[0], "mapping.csv") + " --dry-run"
		}
		err = csvdir.WriteDir(args[0], func(w *csvdir.Writer) error {
			return writeFirst(w, *country, settings, mapping)
		})
		if err == nil {
			fmt.Fprintf(a.stderr, "larder: next: %s\n", next)
		}
		return err
	}
	return cmd
}

// firstSettings returns the settings of a country without an example, and nil of one with an example.
func firstSettings(country, zone string) ([]panel.Setting, error) {
	list := []panel.Setting{{Key: "country", Value: country}, {Key: "time_zone", Value: zone}}
	if err := list[0].Check(); err != nil {
		return nil, usagef("--%s", strings.TrimPrefix(err.Error(), "value: "))
	}
	_, none := fs.Stat(examples, "countries/"+country)
	switch _, err := panel.NewCalendar(zone); {
	case none == nil && zone != "":
		return nil, usagef("--time-zone is for countries without an example; write another zone into settings.csv")
	case none == nil:
		return nil, nil
	case err != nil:
		return nil, usagef("--time-zone %w", err)
	}
	unit, _ := currency.FromRegion(language.MustParseRegion(country))
	return append(list, panel.Setting{Key: "currency", Value: unit.String()}), nil
}

// writeFirst writes the files of a new panel directory, with the example of its country if it has no settings.
func writeFirst(w *csvdir.Writer, country string, settings []panel.Setting, mapping []byte) error {
	var products []basket.Product
	var specs []basket.Spec
	b := basket.Canada()
	for _, id := range canadian {
		if country == "CA" {
			products, specs = append(products, b.Products[id-1]), append(specs, b.Specs[id-1])
		}
	}
	var errs []error
	if settings == nil {
		example, _ := fs.Sub(examples, "countries/"+country)
		errs = append(errs, os.CopyFS(w.Path(""), example))
	}
	if settings != nil || products != nil {
		errs = append(errs, csvdir.WriteSorted(w, csvdir.Settings, settings),
			csvdir.WriteSorted(w, csvdir.Products, products), csvdir.WriteSorted(w, csvdir.Specs, specs))
	}
	if mapping != nil {
		errs = append(errs, os.WriteFile(w.Path("mapping.csv"), mapping, 0o666))
	}
	return errors.Join(append(errs, csvdir.WriteSorted(w, csvdir.Cities, nil),
		csvdir.WriteSorted(w, csvdir.Banners, nil), csvdir.WriteSorted(w, csvdir.Stores, nil),
		csvdir.WriteSorted(w, csvdir.Listings, nil), csvdir.WriteSorted(w, csvdir.Observations, nil))...)
}
