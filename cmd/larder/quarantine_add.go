package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/check"
	"github.com/larder-index/larder/panel/sqlite"
)

func (a *app) quarantineAddCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "add --db FILE [--listing ID] [--product ID] [--banner KEY] [--store ID] [--city SLUG] [--from DATE] [--to DATE] --reason TEXT",
		Short: "Set rows aside, by listing, product, banner, store, city and day",
		Long: `Adds an entry, by the rule "listed", for the rows that fit every flag that is
given: those of a listing (a retailer product), a product, a banner, a store or a
city, from a first to a last day in Toronto. With a listing alone, or with its
store or one of its rows, the entry is made at once. With any other flags the
command says how many rows it would set aside, and --yes sets them aside.

Rows of the past are set aside with the others, so the index is restated. It is
one entry, and "larder quarantine release" with its id lets all of it go. An
entry for the same that was released is put back, and its reason says so.

The snapshot is replaced as a whole, as by import, and not while an import into
it runs.`,
		Example: `  larder quarantine add --db larder.db --listing 117 --reason "juice, not apples"
  larder quarantine add --db larder.db --listing 117 --store 42 --reason "prices of a case"
  larder quarantine add --db larder.db --banner tern --from 2026-11-09 --to 2026-11-15 --reason "in cents" --yes`,
	}
	var x panel.Quarantine
	db, reason := changeFlags(cmd)
	f := cmd.Flags()
	addFlag(cmd, &x.Listing, "listing", "`id` of the listing (retailer product; default: every listing)", readID)
	addFlag(cmd, &x.Product, "product", "`id` of the canonical product (default: every product)", func(text string) (int, error) {
		id, err := readID(text)
		return int(id), err
	})
	f.StringVar(&x.Banner, "banner", "", "a banner's `key` (default: every banner)")
	addFlag(cmd, &x.Store, "store", "`id` of the store (default: every store)", readID)
	f.StringVar(&x.City, "city", "", "a city's `slug` (default: every city)")
	dateFlag(cmd, &x.From, "from", "first `date` in Toronto, YYYY-MM-DD (default: the first row's)")
	dateFlag(cmd, &x.To, "to", "last `date` in Toronto, YYYY-MM-DD (default: none, so later rows too)")
	addFlag(cmd, &x.Observation, "observation", "`id` of the one row meant, with its listing (default: all rows)", readID)
	yes := f.Bool("yes", false, "set aside more than a listing, one of its stores or one of its rows")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		x.Reason = *reason
		if x == (panel.Quarantine{Reason: x.Reason}) {
			return usagef("%s needs --listing, --product, --banner, --store, --city, --from or --to; for example:\n%s", cmd.CommandPath(), cmd.Example)
		}
		if err := x.Check(); err != nil {
			return usageError(err)
		}
		if err := oneLine("reason", x.Reason); err != nil {
			return err
		}
		if x.Listing == 0 || x.Product != 0 || x.Banner != "" || x.City != "" || x.From != 0 || x.To != 0 {
			if err := a.confirm(cmd, *db, x, *yes); err != nil {
				return err
			}
		}
		e, err := sqlite.SetAside(cmd.Context(), *db, x, a.now)
		if err != nil {
			return err
		}
		return a.reportEntry(cmd.Context(), *db, e.ID)
	}
	return cmd
}

// confirm says how many rows an entry sets aside that may be for more than a listing, one of
// its stores, or one of its rows. It is refused unless the answer is yes.
func (a *app) confirm(cmd *cobra.Command, db string, x panel.Quarantine, yes bool) error {
	all, err := a.openAll(cmd.Context(), db)
	if err != nil {
		return err
	}
	if err := oneOf("banner", x.Banner, bannerKeys(all.Panel)); err != nil {
		return err
	}
	var slugs []string
	for _, c := range all.Panel.Cities() {
		slugs = append(slugs, c.Slug)
	}
	if err := oneOf("city", x.City, slugs); err != nil {
		return err
	}
	e := &check.Asides(all.Panel, all.Rows, []panel.Quarantine{x})[0]
	fmt.Fprintf(a.stderr, "this sets aside %s (%s); %d of them pass now\n", phrase.Count(e.Named(), "row"), describe(e), e.Rows[panel.Pass])
	if !yes {
		return usagef("repeat the command with --yes to set these rows aside")
	}
	return nil
}
