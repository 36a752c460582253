package prepared

import (
	"context"
	"log/slog"
	"os"
	"time"
)

// WatchEvery is how often a server looks at its snapshot file and its state file.
const WatchEvery = 2 * time.Second

// Look refreshes once and logs what is new: a snapshot that is now served, a file
// that is refused, one that is good again. It does not repeat what was logged.
// With reload it reads the file even if that did not change.
func (s *Snapshots) Look(ctx context.Context, log *slog.Logger, reload bool) {
	before := s.Status()
	if reload {
		s.loading.Lock()
		s.seen = nil
		s.loading.Unlock()
	}
	if err := s.Refresh(ctx); ctx.Err() != nil && err != nil {
		return
	}
	after := s.Status()
	path, hash := slog.String("path", after.Path), slog.String("hash", after.Hash)
	switch {
	case after.Err == nil && (after.Hash != before.Hash || after.Release != before.Release):
		attrs := []slog.Attr{path, hash, slog.String("before", before.Hash), slog.Time("newest_observation", s.Current().Info.Last)}
		if after.Release != "" {
			attrs = append(attrs, slog.String("release", after.Release))
		}
		log.LogAttrs(ctx, slog.LevelInfo, "snapshot served", attrs...)
	case after.Err == nil && before.Err != nil:
		log.LogAttrs(ctx, slog.LevelInfo, "snapshot file is the one served again", path, hash)
	case after.Err != before.Err: //nolint:errorlint // the very same error was logged before
		served := "nothing"
		if after.Hash != "" {
			served = after.Hash
		}
		log.LogAttrs(ctx, slog.LevelError, "snapshot refused", path, slog.String("reason", refusalReason(after.Err)),
			slog.String("error", after.Err.Error()), slog.String("served_on", served))
	case reload:
		log.LogAttrs(ctx, slog.LevelInfo, "snapshot as before", path, hash)
	}
}

// Watch looks at the file at each tick, and reads it at each signal, until the
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
