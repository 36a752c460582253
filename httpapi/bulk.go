package httpapi

import (
	"net/http"
	"strconv"
	"strings"
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
	route := *c.route // the file decides the tier, and the name in the request log
	route.path, route.who.tier = strings.TrimSuffix(bulkPrefix, "/"), max(state.Research, bulk.Tiers[name])
	c.route = &route
	defer func() {
		c.paid()
		if c.file != nil {
			c.file.Close() //nolint:errcheck // it was read
		}
	}()
	return s.licensed(func(c *call, b []byte) ([]byte, error) {
		s.giveTurn(c) // files that are made have a queue of their own
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
		if c.file, err = s.files.OpenOf(c.r.Context(), r, name); err != nil {
			return b, err
		}
		if err := r.Describe(c.w.Header(), name, c.file); err != nil {
			return b, err
		}
		route.path = bulkPrefix + r.Name + "/" + name
		return b, s.reserveOnce(c)
	})(c)
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
