package httpapi

import (
	"bytes"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/larder-index/larder/httpapi/limit"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
)

// buffers are reused between responses, up to maxKept bytes each.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

const maxKept = 8 << 20

func keepBuffer(b *[]byte) {
	if cap(*b) <= maxKept {
		buffers.Put(b)
	}
}

// writer appends the body of a call's response.
type writer func(c *call, b []byte) ([]byte, error)

func (s *Server) licensed(write writer) func(*call) error {
	return func(c *call) error { return s.respond(c, s.admit, write) }
}

// respond answers a call that counts against limits. The order of checks of a licensed one is:
// the client's bucket (public index), 401, 403, 402, 429, 400, 500; then whether there is room for
// the response (429, 500). The response is made whole and logged before its first byte is
// sent, so the log has whatever a client received.
func (s *Server) respond(c *call, admit func(*call) error, write writer) error {
	c.hold = s.responses.Hold()
	defer c.hold.Release()
	h := c.w.Header()
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Vary", "Accept-Encoding, Authorization, Cookie")
	c.at = c.now
	if c.served = s.Snapshots.Current(); c.served != nil {
		c.vintage = c.served
		c.vintage.NameIn(h)
	}
	body, err := s.makeBody(c, admit, write)
	c.served, c.vintage = nil, nil // a slow reader must not keep an old one in memory
	if err == nil && c.file != nil {
		http.ServeContent(&fileWriter{c.w.(*reply.Writer), s, c}, c.r, "", time.Time{}, c.file)
		return nil
	}
	return s.finish(c, http.StatusOK, body, len(body), err)
}

// finish logs the answer, or the refusal of failed, and sends it. Of an answer without a body it sends the
// status: nothing follows, or so many bytes of a file.
func (s *Server) finish(c *call, status int, body []byte, bytes int, failed error) error {
	if failed != nil {
		status, body = s.outcome(c, failed)
		bytes = len(body)
	}
	if c.use != nil {
		c.use.SetHeaders(c.w.Header(), c.now)
	}
	err := s.record(c, status, bytes)
	if spent, ok := errors.AsType[*state.QuotaError](err); ok { // other requests used it up meanwhile
		*c.use.Quota, c.counts = spent.Quota, false
		return s.finish(c, 0, nil, 0, spent)
	}
	switch {
	case err != nil: // no data leaves without a record
	case body == nil:
		c.w.WriteHeader(status)
	default:
		reply.Send(c.w, c.r, status, body)
	}
	return err
}

// makeBody does all checks, makes the body as it is sent and holds room for it until the call
// ends. A panic becomes an error, so that its response is logged like any other.
func (s *Server) makeBody(c *call, admit func(*call) error, write writer) (body []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.notePanic(c.r, p)
			body, err = nil, errInternal
		}
		who := limit.Reader{Key: c.key.ID}
		if who.Key == 0 {
			who.Client = s.client(c.r)
		}
		if full := c.hold.Made(who, cap(body)); err == nil {
			err = full
		}
	}()
	if err := admit(c); err != nil {
		return nil, err
	}
	if !c.query.Read() {
		if c.query, err = reply.ReadParams(c.r.URL.RawQuery, c.params); err != nil {
			return nil, err
		}
	}
	if err := c.hold.Turn(c.r.Context()); err != nil {
		return nil, err
	}
	buffer := buffers.Get().(*[]byte)
	done := func() { keepBuffer(buffer) } // before the answer is sent, if it lies elsewhere
	defer func() { done() }()
	made, err := write(c, (*buffer)[:0])
	if cap(made) > cap(*buffer) {
		*buffer = made
	}
	if err != nil {
		return nil, err
	}
	h := c.w.Header()
	if h.Get("Content-Type") == "" {
		h.Set("Content-Type", reply.JSONType)
	}
	body, unpack := reply.Pack(h, c.r.Header, made)
	c.hold.Then(unpack)
	switch packed := h.Get("Content-Encoding") != ""; {
	case packed:
	case len(made) < cap(made)/4: // the buffer is much too large
		body = bytes.Clone(made)
	default:
		c.hold.Then(done)
		done = func() {}
	}
	return body, nil
}

// record logs the response and settles what it counts. A request with an unknown
// key is nobody's, so the billing log leaves it out.
func (s *Server) record(c *call, status, bytes int) error {
	if c.key.ID == 0 {
		return nil
	}
	if c.r.Method == http.MethodHead {
		bytes = 0
	}
	e := state.Entry{
		Time: c.now, KeyID: c.key.ID, Auth: c.auth, Secret: c.key.Secret(), Endpoint: c.path, Status: status, Bytes: int64(bytes),
		Latency: s.since(c.now), RequestID: requestID(c.r), Query: c.r.URL.RawQuery,
	}
	if c.counts {
		e.Limit = c.key.Limits.PerMonth
	}
	start := s.Now()
	err := s.State.Append(c.whole(), e)
	s.metrics.appends.Observe(s.since(start).Seconds())
	if err != nil {
		s.metrics.unlogged.Inc()
	}
	return err
}
