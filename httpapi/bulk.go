package httpapi

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/larder-index/larder/httpapi/bulk"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons/releaselog"
	"github.com/larder-index/larder/panel"
)

const (
	bulkPrefix = "/api/v1/bulk/"
	pathBulk   = bulkPrefix + ":release/:file"
	latest     = "latest" // leads to the newest release
)

// bulkTiers are the files of a release, each with the tier of the endpoint that has the same
// rows. The files that describe others need the lowest tier.
var bulkTiers = func() map[string]state.Tier {
	tiers := map[string]state.Tier{bulk.Descriptor: state.Research, bulk.Sums: state.Research}
	for _, f := range bulk.Formats() {
		for name, tier := range map[string]state.Tier{"index": state.Standard, "prices": state.Standard, "products": state.Research, "shrinkflation": state.Standard} {
			tiers[name+"."+string(f)] = tier
		}
	}
	return tiers
}()

// bulk answers with a file of a release.
func (s *Server) bulk(c *call) error {
	release, name, _ := strings.Cut(strings.TrimPrefix(c.r.URL.Path, bulkPrefix), "/")
	route := *c.route // the file decides the tier, and the name in the request log
	route.path, route.who.tier = strings.TrimSuffix(bulkPrefix, "/"), max(state.Research, bulkTiers[name])
	c.route = &route
	defer func() {
		c.paid()
		if c.file != nil {
			c.file.Close() //nolint:errcheck // it was read
		}
	}()
	return s.licensed(func(c *call, b []byte) ([]byte, error) {
		s.giveTurn(c) // files that are made have a queue of their own
		if _, ok := bulkTiers[name]; !ok {
			return b, reply.Refuse("not_found", "there is no file "+reply.Quote(name)+"; a release has "+strings.Join(bulkNames("", true), ", "))
		}
		if err := c.needSnapshot(); err != nil {
			return b, err
		}
		r, err := s.findBulk(c, release)
		if err != nil {
			return b, err
		}
		if r == nil {
			c.w.Header().Set("Location", bulkPrefix+c.served.AboutBulk().Release+"/"+name)
			return b, bare(http.StatusTemporaryRedirect)
		}
		if c.file, err = s.openBulk(c.r.Context(), r, name); err != nil {
			return b, err
		}
		if err := s.describeBulk(c, r, name); err != nil {
			return b, err
		}
		route.path = bulkPrefix + r.name + "/" + name
		return b, s.reserveOnce(c)
	})(c)
}

// bulkRelease is a release whose files are asked for.
type bulkRelease struct {
	name    string
	hash    string                    // of its snapshot
	current bool                      // it is in service
	cells   bool                      // the snapshot in service has no prices
	week    string                    // the last of its index; empty if its id says so
	set     func() (*bulk.Set, error) // what it is made of
}

// findBulk finds the release that an address names; nil for the newest under any name.
func (s *Server) findBulk(c *call, name string) (*bulkRelease, error) {
	served, at, newest := c.served, c.now, c.served.AboutBulk().Release
	r := &bulkRelease{name: name, hash: served.Hash, current: name == newest, cells: served.Panel.OfCells(), week: served.LastClosed(at).String()}
	r.set = func() (*bulk.Set, error) { return served.Bulk(at) }
	l := s.Snapshots.Releases
	switch {
	case name == latest:
		return nil, nil
	case l != nil:
		known := l.UpTo(served)
		i := slices.IndexFunc(known, func(r releaselog.Release) bool { return r.ID() == name })
		if i < 0 {
			return nil, reply.Refuse("not_found", "there is no release "+reply.Quote(name)+"; the newest is "+newest)
		}
		c.w.Header().Set("X-Release", name)
		if r.hash, r.week = known[i].Snapshot, ""; !r.current {
			r.set = func() (*bulk.Set, error) {
				v, err := l.Vintage(context.Background(), served, &known[i])
				if err != nil {
					return nil, err
				}
				return v.Bulk(at)
			}
		}
	case !r.current:
		return nil, reply.Refuse("not_found", "there is no release "+reply.Quote(name)+"; the snapshot in service is "+newest)
	}
	c.w.Header().Set("X-Snapshot", r.hash[:16])
	return r, nil
}

// folderOf returns the name of a folder for the bytes that a file of the release has. Another
// program may write other bytes, and the index of a snapshot gets another week when that closes.
func (r *bulkRelease) folderOf(file string) string {
	name := r.hash[:16] + "-" + r.name + "-" + reply.ProgramID()
	if r.week == "" || strings.HasPrefix(file, "prices.") || strings.HasPrefix(file, "products.") || strings.HasPrefix(file, "shrinkflation.") {
		return name
	}
	return name + "-" + r.week
}

// bulkNames lists the files of tables that begin with start, in byte order, or with all those
// that describe them too.
func bulkNames(start string, all bool) (names []string) {
	for name := range bulkTiers {
		if strings.HasPrefix(name, start) && (all || name != bulk.Descriptor && name != bulk.Sums) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// openBulk opens a file of a release, which is made if it is not there. Of a release that is no
// longer in service, only the index can be made.
func (s *Server) openBulk(ctx context.Context, r *bulkRelease, name string) (*os.File, error) {
	file, err := s.files.Find(r.folderOf(name), name)
	if err == nil {
		return file, nil
	}
	start := ""
	if !r.current {
		start = "index."
	}
	files := bulkNames(start, false)
	if r.cells {
		files = slices.DeleteFunc(files, func(name string) bool { return strings.HasPrefix(name, "prices.") })
	}
	var parts []string
	switch {
	case name == bulk.Sums:
		parts = append(files, bulk.Descriptor)
	case name == bulk.Descriptor:
		parts = files
	case r.cells && strings.HasPrefix(name, "prices."):
		return nil, panel.ErrCells
	case !strings.HasPrefix(name, start):
		return nil, reply.Refuse("not_found", "release "+r.name+" is no longer in service, and "+name+" is gone with its snapshot; of "+r.name+" there are "+strings.Join(bulkNames(start, true), ", ")+"; "+latest+" leads to the newest release")
	}
	var sums []bulk.Sum
	for _, part := range parts {
		sum, err := s.sumBulk(ctx, r, part)
		if err != nil {
			return nil, err
		}
		sums = append(sums, sum)
	}
	file, err = s.files.Open(ctx, r.folderOf(name), name, func(w io.Writer) error {
		started := s.Now()
		set, err := r.set()
		if err == nil {
			err = set.Write(w, name, sums)
		}
		if err == nil {
			s.Log.Info("bulk file made", slog.String("release", r.name), slog.String("file", name), slog.Float64("seconds", s.since(started).Seconds()))
		}
		return err
	})
	if err != nil && ctx.Err() == nil {
		s.Log.Error("bulk file not made", slog.String("release", r.name), slog.String("file", name), slog.String("folder", s.files.Dir), slog.String("error", err.Error()))
		return nil, errNotMade
	}
	return file, err
}

func (s *Server) sumBulk(ctx context.Context, r *bulkRelease, name string) (sum bulk.Sum, err error) {
	file, err := s.openBulk(ctx, r, name)
	if err != nil {
		return sum, err
	}
	defer file.Close()
	return bulk.SumOf(name, file)
}

// describeBulk sets the headers of a file. What a Data Package and the sums list depends on which
// files are there, so only a table's file never changes. Without a release log the index gets
// another week when that closes.
func (s *Server) describeBulk(c *call, r *bulkRelease, name string) error {
	h := c.w.Header()
	h.Set("Content-Type", bulk.MediaType(name))
	tag := strings.TrimPrefix(reply.WeakTag([]byte(r.folderOf(name)), []byte(name)), "W/")
	describes := name == bulk.Descriptor || name == bulk.Sums
	if describes {
		sum, err := bulk.SumOf(name, c.file)
		if err == nil {
			_, err = c.file.Seek(0, io.SeekStart)
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

// reserveOnce takes a request out of the key's month, unless an answer from the same address
// has counted on the same UTC day. One request of a key at a time is between that look and
// its record. Several servers with one state may each count a first request of the same moment.
func (s *Server) reserveOnce(c *call) error {
	turn := &s.once[c.key.ID%int64(len(s.once))]
	turn.Lock()
	c.unlock = turn.Unlock
	if counted, err := s.State.CountedOn(c.whole(), c.key.ID, c.path, c.now); counted || err != nil {
		return err
	}
	return s.reserveMonth(c)
}

// paid lets the key's next request look.
func (c *call) paid() {
	if c.unlock != nil {
		c.unlock()
		c.unlock = nil
	}
}

// sendFile sends the call's file, or the range of it that the client asks for. The answer is
// logged before its first byte is sent.
func (s *Server) sendFile(c *call) {
	c.served = nil // a slow reader must not keep an old one in memory
	if w, ok := c.w.(*reply.Writer); ok {
		if info, err := c.file.Stat(); err == nil {
			w.Allow(info.Size())
		}
	}
	http.ServeContent(&fileWriter{ResponseWriter: c.w, s: s, c: c}, c.r, "", time.Time{}, c.file)
}

// fileWriter logs an answer with a file once its status is known. An answer that can't be logged
// becomes a refusal.
type fileWriter struct {
	http.ResponseWriter
	s       *Server
	c       *call
	refused bool
}

func (w *fileWriter) WriteHeader(status int) {
	c, h := w.c, w.Header()
	bytes, _ := strconv.Atoi(h.Get("Content-Length")) // 304 has none
	var body []byte
	if w.refused = status == http.StatusRequestedRangeNotSatisfiable; w.refused {
		body = w.s.refusalBody(h, c.r, errRange)
		bytes = len(body)
	}
	if status >= http.StatusMultipleChoices {
		c.giveBack()
	}
	err := w.s.record(c, status, bytes)
	c.paid()
	switch {
	case err != nil:
		w.refused = true
		h.Del("Content-Range")
		w.s.fail(w.ResponseWriter, c.r, err)
	case w.refused:
		reply.Send(w.ResponseWriter, c.r, status, [][]byte{body})
	default:
		w.ResponseWriter.WriteHeader(status)
	}
}

func (w *fileWriter) Write(b []byte) (int, error) {
	if w.refused {
		return len(b), nil
	}
	return w.ResponseWriter.Write(b)
}
