package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
)

// dbFlag adds --db to a command that reads a snapshot.
func dbFlag(cmd *cobra.Command, db *string) {
	cmd.Flags().StringVar(db, "db", "", "the snapshot `file` (default: the demo snapshot)")
}

// openPanel loads what the index needs of a snapshot. It returns the time at
// which the command runs too. Without a name it loads the demo snapshot.
func (a *app) openPanel(ctx context.Context, db string) (*panel.Panel, time.Time, error) {
	p, now, err := openWith(ctx, a, db, sqlite.Load)
	if err == nil {
		a.warnInvented(p.About())
	}
	return p, now, err
}

// openContents loads the whole snapshot.
func (a *app) openContents(ctx context.Context, db string) (*sqlite.Contents, time.Time, error) {
	all, now, err := openWith(ctx, a, db, sqlite.LoadAll)
	if err == nil {
		a.warnInvented(all.Panel.About())
	}
	return all, now, err
}

// warnInvented says that the prices are invented, if they are.
func (a *app) warnInvented(about *panel.About) {
	if notice := about.Notice(); notice != "" {
		fmt.Fprintln(a.stderr, "larder:", notice)
	}
}

// sayCredit names the source and the publisher, if the snapshot does.
func (a *app) sayCredit(about *panel.About) {
	if credit := about.Credit(); credit != "" {
		fmt.Fprintln(a.stderr, "larder:", printable(credit))
	}
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

// spareCollector turns the garbage collector off for a snapshot of ordinary
// size. The command ends before its garbage outgrows the snapshot, and each
// collection costs milliseconds.
func spareCollector(db string) {
	const ordinary = 256 << 20
	if info, err := os.Stat(db); err == nil && info.Size() <= ordinary {
		debug.SetGCPercent(-1)
	}
}

// snapshotPath returns the file to read: db or, without one, the demo snapshot.
func (a *app) snapshotPath(ctx context.Context, db string, now time.Time) (string, error) {
	if db != "" {
		return db, nil
	}
	return a.demoSnapshot(ctx, panel.DateIn(now, panel.Toronto))
}

// table returns the rows that the series has published by now. It says so when the
// options are not those of the published method.
func (a *app) table(p *panel.Panel, series string, now time.Time, o jevons.Options) (*jevons.Table, error) {
	if series == "v1" {
		if o != (jevons.Options{}) {
			return nil, usagef("--series v1: rows of the pilot series are stored, so --trim and --floor can't change them")
		}
		return jevons.Pilot(p), nil
	}
	o.Through = panel.LastClosed(now)
	a.sayMethod(o.Method())
	return jevons.Compute(p, o)
}

// demoSnapshot returns the path of the demo snapshot through the given day, in
// the user's cache. The first call of a day makes it and removes old ones.
func (a *app) demoSnapshot(ctx context.Context, through panel.Date) (string, error) {
	dir, err := a.demoDir()
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("demo-%d.%d-%s.db", sqlite.SchemaVersion, synth.Version, through)
	path := filepath.Join(dir, name)
	if _, err := sqlite.Check(path); err == nil {
		return path, nil
	}
	fmt.Fprintf(a.stderr, "larder: no --db: using a demo snapshot through %s, in %s\n", through, dir)
	// Made aside, so that two commands started at once don't meet.
	aside, err := os.MkdirTemp(dir, asidePrefix+"*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(aside)
	made := filepath.Join(aside, name)
	if _, err := writeDemo(ctx, made, synth.Config{Through: through}, nil); err != nil {
		return "", fmt.Errorf("making the demo snapshot: %w", err)
	}
	if err := atomicfile.Replace(made, path); err != nil {
		return "", err
	}
	return path, a.removeOldDemos(dir, name)
}

// asidePrefix begins the names of folders in which demo snapshots are made.
const asidePrefix = ".new-"

// demoDir returns the folder of demo snapshots: the user's cache or, if that
// can't be written, the folder for temporary files.
func (a *app) demoDir() (string, error) {
	if cache, err := os.UserCacheDir(); err == nil {
		dir := filepath.Join(cache, "larder")
		if err := os.MkdirAll(dir, 0o755); err == nil {
			return dir, nil
		}
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("larder-%d", os.Getuid()))
	return dir, os.MkdirAll(dir, 0o700)
}

// removeOldDemos removes the demo snapshots of other days and the leavings of
// killed commands. It spares those of the last 24 hours: another command may be
// about to read one.
func (a *app) removeOldDemos(dir, keep string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		demo := strings.HasPrefix(name, "demo-") && strings.HasSuffix(name, ".db") && name != keep
		killed := strings.HasPrefix(name, asidePrefix)
		if !demo && !killed {
			continue
		}
		info, err := e.Info()
		if err != nil || time.Since(info.ModTime()) < 24*time.Hour {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}
