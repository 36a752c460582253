package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel/sqlite"
)

// compareFlags holds the flags of larder compare.
type compareFlags struct {
	db, format, city, items, stores, conditions, baseURL string
	lines                                                bool
}

func (a *app) compareCommand() *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare",
		Short: "Compare what a shopping list costs at a city's chains",
		Long: `Prints what a list costs at every chain of a city at the prices last seen there,
which chain is the lowest of those that have everything or why none is named, a
chain that lacks little and may cost less, a shorter list that can be compared,
every line of the list at every chain, and why a price is missing. Prices over 8
days old don't count, nor do sales that need a membership or several packages:
--conditions member,multi_buy counts them.

--items holds ids with quantities: packages, or kilograms of what is sold by
weight, such as 1x2,18x0.5; "larder explain" shows products with their ids.
--lines names the listing behind each price, and marks a price whose chain lists
the item at unit prices that spread over 2 to 1. --now compares as of then.
--format json prints the body that the server's /api/shopper/compare answers with,
and with --lines that of include=lines.`,
		Example: `  larder compare --city toronto --items 1x2,18x0.5,27
  larder compare --db larder.db --city toronto --items 1x2,27 --stores northlarch,tillbrook --format json`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.compare(cmd, f) },
	}
	dbFlag(cmd, &f.db)
	flags := cmd.Flags()
	flags.StringVar(&f.city, "city", "", "the city's `slug`, such as toronto")
	flags.StringVar(&f.items, "items", "", "the `list`: ids, each with x and a quantity unless that is 1")
	flags.StringVar(&f.stores, "stores", "", "the chains to compare, as `keys` between commas (default: all of the city)")
	flags.BoolVar(&f.lines, "lines", false, "name the listing behind each price")
	flags.StringVar(&f.conditions, "conditions", "", "the `conditions` of sales that count: member, multi_buy or both with a comma (default: none)")
	flags.StringVar(&f.baseURL, "base-url", "http://127.0.0.1:8080", "the `address` that the links in the JSON begin with: the server's --base-url")
	formatFlag(cmd, &f.format, tableOrJSON...)
	a.completeCompare(cmd, &f.db)
	return cmd
}

func (a *app) compare(cmd *cobra.Command, f compareFlags) error {
	if err := oneOf("format", f.format, tableOrJSON); err != nil {
		return err
	}
	if err := required(cmd, "city", f.city); err != nil {
		return err
	}
	if err := required(cmd, "items", f.items); err != nil {
		return err
	}
	if err := validOrigin(f.baseURL); err != nil {
		return err
	}
	request, err := f.request()
	if err != nil {
		return err
	}
	result, products, err := a.evaluate(cmd.Context(), f.db, request)
	if err != nil {
		return err
	}
	if f.format == "json" {
		_, err = a.stdout.Write(append(result.WithLinks(f.baseURL).AppendJSON(nil), '\n'))
		return err
	}
	return newComparison(result, products, f.lines).print(a.stdout)
}

// request reads the flags that need no snapshot.
func (f *compareFlags) request() (compare.Request, error) {
	r := compare.Request{City: f.city}
	var err error
	if r.Items, err = compare.ParseItems(f.items); err != nil {
		return r, compareUsage(err)
	}
	if f.stores != "" {
		r.Stores, err = compare.ParseStores(f.stores)
	}
	if f.conditions != "" {
		r.Conditions = compare.ParseWords(f.conditions)
	}
	if f.lines {
		r.Include = []string{compare.IncludeLines}
	}
	return r, compareUsage(cmp.Or(err, r.Validate()))
}

// evaluate compares on a snapshot. It returns the snapshot's products too: a
// result has only their ids.
func (a *app) evaluate(ctx context.Context, db string, r compare.Request) (*compare.Result, []basket.Product, error) {
	all, now, err := a.openContents(ctx, db)
	if err != nil {
		return nil, nil, err
	}
	pr := compare.NewProjection(all.Panel, all.Rows)
	if err := namesKnown(pr, r); err != nil {
		return nil, nil, err
	}
	result, err := compare.Evaluate(pr, r, now)
	return result, all.Panel.Products(), compareUsage(err)
}

// namesKnown fails on an unknown city or chain and suggests the nearest.
func namesKnown(pr *compare.Projection, r compare.Request) error {
	catalog := compare.Catalog(pr)
	var slugs, keys []string
	for _, c := range catalog.Cities {
		slugs = append(slugs, c.Slug)
	}
	for _, c := range catalog.Chains {
		keys = append(keys, c.Key)
	}
	if err := oneOf("city", r.City, slugs); err != nil {
		return err
	}
	for _, key := range r.Stores {
		if err := oneOf("stores", key, keys); err != nil {
			return err
		}
	}
	return nil
}

// validOrigin accepts the values of --base-url that larder serve accepts.
func validOrigin(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return usagef("--base-url %q is not an address such as https://prices.example.org, without a path", address)
	}
	return nil
}

// compareUsage makes a mistake in the request an error about its flag.
func compareUsage(err error) error {
	wrong, ok := errors.AsType[*compare.Error](err)
	if !ok {
		return err
	}
	flag, _, _ := strings.Cut(wrong.Path, "[")
	return usagef("--%s: %s", flag, wrong.Message)
}

// completeCompare offers the snapshot's cities and items to the shell. Without
// --db it offers those of the demo snapshot and does not make it.
func (a *app) completeCompare(cmd *cobra.Command, db *string) {
	complete := func(flag string, offer func(basket.Basket, string) ([]cobra.Completion, cobra.ShellCompDirective)) {
		err := cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
			b, err := basketOf(cmd.Context(), cmp.Or(*db, os.Getenv("LARDER_DB")))
			if err != nil {
				return nil, cobra.ShellCompDirectiveError
			}
			return offer(b, typed)
		})
		if err != nil {
			panic("larder: " + err.Error()) // the flag was not registered
		}
	}
	complete("city", offerCities)
	complete("items", offerItems)
}

// basketOf returns the products and cities of a snapshot.
func basketOf(ctx context.Context, db string) (basket.Basket, error) {
	if db == "" {
		return basket.Canada(), nil
	}
	p, err := sqlite.Load(ctx, db)
	if err != nil {
		return basket.Basket{}, err
	}
	return basket.Basket{Products: p.Products(), Cities: p.Cities()}, nil
}

func offerCities(b basket.Basket, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var offers []cobra.Completion
	for _, c := range b.Cities {
		offers = append(offers, cobra.CompletionWithDesc(c.Slug, c.Name))
	}
	return offers, cobra.ShellCompDirectiveNoFileComp
}

// offerItems completes the id of the last entry with those that the list lacks.
func offerItems(b basket.Basket, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	var named []string
	for entry := range strings.SplitSeq(before, ",") {
		id, _, _ := strings.Cut(entry, "x")
		named = append(named, id)
	}
	var offers []cobra.Completion
	for _, p := range b.Products {
		if id := fmt.Sprint(p.ID); p.Active && !slices.Contains(named, id) {
			offers = append(offers, cobra.CompletionWithDesc(before+id+"x", printable(p.Name)))
		}
	}
	return offers, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
