package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"
	_ "golang.org/x/crypto/x509roots/fallback" // where the system has no certificates, as in a container from scratch

	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/jevons/releaselog"
	"github.com/larder-index/larder/panel/onefile"
	"github.com/larder-index/larder/panel/remote"
	"github.com/larder-index/larder/panel/sqlite"
)

// fetchFlags say how a server fetches a snapshot and a release log that are at an address.
type fetchFlags struct {
	cache    string
	poll     time.Duration
	limit    int // MiB
	insecure bool
}

func (f *fetchFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.cache, "cache", "", "the `folder` of the copies of what --db and --log fetch, one for each server (default: one in the user's cache)")
	flags.DurationVar(&f.poll, "poll", 10*time.Second, "the `time` between two looks at the addresses of --db and --log; it varies by a quarter")
	flags.IntVar(&f.limit, "fetch-limit", 8192, "the largest file that is fetched, a `number` of megabytes")
	flags.BoolVar(&f.insecure, "insecure-http", false, "fetch over plain http from other machines too")
}

// maxFetchLimit is the most MiB whose bytes fit an int64.
const maxFetchLimit int64 = 1<<43 - 1

// refuseAddresses fails where a command is given an address for a file, as by LARDER_DB of a
// server. Only serve takes those, and state copy takes databases. It does not repeat the
// address, which may hold a password.
func refuseAddresses(cmd *cobra.Command, args []string) error {
	switch cmd.CommandPath() {
	case "larder serve", "larder state copy":
		return nil
	}
	if slices.ContainsFunc(args, remote.IsAddress) {
		return usagef("%s takes no address, and only larder serve fetches files; download it and give its path", cmd.CommandPath())
	}
	for _, name := range []string{"db", "log", "live"} {
		if flag := cmd.Flags().Lookup(name); flag != nil && remote.IsAddress(flag.Value.String()) {
			return usagef("--%s is an address, and only larder serve fetches files; download it and give its path", name)
		}
	}
	return nil
}

// fetcher keeps the copies of the files that a server fetches.
type fetcher struct {
	files     []*remote.File // the release log first: it says which snapshot is released
	notes     []string       // for the person who starts the server
	snapshots *prepared.Snapshots
	log       *slog.Logger
	unlock    func()
}

// newFetcher replaces the addresses in db and releases by the paths of their copies. What is a
// path stays as it is.
func newFetcher(f fetchFlags, db, releases *string, now func() time.Time) (*fetcher, error) {
	x := &fetcher{unlock: func() {}}
	if !remote.IsAddress(*db) && !remote.IsAddress(*releases) {
		return x, nil
	}
	switch {
	case f.poll < time.Second:
		return nil, usagef("--poll %s is not a time from 1s", f.poll)
	case f.limit < 1 || int64(f.limit) > maxFetchLimit:
		return nil, usagef("--fetch-limit %d is not a number from 1 to %d", f.limit, maxFetchLimit)
	}
	o := remote.Options{Now: now, Every: f.poll, MaxBytes: int64(f.limit) << 20, Insecure: f.insecure}
	if f.cache == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, usagef("--cache is needed here: %v", err)
		}
		names := remote.NameOf(*db) + " " + remote.NameOf(*releases)
		f.cache = filepath.Join(cache, "larder", fmt.Sprintf("serve-%.6x", sha256.Sum256([]byte(names))))
	}
	add := func(flag, of, name string, address *string, o remote.Options) error {
		if !remote.IsAddress(*address) {
			return nil
		}
		path := filepath.Join(f.cache, name)
		file, err := remote.New(of, *address, path, o)
		if err != nil {
			return usagef("--%s: %v", flag, err)
		}
		x.files, *address = append(x.files, file), path
		return nil
	}
	withLog, logCopy := *releases != "", filepath.Join(f.cache, "releases.db")
	ofLog, ofDB := o, o
	ofLog.Check = func(_ context.Context, path string) error { return checkLog(path, logCopy) }
	ofDB.Check = func(_ context.Context, path string) error { _, err := sqlite.Check(path); return err }
	// A snapshot that goes live later must not take the place of the only copy of the live one.
	ofDB.Keep = func() bool { return withLog && x.snapshots.FileServed() }
	if err := cmp.Or(add("log", "release_log", "releases.db", releases, ofLog), add("db", "snapshot", "larder.db", db, ofDB)); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(f.cache, 0o700); err != nil {
		return nil, fmt.Errorf("--cache: %w", err)
	}
	unlock, err := onefile.Lock(filepath.Join(f.cache, "lock"), 0o600)
	if errors.Is(err, onefile.ErrHeld) {
		return nil, fmt.Errorf("--cache: another server uses %s; give each server a folder of its own", f.cache)
	}
	if err != nil {
		return nil, fmt.Errorf("--cache: %w", err)
	}
	x.unlock = unlock
	return x, nil
}

// checkLog verifies a fetched release log. It must begin with the releases of the copy.
func checkLog(path, kept string) error {
	var o releaselog.VerifyOptions
	if log, err := releaselog.Open(kept); err == nil {
		if head := log.Checkpoint(); head != nil {
			o.Checkpoints = []string{string(head)}
		}
	}
	_, err := releaselog.Verify(path, o)
	return err
}

// startWait is how long a start waits for the first fetch of each file. What has not come by then
// comes while the server runs.
const startWait = 15 * time.Second

// start serves the copies that are there, and then what is new at the addresses.
func (x *fetcher) start(ctx context.Context, snapshots *prepared.Snapshots, log *slog.Logger) error {
	x.snapshots, x.log = snapshots, log
	copies := 0
	for _, f := range x.files {
		kept, err := f.DropDamaged(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s := f.Status()
		if kept {
			copies++
		}
		if err != nil {
			log.LogAttrs(ctx, slog.LevelError, "copy dropped", slog.String("of", s.Of), slog.String("error", err.Error()))
		}
		defer func() {
			if s := f.Status(); s.Err != nil && kept {
				x.notes = append(x.notes, s.Address+" can't be fetched; the copy from before is used")
			} else if s.Err != nil {
				x.notes = append(x.notes, s.Address+" can't be fetched, and there is no copy from before")
			}
		}()
	}
	if len(x.files) > 0 && copies == len(x.files) {
		snapshots.Look(ctx, log, false)
	}
	for _, f := range x.files {
		before := f.Status()
		limited, cancel := context.WithTimeoutCause(ctx, startWait, fmt.Errorf("it took longer than %s; it goes on", startWait))
		changed, _ := f.Fetch(limited)
		cancel()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		x.report(ctx, f, before, changed)
	}
	return nil
}

// follow fetches what is new until the function that it returns is called.
func (x *fetcher) follow(ctx context.Context) (wait func()) {
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	for _, f := range x.files {
		all.Go(func() {
			f.Follow(ctx, pause, func(before remote.Status, changed bool) { x.report(ctx, f, before, changed) })
		})
	}
	return func() { cancel(); all.Wait() }
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// report logs what is new since the fetch before: another file, a fault, its end.
func (x *fetcher) report(ctx context.Context, f *remote.File, before remote.Status, changed bool) {
	s := f.Status()
	attrs := []slog.Attr{slog.String("of", s.Of), slog.String("address", s.Address)}
	switch {
	case s.Err != nil && (before.Err == nil || before.Err.Error() != s.Err.Error()):
		x.log.LogAttrs(ctx, slog.LevelError, "fetch failed", append(attrs, slog.String("error", s.Err.Error()))...)
	case changed:
		x.log.LogAttrs(ctx, slog.LevelInfo, "fetched", attrs...)
	case s.Err == nil && before.Err != nil:
		x.log.LogAttrs(ctx, slog.LevelInfo, "address can be reached again", attrs...)
	}
}
