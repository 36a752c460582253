package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/check"
	"github.com/larder-index/larder/panel/sqlite"
)

func (a *app) quarantineCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "quarantine",
		Short: "List, add, confirm and lift what the quality gate sets aside",
		Long: `The quarantine of a snapshot says which rows are set aside, and why. Import derives most
of the entries, and withdraws those that no longer follow from the rows; these commands
add others, confirm derived ones, and lift any of them. No entry is ever deleted.`,
		Example: `  larder quarantine list
  larder quarantine add --db larder.db --listing 117 --reason "juice, not apples"
  larder quarantine lift 8 --db larder.db --reason "checked: it is the apple"`,
	}, a.quarantineListCommand(), a.quarantineAddCommand(), a.decideCommand(&cobra.Command{
		Use:   "confirm ID --db FILE --reason TEXT",
		Short: "Make a derived entry your own",
		Long: `Confirms a derived entry, by its id as "larder quarantine list" shows it: it stays in
force whatever rows come, until it is lifted.`,
		Example: `  larder quarantine confirm 8 --db larder.db --reason "juice: seen in the shop"`,
	}, "an entry", sqlite.Confirm), a.decideCommand(&cobra.Command{
		Use:     "lift ID --db FILE --reason TEXT",
		Aliases: []string{"release"},
		Short:   "Let an entry go",
		Long: `Lifts an entry, by its id as "larder quarantine list" shows it: it sets nothing aside any
more and is not derived again.`,
		Example: `  larder quarantine lift 8 --db larder.db --reason "checked: it is the apple"`,
	}, "an entry", sqlite.Lift))
}

// decideCommand completes a command that decides on one entry or one listing. decide returns the entry
// that changed; its id is 0 if none did.
func (a *app) decideCommand(cmd *cobra.Command, what string,
	decide func(ctx context.Context, db string, id int64, reason string, now time.Time) (panel.Quarantine,
		error)) *cobra.Command {
	cmd.Args = exactly("the id of the " + what[strings.Index(what, " ")+1:])
	db, reason := changeFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		id, err := readID(args[0])
		if err != nil {
			return usagef("%q is no id of %s; ids are whole numbers above 0", args[0], what)
		}
		if err := oneLine("reason", *reason); err != nil {
			return err
		}
		e, err := decide(cmd.Context(), *db, id, *reason, a.now)
		if err != nil || e.ID == 0 {
			return err
		}
		return a.reportEntry(cmd.Context(), *db, e.ID)
	}
	return cmd
}

func changeFlags(cmd *cobra.Command) (db, reason *string) {
	db = cmd.Flags().String("db", "", "the snapshot `file` to change")
	reason = cmd.Flags().String("reason", "", "why, in one line: `text` that is kept")
	needs(cmd, "db", "reason")
	return db, reason
}

func productFlag(cmd *cobra.Command, to *int64) {
	addFlag(cmd, to, "product", "`id` of the canonical product (default: every product)", readID)
}

func readID(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id <= 0 {
		return 0, fmt.Errorf("%s is no id; ids are whole numbers above 0", text)
	}
	return id, nil
}

func oneLine(flag, reason string) error {
	switch {
	case strings.TrimSpace(reason) == "":
		return usagef("--%s is blank; say why, for those who read the entry later", flag)
	case strings.ContainsAny(reason, "\n\r"):
		return usagef("--%s %q has a line break; write it in one line", flag, reason)
	}
	return nil
}

// reportEntry says what an operator's change led to. The change is made by now,
// so an interruption does not stop the report.
func (a *app) reportEntry(ctx context.Context, db string, id int64) error {
	all, err := a.open(context.WithoutCancel(ctx), db, true)
	if err != nil {
		return fmt.Errorf("the change is made, but: %w", err)
	}
	entries := check.Entries(all.Panel, all.Rows, all.Quarantine)
	i := slices.IndexFunc(entries, func(x check.Entry) bool { return x.ID == id })
	if i < 0 {
		return fmt.Errorf("the change is made, but %s has been replaced since", db)
	}
	x := &entries[i]
	now := stateOf(x)
	if x.Released {
		now = "lifted"
	}
	fmt.Fprintf(a.stderr, "entry %d, %s, is %s: %s", id, x.Rule, now, describe(x))
	if !x.Released {
		fmt.Fprintf(a.stderr, "; it sets aside %s\nto let it go: larder quarantine lift %d --db %s --reason TEXT\n",
			phrase.Count(x.Quarantined(), "row"), id, db)
		return nil
	}
	fmt.Fprintf(a.stderr, "\nof its %s, pass again: %d; fail identity by title or size: %d; "+
		"held by other entries: %d\n",
		phrase.Count(x.Named(), "row"), x.Rows[panel.Pass], x.Rows[panel.FailsIdentity], x.Rows[panel.Quarantined])
	return nil
}

func stateOf(x *check.Entry) string {
	switch {
	case !x.WithdrawnAt.IsZero():
		return "withdrawn " + x.WithdrawnAt.UTC().Format(time.RFC3339)
	case x.Released:
		return "lifted"
	case !x.ConfirmedAt.IsZero():
		return "confirmed and in force"
	}
	return "in force"
}

func describe(x *check.Entry) string {
	if x.Listing != 0 {
		return printable(fmt.Sprintf("retailer product %d %q (%s) of %s, %s", x.Listing, x.Of.Name, x.Of.Product.Name,
			x.Of.Banner.Key, placeOf(x)))
	}
	text := "every listing"
	if x.Product != 0 {
		text += fmt.Sprintf(" of product %d %q", x.Product, x.Of.Product.Name)
	}
	if x.Banner != "" {
		text += " of " + x.Banner
	}
	return printable(text + ", " + placeOf(x))
}

func (a *app) quarantineListCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Print the entries, and how many rows each sets aside",
		Long: `Prints the entries of the quarantine by id: rule, what it is for, when it was found, how
many rows it sets aside now, and its evidence.`,
		Example: `  larder quarantine list
  larder quarantine list --db larder.db --all --format csv`,
	}
	db, format := a.dbFlag(cmd), formatFlag(cmd)
	lifted := cmd.Flags().Bool("all", false, "lifted and withdrawn entries too")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		all, err := a.open(cmd.Context(), *db, true)
		if err != nil {
			return err
		}
		entries := slices.DeleteFunc(check.Entries(all.Panel, all.Rows, all.Quarantine), func(x check.Entry) bool {
			return x.Released && !*lifted
		})
		if len(entries) == 0 {
			fmt.Fprintln(a.stderr, "larder: no entry matches; --all lists lifted and withdrawn ones too")
		}
		printEntries(a.stdout, *format, entries)
		return nil
	}
	return cmd
}

func printEntries(w *output, format string, entries []check.Entry) {
	if format == "table" {
		sheetOf(entries, func(x *check.Entry) []any {
			return []any{
				x.ID, x.Rule, orNil(x.Listing), orNil(x.Of.Name), orNil(x.Of.Product.Name), orNil(x.Of.Banner.Key),
				placeOf(x), x.FoundAt.UTC(), x.Quarantined(), stateOf(x), orNil(x.Reason),
			}
		}, ">id", "rule", ">listing", "name", "product", "banner", "where", "found", ">rows", "state",
			"evidence").print(w, "table")
		return
	}
	sheetOf(entries, func(x *check.Entry) []any {
		return []any{
			x.ID, x.Rule, orNil(x.Listing), orNil(x.Of.Name), orNil(x.Of.ProductID), orNil(x.Of.Product.Name),
			orNil(x.Of.Banner.Key), orNil(x.Store), orNil(x.Place), orNil(x.Observation), x.FoundAt.UTC(),
			x.Quarantined(), x.Released, orNil(x.Reason), orNil(x.From), orNil(x.To), orNil(x.WithdrawnAt),
			orNil(x.ConfirmedAt),
		}
	}, "id", "rule", "retailer_product_id", "retailer_name", "product_id", "product", "banner",
		"store_id", "city", "observation_id", "found_at", "rows", "released", "reason", "from", "to",
		"withdrawn_at", "confirmed_at").print(w, format)
}

func placeOf(x *check.Entry) string {
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

func (a *app) quarantineAddCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "add --db FILE [--listing ID] [--product ID] [--banner KEY] [--store ID] [--city CITY] [--from DATE] " +
			"[--to DATE] --reason TEXT",
		Short: "Set rows aside, by listing, product, banner, store, city and day",
		Long: `Adds an entry, by the rule "listed", for the rows that fit every flag that is given. An
entry for more than a listing, one of its stores or one of its rows says how many rows
it would set aside, and takes --yes to do so.`,
		Example: `  larder quarantine add --db larder.db --listing 117 --reason "juice, not apples"
  larder quarantine add --db larder.db --listing 117 --store 42 --reason "prices of a case"
  larder quarantine add --db larder.db --banner tern --from 2026-11-09 --to 2026-11-15 --reason "in cents" --yes`,
	}
	var x panel.Quarantine
	db, reason := changeFlags(cmd)
	f := cmd.Flags()
	addFlag(cmd, &x.Listing, "listing", "`id` of the listing (retailer product; default: every listing)", readID)
	productFlag(cmd, &x.Product)
	f.StringVar(&x.Banner, "banner", "", "a banner's `key` (default: every banner)")
	addFlag(cmd, &x.Store, "store", "`id` of the store (default: every store)", readID)
	cityFlag(cmd, &x.City, " (default: every city)")
	dateFlag(cmd, &x.From, "from", "first `date` of the rows, YYYY-MM-DD (default: the first row's)")
	dateFlag(cmd, &x.To, "to", "last `date` of the rows, YYYY-MM-DD (default: none, so later rows too)")
	addFlag(cmd, &x.Observation, "observation", "`id` of the one row meant, with its listing (default: all rows)",
		readID)
	yes := f.Bool("yes", false, "set aside more than a listing, one of its stores or one of its rows")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		x.Reason = *reason
		if x == (panel.Quarantine{Reason: x.Reason}) {
			return usagef("%s needs --listing, --product, --banner, --store, --city, --from or --to; for example:\n%s",
				cmd.CommandPath(), cmd.Example)
		}
		if err := x.Check(); err != nil {
			return usageError(err)
		}
		if err := oneLine("reason", x.Reason); err != nil {
			return err
		}
		if x.Listing == 0 || x.Product != 0 || x.Banner != "" || x.City != "" || x.From != 0 || x.To != 0 {
			if err := a.confirm(cmd, *db, &x, *yes); err != nil {
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
// its stores, or one of its rows. It is refused unless the answer is yes. The city gets its slug.
func (a *app) confirm(cmd *cobra.Command, db string, x *panel.Quarantine, yes bool) error {
	all, err := a.open(cmd.Context(), db, true)
	if err != nil {
		return err
	}
	if err := oneOf("banner", x.Banner, bannerKeys(all.Panel)); err != nil {
		return err
	}
	if err := findCity("city", &x.City, all.Panel.Cities(), citySlug); err != nil {
		return err
	}
	e := &check.Entries(all.Panel, all.Rows, []panel.Quarantine{*x})[0]
	fmt.Fprintf(a.stderr, "this sets aside %s (%s); %d of them pass now\n", phrase.Count(e.Named(), "row"), describe(e),
		e.Rows[panel.Pass])
	if !yes {
		return usagef("repeat the command with --yes to set these rows aside")
	}
	return nil
}
