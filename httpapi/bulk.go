package httpapi

import (
	"math"
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

func (s *Server) bulk(c *call) error {
	release, name, _ := strings.Cut(strings.TrimPrefix(c.r.URL.Path, bulkPrefix), "/")
	// The file decides the tier, and the name in the request log.
	c.path, c.who.tier = strings.TrimSuffix(bulkPrefix, "/"), max(state.Research, bulk.Tiers[name])
	c.metered = release == bulk.Latest || c.r.Method == http.MethodGet && c.r.Header.Get("Range") != ""
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
		err = c.hold.WithoutTurn(c.r.Context(), func() (err error) { // files that are made have a queue of their own
			c.file, err = s.files.Open(c.r.Context(), r, name)
			return err
		})
		if c.file != nil {
			c.hold.Then(func() { c.file.Close() }) //nolint:errcheck // it was read
		}
		if err != nil {
			return b, err
		}
		r.Describe(c.w.Header(), name, c.file)
		c.path = bulkPrefix + r.Name + "/" + name
		return b, nil
	})
}

const (
	rangeBytes = 1 << 20 // a minute may hold by ranges, for each request that it may hold
	leastRange = 1 << 14 // bytes that a range counts as at least
)

// meter takes what a metered answer counts against the minute: a redirect nothing, a range its
// bytes, any other a request.
func (s *Server) meter(c *call, status, bytes int) error {
	if c.metered = false; status == http.StatusTemporaryRedirect {
		return nil
	}
	perMinute := int(c.key.Limits.PerMinute)
	if status == http.StatusPartialContent {
		use := s.ranges.TakeN(c.key.ID, min(perMinute, math.MaxInt/rangeBytes)*rangeBytes, max(bytes, leastRange), c.now)
		if c.use.Also = &use; !use.OK {
			return use.TooMany("the key may receive %d bytes by ranges a minute")
		}
		return nil
	}
	use := s.keys.Take(c.key.ID, perMinute, c.now)
	use.Quota, c.use = c.use.Quota, &use
	if !use.OK && status != http.StatusPaymentRequired {
		return use.TooMany("the key may make %d requests a minute")
	}
	return nil
}

// slowest is how many bytes a second a client must take of a file.
const slowest = 8000

// sendFile sends the call's file, or the range of it that the client asks for. The answer is
// logged before its first byte is sent.
func (s *Server) sendFile(c *call) {
	if server, ok := c.r.Context().Value(http.ServerContextKey).(*http.Server); ok && server.WriteTimeout > 0 {
		if info, err := c.file.Stat(); err == nil {
			longest := server.WriteTimeout + time.Duration(info.Size()/slowest)*time.Second
			http.NewResponseController(c.w).SetWriteDeadline(time.Now().Add(longest)) //nolint:errcheck // the server's connections have deadlines
		}
	}
	http.ServeContent(&fileWriter{c.w.(*reply.Writer), s, c}, c.r, "", time.Time{}, c.file)
}

// fileWriter logs an answer with a file once its status is known. An answer that can't be logged
// becomes a refusal.
type fileWriter struct {
	*reply.Writer
	s *Server
	c *call
}

// WriteHeader implements http.ResponseWriter. The request counts against the key's month, unless
// an answer from the same address has counted on the same UTC day. One request of a key at a time
// is between that look and its record. Several servers with one state may each count a first
// request of the same moment.
func (w *fileWriter) WriteHeader(status int) {
	s, c := w.s, w.c
	key := &s.once[c.key.ID%int64(len(s.once))]
	key.Lock()
	defer key.Unlock()
	counted, err := s.State.CountedOn(c.whole(), c.key.ID, c.path, c.now)
	if err == nil && !counted {
		err = c.countMonth()
	}
	switch {
	case err != nil:
	case status == http.StatusRequestedRangeNotSatisfiable:
		err = errRange
	case status >= http.StatusMultipleChoices:
		c.giveBack()
	}
	bytes, _ := strconv.Atoi(w.Header().Get("Content-Length")) // 304 has none
	if err := s.finish(c, status, nil, bytes, err); err != nil {
		s.fail(c, err)
	}
}

// Write implements http.ResponseWriter. It drops what follows a refusal.
func (w *fileWriter) Write(b []byte) (int, error) {
	if w.Status >= http.StatusMultipleChoices {
		return len(b), nil
	}
	return w.Writer.Write(b)
}
