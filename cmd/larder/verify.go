package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi/audit"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

type verifyFlags struct {
	row                     *rowFlags
	base                    panel.Week
	published               audit.Published // nil if nothing was given to compare with
	prices, products, index []string
	format                  *string
}

func (a *app) verifyCommand() *cobra.Command {
	f := verifyFlags{base: panel.DefaultBaseWeek}
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Recompute a published figure from downloaded prices",
		Long: `Computes one row of the index anew from what a subscriber can download: pages of
/api/v1/prices, of the base week and of the row's week at least, and the answer of
/api/v1/products. Give what was published as --index (pages of the index) or --value:
the exit status is 1 if it does not match. Each file is one answer as it was sent;
further files may follow the flags. Pages that lack rows are refused, with what to
download.`,
		Example: `  larder verify --date 2026-11-15 --prices base.json --prices week.json --products products.json --value 101.2345
  larder verify --date 2026-11-15 --city Toronto --category dairy --products products.json --index index.json --prices prices-*.json`,
		Args: cobra.ArbitraryArgs, // files
		RunE: func(_ *cobra.Command, args []string) error { return a.verify(&f, args) },
	}
	f.row, f.format = addRowFlags(cmd), formatFlag(cmd, tableOrJSON...)
	flags := cmd.Flags()
	addFlag(cmd, &f.base, "base", "the base week of the index, by the `date` of its Sunday (default: "+f.base.String()+")", panel.ParseWeek)
	flags.StringArrayVar(&f.prices, "prices", nil, "a page of /api/v1/prices, a `file`; may be repeated")
	flags.StringArrayVar(&f.products, "products", nil, "the answer of /api/v1/products, a `file`")
	flags.StringArrayVar(&f.index, "index", nil, "a page of the index to compare with, a `file`; may be repeated")
	addFlag(cmd, &f.published, "value", "the published `level` to compare with, with its four decimals", func(text string) (audit.Published, error) {
		value, err := panel.ParseFixed(text)
		if err != nil || value.Units <= 0 {
			return nil, fmt.Errorf("%q is not a level as it is published, such as 101.2345", text)
		}
		return audit.Published{table.IndexValue: value}, nil
	})
	return cmd
}

// errNoMatch ends a command whose result is printed and does not match.
var errNoMatch = errors.New("what is recomputed does not match what was published")

func (a *app) verify(f *verifyFlags, args []string) error {
	if f.row.week < f.base {
		return usagef("--date %s is before the base week %s, which is the first that is published", f.row.week, f.base)
	}
	if _, err := f.row.cell(); err != nil {
		return err
	}
	pages, err := f.read(args)
	if err != nil {
		return err
	}
	said := map[string]bool{"": true}
	for _, p := range pages {
		if notice := p.Note; !said[notice] {
			said[notice] = true
			fmt.Fprintln(a.stderr, "larder: the pages say:", printable(notice))
		}
	}
	e, err := audit.NewEvidence(pages, f.base, f.row.week)
	if err != nil {
		return err
	}
	_ = findCity(&f.row.city, e.Panel.Cities(), cityName) // pages of another city are refused first, with what to download
	cell, _ := f.row.cell()
	if has(pages, wire.IndexEndpoint, wire.PublicIndexEndpoint) {
		if f.published != nil {
			return usagef("there are both --value and pages of the index: leave one out")
		}
		if f.published, err = e.Published(cell); err != nil {
			return err
		}
	}
	if err := e.Suffices(cell); err != nil {
		return err
	}
	if _, err := f.row.cellOf(e.Panel); err != nil {
		return err
	}
	result, err := e.Check(cell, f.published)
	switch {
	case err != nil:
		return err
	case *f.format == "json":
		err = printObject(a.stdout, result)
	default:
		f.print(a.stdout, cell, result)
	}
	if err == nil && f.published != nil && !*result.Match {
		return errNoMatch
	}
	return err
}

func (f *verifyFlags) read(others []string) (pages []*audit.Page, err error) {
	var errs []error
	for _, file := range slices.Concat(f.prices, f.products, f.index, others) {
		p, err := readPage(file)
		pages, errs = append(pages, p), append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	switch {
	case !has(pages, wire.PricesEndpoint):
		return nil, usagef("larder verify needs --prices: pages of %s", wire.PricesEndpoint)
	case !has(pages, wire.ProductsEndpoint):
		return nil, usagef("larder verify needs --products: the answer of %s", wire.ProductsEndpoint)
	}
	return pages, nil
}

func readPage(file string) (*audit.Page, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return audit.ReadPage(file, content)
}

func has(pages []*audit.Page, endpoints ...string) bool {
	return slices.ContainsFunc(pages, func(p *audit.Page) bool { return slices.Contains(endpoints, p.Endpoint) })
}

func (f *verifyFlags) print(w *output, cell jevons.Cell, r *audit.Result) {
	fmt.Fprintf(w, "%s, week %s: %s\n", cell, r.Date, r.Verdict)
	if r.SinceBase != nil {
		fmt.Fprintln(w)
		sheetOf(r.Figures, figureCells, "figure", ">recomputed", ">published", "").print(w, "table")
	}
	s := &r.Sources
	fmt.Fprintf(w, "\nFrom %d files made from %s to %s, holding %d prices that passed gate %s, of which %d of a verified banner are left out\n",
		s.Files, s.Oldest.Format(time.RFC3339), s.Newest.Format(time.RFC3339), s.Prices, printable(s.Gate), s.Verified)
	if r.Match != nil && !*r.Match {
		fmt.Fprintln(w, "Pages do not say of which snapshot they are. If the data changed between the downloads, download all of them again before you ask the publisher.")
	}
	if r.SinceBase == nil {
		return
	}
	fmt.Fprintf(w, "\nSince %s: %+.4f%%, over the series priced in both weeks; \"kept\" is the range of the stores' relatives that were not trimmed\n",
		r.SinceBase.From, r.SinceBase.Change)
	printContributions(w, r.SinceBase.Decomposition, false, func(c *jevons.Contribution) string {
		low, high := math.Inf(1), math.Inf(-1)
		for _, s := range r.Stores {
			if s.ProductID == c.Product.ID && !s.Trimmed {
				low, high = min(low, s.Relative), max(high, s.Relative)
			}
		}
		return relative(low) + " to " + relative(high)
	})
}

func figureCells(f *audit.Figure) []any {
	row := []any{f.Name, cmp.Or(string(f.Recomputed), "null"), nil, ""}
	if f.Published != nil {
		row[2] = cmp.Or(string(*f.Published), "null")
	}
	switch {
	case f.Needs != "":
		row[1], row[3] = nil, "not recomputed: needs all prices of "+string(f.Needs)
	case f.Match == nil:
	case *f.Match:
		row[3] = "matches"
	default:
		row[3] = "DOES NOT MATCH"
	}
	return row
}
