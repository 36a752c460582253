package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/check"
	"github.com/larder-index/larder/panel/sqlite"
)

func (a *app) quarantineCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "quarantine",
		Short: "List, add and release what the quality gate sets aside",
		Long: `The quarantine of a snapshot says which rows are set aside, and why: those of a
listing at every store, at one store, or a single row, or those of a product, a
banner, a store, a city, some days. Import derives most of the entries; these
commands add others and release any of them. No entry is ever
deleted: a released one stays, with when and why it was let go, is not derived
again, and keeps all of that through export and import.`,
		Example: `  larder quarantine list
  larder quarantine add --db larder.db --listing 117 --reason "juice, not apples"
  larder quarantine release 8 --db larder.db --reason "checked: it is the apple"`,
	}, a.quarantineListCommand(), a.quarantineAddCommand(), a.quarantineReleaseCommand())
}

func (a *app) quarantineReleaseCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "release ID --db FILE --reason TEXT",
		Short: "Let an entry go",
		Long: `Releases an entry, by its id as "larder quarantine list" shows it: it sets
nothing aside any more and is not derived again. When and why is added to its
reason. Ids are those of this snapshot; an export does not carry them.`,
		Example: `  larder quarantine release 8 --db larder.db --reason "checked: it is the apple"`,
		Args:    exactly("the id of the entry"),
	}
	db, reason := changeFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		id, err := readID(args[0])
		if err != nil {
			return usagef("%q is no id of an entry; ids are whole numbers above 0", args[0])
		}
		if err := oneLine("reason", *reason); err != nil {
			return err
		}
		if _, err := sqlite.Release(cmd.Context(), *db, id, *reason, a.now); err != nil {
			return err
		}
		return a.reportEntry(cmd.Context(), *db, id)
	}
	return cmd
}

// changeFlags adds the flags of a command that changes the quarantine.
func changeFlags(cmd *cobra.Command) (db, reason *string) {
	db = cmd.Flags().String("db", "", "the snapshot `file` to change")
	reason = cmd.Flags().String("reason", "", "why, in one line: `text` that is kept with the entry")
	needs(cmd, "db", "reason")
	return db, reason
}

// readID reads a whole number above 0.
func readID(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id <= 0 {
		return 0, fmt.Errorf("%s is no id; ids are whole numbers above 0", text)
	}
	return id, nil
}

// oneLine fails when the reason in a flag is blank or of several lines.
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
	all, err := a.openAll(context.WithoutCancel(ctx), db)
	if err != nil {
		return fmt.Errorf("the change is made, but: %w", err)
	}
	entries := check.Asides(all.Panel, all.Rows, all.Quarantine)
	i := slices.IndexFunc(entries, func(x check.Aside) bool { return x.ID == id })
	if i < 0 {
		return fmt.Errorf("the change is made, but %s has been replaced since", db)
	}
	x := &entries[i]
	what := describe(x)
	if !x.Released {
		fmt.Fprintf(a.stderr, "entry %d, %s, is in force: %s; it sets aside %s\n", id, x.Rule, what, phrase.Count(x.Held(), "row"))
		fmt.Fprintf(a.stderr, "to let it go: larder quarantine release %d --db %s --reason TEXT\n", id, db)
		return nil
	}
	fmt.Fprintf(a.stderr, "entry %d, %s, is released: %s\n", id, x.Rule, what)
	fmt.Fprintf(a.stderr, "of its %s, pass again: %d; fail identity by title or size: %d; held by other entries: %d\n",
		phrase.Count(x.Named(), "row"), x.Rows[panel.Pass], x.Rows[panel.FailsIdentity], x.Rows[panel.Quarantined])
	for i := range entries {
		if other := &entries[i]; x.Listing != 0 && other.Listing == x.Listing && other.Held() > 0 {
			fmt.Fprintf(a.stderr, "entry %d, %s, still sets aside %s of this listing, at %s\n",
				other.ID, other.Rule, phrase.Count(other.Held(), "row"), placeOf(other))
		}
	}
	return nil
}

// describe says in words which rows an entry names.
func describe(x *check.Aside) string {
	if x.Listing != 0 {
		return printable(fmt.Sprintf("retailer product %d %q (%s) of %s, %s", x.Listing, x.Sold.Name, x.Sold.Product.Name, x.Sold.Banner.Key, placeOf(x)))
	}
	text := "every listing"
	if x.Product != 0 {
		text += fmt.Sprintf(" of product %d %q", x.Product, x.Sold.Product.Name)
	}
	if x.Banner != "" {
		text += " of " + x.Banner
	}
	return printable(text + ", " + placeOf(x))
}
