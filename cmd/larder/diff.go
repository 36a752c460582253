package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/sqlite/releaselog"
)

func (a *app) diffCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "diff OLD NEXT",
		Short: "Compare what two snapshots publish, with the causes",
		Long: `Compares the published rows of two snapshots, over the weeks that have closed: every
cell that appears, moves or goes, by how much, and why: new_week, rows, quarantine,
reference, settings or method. The table has the largest changes and the number of
cells by cause; csv and json have every changed cell, as /api/v1/revisions. Standard
error says which rules stop a release of NEXT after OLD.`,
		Example: `  larder diff larder.db incoming.db
  larder diff larder.db incoming.db --format csv > changes.csv`,
		Args: exactly("the old snapshot", "the next snapshot"),
	}
	format := formatFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		old, next, err := a.bothSnapshots(cmd.Context(), args[0], args[1])
		if err != nil {
			return err
		}
		changes := release.Diff(old, next)
		printChanges(a.stdout, *format, changes, "", time.Time{})
		for _, stop := range wordStops(release.Stops(old, next, changes)) {
			printWarning(a.stderr, stop.warning("a release is stopped"))
		}
		return nil
	}
	return cmd
}

func (a *app) bothSnapshots(ctx context.Context, old, next string) (o, n *release.Snapshot, err error) {
	load := func(path string) (*release.Snapshot, error) {
		all, err := sqlite.LoadAll(ctx, path)
		if err != nil {
			return nil, err
		}
		return a.releasable(all)
	}
	var g errgroup.Group
	g.Go(func() (err error) { o, err = load(old); return err })
	g.Go(func() (err error) { n, err = load(next); return err })
	if err = g.Wait(); err == nil {
		a.warnInvented(n.Panel.About())
	}
	return o, n, err
}

// releasable returns a loaded snapshot with the table that it publishes by now.
func (a *app) releasable(all *sqlite.Contents) (*release.Snapshot, error) {
	table, err := a.table(all.Panel, nil, "v2", jevons.Options{})
	if err != nil {
		return nil, err
	}
	return releaselog.SnapshotOf(all, table, panel.GateVersion, jevons.MethodVersion), nil
}

// printChanges writes all changes as CSV or JSON, or the largest moves as a table. JSON has the
// id and the time of their release; an empty id is null.
func printChanges(w *output, format string, changes []release.Change, id string, at time.Time) {
	switch {
	case format == "json":
		printArray(w, changes, func(b []byte, c *release.Change) []byte { return release.AppendJSON(b, c, id, at) })
		return
	case format == "csv":
		sheetOf(changes, func(c *release.Change) []any { return mapped(c.CSV(), func(text string) any { return text }) },
			release.CSVColumns()...).print(w, "csv")
		return
	case len(changes) == 0:
		fmt.Fprintln(w, "no published cell changes")
		return
	}
	moves := slices.DeleteFunc(slices.Clone(changes), func(c release.Change) bool {
		return c.Old != nil && c.New != nil && c.Old.Index == c.New.Index
	})
	printFirst(w, 2*mostShown, moves, func(c *release.Change) []any {
		row := []any{c.Week, c.Cell, nil, nil, nil, c.CauseText(", ")}
		if c.Old != nil {
			row[2] = c.Old.Index
		}
		if c.New != nil {
			row[3] = c.New.Index
		}
		if c.Old != nil && c.New != nil {
			row[4] = panel.FixedOf(c.New.Index.Units - c.Old.Index.Units)
		}
		return row
	}, "week", "cell", ">old", ">new", ">moves by", "causes")
	if n := len(changes) - len(moves); n > 0 {
		fmt.Fprintf(w, "%s: the level stays, and other figures change\n", phrase.Count(n, "cell"))
	}
	for _, n := range release.CountCauses(changes) {
		fmt.Fprintf(w, "%s: %s", n.Cause, phrase.Count(n.Cells, "cell"))
		if n.Largest.Units != 0 {
			fmt.Fprintf(w, ", moved by up to %s points", n.Largest)
		}
		fmt.Fprintln(w)
	}
}
