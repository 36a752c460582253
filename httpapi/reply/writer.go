package reply

import "net/http"

// Writer notes what was answered, and from which route.
type Writer struct {
	http.ResponseWriter
	Route  string // its path, or "other": strangers can't make up series and log lines
	Status int    // 0: nothing was sent yet
	Bytes  int64  // of the body that were sent
}

// WriteHeader implements http.ResponseWriter.
func (w *Writer) WriteHeader(status int) {
	if w.Status == 0 {
		w.Status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *Writer) Write(b []byte) (n int, err error) {
	if w.Status == 0 {
		w.Status = http.StatusOK
	}
	n, err = w.ResponseWriter.Write(b)
	w.Bytes += int64(n)
	return n, err
}

// Unwrap returns the writer of net/http, for http.ResponseController.
func (w *Writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }
