package httpapi

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/larder-index/larder/httpapi/bulk"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
)

const (
	bulkPrefix = "/api/v1/bulk/"
	pathBulk   = bulkPrefix + ":release/:file"
)

// bulk answers with a file of a release.
func (s *Server) bulk(c *call) error {
	release, name, _ := strings.Cut(strings.TrimPrefix(c.r.URL.Path, bulkPrefix), "/")
	// The file decides the tier, and the name in the request log.
	c.path, c.who.tier = strings.TrimSuffix(bulkPrefix, "/"), max(state.Research, bulk.Tiers[name])
	return s.respond(c, s.admit, func(c *call, b []byte) ([]byte, error) {
		if _, ok := bulk.Tiers[name]; !ok {
			return b, bulk.Unknown(name)
		}
		if err := c.needSnapshot(); err != nil {
			return b, err
		}
		r, err := bulk.Find(c.served, s.Snapshots.Releases, release, c.now)
		if err != nil {
			return b, err
		}
		if r == nil {
			c.w.Header().Set("Location", bulkPrefix+bulk.Newest(c.served)+"/"+name)
			return b, bare(http.StatusTemporaryRedirect)
		}
		r.NameIn(c.w.Header())
		err = c.turn.Aside(func() (err error) { // files that are made have a queue of their own
			c.file, err = s.files.Open(c.r.Context(), r, name)
			return err
		})
		if c.file != nil {
			c.atEnd(func() { c.file.Close() }) //nolint:errcheck // it was read
		}
		if err != nil {
			return b, err
		}
		r.Describe(c.w.Header(), name, c.file)
		c.path = bulkPrefix + r.Name + "/" + name
		return b, s.countOnce(c)
	})
}

// countOnce counts the request against the key's month, unless an answer from the same address
// has counted on the same UTC day. One request of a key at a time is between that look and
// its record. Several servers with one state may each count a first request of the same moment.
func (s *Server) countOnce(c *call) error {
	key := &s.once[c.key.ID%int64(len(s.once))]
	key.Lock()
	c.recorded = sync.OnceFunc(key.Unlock)
	c.atEnd(c.recorded)
	if counted, err := s.State.CountedOn(c.whole(), c.key.ID, c.path, c.now); counted || err != nil {
		return err
	}
	return s.countMonth(c)
}

// slowest is how many bytes a second a client must take of a file.
const slowest = 8000

// sendFile sends the call's file, or the range of it that the client asks for. The answer is
// logged before its first byte is sent.
func (s *Server) sendFile(c *call) {
	c.served = nil // a slow reader must not keep an old one in memory
	if server, ok := c.r.Context().Value(http.ServerContextKey).(*http.Server); ok && server.WriteTimeout > 0 {
		if info, err := c.file.Stat(); err == nil {
			longest := server.WriteTimeout + time.Duration(info.Size()/slowest)*time.Second
			http.NewResponseController(c.w).SetWriteDeadline(time.Now().Add(longest)) //nolint:errcheck // the server's connections have deadlines
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
	c.recorded()
	switch {
	case err != nil:
		w.refused = true
		h.Del("Content-Range")
		w.s.fail(w.ResponseWriter, c.r, err)
	case w.refused:
		reply.Send(w.ResponseWriter, c.r, status, body)
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
