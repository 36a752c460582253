// Package reply has what every answer needs: bodies with their length, packed for clients
// that take gzip; documents with a tag; the table of refusals; strict readers of queries and
// JSON bodies; a writer that drops clients which are too slow.
package reply

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"

	"github.com/klauspost/compress/gzip"

	"github.com/larder-index/larder/httpapi/internal/accept"
)

// The Content-Types of most answers.
const (
	JSONType = "application/json; charset=utf-8"
	HTMLType = "text/html; charset=utf-8"
	PNGType  = "image/png"
)

// minPacked is the size in bytes from which a body is worth compressing.
const minPacked = 1 << 10

// Respond sends a whole response, packed if the client takes that.
func Respond(w http.ResponseWriter, r *http.Request, status int, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	body, free := Pack(w.Header(), r.Header, body)
	defer free()
	Send(w, r, status, body)
}

// JSON sends v as JSON.
func JSON(w http.ResponseWriter, r *http.Request, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	Respond(w, r, status, JSONType, append(body, '\n'))
	return nil
}

// Send sends a response. HEAD gets the headers alone.
func Send(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(body) //nolint:errcheck // a client that is gone needs no answer
	}
}

type packer struct {
	out bytes.Buffer
	gz  *gzip.Writer
}

var packers = sync.Pool{New: func() any {
	p := &packer{}
	p.gz, _ = gzip.NewWriterLevel(&p.out, gzip.BestSpeed) // the level is valid
	return p
}}

// Pack compresses a body if the client takes gzip and the body is long enough,
// and says so in the response's headers. Otherwise it returns the body as it is.
// The result is valid until free is called.
func Pack(response, request http.Header, body []byte) (packed []byte, free func()) {
	if len(body) < minPacked || !accept.Gzip(request) || response.Get("Content-Type") == PNGType {
		return body, func() {}
	}
	p := packers.Get().(*packer)
	p.out.Reset()
	p.gz.Reset(&p.out)
	p.gz.Write(body) //nolint:errcheck // to memory
	p.gz.Close()     //nolint:errcheck // to memory
	response.Set("Content-Encoding", "gzip")
	return p.out.Bytes(), func() { packers.Put(p) }
}
