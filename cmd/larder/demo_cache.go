package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
)

// demoSnapshot returns the path of the demo snapshot through the given day. It
// is made when it is not there yet, in the user's cache; old ones of other days
// go then.
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
	fmt.Fprintf(a.stderr, "larder: no --db: using a demo snapshot of made-up prices through %s, in %s\n", through, dir)
	// Built aside, so that two commands started at once don't meet.
	aside, err := os.MkdirTemp(dir, asidePrefix+"*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(aside)
	made := filepath.Join(aside, name)
	if _, err := writeDemo(ctx, made, synth.Config{Through: through}, nil); err != nil {
		return "", fmt.Errorf("making the demo snapshot: %w", err)
	}
	if err := os.Rename(made, path); err != nil {
		return "", err
	}
	return path, a.removeOldDemos(dir, name)
}

// asidePrefix begins the names of folders in which demo snapshots are made.
const asidePrefix = ".new-"

// demoDir returns the folder for the demo snapshot: the user's cache or, where
// there is none to write to, the folder for temporary files.
func (a *app) demoDir() (string, error) {
	if cache, err := a.cacheDir(); err == nil {
		dir := filepath.Join(cache, "larder")
		if err := os.MkdirAll(dir, 0o755); err == nil {
			return dir, nil
		}
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("larder-%d", os.Getuid()))
	return dir, os.MkdirAll(dir, 0o700)
}

// removeOldDemos removes the demo snapshots of other days, and what killed
// commands left, but for those of the last day: another command may be about to
// read one.
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
		if err != nil || a.now().Sub(info.ModTime()) < 24*time.Hour {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}
