package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/larder-index/larder/httpapi"
)

// runningClock starts at --now and runs on; without --now it is the machine's.
func (a *app) runningClock() (func() time.Time, error) {
	if a.nowFlag == "" {
		return time.Now, nil
	}
	at, err := a.clock()
	if err != nil {
		return nil, err
	}
	began := time.Now()
	return func() time.Time { return at.Add(time.Now().Sub(began)) }, nil
}

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

// reachable is how this machine reaches a listener.
func reachable(l net.Listener) string {
	addr, ok := l.Addr().(*net.TCPAddr)
	if ok && addr.IP.IsUnspecified() {
		return fmt.Sprintf("http://localhost:%d", addr.Port)
	}
	return "http://" + l.Addr().String()
}

// logger writes structured logs to standard error: lines of text for people at
// a terminal, JSON for everything else. Their time is the server's clock.
func (a *app) logger(now func() time.Time) *slog.Logger {
	o := &slog.HandlerOptions{ReplaceAttr: func(groups []string, x slog.Attr) slog.Attr {
		if len(groups) == 0 && x.Key == slog.TimeKey {
			return slog.Time(slog.TimeKey, now())
		}
		return x
	}}
	if a.terminal {
		return slog.New(slog.NewTextHandler(a.stderr, o))
	}
	return slog.New(slog.NewJSONHandler(a.stderr, o))
}

// watch keeps an eye on the snapshot file until the context is done. The
// function that it returns waits for the end of that.
func watch(ctx context.Context, s *httpapi.Snapshots, log *slog.Logger) (wait func()) {
	ctx, cancel := context.WithCancel(ctx)
	ticker := time.NewTicker(httpapi.WatchEvery)
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

// cutOff returns a context that is done at the second signal to end. The first
// one ends the command's own context. A third one is no longer waited for.
func cutOff() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for range 2 {
			select {
			case <-signals:
			case <-ctx.Done():
				return
			}
		}
		cancel(errors.New("asked to end a second time"))
		signal.Reset(os.Interrupt, syscall.SIGTERM)
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}
