package httpapi

import (
	"context"
	"log/slog"
	"os"
	"time"
)

// WatchEvery is how often a server looks at its snapshot file.
const WatchEvery = 2 * time.Second

// Look refreshes once and logs what is new: a snapshot that is served from now
// on, a file that is refused, one that is good again. What was logged before is
// not repeated. With reload the file is looked into even if it is the same.
func (s *Snapshots) Look(ctx context.Context, log *slog.Logger, reload bool) {
	before := s.Status()
	look := s.Refresh
	if reload {
		look = s.Reload
	}
	if err := look(ctx); ctx.Err() != nil && err != nil {
		return
	}
	after := s.Status()
	switch {
	case after.Err == nil && after.Hash != before.Hash:
		served := s.Current()
		log.LogAttrs(ctx, slog.LevelInfo, "snapshot served", slog.String("path", after.Path), slog.String("hash", after.Hash),
			slog.String("before", before.Hash), slog.Time("newest_observation", served.Info.Last))
	case after.Err == nil && before.Err != nil:
		log.LogAttrs(ctx, slog.LevelInfo, "snapshot file is the one served again", slog.String("path", after.Path), slog.String("hash", after.Hash))
	case after.Err != before.Err: //nolint:errorlint // the very same error was logged before
		served := "nothing"
		if after.Hash != "" {
			served = after.Hash
		}
		log.LogAttrs(ctx, slog.LevelError, "snapshot refused", slog.String("path", after.Path), slog.String("reason", refusalReason(after.Err)),
			slog.String("error", after.Err.Error()), slog.String("served_on", served))
	case reload:
		log.LogAttrs(ctx, slog.LevelInfo, "snapshot as before", slog.String("path", after.Path), slog.String("hash", after.Hash))
	}
}

// Watch looks at the file at each tick, and into it at each signal, until the
// context is done.
func (s *Snapshots) Watch(ctx context.Context, log *slog.Logger, ticks <-chan time.Time, signals <-chan os.Signal) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
			s.Look(ctx, log, false)
		case <-signals:
			s.Look(ctx, log, true)
		}
	}
}
