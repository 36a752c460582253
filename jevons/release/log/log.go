package releaselog

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
)

// Log is a release log in memory. What releases changed stays compressed. It never changes: the file is replaced as a
// whole, and Refresh reads it again.
type Log struct {
	path     string
	info     fs.FileInfo // of the file it was read from
	releases []Release
	origin   string // of the first checkpoint; of a log without releases what Publish gives it
}

// Refresh returns the log as it is now, itself if no other file has taken the place of its own.
func (l *Log) Refresh() (*Log, error) {
	info, err := os.Stat(l.path)
	if err != nil {
		return nil, atomicfile.Fail("open release log", l.path, atomicfile.Bare(err), "")
	}
	if os.SameFile(info, l.info) && info.ModTime().Equal(l.info.ModTime()) && info.Size() == l.info.Size() {
		return l, nil
	}
	now, err := Open(l.path)
	if err != nil {
		return nil, err
	}
	n := len(l.releases)
	sameLeaf := func(a, b Release) bool { return a.Leaf == b.Leaf }
	if len(now.releases) < n || !slices.EqualFunc(now.releases[:n], l.releases, sameLeaf) {
		return nil, atomicfile.Fail("open release log", l.path,
			fmt.Errorf("it no longer begins with the %d releases that it had", n), "put the right one back")
	}
	return now, nil
}

// Releases returns the releases, oldest first. The caller must not change them.
func (l *Log) Releases() []Release { return l.releases }

// Of returns the newest release of the snapshot with the hash, or nil.
func (l *Log) Of(hash string) *Release {
	return l.newest(func(r *Release) bool { return r.Snapshot == hash })
}

func (l *Log) newest(is func(r *Release) bool) *Release {
	for i := range slices.Backward(l.releases) {
		if is(&l.releases[i]) {
			return &l.releases[i]
		}
	}
	return nil
}

// AsOf returns the release with the given id, or the newest one at the given RFC 3339
// instant. It returns nil for an instant before the first release. The error is for the
// person who wrote the text: an unknown id, an instant after now or without a zone.
func (l *Log) AsOf(text string, now time.Time) (*Release, error) {
	releases := l.releases
	if n, err := strconv.Atoi(strings.TrimPrefix(text, "r")); err == nil && n > 0 && text == idOf(n) {
		switch {
		case n <= len(releases):
			return &releases[n-1], nil
		case len(releases) == 0:
			return nil, fmt.Errorf("there is no release %s: nothing is released yet", text)
		}
		return nil, fmt.Errorf("there is no release %s; the newest is %s", text, idOf(len(releases)))
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || at.Year() < 1 { // a date has no year before 1
		if _, err := time.Parse("2006-01-02T15:04:05", text); err == nil {
			return nil, fmt.Errorf("%q has no time zone; write %sZ for UTC", text, text)
		}
		return nil, fmt.Errorf("%q is neither the id of a release, such as r12, nor an RFC 3339 instant, "+
			"such as 2026-11-23T13:30:00Z", text)
	}
	if at.After(now) {
		return nil, fmt.Errorf("%s is in the future", text)
	}
	return l.newest(func(r *Release) bool { return !r.At.After(at) }), nil
}

// Table returns the table of release n exactly as it was released. Release 0 is before the
// first: its table has no rows.
func (l *Log) Table(n int) (*jevons.Table, error) {
	if n < 0 || n > len(l.releases) {
		return nil, fmt.Errorf("releaselog: there is no release %s", idOf(n))
	}
	if n == 0 {
		return state{}.table(0, 0), nil
	}
	r := &l.releases[n-1]
	s, err := l.replay(n, r.Context.Categories, nil)
	return s.table(r.Base, r.Through), err
}

// Changes returns the cells that release n changed: the largest move of a level first,
// then in published order.
func (l *Log) Changes(n int) ([]release.Change, error) {
	if n < 1 || n > len(l.releases) {
		return nil, fmt.Errorf("releaselog: there is no release %s", idOf(n))
	}
	changes, err := l.releases[n-1].changes(newLines(l.releases[n-1].Context.Categories))
	if err != nil {
		return nil, fmt.Errorf("release %s: %w", idOf(n), err)
	}
	release.Sort(changes)
	return changes, nil
}

// add appends a release with its changes: it sets the number, the hashes, the counts and the
// checkpoint. had says which weeks the release before has.
func (l *Log) add(r *Release, changes []release.Change, had func(panel.Week) bool, signer note.Signer) error {
	r.Number = len(l.releases) + 1
	r.ContextHash, r.Counts = r.Context.hash(), countChanges(changes, had)
	text := leafText(r, slices.SortedStableFunc(slices.Values(changes), func(a, b release.Change) int {
		return cmp.Or(cmp.Compare(a.Week, b.Week), jevons.CompareCells(&a.Cell, &b.Cell))
	}))
	r.Leaf, r.text = tlog.RecordHash(text), deflate(text)
	l.releases = append(l.releases, *r)
	checkpoint, err := checkpointOf(cmp.Or(l.origin, DefaultOrigin), l.releases, signer)
	r.Checkpoint, l.last().Checkpoint = checkpoint, checkpoint
	return err
}
