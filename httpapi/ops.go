package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/httpapi/wire"
)

// healthz says that the process answers, and nothing else: a server without a
// snapshot must not be restarted for it.
func (s *Server) healthz(c *call) error {
	c.w.Header().Set("Cache-Control", "no-store")
	return reply.JSON(c.w, c.r, http.StatusOK, map[string]string{"status": "ok"})
}

// readyz returns the handler that says whether the server can answer. Strangers learn no more
// than they need, operators the file's name and every error in full.
func (s *Server) readyz(admin bool) func(*call) error {
	return func(c *call) error {
		status, x := http.StatusOK, wire.Readiness{Status: "ready", Snapshot: s.Snapshots.Health(admin)}
		if x.Snapshot.File.Status != "served" {
			x.Status = "degraded"
		}
		unavailable := func(code, message string) {
			status = http.StatusServiceUnavailable
			x.Status, x.Code, x.Error = "unavailable", code, message
			x.RequestID = requestID(c.r)
			c.w.Header().Set("Retry-After", "10")
		}
		if x.Snapshot.Hash == nil {
			message := "there is no verified snapshot to serve"
			if x.Snapshot.File.Reason == "not_released" {
				message = "there is no released snapshot to serve; larder release NEXT --live FILE --log LOG makes one"
			}
			unavailable("data_unavailable", message)
		}
		err := s.checkState(c.r.Context(), c.now)
		x.State.Status, x.State.Empty = "ok", s.noKeys.Load()
		if err != nil {
			x.State.Status = "unavailable"
			if admin {
				x.State.Detail = err.Error()
			}
			message := "the state can't be written to"
			switch {
			case errors.Is(err, state.ErrUnavailable):
				message = "the state's database can't be reached"
			case errors.Is(err, state.ErrReplaced):
				message = "the state file was replaced or deleted under the server: put it back, or restart the server"
			}
			unavailable("state_unavailable", message)
		}
		if s.stopping.Load() {
			unavailable("stopping", "the server is being stopped")
		}
		c.w.Header().Set("Cache-Control", "no-store")
		return reply.JSON(c.w, c.r, status, x)
	}
}

// checkState reports whether the state can be reached and written to, and logs that it changed.
func (s *Server) checkState(ctx context.Context, now time.Time) error {
	err := s.pinged.do(ctx, now, s.pingState)
	s.noteState(ctx, err)
	return err
}

// pingState makes the state prove that it can be written to, and notes whether it
// has keys.
func (s *Server) pingState(ctx context.Context) error {
	if err := s.State.Ping(ctx); err != nil {
		return err
	}
	empty, err := s.State.Empty(ctx)
	s.noKeys.Store(empty)
	return err
}

// watchState checks at each tick that the state is still the file that was opened, or that
// its database can be reached, until the context is done.
func (s *Server) watchState(ctx context.Context, ticks <-chan time.Time) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
			_, err := s.State.Empty(ctx)
			s.noteState(ctx, err)
		}
	}
}

// noteState logs once that the state file was replaced or deleted, or that the state's
// database can't be reached, and once that it is back. err is the outcome of a call of the
// state.
func (s *Server) noteState(ctx context.Context, err error) {
	var lost, back string
	switch {
	case errors.Is(err, state.ErrUnavailable):
		lost, back = "state unavailable", "state can be reached again"
	case errors.Is(err, state.ErrReplaced):
		lost, back = "state replaced", "state file is the one in use again"
	case err != nil:
		return
	}
	was, _ := s.lost.Swap(back).(string)
	switch {
	case lost != "" && was != back:
		s.Log.LogAttrs(ctx, slog.LevelError, lost, slog.String("error", err.Error()))
	case lost == "" && was != "":
		s.Log.LogAttrs(ctx, slog.LevelInfo, was)
	}
}

// pingEvery is how often /readyz, which anybody may ask, and /metrics make the state prove
// that it can be written to.
const pingEvery = time.Second

// pingPatience is how long they wait for that. The wait is for the disk, so it
// runs by the machine's clock.
const pingPatience = 3 * time.Second

var errPingSlow = fmt.Errorf("the state did not keep anything for %s: its disk hangs, or is very slow", pingPatience)

// pinged is the outcome of the last look at the state.
type pinged struct {
	looks singleflight.Group // its function alone uses what follows
	at    time.Time
	err   error
}

// do returns the outcome of a look at most pingEvery old, or of one that begins
// now. On a disk that hangs a look has no outcome: there is never more than one,
// and no request waits for it longer than pingPatience.
func (p *pinged) do(ctx context.Context, now time.Time, ping func(context.Context) error) error {
	outcome := p.looks.DoChan("", func() (any, error) {
		if age := now.Sub(p.at); p.at.IsZero() || age < 0 || age >= pingEvery {
			// A client that goes away must not spoil the answer for the next one.
			p.at, p.err = now, ping(context.WithoutCancel(ctx))
		}
		return nil, p.err
	})
	select {
	case x := <-outcome:
		return x.Err
	case <-time.After(pingPatience):
		return errPingSlow
	}
}
