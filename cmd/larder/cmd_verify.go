package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// verifyFlags are the flags of larder verify.
type verifyFlags struct {
	date, base, city, banner, category string
	prices, products, index            []string
	value, format                      string
	relatives                          bool
}

func (a *app) verifyCommand() *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Recompute a published figure from downloaded prices",
		Long: `Computes one row of the index anew from what a subscriber can download: pages of
/api/v1/prices, of the base week and of the row's week at least, and the answer of
/api/v1/products. Neither a snapshot nor a server is asked.

Give what was published as --index (pages of /api/v1/index or /api/public/index)
or --value: the exit status is 1 if it does not match. Every figure is compared
that the pages are enough for. Each file is one answer as it was sent; further
files may follow the flags. Pages that lack rows are refused, with what to
download.`,
		Example: `  larder verify --date 2026-11-15 --prices base.json --prices week.json --products products.json --value 101.2345
  larder verify --date 2026-11-15 --city Toronto --category dairy --products products.json --index index.json --prices prices-*.json`,
		RunE: func(_ *cobra.Command, args []string) error { return a.verify(&f, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.date, "date", "", "the row's week, by the `date` of its Sunday")
	flags.StringVar(&f.base, "base", panel.DefaultBaseWeek.String(), "the base week of the index, by the `date` of its Sunday")
	flags.StringVar(&f.city, "city", "", "a city's display `name` (default: national)")
	flags.StringVar(&f.banner, "banner", "", "a banner's `key`; needs --city (default: all banners)")
	flags.StringVar(&f.category, "category", "overall", "a category, or overall for the headline")
	flags.StringArrayVar(&f.prices, "prices", nil, "a page of /api/v1/prices, a `file`; may be repeated")
	flags.StringArrayVar(&f.products, "products", nil, "the answer of /api/v1/products, a `file`")
	flags.StringArrayVar(&f.index, "index", nil, "a page of the index to compare with, a `file`; may be repeated")
	flags.StringVar(&f.value, "value", "", "the published `level` to compare with, with its four decimals")
	flags.BoolVar(&f.relatives, "relatives", false, "also print the relative of each store, and which were trimmed; json always has them")
	completeWith(cmd, "category", categories()...)
	formatFlag(cmd, &f.format, tableOrJSON...)
	return cmd
}

// errNoMatch ends a command that found another figure than was published. What
// it found has been printed by then.
var errNoMatch = errors.New("what is recomputed does not match what was published")

func (a *app) verify(f *verifyFlags, args []string) error {
	week, base, err := f.weeks()
	if err != nil {
		return err
	}
	cell, err := f.cell()
	if err != nil {
		return err
	}
	published, err := f.claim()
	if err != nil {
		return err
	}
	d, err := readDownloads(f.prices, f.products, f.index, args)
	if err != nil {
		return err
	}
	if d.index != nil && published != nil {
		return usagef("there are both --value and pages of the index: leave one out")
	}
	if d.index != nil {
		if published, err = d.claim(week, cell); err != nil {
			return err
		}
	}
	r, err := d.recompute(base, week)
	if err != nil {
		return err
	}
	v, err := r.check(cell, published)
	if err != nil {
		return err
	}
	if v.row == nil && published == nil {
		return v.whyNot
	}
	if f.format == "json" {
		err = v.printJSON(a.stdout)
	} else {
		err = v.print(a.stdout, f.relatives)
	}
	if err == nil && published != nil && !v.matches() {
		return errNoMatch
	}
	return err
}

func (f *verifyFlags) weeks() (week, base panel.Week, err error) {
	if err := oneOf("format", f.format, tableOrJSON); err != nil {
		return 0, 0, err
	}
	if f.date == "" {
		return 0, 0, usagef("larder verify needs --date, such as --date 2026-11-15")
	}
	if week, err = panel.ParseWeek(f.date); err != nil {
		return 0, 0, usagef("--date: %v", err)
	}
	if base, err = panel.ParseWeek(f.base); err != nil {
		return 0, 0, usagef("--base: %v", err)
	}
	if week < base {
		return 0, 0, usagef("--date %s is before the base week %s, which is the first that is published", week, base)
	}
	return week, base, nil
}

// cell names the cell, as far as that needs no prices.
func (f *verifyFlags) cell() (jevons.Cell, error) {
	if err := oneOf("category", f.category, categories()); err != nil {
		return jevons.Cell{}, err
	}
	if f.banner != "" && f.city == "" {
		return jevons.Cell{}, usagef("--banner %s needs --city: a banner's index is that of one city", f.banner)
	}
	category, _ := basket.ParseCategory(f.category) // checked above
	return jevons.Cell{Level: levelOf(f.city, f.banner), City: f.city, Banner: f.banner, Category: category}, nil
}

// claim reads --value.
func (f *verifyFlags) claim() (*claim, error) {
	if f.value == "" {
		return nil, nil
	}
	value, err := panel.ParseFixed(f.value)
	if err != nil || value.Units <= 0 {
		return nil, usagef("--value %q is not a level as it is published, such as 101.2345", f.value)
	}
	c := &claim{}
	c.figures = make([]published, len(figures))
	c.figures[figure(jevons.IndexValue)] = published{value, true}
	return c, nil
}
