package bulk

import (
	"context"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel/sqlite/releaselog"
)

// Latest is an address that leads to the newest release.
const Latest = "latest"

// Tiers are the files of a release, each with the tier of the endpoint that has the same
// rows. The files that describe others need the lowest tier.
var Tiers = map[string]state.Tier{
	"index.csv.gz": state.Standard, "index.parquet": state.Standard, "prices.csv.gz": state.Standard, "prices.parquet": state.Standard,
	"products.csv.gz": state.Research, "products.parquet": state.Research, "shrinkflation.csv.gz": state.Standard, "shrinkflation.parquet": state.Standard,
	Descriptor: state.Research, Sums: state.Research,
}

// names lists the files that begin with start, in byte order.
func names(start string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(Tiers)), func(name string) bool { return !strings.HasPrefix(name, start) })
}

func describes(name string) bool { return name == Descriptor || name == Sums }

// Release is a release whose files are asked for.
type Release struct {
	Name    string               // in addresses
	hash    string               // of its snapshot
	current bool                 // it is in service
	week    string               // the last of its index; empty with a release log, whose id says so
	set     func() (*Set, error) // what it is made of
}

// Find finds the release that an address names at an instant; nil for the newest under any
// name. l is nil without a release log.
func Find(served *prepared.Served, l *prepared.Releases, name string, at time.Time) (*Release, error) {
	newest := Newest(served)
	r := &Release{Name: name, hash: served.Hash, current: name == newest, week: served.LastClosed(at).String()}
	r.set = func() (*Set, error) { return SetOf(served, at) }
	switch {
	case name == Latest:
		return nil, nil
	case l != nil:
		known := l.UpTo(served)
		i := slices.IndexFunc(known, func(r releaselog.Release) bool { return r.ID() == name })
		if i < 0 {
			return nil, reply.Refuse("not_found", "there is no release "+reply.Quote(name)+"; the newest is "+newest)
		}
		if r.hash, r.week = known[i].Snapshot, ""; !r.current {
			r.set = func() (*Set, error) {
				v, err := l.Vintage(context.Background(), served, &known[i])
				if err != nil {
					return nil, err
				}
				return indexSet(v, at)
			}
		}
	case !r.current:
		return nil, reply.Refuse("not_found", "there is no release "+reply.Quote(name)+"; the snapshot in service is "+newest)
	}
	return r, nil
}

// Unknown refuses a file that no release has.
func Unknown(name string) error {
	return reply.Refuse("not_found", "there is no file "+reply.Quote(name)+"; a release has "+strings.Join(names(""), ", "))
}

// Newest returns the name of the release in service.
func Newest(served *prepared.Served) string { return aboutOf(served.Vintage).Release }

// NameIn sets the headers that name the release and its snapshot.
func (r *Release) NameIn(h http.Header) {
	if h.Set("X-Snapshot", r.hash[:16]); r.week == "" {
		h.Set("X-Release", r.Name)
	}
}

// folders returns the names of the folders that may have the release's files, the one that can be
// made last. Another program may write other bytes, the index of a snapshot gets another week
// when that closes, and of a past release only the index may be left.
func (r *Release) folders() []string {
	name := prefix + r.hash[:16] + "-" + r.Name + "-" + reply.ProgramID()
	if r.week != "" {
		name += "-" + r.week
	}
	if r.current {
		return []string{name}
	}
	return []string{name, name + "-index"}
}

// Describe sets the headers of a file. What describes others depends on which files are there, so
// only a table's file never changes. Without a release log the index gets another week when
// that closes.
func (r *Release) Describe(h http.Header, name string, file *os.File) {
	h.Set("Content-Type", mediaTypes[filepath.Ext(name)])
	h.Set("ETag", strings.TrimPrefix(reply.WeakTag([]byte(filepath.Base(filepath.Dir(file.Name()))), []byte(name)), "W/"))
	if !describes(name) && (r.week == "" || !strings.HasPrefix(name, "index.")) {
		h.Set("Cache-Control", "private, max-age=31536000, immutable")
	}
}
