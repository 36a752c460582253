package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/limit"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/site/figure"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/internal/phrase"
)

type serveFlags struct {
	httpapi.Config
	httpapi.Timeouts
	db, log, state, addr, adminAddr *string
}

func (a *app) serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve [--db FILE]",
		Short: "Serve the index, prices, shrinkflation and shopping comparisons over HTTP",
		Long: `Serves a snapshot: the index, prices and shrinkflation to holders of licence keys,
comparisons of shopping lists to anybody, health and metrics to operators on an address
of their own. A file that replaces the snapshot is verified and served within seconds,
or at once on SIGHUP. With --log only a snapshot that "larder release" released is
served. Without --db the server has a demo snapshot and prints keys made for this run.

On SIGINT or SIGTERM /readyz says that the server stops. It accepts requests for
--drain-delay, then finishes those under way. A second signal ends it at once.`,
		Example: `  larder serve
  larder serve --db larder.db --base-url https://prices.example.org --trusted-proxies 127.0.0.1/32
  larder serve --db larder.db --log releases.db`,
	}
	f := serveFlags{db: a.dbFlag(cmd), log: logFlag(cmd)}
	flags := cmd.Flags()
	f.state = flags.String("state", "",
		"the state `file`, or postgres://USER@HOST/DATABASE for many servers (default: larder-state.db beside the "+
			"snapshot)")
	f.addr = flags.String("addr", "127.0.0.1:8080", "the `address` for readers; with port 0, a free one")
	f.adminAddr = flags.String("admin-addr", "127.0.0.1:8081",
		"the `address` for operators: /healthz, /readyz, /metrics; no key is asked for")
	addFlag(cmd, &f.BaseURL, "base-url",
		"the `address` that readers know the service by, used in links (default: http:// and --addr)", readOrigin)
	flags.StringVar(&f.Publish, "publish", "",
		"serve the files in this `folder`, which larder release --publish writes")
	addFlag(cmd, &f.Public, "public",
		"the `figures` that need no key: none, or national (headline, categories, each city's newest basket cost) "+
			"(default: none; national if the prices are invented)", figure.ParsePublic)
	addFlag(cmd, &f.Trusted, "trusted-proxies",
		"`networks` of proxies whose X-Forwarded-For is believed, such as 127.0.0.1/32,10.0.0.0/8", parseNetworks)
	number(cmd, &f.PublicPerMinute, "public-per-minute", 60,
		"`number` of requests of the public index that one client may make a minute")
	number(cmd, &f.LinesPerDay, "shopper-lines-per-day", 2000,
		"`number` of lines of comparisons, with titles, that one client gets a day without a key")
	number(cmd, &f.ShopperPerMinute, "shopper-per-minute", 30,
		"`number` of shopping lists that one client may have compared a minute")
	a.logLevelFlag(cmd)
	flags.DurationVar(&f.DrainDelay, "drain-delay", 0,
		"the `time` in which requests are accepted after the signal, while /readyz sends proxies away")
	flags.DurationVar(&f.Drain, "drain", 20*time.Second,
		"the `time` that requests under way may take when the server is to end")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		switch {
		case f.DrainDelay < 0:
			return usagef("--drain-delay %s is not a time from 0, such as 5s", f.DrainDelay)
		case f.Drain <= 0:
			return usagef("--drain %s is not a time above 0, such as 20s", f.Drain)
		case *f.db == "" && *f.log != "":
			return usagef("--log needs --db, the snapshot that larder release puts in service: the demo is not " +
				"released")
		case f.Publish != "":
			if info, err := os.Stat(f.Publish); err != nil || !info.IsDir() {
				return usagef("--publish: %s is no folder; make it, and larder release --publish fills it", f.Publish)
			}
		}
		return a.serve(cmd.Context(), f)
	}
	return cmd
}

// logLevelFlag adds --log-level to a command that logs.
func (a *app) logLevelFlag(cmd *cobra.Command) {
	levels := []string{"debug", "info", "warn", "error"}
	usage := "the least that is logged: " + phrase.Or(levels) + "; debug has the requests of monitors too"
	choiceOf(cmd, &a.level, "log-level", "info", usage, levels, func(text string) (l slog.Level, err error) {
		return l, l.UnmarshalText([]byte(text))
	})
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

// mostGarbage is how much garbage may gather beside a snapshot.
const mostGarbage = 128 << 20

// settleMemory gives the memory that loading took back to the system. Then it lets garbage
// gather to twice the memory in use before it is collected, but to 128 MB at most: nearly all
// of that memory is the snapshot, and every collection goes through it. What answers hold would
// raise that, so the whole is limited: to the snapshot and the one that takes its place, to what
// answers may hold, and to that garbage. GOGC and GOMEMLIMIT in the environment win.
func settleMemory() {
	debug.FreeOSMemory()
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(2*int64(live[0].Value.Uint64()) + limit.MaxMemory + mostGarbage)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent(live[0].Value.Uint64()))
	}
}

// garbagePercent returns how much garbage may gather beside so many bytes in use. It is never
// 0, which would be a collection without end.
func garbagePercent(live uint64) int {
	const percent = 200
	return int(max(1, min(percent, 100*mostGarbage/max(live, 1))))
}

// serve runs a server until the context is done or the server fails.
func (a *app) serve(ctx context.Context, f serveFlags) (err error) {
	a.kept = false // every answer says that the demo's prices are invented
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
	if f.State, err = state.Open(ctx, path,
		state.Options{Now: f.Now, Serve: true, Existing: *f.state != ""}); err != nil {
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
	notice := snapshots.Current().About().Notice()
	at := fmt.Sprintf("at %s/ (health and metrics: %s)\n", reachable(public), reachable(admin))
	if ownKeys {
		err = a.greetDemo(ctx, f.State, at+notice, reachable(public))
	} else {
		fmt.Fprintf(a.stdout, "Larder serves %s %s\nstate: %s; larder keys create makes a key\n", snapshot,
			strings.TrimSuffix(at+notice, "\n"), state.Name(path))
	}
	if err := cmp.Or(err, a.stdout.Flush()); err != nil {
		return err
	}
	return server.Serve(ctx, context.Background(), public, admin, f.Timeouts)
}

// greetDemo makes a key of each tier and prints them after the notice, with a line
// of curl to try.
func (a *app) greetDemo(ctx context.Context, db *state.DB, serves, public string) error {
	fmt.Fprintf(a.stdout, "Larder serves the demo snapshot %s\n\nKeys, good until it ends:\n", serves)
	var standard string
	for _, tier := range state.Tiers() {
		_, secret, err := db.CreateKey(ctx, state.NewKey{Name: "Demo " + tier.String(), Tier: tier})
		if err != nil {
			return err
		}
		if tier == state.Standard {
			standard = secret
		}
		fmt.Fprintf(a.stdout, "  %-12s  %s\n", tier, secret)
	}
	fmt.Fprintf(a.stdout,
		"\nTry one:\n  curl -H 'Authorization: Bearer %s' '%s/api/v1/index?level=national&category=overall'\n\n",
		standard, public)
	return nil
}

// runningClock returns a clock that starts at --now and runs on. Without --now it
// is the machine's.
func (a *app) runningClock() func() time.Time {
	if a.at.IsZero() {
		return time.Now
	}
	began := time.Now()
	return func() time.Time { return a.at.Add(time.Since(began)) }
}

func (a *app) fixedClock() time.Time { return a.now }

func listen(ctx context.Context, flag, addr string) (net.Listener, error) {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return nil, usagef("--%s %q is not an address with a port, such as 127.0.0.1:8080", flag, addr)
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("--%s: another program listens on %s; end it or choose another port (0 is a free one)",
			flag, addr)
	}
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	return l, nil
}

// reachable returns the address at which this machine reaches a listener.
func reachable(l net.Listener) string {
	addr, ok := l.Addr().(*net.TCPAddr)
	if ok && addr.IP.IsUnspecified() {
		return fmt.Sprintf("http://localhost:%d", addr.Port)
	}
	return "http://" + l.Addr().String()
}

// logger writes structured logs to standard error, as text to a terminal and as
// JSON elsewhere. Their time is that of the given clock.
func (a *app) logger(now func() time.Time) *slog.Logger {
	o := &slog.HandlerOptions{Level: a.level, ReplaceAttr: func(groups []string, x slog.Attr) slog.Attr {
		if len(groups) == 0 && x.Key == slog.TimeKey {
			x.Value = slog.TimeValue(now())
		}
		return x
	}}
	if a.terminal {
		return slog.New(slog.NewTextHandler(a.log, o))
	}
	return slog.New(slog.NewJSONHandler(a.log, o))
}

// watch follows the snapshot file until the context is done. The function that it
// returns ends the watch and waits for its end.
func watch(ctx context.Context, s *prepared.Snapshots, log *slog.Logger) (wait func()) {
	ctx, cancel := context.WithCancel(ctx)
	ticker := time.NewTicker(prepared.WatchEvery)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP)
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Watch(ctx, log, ticker.C, signals)
	}()
	return func() {
		cancel()
		signal.Stop(signals)
		ticker.Stop()
		<-done
	}
}

func parseNetworks(list string) ([]netip.Prefix, error) {
	var all []netip.Prefix
	for item := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		p, err := netip.ParsePrefix(item)
		if addr, aerr := netip.ParseAddr(item); aerr == nil {
			p, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("%q is no network such as 10.0.0.0/8, and no address", item)
		case p != p.Masked():
			return nil, fmt.Errorf("%s is an address inside a network; the network is %s", p, p.Masked())
		case p.Addr().Is4In6():
			return nil, fmt.Errorf("%s is written as one of IPv6; write it as 10.0.0.0/8", p)
		}
		all = append(all, p)
	}
	return all, nil
}
