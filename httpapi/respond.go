package httpapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/larder-index/larder/httpapi/internal/accept"
)

const (
	jsonType = "application/json; charset=utf-8"
	htmlType = "text/html; charset=utf-8"
	pngType  = "image/png"
)

// minPacked is the size in bytes from which a body is worth compressing.
const minPacked = 1 << 10

// respond sends a whole response, packed if the client takes that.
func respond(w http.ResponseWriter, r *http.Request, status int, contentType string, body ...[]byte) {
	w.Header().Set("Content-Type", contentType)
	body, free := pack(w.Header(), r.Header, body)
	defer free()
	send(w, r, status, body)
}

// respondJSON sends v as JSON.
func respondJSON(w http.ResponseWriter, r *http.Request, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	respond(w, r, status, jsonType, append(body, '\n'))
	return nil
}

// send sends a response whose body comes in parts. HEAD gets the headers alone.
func send(w http.ResponseWriter, r *http.Request, status int, body [][]byte) {
	w.Header().Set("Content-Length", strconv.Itoa(lengthOf(body)))
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return
	}
	for _, part := range body {
		w.Write(part) //nolint:errcheck // a client that is gone needs no answer
	}
}

func lengthOf(body [][]byte) (n int) {
	for _, part := range body {
		n += len(part)
	}
	return n
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

// pack compresses a body if the client takes gzip and the body is long enough,
// and says so in the response's headers. Otherwise it returns the body as it is.
// The result is valid until free is called.
func pack(response, request http.Header, body [][]byte) (packed [][]byte, free func()) {
	if lengthOf(body) < minPacked || !takesGzip(request) || response.Get("Content-Type") == pngType {
		return body, func() {}
	}
	p := packers.Get().(*packer)
	p.out.Reset()
	p.gz.Reset(&p.out)
	for _, part := range body {
		p.gz.Write(part) //nolint:errcheck // to memory
	}
	p.gz.Close() //nolint:errcheck // to memory
	response.Set("Content-Encoding", "gzip")
	return [][]byte{p.out.Bytes()}, func() { packers.Put(p) }
}

func takesGzip(h http.Header) bool { return accept.Encoding(h, "gzip", "x-gzip") > 0 }

// document is a body that stays the same, such as a page or a file, with its
// headers. It is packed once.
type document struct {
	header       http.Header
	contentType  string
	body, packed []byte
	tag          string
}

// newDocument returns a document with the given headers, name after value, beside
// Vary and ETag. The tag is weak, since the document is sent packed or not.
func newDocument(contentType string, body []byte, headers ...string) *document {
	var packed bytes.Buffer
	gz, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level is valid
	gz.Write(body)                                              //nolint:errcheck // to memory
	gz.Close()                                                  //nolint:errcheck // to memory
	d := &document{contentType: contentType, body: body, packed: packed.Bytes(), tag: weakTag(body), header: http.Header{}}
	d.header.Set("Vary", "Accept-Encoding")
	d.header.Set("ETag", d.tag)
	for i := 0; i < len(headers); i += 2 {
		d.header.Set(headers[i], headers[i+1])
	}
	return d
}

// serve answers with the document, or with 304 if the client has it.
func (d *document) serve(w http.ResponseWriter, r *http.Request) error {
	maps.Copy(w.Header(), d.header)
	if tagMatches(r.Header, d.tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	w.Header().Set("Content-Type", d.contentType)
	send(w, r, http.StatusOK, [][]byte{d.choose(w.Header(), r.Header)})
	return nil
}

// serveFile answers with the document, or with the range of it that the client
// asks for.
func (d *document) serveFile(w http.ResponseWriter, r *http.Request) {
	maps.Copy(w.Header(), d.header)
	w.Header().Set("Content-Type", d.contentType)
	body := d.choose(w.Header(), r.Header)
	if r.Header.Get("Range") == "" {
		w.Header().Set("Content-Length", strconv.Itoa(len(body))) // net/http leaves it out of packed files
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// choose returns the form of the document that the client takes.
func (d *document) choose(response, request http.Header) []byte {
	if len(d.body) < minPacked || !takesGzip(request) {
		return d.body
	}
	response.Set("Content-Encoding", "gzip")
	return d.packed
}

// weakTag returns the ETag of what the parts are.
func weakTag(parts ...[]byte) string {
	sum := sha256.Sum256(bytes.Join(parts, []byte{'\n'}))
	return `W/"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
}

// tagMatches reports whether If-None-Match names a tag, by the weak comparison.
func tagMatches(h http.Header, tag string) bool {
	for _, list := range h.Values("If-None-Match") {
		for have := range strings.SplitSeq(list, ",") {
			have = strings.TrimSpace(have)
			if have == "*" || strings.TrimPrefix(have, "W/") == strings.TrimPrefix(tag, "W/") {
				return true
			}
		}
	}
	return false
}
