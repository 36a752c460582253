package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/compare"
)

func (a *app) compareCommand() *cobra.Command {
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
	}
	db, format := dbFlag(cmd), formatFlag(cmd, tableOrJSON...)
	var r compare.Request
	baseURL := "http://127.0.0.1:8080"
	flags := cmd.Flags()
	flags.StringVar(&r.City, "city", "", "the city's `slug`, such as toronto")
	addFlag(cmd, &r.Items, "items", "the `list`: ids, each with x and a quantity unless that is 1", said(compare.ParseItems))
	addFlag(cmd, &r.Stores, "stores", "the chains to compare, as `keys` between commas (default: all of the city)", said(compare.ParseStores))
	lines := flags.Bool("lines", false, "name the listing behind each price")
	conditions := flags.String("conditions", "", "the `conditions` of sales that count: member, multi_buy or both with a comma (default: none)")
	addFlag(cmd, &baseURL, "base-url", "the `address` that the links in the JSON begin with: the server's --base-url (default: "+baseURL+")", readOrigin)
	needs(cmd, "city", "items")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *conditions != "" {
			r.Conditions = strings.Split(*conditions, ",")
		}
		if *lines {
			r.Include = []string{compare.IncludeLines}
		}
		if err := r.Validate(); err != nil {
			return compareUsage(err)
		}
		all, err := a.openAll(cmd.Context(), *db)
		if err != nil {
			return err
		}
		pr := compare.NewProjection(all.Panel, all.Rows)
		if err := namesKnown(pr, r); err != nil {
			return err
		}
		result, err := compare.Evaluate(pr, r, a.now)
		if err != nil {
			return compareUsage(err)
		}
		if *format == "json" {
			_, err = a.stdout.Write(append(result.WithLinks(baseURL).AppendJSON(nil), '\n'))
			return err
		}
		return newComparison(result, all.Panel.Products(), *lines).print(a.stdout)
	}
	return cmd
}

// said makes a mistake in a list an error that says it without the list's name.
func said[T any](parse func(string) (T, error)) func(string) (T, error) {
	return func(text string) (T, error) {
		x, err := parse(text)
		if wrong, ok := errors.AsType[*compare.Error](err); ok {
			err = errors.New(wrong.Message)
		}
		return x, err
	}
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

// compareUsage makes a mistake in the request an error about its flag.
func compareUsage(err error) error {
	wrong, ok := errors.AsType[*compare.Error](err)
	if !ok {
		return err
	}
	flag, _, _ := strings.Cut(wrong.Path, "[")
	return usagef("--%s: %s", flag, wrong.Message)
}
