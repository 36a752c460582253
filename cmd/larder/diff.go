package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

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
		old, next, err := a.bothSnapshots(cmd.Context(), args[0], args[1])
		if err != nil {
			return err
		}
		changes := release.Diff(old, next)
		printChanges(a.stdout, *format, next, changes, release.NewWire(next.Panel.About()), "", time.Time{})
		for _, w := range warningsOfRules(release.Findings(old, next, changes), "a release is stopped") {
			printWarning(a.stderr, w)
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
	table, err := a.table(all.Panel, nil, "v2", false)
	if err != nil {
		return nil, err
	}
	return releaselog.SnapshotOf(all, table, panel.GateVersion, jevons.MethodVersion), nil
}

// The rows of each kind that a screen has.
const (
	moversShown    = 10
	revisedShown   = 5
	withdrawnShown = 3
	partsShown     = 3
)

// printChanges writes all changes as CSV or JSON, or the largest of each kind as a table. JSON has the
// id and the time of their release; an empty id is null. With the next snapshot, cells of new weeks have
// their usual range and their contributions.
func printChanges(w *output, format string, next *release.Snapshot, changes []release.Change, wire *release.Wire,
	id string, at time.Time) {
	if format == "csv" {
		sheetOf(changes, func(c *release.Change) []any {
			return mapped(wire.CSV(c), func(text string) any { return text })
		}, wire.CSVColumns()...).print(w, "csv")
		return
	}
	movers, revised, withdrawn := release.Look(next, changes)
	if format == "json" {
		printArray(w, changesJSON(next != nil, wire, movers, revised, withdrawn, id, at),
			func(b []byte, row *json.RawMessage) []byte { return append(b, *row...) })
		return
	}
	if len(changes) == 0 {
		fmt.Fprintln(w, "no published cell changes")
		return
	}
	old := func(c *release.Change) []any {
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
	}
	if len(movers) > 0 {
		printFirst(w, moversShown, movers, func(m *release.Mover) []any {
			usual := ""
			if m.Low.Valid {
				usual = fmt.Sprintf("%+.2f to %+.2f", m.Low.Float64(), m.High.Float64())
			}
			parts := mapped(m.Parts[:min(len(m.Parts), partsShown)], func(p jevons.Part) string {
				return fmt.Sprintf("%s %+.2f", partName(next.Panel, &p), p.WoW.Float64())
			})
			return []any{m.Week, m.Cell, m.New.Index, m.New.WoW, orNil(usual), orNil(strings.Join(parts, ", "))}
		}, "new week", "cell", ">level", ">change %", ">usual", "of it, points")
	}
	for _, x := range []struct {
		name string
		most int
		list []*release.Change
	}{{"revised", revisedShown, revised}, {"withdrawn", withdrawnShown, withdrawn}} {
		moves := slices.DeleteFunc(slices.Clone(x.list),
			func(c *release.Change) bool { return c.Old != nil && c.New != nil && c.Move() == 0 })
		if len(moves) > 0 {
			printFirst(w, x.most, moves, func(c **release.Change) []any { return old(*c) }, x.name, "cell", ">old",
				">new", ">moves by", "causes")
		}
		if n := len(x.list) - len(moves); n > 0 {
			fmt.Fprintf(w, "%s: the level stays, and other figures change\n", phrase.Count(n, "cell"))
		}
	}
	for _, n := range release.CountCauses(changes) {
		fmt.Fprintf(w, "%s: %s", n.Cause, phrase.Count(n.Cells, "cell"))
		if n.Largest.Units != 0 {
			fmt.Fprintf(w, ", moved by up to %s points", n.Largest)
		}
		fmt.Fprintln(w)
	}
}

// partName names the product or the category of a part.
func partName(p *panel.Panel, part *jevons.Part) string {
	if i, ok := p.ProductAt(part.Product); ok && part.Product != 0 {
		return p.Products()[i].Name
	}
	return part.Category.String()
}

// changesJSON returns changes as rows of /api/v1/revisions. If they are looked at before their release,
// those of new weeks have their usual range and contributions too.
func changesJSON(look bool, wire *release.Wire, movers []release.Mover, revised, withdrawn []*release.Change,
	id string, at time.Time) []json.RawMessage {
	rows := []json.RawMessage{}
	for i := range movers {
		m := &movers[i]
		b := wire.AppendJSON(nil, m.Change, id, at)
		if look {
			b = fmt.Appendf(b[:len(b)-1], `,"usual_low":%s,"usual_high":%s,"contributions":[`, appendJSON(nil, m.Low),
				appendJSON(nil, m.High))
			for k, p := range m.Parts {
				b = fmt.Appendf(append(b, ","[:min(k, 1)]...), `{"category":%q,"product_id":%s,"pct_change_wow":%s}`,
					p.Category, appendJSON(nil, orNil(p.Product)), appendJSON(nil, p.WoW))
			}
			b = append(b, "]}"...)
		}
		rows = append(rows, b)
	}
	for _, c := range slices.Concat(revised, withdrawn) {
		rows = append(rows, wire.AppendJSON(nil, c, id, at))
	}
	return rows
}
