package httpapi

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"github.com/larder-index/larder/httpapi/state"
)

// call is one request of a licensed resource.
type call struct {
	*route
	w       http.ResponseWriter
	r       *http.Request
	now     time.Time // the request's instant
	key     state.Key
	auth    state.Auth
	reserve *state.Reservation // of the month's quota; nil if it does not count
	params  params
	served  *Served // one snapshot for the whole response

	// What follows the body that answer made: bytes of the snapshot, which other
	// responses have too. Most of a page of the index is such, and is sent from
	// where it stands.
	shared [][]byte

	use      *taken // of the key's minute and month, as the headers tell
	scanCap  int    // part of what a response depends on
	making   bool   // holds one of the turns of outgoing
	unlogged bool   // a refusal above what is logged of such
}

// serve answers a request for a route.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, x *route) {
	if x.licensed {
		s.serveLicensed(w, r, x)
		return
	}
	if err := x.handle(w, r); err != nil {
		s.fail(w, r, err)
	}
}

// buffers are reused between responses.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// maxKept bounds the buffers that are kept for reuse.
const maxKept = 8 << 20

// serveLicensed answers a request for a licensed resource. The order of checks
// is: the client's bucket (public index), 401, 403, 402, 429, 400, 500, 503. The
// response is made whole and logged, and only then sent: what a client has
// received is in the log.
func (s *Server) serveLicensed(w http.ResponseWriter, r *http.Request, x *route) {
	c := &call{route: x, w: w, r: r, now: s.Now(), scanCap: s.ScanCap}
	w.Header().Set("Cache-Control", "private, no-cache")
	w.Header().Set("Vary", "Accept-Encoding, Authorization, Cookie")
	defer func() {
		if c.reserve != nil {
			c.reserve.Cancel() // unless it was settled
		}
	}()
	status := http.StatusOK
	body, release, err := s.body(c)
	defer release()
	switch refused := (*apiError)(nil); {
	case errors.Is(err, errNotModified):
		status = http.StatusNotModified
	case err != nil:
		refused = s.asAPIError(r, err)
		s.metrics.refused(c, refused)
		status, body = refused.Status, [][]byte{refused.body(requestID(r))}
		refused.setHeaders(w.Header())
	default:
		w.Header().Set("Content-Type", jsonType)
	}
	if status != http.StatusOK {
		c.giveBack()
	}
	length := lengthOf(body)
	if err := s.record(c, status, length); err != nil {
		// Without a record no data may leave.
		s.fail(w, r, err)
		return
	}
	if status != http.StatusNotModified {
		w.Header().Set("Content-Length", strconv.Itoa(length))
	}
	w.WriteHeader(status)
	if r.Method != http.MethodHead && status != http.StatusNotModified {
		for _, part := range body {
			w.Write(part) //nolint:errcheck // the client is gone then, and was billed
		}
	}
}

// body makes the body as it is sent, and takes room for it until release is
// called, which it is in any case. Where the body was packed, what it was packed
// from is not kept.
func (s *Server) body(c *call) (body [][]byte, release func(), err error) {
	buffer := buffers.Get().(*[]byte)
	free := func() {
		if cap(*buffer) <= maxKept {
			buffers.Put(buffer)
		}
	}
	defer func() {
		if c.making {
			s.responses.end()
		}
	}()
	made, err := s.make(c, (*buffer)[:0])
	if cap(made) > cap(*buffer) {
		*buffer = made
	}
	if err != nil {
		free()
		return nil, func() {}, err
	}
	body = append([][]byte{made}, c.shared...)
	held := cap(made)
	if packed, unpack := compress(c.w.Header(), c.r.Header, body...); packed != nil {
		free()
		body, held, free = [][]byte{packed}, cap(packed), unpack
	} else if len(made) < held/4 { // a buffer that is much too large
		body[0] = bytes.Clone(made)
		free()
		held, free = cap(body[0]), func() {}
	}
	if !s.responses.hold(c.key.ID, held) {
		free()
		return nil, func() {}, errOutgoing
	}
	return body, func() {
		s.responses.release(c.key.ID, held)
		free()
	}, nil
}

func lengthOf(body [][]byte) (n int) {
	for _, part := range body {
		n += len(part)
	}
	return n
}

// make does all the checks and makes the body. A panic on the way becomes an
// error, so that the response to it is logged like any other.
func (s *Server) make(c *call, b []byte) (body []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.Log.LogAttrs(c.r.Context(), slog.LevelError, "panic", append(requestAttrs(c.r, nil),
				slog.Any("panic", p), slog.String("stack", string(debug.Stack())))...)
			s.metrics.panicked()
			body, err = b, errInternal
		}
	}()
	if err := s.admit(c); err != nil {
		return b, err
	}
	if c.params, err = readParams(c.r.URL.RawQuery, c.route.params); err != nil {
		return b, err
	}
	if err := s.responses.begin(c.r.Context()); err != nil {
		return b, err
	}
	c.making = true
	c.served = s.Snapshots.Current()
	return c.answer(c, b)
}

// errNoSnapshot answers licensed requests while there is nothing to serve.
var errNoSnapshot = &apiError{
	Status: http.StatusInternalServerError, Code: "internal_error", RetryAfter: 30 * time.Second,
	Message: "there is no verified snapshot to serve at the moment; try again later",
}

// needSnapshot is what an answer calls when it has read the parameters that
// need no snapshot.
func (c *call) needSnapshot() error {
	if c.served == nil {
		return errNoSnapshot
	}
	return nil
}

// begin is what an answer calls when it has read all parameters: what follows
// is not done for a client that has the response already.
func (c *call) begin() error {
	if err := c.needSnapshot(); err != nil {
		return err
	}
	return c.checkTag()
}

// record logs the response and settles what it counts. A request whose key is
// unknown is nobody's, and is not part of the billing log; nor are refusals of a
// disabled or expired key above its minute.
func (s *Server) record(c *call, status, bytes int) error {
	if c.key.ID == 0 || c.unlogged {
		return nil
	}
	if c.r.Method == http.MethodHead {
		bytes = 0
	}
	e := state.Entry{
		Time: c.now, KeyID: c.key.ID, Auth: c.auth, Endpoint: c.path, Status: status, Bytes: int64(bytes),
		Latency: s.since(c.now), Query: c.r.URL.RawQuery,
	}
	start := s.Now()
	var err error
	if c.reserve != nil {
		err = c.reserve.Settle(c.r.Context(), e)
	} else {
		err = s.State.Append(c.r.Context(), e)
	}
	s.metrics.appended(s.since(start), err)
	return err
}
