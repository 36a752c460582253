package httpapi

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"

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

// licensed returns the handler of a route that asks for a key. answer appends
// the body. The order of checks is: the client's bucket (public index), 401, 403,
// 402, 429, 400, 500; then whether there is room for the response (429, 500). The
// response is made whole and logged before its first byte is sent, so the log has
// whatever a client received.
func (s *Server) licensed(answer func(c *call, b []byte) ([]byte, error)) func(*call) error {
	return s.metered(s.admit, answer)
}

// metered is licensed with another check of who may ask.
func (s *Server) metered(admit func(*call) error, answer func(c *call, b []byte) ([]byte, error)) func(*call) error {
	return func(c *call) error {
		h := c.w.Header()
		h.Set("Cache-Control", "private, no-cache")
		h.Set("Vary", "Accept-Encoding, Authorization, Cookie")
		c.at = c.now
		if c.served = s.Snapshots.Current(); c.served != nil {
			c.vintage = c.served.Vintage
			c.vintage.NameIn(h)
		}
		defer func() {
			if c.reserve != nil {
				c.reserve.Cancel() // does nothing if it was settled
			}
		}()
		status := http.StatusOK
		body, release, err := s.body(c, admit, answer)
		defer release()
		c.vintage = nil // a slow reader must not keep an old one in memory
		switch b, isBare := errors.AsType[bare](err); {
		case isBare:
			status = int(b)
		case err != nil:
			refused := s.refusal(c.r, err)
			status, body = refused.Status(), [][]byte{s.refusalBody(h, c.r, refused)}
			if c.person {
				body = s.refusedFigure(c, refused, body)
			}
		case c.file != nil:
			s.sendFile(c)
			return nil
		case h.Get("Content-Type") == "":
			h.Set("Content-Type", reply.JSONType)
		}
		if status != http.StatusOK {
			c.giveBack()
		}
		err = s.record(c, status, reply.Length(body))
		if spent, ok := errors.AsType[*state.QuotaError](err); ok { // other servers used it up meanwhile
			s.metrics.limited.WithLabelValues(limitMonth).Inc()
			*c.use.Quota = spent.Quota
			c.use.SetHeaders(h, c.now)
			c.reserve, status = nil, http.StatusTooManyRequests
			body = [][]byte{s.refusalBody(h, c.r, quotaExceeded(spent, c.now))}
			err = s.record(c, status, reply.Length(body))
		}
		if err != nil {
			return err // no data leaves without a record
		}
		if body == nil {
			c.w.WriteHeader(status)
			return nil
		}
		reply.Send(c.w, c.r, status, body)
		return nil
	}
}

// body makes the body as it is sent and reserves room for it. release gives the
// room and the buffer back. It is never nil.
func (s *Server) body(c *call, admit func(*call) error, answer func(*call, []byte) ([]byte, error)) (body [][]byte, release func(), err error) {
	buffer := buffers.Get().(*[]byte)
	free := func() { keepBuffer(buffer) }
	defer s.giveTurn(c)
	made, err := s.make(c, (*buffer)[:0], admit, answer)
	if cap(made) > cap(*buffer) {
		*buffer = made
	}
	if err != nil {
		free()
		return nil, func() {}, err
	}
	held := cap(made)
	body, unpack := reply.Pack(c.w.Header(), c.r.Header, append([][]byte{made}, c.shared...))
	if c.w.Header().Get("Content-Encoding") != "" {
		free()
		held, free = cap(body[0]), unpack
	} else if len(made) < held/4 { // the buffer is much too large
		body[0] = bytes.Clone(made)
		free()
		held, free = cap(body[0]), func() {}
	}
	if err := s.responses.Hold(c.key.ID, held); err != nil {
		if err.Code == limit.ErrKeyInFlight.Code {
			s.metrics.limited.WithLabelValues(limitFlight).Inc()
		}
		free()
		return nil, func() {}, err
	}
	return body, func() {
		s.responses.Release(c.key.ID, held)
		free()
	}, nil
}

// make does all checks and makes the body. A panic becomes an error, so that its
// response is logged like any other.
func (s *Server) make(c *call, b []byte, admit func(*call) error, answer func(*call, []byte) ([]byte, error)) (body []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.notePanic(c.r, slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			body, err = b, errInternal
		}
	}()
	if err := admit(c); err != nil {
		return b, err
	}
	if !c.query.Read() {
		if c.query, err = reply.ReadParams(c.r.URL.RawQuery, c.params); err != nil {
			return b, err
		}
	}
	if err := s.takeTurn(c); err != nil {
		return b, err
	}
	return answer(c, b)
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
	start := s.Now()
	var err error
	if c.reserve != nil {
		err = c.reserve.Settle(c.whole(), e)
	} else {
		err = s.State.Append(c.whole(), e)
	}
	s.metrics.appends.Observe(s.since(start).Seconds())
	if err != nil {
		s.metrics.unlogged.Inc()
	}
	return err
}
