package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

// addition holds the arguments of "larder quarantine add".
type addition struct {
	panel.Quarantine
	from, to string
	yes      bool
}

func (a *app) quarantineAddCommand() *cobra.Command {
	var (
		db  string
		add addition
	)
	cmd := &cobra.Command{
		Use:   "add --db FILE [--listing ID] [--product ID] [--banner KEY] [--store ID] [--city SLUG] [--from DATE] [--to DATE] --reason TEXT",
		Short: "Set rows aside, by listing, product, banner, store, city and day",
		Long: `Adds an entry, by the rule "listed", for the rows that fit every flag that is
given: those of a listing (a retailer product), a product, a banner, a store or a
city, from a first to a last day in Toronto. With a listing alone, or with its
store or one of its rows, the entry is made at once. With any other flags the
command first says how many rows the entry sets aside, and asks; --yes answers.

Rows of the past are set aside with the others, so the index is restated. It is
one entry, and "larder quarantine release" with its id lets all of it go. An
entry for the same that was released is put back, and its reason says so.

The snapshot is replaced as a whole, as by import, and not while an import into
it runs.`,
		Example: `  larder quarantine add --db larder.db --listing 117 --reason "juice, not apples"
  larder quarantine add --db larder.db --listing 117 --store 42 --reason "prices of a case"
  larder quarantine add --db larder.db --banner tern --from 2026-11-09 --to 2026-11-15 --reason "in cents" --yes`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := required(cmd, "db", db); err != nil {
				return err
			}
			if err := add.check(cmd); err != nil {
				return err
			}
			now, err := a.clock()
			if err != nil {
				return err
			}
			if add.wide() {
				if err := a.confirm(cmd, db, &add); err != nil {
					return err
				}
			}
			e, err := sqlite.SetAside(cmd.Context(), db, add.Quarantine, now)
			if err != nil {
				return err
			}
			return a.reportEntry(cmd.Context(), db, e.ID)
		},
	}
	f := cmd.Flags()
	f.StringVar(&db, "db", "", "the snapshot `file` to change")
	f.Int64Var(&add.Listing, "listing", 0, "`id` of the listing (retailer product; default: every listing)")
	f.IntVar(&add.Product, "product", 0, "`id` of the canonical product (default: every product)")
	f.StringVar(&add.Banner, "banner", "", "a banner's `key` (default: every banner)")
	f.Int64Var(&add.Store, "store", 0, "`id` of the store (default: every store)")
	f.StringVar(&add.City, "city", "", "a city's `slug` (default: every city)")
	f.StringVar(&add.from, "from", "", "first `date` in Toronto, YYYY-MM-DD (default: the first row's)")
	f.StringVar(&add.to, "to", "", "last `date` in Toronto, YYYY-MM-DD (default: none, so later rows too)")
	f.Int64Var(&add.Observation, "observation", 0, "`id` of the one row meant, with its listing (default: all rows)")
	f.StringVar(&add.Reason, "reason", "", "why, in one line: `text` that is kept with the entry")
	f.BoolVar(&add.yes, "yes", false, "do not ask")
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "mapping" { // the old name of the flag
			name = "listing"
		}
		return pflag.NormalizedName(name)
	})
	return cmd
}

// check fails on flags that make no entry, and reads the dates.
func (x *addition) check(cmd *cobra.Command) error {
	given := 0
	for _, id := range []struct {
		flag  string
		value int64
	}{{"listing", x.Listing}, {"product", int64(x.Product)}, {"store", x.Store}, {"observation", x.Observation}} {
		if cmd.Flags().Changed(id.flag) {
			given++
			if id.value <= 0 {
				return usagef("--%s %d is no id; ids are whole numbers above 0", id.flag, id.value)
			}
		}
	}
	for _, text := range []string{x.Banner, x.City, x.from, x.to} {
		if text != "" {
			given++
		}
	}
	if given == 0 {
		return usagef("%s needs --listing, --product, --banner, --store, --city, --from or --to; for example:\n%s", cmd.CommandPath(), cmd.Example)
	}
	var err error
	if x.From, err = dateFlag("from", x.from); err != nil {
		return err
	}
	if x.To, err = dateFlag("to", x.to); err != nil {
		return err
	}
	if err := x.Check(); err != nil {
		return usageError(err)
	}
	return checkReason(cmd, x.Reason)
}

// wide reports whether the entry may be for more than a listing, one of its
// stores, or one of its rows.
func (x *addition) wide() bool {
	return x.Listing == 0 || x.Product != 0 || x.Banner != "" || x.City != "" || x.From != 0 || x.To != 0
}

// confirm says how many rows the entry sets aside, and asks unless --yes is given.
func (a *app) confirm(cmd *cobra.Command, db string, x *addition) error {
	all, _, err := a.openContents(cmd.Context(), db)
	if err != nil {
		return err
	}
	if err := oneOfOrNone("banner", x.Banner, bannerKeys(all.Panel)); err != nil {
		return err
	}
	var slugs []string
	for _, c := range all.Panel.Cities() {
		slugs = append(slugs, c.Slug)
	}
	if err := oneOfOrNone("city", x.City, slugs); err != nil {
		return err
	}
	e := &panel.Asides(all.Panel, all.Rows, []panel.Quarantine{x.Quarantine})[0]
	fmt.Fprintf(a.stderr, "this sets aside %s (%s); %d of them pass now\n", phrase.Count(e.Named(), "row"), describe(e), e.Rows[panel.Pass])
	if x.yes {
		return nil
	}
	in, ok := cmd.InOrStdin().(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return usagef("no terminal to ask on; repeat the command with --yes to set these rows aside")
	}
	fmt.Fprint(a.stderr, "Set them aside? [y/N] ")
	answer, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if answer := strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return errors.New("not confirmed; nothing was changed")
	}
	return nil
}
