package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/larder-index/larder/httpapi/prepared"
)

// runningClock returns a clock that starts at --now and runs on. Without --now it
// is the machine's.
func (a *app) runningClock() func() time.Time {
	if a.at.IsZero() {
		return time.Now
	}
	began := time.Now()
	return func() time.Time { return a.at.Add(time.Since(began)) }
}

// fixedClock returns when the command began.
func (a *app) fixedClock() time.Time { return a.now }

// listen opens the port of a flag's address.
func listen(ctx context.Context, flag, addr string) (net.Listener, error) {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return nil, usagef("--%s %q is not an address with a port, such as 127.0.0.1:8080", flag, addr)
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("--%s: another program listens on %s; end it or choose another port (0 is a free one)", flag, addr)
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
	o := &slog.HandlerOptions{ReplaceAttr: func(groups []string, x slog.Attr) slog.Attr {
		if len(groups) == 0 && x.Key == slog.TimeKey {
			x.Value = slog.TimeValue(now())
		}
		return x
	}}
	if a.terminal {
		return slog.New(slog.NewTextHandler(a.stderr, o))
	}
	return slog.New(slog.NewJSONHandler(a.stderr, o))
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

// parseNetworks reads networks or single addresses, with commas between.
func parseNetworks(list string) ([]netip.Prefix, error) {
	var all []netip.Prefix
	for item := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		p, err := netip.ParsePrefix(item)
		if addr, aerr := netip.ParseAddr(item); aerr == nil {
			p, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		const mapped = 96 // bits before an IPv4 address in one of IPv6
		switch {
		case err != nil:
			return nil, fmt.Errorf("%q is no network such as 10.0.0.0/8, and no address", item)
		case p != p.Masked():
			return nil, fmt.Errorf("%s is an address inside a network; the network is %s", p, p.Masked())
		case p.Addr().Is4In6() && p.Bits() < mapped:
			return nil, fmt.Errorf("%s is no network of IPv4 addresses; write it as 10.0.0.0/8", p)
		case p.Addr().Is4In6():
			p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-mapped)
		}
		all = append(all, p)
	}
	return all, nil
}
