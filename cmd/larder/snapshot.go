package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
)

// open loads a snapshot, the demo snapshot without a name. Without rows it loads the panel alone, which takes less.
func (a *app) open(ctx context.Context, db string, rows bool) (*sqlite.Contents, error) {
	db, err := a.snapshotPath(ctx, db)
	if err != nil {
		return nil, err
	}
	// The command ends before its garbage outgrows a snapshot of ordinary size, and each
	// collection costs milliseconds.
	const ordinary = 256 << 20
	if info, err := os.Stat(db); err == nil && info.Size() <= ordinary {
		debug.SetGCPercent(-1)
	}
	all := &sqlite.Contents{}
	if rows {
		all, err = sqlite.LoadAll(ctx, db)
	} else {
		all.Panel, err = sqlite.Load(ctx, db)
	}
	if err == nil {
		a.warnInvented(all.Panel.About())
	}
	return all, err
}

func (a *app) warnInvented(about *panel.About) {
	if notice := about.Notice(); notice != "" {
		fmt.Fprintln(a.stderr, "larder:", notice)
		a.stdout.synthetic = true
	}
}

func (a *app) sayCredit(about *panel.About) {
	if credit := about.Credit(); credit != "" {
		fmt.Fprintln(a.stderr, "larder:", printable(credit))
	}
}

// snapshotPath returns the file to read: db or, without one, the demo snapshot. It refuses the demo where nobody
// asked for it and its prices would be kept.
func (a *app) snapshotPath(ctx context.Context, db string) (string, error) {
	if db != "" {
		return db, nil
	}
	if a.kept && !a.demo {
		return "",
			usagef("without --db the prices are invented, and they would go into a file or pipe; name your snapshot " +
				"with --db, or say --demo if they are meant")
	}
	return a.demoSnapshot(ctx, panel.Calendar{}.DateIn(a.now))
}

// table returns the rows that a series has published by now: v1, v2 or the companion, which
// needs the rows. It says so when they are no published figures.
func (a *app) table(p *panel.Panel, rows *panel.Rows, series string, quality bool) (*jevons.Table, error) {
	o := jevons.Options{Through: p.Calendar().LastClosed(a.now), Quality: quality}
	switch series {
	case "v1":
		return jevons.Pilot(p), nil
	case jevons.RegularSeries:
		fmt.Fprintf(a.stderr, "larder: companion series %q; never splice it into the published series\n", series)
		return jevons.Regular(p, rows, o)
	}
	return jevons.Compute(p, o)
}

// demoSnapshot returns the path of the demo snapshot through the given day, in
// the user's cache. The first call of a day makes it and removes old ones.
func (a *app) demoSnapshot(ctx context.Context, through panel.Date) (string, error) {
	dir, err := demoDir()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, fmt.Sprintf("demo-%d.%d-%s.db", sqlite.SchemaVersion, synth.Version, through))
	if _, err := sqlite.Check(path); err == nil {
		return path, nil
	}
	fmt.Fprintf(a.stderr, "larder: no --db: using a demo snapshot through %s, in %s\n", through, dir)
	// Made aside, so that two commands started at once don't meet.
	aside, err := os.MkdirTemp(dir, "demo-new-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(aside)
	made := filepath.Join(aside, "larder.db")
	if _, err := writeDemo(ctx, made, synth.Config{Through: through}, nil); err != nil {
		return "", fmt.Errorf("making the demo snapshot: %w", err)
	}
	if err := atomicfile.Replace(made, path); err != nil {
		return "", err
	}
	// Those of the last day are spared: another command may be about to read one.
	old, _ := filepath.Glob(filepath.Join(dir, "demo-*"))
	for _, name := range old {
		if info, err := os.Stat(name); err == nil && name != path && time.Since(info.ModTime()) > 24*time.Hour {
			os.RemoveAll(name) //nolint:errcheck // it is tried again
		}
	}
	return path, nil
}

// demoDir returns the folder of demo snapshots: the user's cache or, if that
// can't be written, the folder for temporary files.
func demoDir() (string, error) {
	cache, err := os.UserCacheDir()
	dir := filepath.Join(cache, "larder")
	if err != nil || os.MkdirAll(dir, 0o755) != nil {
		dir = filepath.Join(os.TempDir(), fmt.Sprintf("larder-%d", os.Getuid()))
	}
	return dir, os.MkdirAll(dir, 0o700)
}
