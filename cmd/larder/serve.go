package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/figure"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/state"
)

// serveFlags holds the flags of larder serve.
type serveFlags struct {
	httpapi.Config
	httpapi.Timeouts
	db, log, state, addr, adminAddr *string
}

func (a *app) serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve [--db FILE]",
		Short: "Serve the index, prices, shrinkflation and shopping comparisons over HTTP",
		Long: `Serves a snapshot: the index, prices and shrinkflation to holders of licence
keys, comparisons of shopping lists to anybody, and health and metrics to
operators on an address of their own. The snapshot file is looked at every two
seconds, and on SIGHUP: one that replaces it is verified and served from then
on; one that can't be verified is refused, and the old one is served on. A file
that is not there yet is waited for.

With --log only a snapshot that "larder release" released is served, and the index is
the one that was released. Any other file is left alone, and the last released one is
served on. Answers then name their release, as_of answers from an earlier one, and
/releases.json, .atom and .ics announce releases.

Keys, sessions and the request log are in the state: a file that one server at a time
may use, or a PostgreSQL database that many servers share. "larder keys create" makes
it, and "larder keys" changes keys while servers run. A file that --state names must be
there. Without --state a new one is made beside the snapshot.

Without --db the server has a demo snapshot of made-up prices. Its keys are made anew at
each start and printed.

On SIGINT or SIGTERM /readyz says that the server stops. It accepts requests for
--drain-delay, then finishes those under way. A second signal ends it at once.`,
		Example: `  larder serve
  larder serve --db larder.db --base-url https://prices.example.org --trusted-proxies 127.0.0.1/32
  larder serve --db larder.db --log releases.db`,
	}
	f := serveFlags{db: dbFlag(cmd), log: logFlag(cmd)}
	flags := cmd.Flags()
	f.state = flags.String("state", "", "the state `file`, or postgres://USER@HOST/DATABASE for many servers (default: larder-state.db beside the snapshot)")
	f.addr = flags.String("addr", "127.0.0.1:8080", "the `address` for readers; with port 0, a free one")
	f.adminAddr = flags.String("admin-addr", "127.0.0.1:8081", "the `address` for operators: /healthz, /readyz, /metrics; no key is asked for")
	addFlag(cmd, &f.BaseURL, "base-url", "the `address` that readers know the service by, used in links (default: http:// and --addr)", readOrigin)
	flags.StringVar(&f.BulkDir, "bulk-dir", "", "the `folder` of the files of releases, made as they are asked for (default: larder-bulk beside the snapshot)")
	addFlag(cmd, &f.Public, "public", "the `figures` that need no key: national, the default (headline, categories, each city's newest basket cost), or none", figure.ParsePublic)
	addFlag(cmd, &f.Trusted, "trusted-proxies", "`networks` of proxies whose X-Forwarded-For is believed, such as 127.0.0.1/32,10.0.0.0/8", parseNetworks)
	number(cmd, &f.PublicPerMinute, "public-per-minute", 60, "`number` of requests of the public index that one client may make a minute")
	number(cmd, &f.ShopperPerMinute, "shopper-per-minute", 30, "`number` of shopping lists that one client may have compared a minute")
	number(cmd, &f.ScanCap, "scan-cap", 100_000, "`number` of shrinkflation events looked at for one response")
	flags.DurationVar(&f.DrainDelay, "drain-delay", 0, "the `time` in which requests are accepted after the signal, while /readyz sends proxies away")
	flags.DurationVar(&f.Drain, "drain", 20*time.Second, "the `time` that requests under way may take when the server is to end")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		switch {
		case f.DrainDelay < 0:
			return usagef("--drain-delay %s is not a time from 0, such as 5s", f.DrainDelay)
		case f.Drain <= 0:
			return usagef("--drain %s is not a time above 0, such as 20s", f.Drain)
		case *f.db == "" && *f.log != "":
			return usagef("--log needs --db, the snapshot that larder release puts in service: the demo is not released")
		}
		return a.serve(cmd.Context(), f)
	}
	return cmd
}

// number adds a flag with a number from 1.
func number(cmd *cobra.Command, to *int, name string, byDefault int, usage string) {
	*to = byDefault
	addFlag(cmd, to, name, fmt.Sprintf("%s (default: %d)", usage, byDefault), func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			err = fmt.Errorf("%s is not a number from 1", text)
		}
		return n, err
	})
}

// settleMemory gives the memory that loading took back to the system. Then it lets garbage
// gather to twice the memory in use before it is collected, but to 128 MB at most: nearly all
// of that memory is the snapshot, and every collection goes through it. GOGC in the environment
// wins.
func settleMemory() {
	debug.FreeOSMemory()
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent(live[0].Value.Uint64()))
	}
}

// garbagePercent returns how much garbage may gather beside so many bytes in use. It is never
// 0, which would be a collection without end.
func garbagePercent(live uint64) int {
	const percent, most = 200, 128 << 20
	return int(max(1, min(percent, 100*most/max(live, 1))))
}

// serve runs a server until the context is done or the server fails.
func (a *app) serve(ctx context.Context, f serveFlags) (err error) {
	if err := noCore(); err != nil {
		return err
	}
	snapshot, err := a.snapshotPath(ctx, *f.db)
	if err != nil {
		return err
	}
	ownKeys, path := *f.db == "" && *f.state == "", *f.state
	switch {
	case ownKeys:
		dir, err := os.MkdirTemp("", "larder-serve-*")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		path = filepath.Join(dir, "larder-state.db")
	case path == "":
		path = filepath.Join(filepath.Dir(snapshot), "larder-state.db")
	}
	switch same := func(x, y string) bool { return x != "" && filepath.Clean(x) == filepath.Clean(y) }; {
	case same(path, snapshot):
		return usagef("--state and --db are the same file; the state is one of its own")
	case same(*f.log, snapshot), same(*f.log, path):
		return usagef("--log is the same file as --db or --state; the release log is one of its own")
	}
	public, err := listen(ctx, "addr", *f.addr)
	if err != nil {
		return err
	}
	defer public.Close()
	admin, err := listen(ctx, "admin-addr", *f.adminAddr)
	if err != nil {
		return err
	}
	defer admin.Close()
	if f.BaseURL == "" {
		f.BaseURL = reachable(public)
	}
	f.Now = a.runningClock()
	f.Log = a.logger(f.Now)
	if f.State, err = state.Open(ctx, path, state.Options{Now: f.Now, Serve: true, Existing: *f.state != ""}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.State.Close()) }()
	snapshots := prepared.NewSnapshots(snapshot, f.Now)
	if *f.log != "" {
		snapshots = prepared.NewReleasedSnapshots(snapshot, *f.log, f.Now)
	}
	f.Snapshots = snapshots
	server, err := httpapi.New(f.Config)
	if err != nil {
		return err
	}
	snapshots.Loaded = settleMemory
	snapshots.Look(ctx, f.Log, false)
	watched := watch(ctx, snapshots, f.Log)
	defer watched()
	if ownKeys {
		err = a.greetDemo(ctx, f.State, reachable(public), reachable(admin), snapshots.Notice())
	} else {
		err = a.greet(ctx, f.State, reachable(public), reachable(admin), snapshots.Notice(), snapshot, path)
	}
	if err != nil {
		return err
	}
	return server.Serve(ctx, context.Background(), public, admin, f.Timeouts)
}

// greet prints the server's addresses, its snapshot and its state, and a notice that is not empty.
func (a *app) greet(ctx context.Context, db *state.DB, public, admin, notice, snapshot, path string) error {
	empty, err := db.Empty(ctx)
	if err != nil {
		return err
	}
	hint := "larder keys create makes a key"
	if empty {
		hint = "it has no key yet; " + hint
	}
	if notice != "" {
		notice += "\n"
	}
	_, err = fmt.Fprintf(a.stdout, "Larder serves %s at %s/ (health and metrics: %s)\n%sstate: %s; %s\n", snapshot, public, admin, notice, state.Name(path), hint)
	return err
}

// greetDemo makes a key of each tier and prints them after the notice, with a line
// of curl to try.
func (a *app) greetDemo(ctx context.Context, db *state.DB, public, admin, notice string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Larder serves the demo snapshot at %s/ (health and metrics: %s)\n%s\n\nKeys, good until it ends:\n", public, admin, notice)
	var standard string
	for _, tier := range state.Tiers() {
		_, secret, err := db.CreateKey(ctx, state.NewKey{Name: "Demo " + tier.String(), Tier: tier})
		if err != nil {
			return err
		}
		if tier == state.Standard {
			standard = secret
		}
		fmt.Fprintf(&b, "  %-12s  %s\n", tier, secret)
	}
	fmt.Fprintf(&b, "\nTry one:\n  curl -H 'Authorization: Bearer %s' '%s/api/v1/index?level=national&category=overall'\n\n", standard, public)
	_, err := a.stdout.Write([]byte(b.String()))
	return err
}
