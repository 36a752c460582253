package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/panel"
)

func (a *app) compareCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compare",
		Short: "Compare what a shopping list costs at a city's chains",
		Long: `Prints what a list costs at every chain of a city at the prices last seen there, which
chain is the lowest of those that have everything or why none is named, and why a price
is missing. --items holds ids with quantities: packages, or kilograms of what is sold by
weight; "larder explain" shows products with their ids. --format json prints the body of
/api/shopper/compare.`,
		Example: `  larder compare --city toronto --items 1x2,18x0.5,27
  larder compare --db larder.db --city toronto --items 1x2,27 --stores northlarch,tillbrook --format json`,
	}
	db, format := a.dbFlag(cmd), formatFlag(cmd, tableOrJSON...)
	var r compare.Request
	baseURL := "http://127.0.0.1:8080"
	choose := func(name, usage string) {
		cmd.Flags().Func(name, usage, func(text string) error { return compareUsage(r.Choose(name, text)) })
	}
	cityFlag(cmd, &r.City, "")
	addFlag(cmd, &r.Items, "items", "the `list`: ids, each with x and a quantity unless that is 1",
		func(text string) ([]compare.Item, error) {
			items, err := compare.ParseItems(text)
			return items, compareUsage(err)
		})
	addFlag(cmd, &r.Stores, "stores", "the chains to compare, as `keys` between commas (default: all of the city)",
		func(text string) ([]string, error) {
			stores, err := compare.ParseStores(text)
			return stores, compareUsage(err)
		})
	addFlag(cmd, &r.Conditions, "conditions",
		"the `conditions` of sales that count: member, multi_buy or both with a comma (default: none)",
		func(text string) ([]string, error) { return strings.Split(text, ","), nil })
	choose("accept", "the `variants` to price where a chain has nothing exact: variants for all, or ID@CHAIN between "+
		"commas (default: none)")
	choose("reject", "the `listings` to leave out, as ID@CHAIN between commas: those that are priced without it")
	addFlag(cmd, &baseURL, "base-url",
		"the `address` that the links in the JSON begin with: the server's --base-url (default: "+baseURL+")",
		readOrigin)
	needs(cmd, "city", "items")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		all, err := a.open(cmd.Context(), *db, true)
		if err != nil {
			return err
		}
		if err := findCity("city", &r.City, all.Panel.Cities(), citySlug); err != nil {
			return err
		}
		result, err := compare.Evaluate(compare.NewProjection(all.Panel, all.Rows), r, a.now)
		if err != nil {
			return compareUsage(err)
		}
		if *format == "json" {
			a.stdout.Write(append(result.WithLinks(baseURL).AppendJSON(nil), '\n'))
		} else {
			c := &comparison{result, map[int64]*basket.Product{}, all.Panel.About().Sign()}
			for _, p := range all.Panel.Products() {
				c.products[p.ID] = &p
			}
			c.print(a.stdout)
		}
		return nil
	}
	return cmd
}

// compareUsage makes a mistake in the request an error about its flag.
func compareUsage(err error) error {
	wrong, ok := errors.AsType[*compare.Error](err)
	if !ok {
		return err
	}
	flag, _, _ := strings.Cut(wrong.Path, "[")
	return usagef("--%s: %s", flag, compare.Example{City: "CITY", Chain: "CHAIN"}.In(wrong.Message))
}

// comparison is a result with what its tables look up.
type comparison struct {
	*compare.Result
	products map[int64]*basket.Product
	sign     string
}

// print writes the reasons of the recommendation, the chains, the list at each chain and the caveats. A line is
// quantity times price.
func (c *comparison) print(w *output) {
	place := strings.TrimSuffix(printable(c.City.Name)+", "+printable(c.City.Province), ", ")
	fmt.Fprintf(w, "%s, as of %s (UTC): %s at %s\n\n", place, c.EvaluatedOn,
		phrase.Count(len(c.RequestedItemIDs), "item"), phrase.Count(len(c.Stores), "chain"))
	for _, reason := range c.Reasons() {
		fmt.Fprintln(w, printable(reason))
	}
	fmt.Fprintln(w)
	if len(c.Stores) > 0 {
		sheetOf(c.Stores, c.chainCells, "chain", "name", ">total "+c.sign, ">at standard sizes "+c.sign,
			"priced", ">oldest, days", "missing items").print(w, "table")
		fmt.Fprintln(w)
		sheetOf(c.Lines(), c.lineCells, "chain", ">id", "item", ">qty", "of", ">each "+c.sign, ">line "+c.sign,
			">days", "note").print(w, "table")
		fmt.Fprintln(w)
	}
	for _, x := range c.ExcludedStores {
		fmt.Fprintf(w, "Left out: %s (%s), %s: where its stores in %s are is not certain.\n", printable(x.Name), x.Key,
			x.Reason, printable(c.City.Name))
	}
	for _, caveat := range c.CaveatsFor(inTable) {
		fmt.Fprintln(w, printable(caveat))
	}
}

func (c *comparison) chainCells(s *compare.Store) []any {
	adjusted := ""
	if s.SizeAdjustedTotal != s.Total {
		adjusted = s.SizeAdjustedTotal.String()
	}
	priced := fmt.Sprintf("%d of %d", len(s.PricedItemIDs), len(c.RequestedItemIDs))
	missing := strings.Trim(fmt.Sprint(s.MissingItemIDs), "[]")
	return []any{s.Key, s.Name, s.Total, adjusted, priced, c.daysOld(s.Oldest), missing}
}

func (c *comparison) daysOld(d compare.Date) any {
	if !d.Valid {
		return nil
	}
	return int(c.EvaluatedOn.Day - d.Day)
}

// inTable names the columns and notes of the tables that caveats are about.
var inTable = compare.Members{
	Conditional: `marked "sale not counted"`, Unmet: `marked "sale not counted"`, OtherSize: `marked "other size"`,
	Total: `"total"`, AtStandard: `"at standard sizes"`,
}

func (c *comparison) lineCells(l *compare.Line) []any {
	p := c.products[l.ItemID]
	if l.Reason != compare.Priced {
		return []any{l.StoreKey, l.ItemID, p.Name, l.Quantity, nil, nil, nil, c.daysOld(l.ObservedAt), why(l)}
	}
	var (
		of    any
		each  = l.Shelf.String()
		notes []string
		known = l.Size != nil
	)
	switch {
	case p.PerKg():
		of, each = "kg", l.Price.String()
		if known {
			notes = append(notes, "package of "+l.Size.String())
		}
	case known:
		of = l.Size.String()
		if l.OtherSize {
			notes = append(notes, fmt.Sprintf("other size: %s at %s each", l.SizeAdjusted, standardSize(p)))
		}
	default:
		notes = append(notes, "size not stated, taken as "+standardSize(p))
	}
	note := strings.Join(append(notes, saleNotes(l)...), "; ")
	return []any{l.StoreKey, l.ItemID, p.Name, l.Quantity, of, each, l.LineTotal, c.daysOld(l.ObservedAt), note}
}

func standardSize(p *basket.Product) string {
	return basket.Size{Quantity: p.StandardSize, Unit: p.Unit, Packs: 1, Each: p.StandardSize}.String()
}

func saleNotes(l *compare.Line) []string {
	ends := ""
	if l.SaleEndsOn.Valid {
		ends = " until " + l.SaleEndsOn.String()
	}
	counted := ": sale not counted"
	if l.OnSale {
		counted = ": sale counted"
	}
	switch {
	case l.Condition == panel.Member:
		return []string{"members only" + ends + counted}
	case l.Condition != panel.NoCondition:
		return []string{"multi-buy" + ends + counted}
	case l.OnSale:
		return []string{"on sale" + ends}
	}
	return nil
}

// why says why a line has no price: by its code, and of a variant how to accept it.
func why(l *compare.Line) string {
	if l.Reason != compare.VariantMatch {
		return l.Reason.String()
	}
	return fmt.Sprintf("%s: %s here: if it is fine, --accept %s", l.Reason, *cmp.Or(l.Title, new("a variant")),
		compare.Choice{ItemID: l.ItemID, Store: l.StoreKey})
}
