package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/figure"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
)

// serveFlags holds the flags of larder serve.
type serveFlags struct {
	db, log, state   string
	addr, adminAddr  string
	baseURL          string
	bulkDir          string
	public           string
	trusted          string
	publicPerMinute  int
	shopperPerMinute int
	scanCap          int
	drainDelay       time.Duration
	drain            time.Duration
}

func (a *app) serveCommand() *cobra.Command {
	var f serveFlags
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
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), f) },
	}
	flags := cmd.Flags()
	dbFlag(cmd, &f.db)
	logFlag(cmd, &f.log)
	flags.StringVar(&f.state, "state", "", "the state `file`, or postgres://USER@HOST/DATABASE for many servers (default: larder-state.db beside the snapshot)")
	flags.StringVar(&f.addr, "addr", "127.0.0.1:8080", "the `address` for readers; with port 0, a free one")
	flags.StringVar(&f.adminAddr, "admin-addr", "127.0.0.1:8081", "the `address` for operators: /healthz, /readyz, /metrics; no key is asked for")
	flags.StringVar(&f.baseURL, "base-url", "", "the `address` that readers know the service by, used in links (default: http:// and --addr)")
	flags.StringVar(&f.bulkDir, "bulk-dir", "", "the `folder` of the files of releases, made as they are asked for (default: larder-bulk beside the snapshot)")
	flags.StringVar(&f.public, "public", "national", "the `figures` that need no key: national (headline, categories, each city's newest basket cost) or none")
	flags.StringVar(&f.trusted, "trusted-proxies", "", "`networks` of proxies whose X-Forwarded-For is believed, such as 127.0.0.1/32,10.0.0.0/8")
	flags.IntVar(&f.publicPerMinute, "public-per-minute", 60, "`number` of requests of the public index that one client may make a minute")
	flags.IntVar(&f.shopperPerMinute, "shopper-per-minute", 30, "`number` of shopping lists that one client may have compared a minute")
	flags.IntVar(&f.scanCap, "scan-cap", 100_000, "`number` of shrinkflation events looked at for one response")
	flags.DurationVar(&f.drainDelay, "drain-delay", 0, "the `time` in which requests are accepted after the signal, while /readyz sends proxies away")
	flags.DurationVar(&f.drain, "drain", 20*time.Second, "the `time` that requests under way may take when the server is to end")
	return cmd
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
	clock, err := a.runningClock()
	if err != nil {
		return err
	}
	trusted, err := parseNetworks("trusted-proxies", f.trusted)
	if err != nil {
		return err
	}
	shown, err := figure.ParsePublic(f.public)
	if err != nil {
		return usagef("--public %s", err)
	}
	switch {
	case f.publicPerMinute < 1:
		return usagef("--public-per-minute %d is not a number from 1", f.publicPerMinute)
	case f.shopperPerMinute < 1:
		return usagef("--shopper-per-minute %d is not a number from 1", f.shopperPerMinute)
	case f.scanCap < 1:
		return usagef("--scan-cap %d is not a number from 1", f.scanCap)
	case f.drainDelay < 0:
		return usagef("--drain-delay %s is not a time from 0, such as 5s", f.drainDelay)
	case f.drain <= 0:
		return usagef("--drain %s is not a time above 0, such as 20s", f.drain)
	}
	if err := noCore(); err != nil {
		return err
	}
	demo := f.db == ""
	if demo && f.log != "" {
		return usagef("--log needs --db, the snapshot that larder release puts in service: the demo is not released")
	}
	if demo {
		if f.db, err = a.demoSnapshot(ctx, panel.DateIn(clock(), panel.Toronto)); err != nil {
			return err
		}
	}
	ownKeys, named := demo && f.state == "", f.state != ""
	switch {
	case ownKeys:
		dir, err := os.MkdirTemp("", "larder-serve-*")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		f.state = filepath.Join(dir, "larder-state.db")
	case f.state == "":
		f.state = filepath.Join(filepath.Dir(f.db), "larder-state.db")
	}
	if filepath.Clean(f.state) == filepath.Clean(f.db) {
		return usagef("--state and --db are the same file; the state is one of its own")
	}
	if f.log != "" && (filepath.Clean(f.log) == filepath.Clean(f.db) || filepath.Clean(f.log) == filepath.Clean(f.state)) {
		return usagef("--log is the same file as --db or --state; the release log is one of its own")
	}
	cut, stop := a.cutOff()
	defer stop()
	public, err := listen(ctx, "addr", f.addr)
	if err != nil {
		return err
	}
	defer public.Close()
	admin, err := listen(ctx, "admin-addr", f.adminAddr)
	if err != nil {
		return err
	}
	defer admin.Close()
	if f.baseURL == "" {
		f.baseURL = reachable(public)
	}
	db, err := state.Open(ctx, f.state, state.Options{Now: clock, Serve: true, Existing: named})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	log := a.logger(clock)
	snapshots := prepared.NewSnapshots(f.db, clock)
	if f.log != "" {
		snapshots = prepared.NewReleasedSnapshots(f.db, f.log, clock)
	}
	server, err := httpapi.New(httpapi.Config{
		Now: clock, Snapshots: snapshots, State: db, Log: log, BaseURL: f.baseURL,
		Public: shown, Trusted: trusted, PublicPerMinute: f.publicPerMinute, ShopperPerMinute: f.shopperPerMinute, ScanCap: f.scanCap, BulkDir: f.bulkDir,
	})
	if errors.Is(err, httpapi.ErrBaseURL) {
		return usagef("--base-url %q is not an address such as https://prices.example.org, without a path", f.baseURL)
	}
	if err != nil {
		return err
	}
	snapshots.Loaded = settleMemory
	snapshots.Look(ctx, log, false)
	watched := watch(ctx, snapshots, log)
	defer watched()
	if ownKeys {
		err = a.greetDemo(ctx, db, reachable(public), reachable(admin), snapshots.Notice())
	} else {
		err = a.greet(ctx, db, reachable(public), reachable(admin), snapshots.Notice(), f.db, f.state)
	}
	if err != nil {
		return err
	}
	return server.Serve(ctx, cut, public, admin, httpapi.Timeouts{DrainDelay: f.drainDelay, Drain: f.drain})
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
