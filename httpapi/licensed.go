package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/larder-index/larder/httpapi/limit"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
)

// licensedCall is the part of a call that only routes with a key have.
type licensedCall struct {
	key     state.Key
	auth    state.Auth
	reserve *state.Reservation // of the month's quota; nil if the call is free
	use     *limit.Use         // of the key's minute and month, as the headers say
	person  bool               // asks for a page, and is to get one also for a refusal
	making  bool               // holds one of the turns of outgoing
	query   reply.Params
	served  *prepared.Served  // one snapshot for the whole response
	vintage *prepared.Vintage // its index, or the one of the release that as_of names
	at      time.Time         // the instant that the answer is of: the request's, or that of as_of
	file    *os.File          // the answer, if it is a file
	unlock  func()            // of Server.once; nil if this call holds none

	// shared follows the body that the handler made: bytes of the snapshot, which
	// other responses send too. They are most of a page of the index.
	shared [][]byte
}

// bare ends a call whose response has this status and no body.
type bare int

func (b bare) Error() string { return http.StatusText(int(b)) }

// errNotModified ends a call whose client has the response already.
var errNotModified = bare(http.StatusNotModified)

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
		if c.served = s.Snapshots.At(c.now); c.served != nil {
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

// whole returns a context for the short work on the state. It does not end when the
// client stops sending: that client may still read the answer.
func (c *call) whole() context.Context { return context.WithoutCancel(c.r.Context()) }

// TakeTurn waits until the response may be made. A client that stopped sending leaves the
// queue. If there is no queue, it is answered.
func (s *Server) takeTurn(c *call) error {
	err := s.responses.TakeTurn(c.r.Context())
	c.making = err == nil
	return err
}

// GiveTurn lets another response be made.
func (s *Server) giveTurn(c *call) {
	if c.making {
		c.making = false
		s.responses.GiveTurn()
	}
}

// needSnapshot fails when no snapshot is loaded. Handlers call it after validating
// parameters that do not depend on the snapshot, so a bad parameter is 400 even
// without data.
func (c *call) needSnapshot() error {
	if c.served == nil {
		return errNoSnapshot
	}
	return nil
}

// AsOf has the call answer from the release that the parameter as_of names: by its id, or
// as the newest one at an instant. The clock of the answer is that instant, or the one of
// the release. Without the parameter the call answers from what is in service.
func (s *Server) asOf(c *call) error {
	text := c.query.Value("as_of")
	if text == "" || c.served == nil {
		return nil
	}
	r, err := s.Snapshots.Releases.AsOf(c.now, c.served, "as_of", text)
	if err != nil {
		return err
	}
	if c.at, err = time.Parse(time.RFC3339, text); err != nil {
		c.at = r.At // the text is an id
	}
	s.giveTurn(c) // others are answered while an old vintage is made
	c.vintage, err = s.Snapshots.Releases.Vintage(c.r.Context(), c.served, r)
	if err = cmp.Or(err, s.takeTurn(c)); err == nil {
		c.vintage.NameIn(c.w.Header())
	}
	return err
}

// LastClosed returns the last week that the answer may have.
func (c *call) lastClosed() panel.Week { return c.vintage.LastClosed(c.at) }

// begin ends the checks of a call: its parameters are valid. It sets the ETag and
// fails with errNotModified for a client that has the response. The tag depends on the
// snapshot and its release, the program, the address and the days that the query comes to.
// It is weak, since generated_at and the encoding may differ.
func (s *Server) begin(c *call, days ...panel.Date) error {
	if err := c.needSnapshot(); err != nil {
		return err
	}
	tag := reply.WeakTag([]byte(c.vintage.Tag()), []byte(reply.ProgramID()), strconv.AppendInt(nil, int64(s.ScanCap), 10),
		[]byte(c.path), []byte(c.r.URL.RawQuery), fmt.Append(nil, days))
	c.w.Header().Set("ETag", tag)
	if reply.TagMatches(c.r.Header, tag) {
		return errNotModified
	}
	return nil
}

// today is the day in Toronto at the answer's instant.
func (c *call) today() panel.Date { return panel.DateIn(c.at, panel.Toronto) }

// generatedAt is how a response dates itself.
func (c *call) generatedAt() string { return c.now.UTC().Format(time.RFC3339) }

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

// bearer returns the key of an Authorization header; false unless there is one
// header with one key. The scheme's name may be in any case.
func bearer(header []string) (string, bool) {
	scheme, secret, ok := strings.Cut(header[0], " ")
	secret = strings.Trim(secret, " ")
	return secret, len(header) == 1 && ok && strings.EqualFold(scheme, "Bearer") && secret != "" && !strings.Contains(secret, " ")
}
