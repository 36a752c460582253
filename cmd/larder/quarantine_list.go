package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/check"
)

func (a *app) quarantineListCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Print the entries, and how many rows each sets aside",
		Long: `Prints the entries of the quarantine by id: the rule that made each, what it is
for, when it was found, how many rows it sets aside now (of active stores,
listings and products), and its evidence. Without --all only those in force.`,
		Example: `  larder quarantine list
  larder quarantine list --db larder.db --all --rule wrong_basis --format csv`,
	}
	db, format := dbFlag(cmd), formatFlag(cmd)
	f := cmd.Flags()
	released := f.Bool("all", false, "released entries too")
	rule := choice(cmd, "rule", "", "only entries by this `rule`: "+phrase.Or(panel.QuarantineRules[:]), panel.QuarantineRules[:]...)
	product := f.Int("product", 0, "only entries for listings of the product with this `id`")
	banner := f.String("banner", "", "a banner's `key` (default: all)")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		all, err := a.openAll(cmd.Context(), *db)
		if err != nil {
			return err
		}
		if err := oneOf("banner", *banner, bannerKeys(all.Panel)); err != nil {
			return err
		}
		known := slices.ContainsFunc(all.Panel.Products(), func(p basket.Product) bool { return p.ID == *product })
		if f.Changed("product") && !known {
			return usagef("--product %d is not known here; it takes the id of a canonical product", *product)
		}
		entries := slices.DeleteFunc(check.Asides(all.Panel, all.Rows, all.Quarantine), func(x check.Aside) bool {
			return x.Released && !*released || *rule != "" && x.Rule.String() != *rule ||
				*product != 0 && x.Sold.ProductID != *product || *banner != "" && x.Sold.Banner.Key != *banner
		})
		if len(entries) == 0 {
			fmt.Fprintln(a.stderr, "larder: no entry matches; --all lists released ones too")
		}
		return printEntries(a.stdout, *format, entries)
	}
	return cmd
}

func printEntries(w io.Writer, format string, entries []check.Aside) error {
	if format == "table" {
		return sheetOf(entries, func(x *check.Aside) []any {
			state := "in force"
			if x.Released {
				state = "released"
			}
			return []any{
				x.ID, x.Rule, orNil(x.Listing), orNil(x.Sold.Name), orNil(x.Sold.Product.Name), orNil(x.Sold.Banner.Key),
				placeOf(x), x.FoundAt.UTC(), x.Held(), state, orNil(x.Reason),
			}
		}, ">id", "rule", ">listing", "name", "product", "banner", "where", "found", ">rows", "state", "evidence").print(w, "table")
	}
	s := sheetOf(entries, func(x *check.Aside) []any {
		return []any{
			x.ID, x.Rule, orNil(x.Listing), orNil(x.Sold.Name), orNil(x.Sold.ProductID), orNil(x.Sold.Product.Name), orNil(x.Sold.Banner.Key),
			orNil(x.Store), orNil(x.Place), orNil(x.Observation), x.FoundAt.UTC(), x.Held(), x.Released, orNil(x.Reason),
			orNil(x.From), orNil(x.To),
		}
	}, "id", "rule", "retailer_product_id", "retailer_name", "product_id", "product", "banner",
		"store_id", "city", "observation_id", "found_at", "rows", "released", "reason", "from", "to")
	if format == "csv" {
		return s.print(w, format)
	}
	var flat, indented bytes.Buffer
	err := errors.Join(s.print(&flat, format), json.Indent(&indented, flat.Bytes(), "", "  "))
	if err == nil {
		_, err = indented.WriteTo(w)
	}
	return err
}

// placeOf says where the entry's rows are, and of which days.
func placeOf(x *check.Aside) string {
	place := "every store"
	store := fmt.Sprintf("store %d in %s", x.Store, x.Place)
	switch {
	case x.Observation != 0:
		place = fmt.Sprintf("row %d at %s", x.Observation, store)
	case x.Store != 0:
		place = store
	case x.City != "":
		place += " in " + x.Place
	}
	if x.From != 0 {
		place += fmt.Sprintf(" from %s", x.From)
	}
	if x.To != 0 {
		place += fmt.Sprintf(" to %s", x.To)
	}
	return place
}
