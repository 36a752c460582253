package httpapi

import (
	"errors"
	"net/http"

	"github.com/larder-index/larder/httpapi/limit"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
)

// handler answers a call, or says why not.
type handler func(c *call) error

// writer appends the body of an answer.
type writer func(c *call, b []byte) ([]byte, error)

// step is done before an answer is made. It fails, or sets its member of the call.
type step func(c *call) error

// licensed returns the handler of an address that asks for a key or a session.
func (s *Server) licensed(write writer) handler {
	return s.logged(write, s.admit(nil), readParams, s.readAsOf)
}

// logged returns the handler of answers that are logged for whoever pays. The order of checks of a
// licensed one is: the client's bucket (public index), 401, 403, 402, 429, 400, 500; then whether
// there is room for the answer (429, 500). The answer is made whole and logged before its first
// byte is sent, so the log has whatever a client received.
func (s *Server) logged(write writer, steps ...step) handler {
	return func(c *call) error {
		c.setPrivate()
		body, free, err := s.make(c, write, steps)
		defer free()
		who, size := s.reader(c), cap(body)
		if err == nil {
			err = s.room.Take(who, size)
		}
		if err == nil {
			defer s.room.Give(who, size)
		}
		return s.finish(c, http.StatusOK, body, len(body), err)
	}
}

func (c *call) setPrivate() {
	c.w.Header().Set("Cache-Control", "private, no-cache")
	c.w.Header().Set("Vary", "Accept-Encoding, Authorization, Cookie")
}

// make does all steps, then makes the body as it is sent. A panic becomes an error, so that its response
// is logged like any other. Few answers are made at once, which bounds their memory. A slow reader keeps
// no old snapshot.
func (s *Server) make(c *call, write writer, steps []step) (body []byte, free func(), err error) {
	free = func() {}
	defer func() {
		if p := recover(); p != nil {
			s.notePanic(c.r, p)
			err = errInternal
		}
	}()
	of, h := *c, c.w.Header()
	of.view = view{s.Snapshots.Current(), c.now}
	of.NameIn(h)
	for _, step := range steps {
		if err := step(&of); err != nil {
			return nil, free, err
		}
	}
	if !s.making.TryAcquire(1) { // a client that stopped sending may still read
		if err := s.making.Acquire(c.r.Context(), 1); err != nil {
			return nil, free, err
		}
	}
	defer s.making.Release(1)
	buffer := reply.Buffer()
	if body, err = write(&of, (*buffer)[:0]); err != nil {
		reply.Free(buffer)
		return nil, free, err
	}
	if h.Get("Content-Type") == "" {
		h.Set("Content-Type", reply.JSONType)
	}
	*buffer = body
	body, free = reply.Pack(h, c.r.Header, buffer)
	return body, free, nil
}

// reader is whom the room for an answer is taken for.
func (s *Server) reader(c *call) limit.Reader {
	if c.payer.key.ID != 0 {
		return limit.Reader{Key: c.payer.key.ID}
	}
	return s.client(c.r)
}

// finish logs the answer, or the refusal of failed, and sends it. Of an answer without a body it sends the
// status: nothing follows, or so many bytes of a file.
func (s *Server) finish(c *call, status int, body []byte, bytes int, failed error) error {
	if failed != nil {
		status, body = s.outcome(c, failed)
		bytes = len(body)
	}
	if c.payer.use != nil {
		c.payer.use.SetHeaders(c.w.Header(), c.now)
	}
	err := s.record(c, status, bytes)
	if spent, ok := errors.AsType[*state.QuotaError](err); ok { // other requests used it up meanwhile
		*c.payer.use.Quota, c.payer.counts = spent.Quota, false
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

// record logs the response and settles what it counts. A request with an unknown
// key is nobody's, so the billing log leaves it out.
func (s *Server) record(c *call, status, bytes int) error {
	key := &c.payer.key
	if key.ID == 0 {
		return nil
	}
	if c.r.Method == http.MethodHead {
		bytes = 0
	}
	e := state.Entry{
		Time: c.now, KeyID: key.ID, Auth: c.payer.auth, Endpoint: c.name(), Status: status,
		Bytes: int64(bytes), Latency: s.since(c.now), RequestID: requestID(c.r), Query: c.r.URL.RawQuery,
	}
	if c.payer.counts {
		e.Limit = key.Limits.PerMonth
	}
	start := s.Now()
	err := s.State.Append(c.whole(), e)
	s.metrics.appends.Observe(s.since(start).Seconds())
	if err != nil {
		s.metrics.unlogged.Inc()
	}
	return err
}
