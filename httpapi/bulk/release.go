package bulk

import (
	"context"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel/sqlite/releaselog"
)

// latest is an address that leads to the newest release.
const latest = "latest"

var errNotMade = reply.Refuse("data_unavailable", "the file can't be made at the moment; try again later").After(30 * time.Second)

// Tiers are the files of a release, each with the tier of the endpoint that has the same
// rows. The files that describe others need the lowest tier.
var Tiers = func() map[string]state.Tier {
	tiers := map[string]state.Tier{Descriptor: state.Research, Sums: state.Research}
	for _, f := range Formats() {
		for name, tier := range map[string]state.Tier{"index": state.Standard, "prices": state.Standard, "products": state.Research, "shrinkflation": state.Standard} {
			tiers[name+"."+string(f)] = tier
		}
	}
	return tiers
}()

// Release is a release whose files are asked for.
type Release struct {
	Name    string               // in addresses
	hash    string               // of its snapshot
	current bool                 // it is in service
	logged  bool                 // it is of a release log
	week    string               // the last of its index; empty if its id says so
	set     func() (*Set, error) // what it is made of
}

// Find finds the release that an address names at an instant; nil for the newest under any
// name. l is nil without a release log.
func Find(served *prepared.Served, l *prepared.Releases, name string, at time.Time) (*Release, error) {
	newest := Newest(served)
	r := &Release{Name: name, hash: served.Hash, current: name == newest, week: served.LastClosed(at).String()}
	r.set = func() (*Set, error) { return SetOf(served, at) }
	switch {
	case name == latest:
		return nil, nil
	case l != nil:
		known := l.UpTo(served)
		i := slices.IndexFunc(known, func(r releaselog.Release) bool { return r.ID() == name })
		if i < 0 {
			return nil, reply.Refuse("not_found", "there is no release "+reply.Quote(name)+"; the newest is "+newest)
		}
		r.logged = true
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
	return reply.Refuse("not_found", "there is no file "+reply.Quote(name)+"; a release has "+strings.Join(names("", true), ", "))
}

// Newest returns the name of the release in service.
func Newest(served *prepared.Served) string { return aboutOf(served.Vintage).Release }

// NameIn sets the headers that name the release and its snapshot.
func (r *Release) NameIn(h http.Header) {
	if h.Set("X-Snapshot", r.hash[:16]); r.logged {
		h.Set("X-Release", r.Name)
	}
}

// folderOf returns the name of a folder for the bytes that a file of the release has. Another
// program may write other bytes, and the index of a snapshot gets another week when that closes.
func (r *Release) folderOf(file string) string {
	name := r.hash[:16] + "-" + r.Name + "-" + reply.ProgramID()
	if r.week == "" || strings.HasPrefix(file, "prices.") || strings.HasPrefix(file, "products.") || strings.HasPrefix(file, "shrinkflation.") {
		return name
	}
	return name + "-" + r.week
}

// names lists the files of tables that begin with start, in byte order, or with all those
// that describe them too.
func names(start string, all bool) (names []string) {
	for name := range Tiers {
		if strings.HasPrefix(name, start) && (all || name != Descriptor && name != Sums) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Describe sets the headers of a file, and leaves it at its start. What a Data Package and the sums list depends on which
// files are there, so only a table's file never changes. Without a release log the index gets
// another week when that closes.
func (r *Release) Describe(h http.Header, name string, file *os.File) error {
	h.Set("Content-Type", MediaType(name))
	tag := strings.TrimPrefix(reply.WeakTag([]byte(r.folderOf(name)), []byte(name)), "W/")
	describes := name == Descriptor || name == Sums
	if describes {
		sum, err := SumOf(name, file)
		if err == nil {
			_, err = file.Seek(0, io.SeekStart)
		}
		if err != nil {
			return err
		}
		tag = `"` + sum.Hex + `"`
	}
	h.Set("ETag", tag)
	if !describes && (r.week == "" || !strings.HasPrefix(name, "index.")) {
		h.Set("Cache-Control", "private, max-age=31536000, immutable")
	}
	return nil
}
