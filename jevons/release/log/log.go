package releaselog

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
)

// Log is a release log, open for reading. It holds all of the file in memory, compressed,
// and keeps nothing open. Its methods may be called from any goroutine.
type Log struct {
	path    string
	reading sync.Mutex
	now     atomic.Pointer[contents]
}

// Open reads a log. The error is errNotLog, ErrVersion or one of the file system.
func Open(path string) (*Log, error) {
	c, err := read(path)
	if err != nil {
		return nil, err
	}
	l := &Log{path: path}
	l.now.Store(c)
	return l, nil
}

// Refresh reads the file again if another one has taken its place. If that can't be
// read, the log stays as it was.
func (l *Log) Refresh() error {
	l.reading.Lock()
	defer l.reading.Unlock()
	info, err := os.Stat(l.path)
	if err != nil {
		return atomicfile.Fail("open release log", l.path, atomicfile.Bare(err), "")
	}
	old := l.now.Load()
	if os.SameFile(info, old.info) && info.ModTime().Equal(old.info.ModTime()) && info.Size() == old.info.Size() {
		return nil
	}
	c, err := read(l.path)
	if err != nil {
		return err
	}
	begins := len(c.releases) >= len(old.releases)
	for i := 0; begins && i < len(old.releases); i++ {
		begins = c.releases[i].Leaf == old.releases[i].Leaf
	}
	if !begins {
		return atomicfile.Fail("open release log", l.path,
			fmt.Errorf("it no longer begins with the %d releases that it had", len(old.releases)), "put the right one back")
	}
	l.now.Store(c)
	return nil
}

// Releases returns the releases, oldest first. The caller must not change them.
func (l *Log) Releases() []Release { return l.now.Load().releases }

// Of returns the newest release of the snapshot with the hash, or nil.
func (l *Log) Of(hash string) *Release {
	return l.newest(func(r *Release) bool { return r.Snapshot == hash })
}

func (l *Log) newest(is func(r *Release) bool) *Release {
	releases := l.Releases()
	for i := range slices.Backward(releases) {
		if is(&releases[i]) {
			return &releases[i]
		}
	}
	return nil
}

var idPattern = regexp.MustCompile(`^r([1-9][0-9]{0,8})$`)

// AsOf returns the release with the given id, or the newest one at the given RFC 3339
// instant. It returns nil for an instant before the first release. The error is for the
// person who wrote the text: an unknown id, an instant after now or without a zone.
func (l *Log) AsOf(text string, now time.Time) (*Release, error) {
	releases := l.Releases()
	if m := idPattern.FindStringSubmatch(text); m != nil {
		n, err := strconv.Atoi(m[1])
		switch {
		case err == nil && n <= len(releases):
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
func (l *Log) Table(n int) (*jevons.Table, error) { return l.now.Load().table(n) }

// Changes returns the cells that release n changed: the largest move of a level first,
// then in published order.
func (l *Log) Changes(n int) (found []release.Change, err error) {
	err = l.EachChanges(n, n, func(_ *Release, changes []release.Change) error {
		found = changes
		return nil
	})
	return found, err
}

// EachChanges calls f with the changes of each release from first to last, as Changes
// returns them.
func (l *Log) EachChanges(first, last int, f func(r *Release, changes []release.Change) error) error {
	releases, known := l.Releases(), lines{}
	if first < 1 || last > len(releases) {
		return fmt.Errorf("releaselog: there is no release %s", idOf(last))
	}
	for number := first; number <= last; number++ {
		r := &releases[number-1]
		changes, err := r.changes(known)
		if err == nil {
			release.Sort(changes)
			err = f(r, changes)
		}
		if err != nil {
			return fmt.Errorf("release %s: %w", r.ID(), err)
		}
	}
	return nil
}

// add appends a release with its changes: it sets the number, the hashes, the counts and the
// checkpoint. had says which weeks the release before has.
func (c *contents) add(r *Release, changes []release.Change, had func(panel.Week) bool, signer note.Signer) (err error) {
	r.Number = len(c.releases) + 1
	r.ContextHash, r.Counts = r.Context.hash(), countChanges(changes, had)
	text := leafText(r, slices.SortedStableFunc(slices.Values(changes), func(a, b release.Change) int {
		return cmp.Or(cmp.Compare(a.Week, b.Week), jevons.CompareCells(&a.Cell, &b.Cell))
	}))
	r.Leaf, r.text = tlog.RecordHash(text), deflate(text)
	c.releases = append(c.releases, *r)
	root := treeOf(c.releases).root(r.Number)
	r.Checkpoint, err = signCheckpoint(checkpointText(cmp.Or(c.origin, DefaultOrigin), r.Number, root), signer)
	c.last().Checkpoint = r.Checkpoint
	return err
}
