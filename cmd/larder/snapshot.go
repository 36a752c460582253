package main

import (
	"context"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

// dbFlag adds --db to a command that reads a snapshot.
func dbFlag(cmd *cobra.Command, db *string) {
	cmd.Flags().StringVar(db, "db", "", "the snapshot `file` (default: the demo snapshot)")
}

// openPanel loads what the index needs of a snapshot, or of the demo snapshot
// when none is named, and tells the time that the command runs at.
func (a *app) openPanel(ctx context.Context, db string) (*panel.Panel, time.Time, error) {
	return openWith(ctx, a, db, sqlite.Load)
}

// openContents loads all of it.
func (a *app) openContents(ctx context.Context, db string) (*sqlite.Contents, time.Time, error) {
	return openWith(ctx, a, db, sqlite.LoadAll)
}

func openWith[T any](ctx context.Context, a *app, db string, load func(context.Context, string) (*T, error)) (*T, time.Time, error) {
	now, err := a.clock()
	if err != nil {
		return nil, now, err
	}
	if db, err = a.snapshotPath(ctx, db, now); err != nil {
		return nil, now, err
	}
	spareCollector(db)
	all, err := load(ctx, db)
	return all, now, err
}

// spareCollector turns the garbage collector off for a command that reads a
// snapshot of ordinary size: it ends before the garbage amounts to much more
// than the snapshot itself, and a collection in its midst costs milliseconds.
func spareCollector(db string) {
	const ordinary = 256 << 20
	if info, err := os.Stat(db); err == nil && info.Size() <= ordinary {
		debug.SetGCPercent(-1)
	}
}

// snapshotPath returns the file to read: the one named, or the demo snapshot,
// made first when it is not there yet.
func (a *app) snapshotPath(ctx context.Context, db string, now time.Time) (string, error) {
	if db != "" {
		return db, nil
	}
	return a.demoSnapshot(ctx, panel.DateIn(now, panel.Toronto))
}

// table returns the rows of the series that are published by now.
func (a *app) table(p *panel.Panel, series string, now time.Time) (*jevons.Table, error) {
	if series == "v1" {
		return jevons.Pilot(p), nil
	}
	return jevons.Compute(p, jevons.Options{Through: panel.LastClosed(now)})
}
