package httpapi

import (
	"net/http"
	"time"
)

// seenWriter notes what was answered, and from which route. It drops a client that
// takes a response too slowly, since the response holds memory meanwhile.
type seenWriter struct {
	http.ResponseWriter
	route  string // its path, or "other": strangers can't make up series and log lines
	status int    // 0: nothing was sent yet
	bytes  int64

	last  time.Time // when the response must be out; zero: at any time, however slowly
	began time.Time // the first write of a paced response
	err   error     // of the write that failed
}

// After lateness a client must have taken slowest bytes a second on average, and no
// piece may take longer than lateness. Responses are written in pieces, so that the
// writer sees how fast the client takes them.
const (
	slowest  = 8000
	lateness = 15 * time.Second
	piece    = 32 << 10
)

func newSeenWriter(w http.ResponseWriter, r *http.Request) *seenWriter {
	seen := &seenWriter{ResponseWriter: w, route: "other"}
	if server, ok := r.Context().Value(http.ServerContextKey).(*http.Server); ok && server.WriteTimeout > 0 {
		seen.last = time.Now().Add(server.WriteTimeout)
	}
	return seen
}

func (w *seenWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write sends b in pieces. A response of one piece has the time of the whole
// response.
func (w *seenWriter) Write(b []byte) (n int, err error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	paced := !w.last.IsZero() && w.bytes+int64(len(b)) > piece
	for w.err == nil && n < len(b) {
		next := b[n:min(n+piece, len(b))]
		if paced {
			w.pace(len(next))
		}
		var taken int
		taken, w.err = w.ResponseWriter.Write(next)
		n += taken
		w.bytes += int64(taken)
	}
	return n, w.err
}

// pace sets the time by which the client must have taken the next bytes. The times
// are for the network and run by the machine's clock.
func (w *seenWriter) pace(bytes int) {
	now := time.Now()
	if w.began.IsZero() {
		w.began = now
	}
	average := time.Duration(w.bytes+int64(bytes)) * time.Second / slowest
	latest := w.began.Add(max(lateness, average))
	for _, bound := range []time.Time{now.Add(lateness), w.last} {
		if bound.Before(latest) {
			latest = bound
		}
	}
	// net/http sets another deadline for the next response on the connection. A writer
	// that is no connection has no deadline, and needs none.
	http.NewResponseController(w.ResponseWriter).SetWriteDeadline(latest) //nolint:errcheck // see above
}

func (w *seenWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
