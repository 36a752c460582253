package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/jevons/release/log"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

func (a *app) diffCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "diff OLD NEXT",
		Short: "Compare what two snapshots publish, with the causes",
		Long: `Compares the published rows of two snapshots, over the weeks that have closed: every
cell that appears, moves or goes, by how much, and why. The table has the largest
changes; csv and json have all, as /api/v1/revisions. Standard error says which rules
stop a release of NEXT after OLD, and warns.`,
		Example: `  larder diff larder.db incoming.db
  larder diff larder.db incoming.db --format csv > changes.csv`,
		Args: exactly("the old snapshot", "the next snapshot"),
	}
	format := formatFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var both [2]*release.Snapshot
		for i, path := range args {
			all, err := sqlite.LoadAll(cmd.Context(), path)
			if err == nil {
				both[i], err = a.releasable(all)
			}
			if err != nil {
				return err
			}
		}
		old, next := both[0], both[1]
		a.warnInvented(next.Panel.About())
		changes := release.Diff(old, next)
		printChanges(a.stdout, *format, changes, release.NewWire(next.Panel.About()), "", time.Time{})
		for _, w := range warningsOfRules(release.Findings(old, next, changes), "a release is stopped") {
			printWarning(a.stderr, w)
		}
		return nil
	}
	return cmd
}

// releasable returns a loaded snapshot with the table that it publishes by now.
func (a *app) releasable(all *sqlite.Contents) (*release.Snapshot, error) {
	table, err := a.table(all.Panel, nil, "v2", false)
	if err != nil {
		return nil, err
	}
	return releaselog.SnapshotOf(all, table, panel.GateVersion, jevons.MethodVersion), nil
}

// The rows of each kind that a screen has.
const (
	newShown       = 10
	revisedShown   = 5
	withdrawnShown = 3
)

// printChanges writes all changes as CSV or JSON, or the largest of each kind as a table. JSON has the
// id and the time of their release; an empty id is null.
func printChanges(w *output, format string, changes []release.Change, wire *release.Wire, id string, at time.Time) {
	switch format {
	case "csv":
		columns, _ := wire.CSV(&release.Change{})
		sheetOf(changes, func(c *release.Change) []any {
			_, cells := wire.CSV(c)
			return mapped(cells, func(text string) any { return text })
		}, columns...).print(w, "csv")
		return
	case "json":
		printArray(w, changes, func(b []byte, c *release.Change) []byte { return wire.AppendJSON(b, c, id, at) })
		return
	}
	var fresh, revised, withdrawn []release.Change
	for _, c := range changes {
		switch {
		case c.Old == nil:
			fresh = append(fresh, c)
		case c.New == nil:
			withdrawn = append(withdrawn, c)
		case c.Move() != 0:
			revised = append(revised, c)
		}
	}
	slices.SortStableFunc(fresh, func(a, b release.Change) int {
		return cmp.Compare(math.Abs(b.New.WoW.Float64()), math.Abs(a.New.WoW.Float64()))
	})
	if len(fresh) > 0 {
		printFirst(w, newShown, fresh, func(c *release.Change) []any {
			return []any{c.Week, c.Cell, c.New.Index, c.New.WoW, c.CauseText(", ")}
		}, "new", "cell", ">level", ">change %", "causes")
	}
	if len(revised) > 0 {
		printFirst(w, revisedShown, revised, func(c *release.Change) []any {
			moved := panel.FixedOf(c.New.Index.Units - c.Old.Index.Units)
			return []any{c.Week, c.Cell, c.Old.Index, c.New.Index, moved, c.CauseText(", ")}
		}, "revised", "cell", ">old", ">new", ">moves by", "causes")
	}
	if len(withdrawn) > 0 {
		printFirst(w, withdrawnShown, withdrawn, func(c *release.Change) []any {
			return []any{c.Week, c.Cell, c.Old.Index, c.CauseText(", ")}
		}, "withdrawn", "cell", ">level", "causes")
	}
	switch n := len(changes) - len(fresh) - len(revised) - len(withdrawn); {
	case len(changes) == 0:
		fmt.Fprintln(w, "no published cell changes")
	case n > 0:
		fmt.Fprintf(w, "%s: the level stays, and other figures change\n", phrase.Count(n, "cell"))
	}
}
