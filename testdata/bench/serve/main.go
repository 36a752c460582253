// Command serve is larder's server with two more addresses, which answer with
// the bytes of a file: /prepared is a route of the server like any other, and
// /bare stands before it, so that net/http alone is at work. testdata/bench/serve.sh
// measures them beside the same bytes made at each request.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"math"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/state"
)

func main() {
	var (
		db      = flag.String("db", "", "the snapshot `file`")
		keys    = flag.String("state", "", "the state `file`")
		addr    = flag.String("addr", "127.0.0.1:0", "the `address` to serve on, which is printed when it is ready")
		now     = flag.String("now", "", "the clock at the start, as RFC 3339 `time`")
		file    = flag.String("prepared", "", "the `file` to answer with at /prepared and /bare")
		profile = flag.String("cpuprofile", "", "the `file` to write a CPU profile to")
	)
	flag.Parse()
	debug.SetGCPercent(200) // as larder serve does
	if err := run(*db, *keys, *addr, *now, *file, *profile); err != nil {
		log.Fatal(err)
	}
}

func run(db, keys, addr, now, file, profile string) (err error) {
	at, err := time.Parse(time.RFC3339, now)
	if err != nil {
		return err
	}
	began := time.Now()
	clock := func() time.Time { return at.Add(time.Since(began)) }
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	st, err := state.Open(ctx, keys, state.Options{Now: clock, Serve: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	snapshots := prepared.NewSnapshots(db, clock)
	if err := snapshots.Refresh(ctx); err != nil {
		return err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	lines := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	server, err := httpapi.New(httpapi.Config{
		Now: clock, Snapshots: snapshots, State: st, Log: lines, BaseURL: "http://" + l.Addr().String(),
		PublicPerMinute: math.MaxInt32, ShopperPerMinute: math.MaxInt32,
	})
	if err != nil {
		return err
	}
	same := answer(file)
	if s, ok := any(server).(interface {
		AddPrepared(path string, answer http.HandlerFunc)
	}); ok { // see prepared.go.txt
		s.AddPrepared("/prepared", same)
	}
	handler := server.Handler()
	fmt.Println("http://" + l.Addr().String())
	return serve(ctx, l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/bare" {
			same(w, r)
			return
		}
		handler.ServeHTTP(w, r)
	}))
}

// answer answers with the bytes of a file, which is read when they are first
// asked for: what is in it may come from this server.
func answer(file string) http.HandlerFunc {
	all := sync.OnceValue(func() []byte {
		all, err := os.ReadFile(file)
		if err != nil {
			log.Fatal(err)
		}
		return all
	})
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Content-Length", strconv.Itoa(len(all())))
		w.Write(all()) //nolint:errcheck // the client is gone then
	}
}

// serve serves until the context is done, with the limits of larder serve.
func serve(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{
		Handler: h, MaxHeaderBytes: 16 << 10,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, WriteTimeout: 2 * time.Minute, IdleTimeout: 2 * time.Minute,
	}
	end := context.AfterFunc(ctx, func() { server.Close() })
	defer end()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
