package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel/sqlite"
)

// completeCompare offers the snapshot's cities and items to the shell; without
// --db those of the demo snapshot, which needs not be there for that.
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

// offerItems completes the last entry of a list, up to the quantity, with the
// ids that are not in it yet.
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
