package reply

import (
	"net/http"
	"time"
)

// Writer notes what was answered, and from which route. It drops a client that
// takes a response too slowly, since the response holds memory meanwhile.
type Writer struct {
	http.ResponseWriter
	Route  string // its path, or "other": strangers can't make up series and log lines
	Status int    // 0: nothing was sent yet
	Bytes  int64  // of the body that were sent

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

// NewWriter returns the writer of a response. With a server that has a WriteTimeout it paces
// the client.
func NewWriter(w http.ResponseWriter, r *http.Request) *Writer {
	seen := &Writer{ResponseWriter: w, Route: "other"}
	if server, ok := r.Context().Value(http.ServerContextKey).(*http.Server); ok && server.WriteTimeout > 0 {
		seen.last = time.Now().Add(server.WriteTimeout)
	}
	return seen
}

// Allow gives the client time for so many bytes beyond the response's own.
func (w *Writer) Allow(bytes int64) {
	if !w.last.IsZero() {
		w.last = w.last.Add(time.Duration(bytes/slowest) * time.Second)
	}
}

// WriteHeader implements http.ResponseWriter.
func (w *Writer) WriteHeader(status int) {
	if w.Status == 0 {
		w.Status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write sends b in pieces. A response of one piece has the time of the whole
// response.
func (w *Writer) Write(b []byte) (n int, err error) {
	if w.Status == 0 {
		w.Status = http.StatusOK
	}
	paced := !w.last.IsZero() && w.Bytes+int64(len(b)) > piece
	for w.err == nil && n < len(b) {
		next := b[n:min(n+piece, len(b))]
		if paced {
			w.pace(len(next))
		}
		var taken int
		taken, w.err = w.ResponseWriter.Write(next)
		n += taken
		w.Bytes += int64(taken)
	}
	return n, w.err
}

// pace sets the time by which the client must have taken the next bytes. The times
// are for the network and run by the machine's clock.
func (w *Writer) pace(bytes int) {
	now := time.Now()
	if w.began.IsZero() {
		w.began = now
	}
	average := time.Duration(w.Bytes+int64(bytes)) * time.Second / slowest
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

// Unwrap returns the writer of net/http, for http.ResponseController.
func (w *Writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }
