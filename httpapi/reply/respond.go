// Package reply has what every answer needs: bodies with their length, packed for clients
// that take gzip; documents with a tag; the table of refusals; strict readers of queries and
// JSON bodies; a writer that drops clients which are too slow.
package reply

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"

	"github.com/larder-index/larder/httpapi/internal/accept"
	"github.com/larder-index/larder/httpapi/wire"
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
	SendPacked(w, r, status, body)
}

// SendPacked sends a response, packed if the client takes that.
func SendPacked(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	if p := pack(w.Header(), r.Header, body); p != nil {
		defer packers.Put(p)
		body = p.out.Bytes()
	}
	Send(w, r, status, body)
}

// JSON sends v as JSON.
func JSON(w http.ResponseWriter, r *http.Request, status int, v any) error {
	body, err := AppendJSON(nil, v)
	if err == nil {
		Respond(w, r, status, JSONType, body)
	}
	return err
}

// Send sends a response. HEAD gets the headers alone.
func Send(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(body) //nolint:errcheck // a client that is gone needs no answer
	}
}

// buffers are reused between answers, up to maxKept bytes each.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

const maxKept = 8 << 20

// Buffer returns a buffer, which Free takes back.
func Buffer() *[]byte { return buffers.Get().(*[]byte) }

// Free has a buffer used again.
func Free(b *[]byte) {
	if cap(*b) <= maxKept {
		buffers.Put(b)
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

// pack compresses a body, and says so in the response's headers. It returns nil if the client does not
// take gzip, or the body is short.
func pack(response, request http.Header, body []byte) *packer {
	if len(body) < minPacked || !accept.Gzip(request) || response.Get("Content-Type") == PNGType {
		return nil
	}
	p := packers.Get().(*packer)
	p.out.Reset()
	p.gz.Reset(&p.out)
	p.gz.Write(body) //nolint:errcheck // to memory
	p.gz.Close()     //nolint:errcheck // to memory
	response.Set("Content-Encoding", "gzip")
	return p
}

// Pack returns a body as it is sent, which is valid until free is called, and gives its buffer back as
// soon as that can be. It is packed if the client takes that. A slow client keeps no buffer that is much too large.
func Pack(response, request http.Header, buffer *[]byte) (body []byte, free func()) {
	body = *buffer
	if p := pack(response, request, body); p != nil {
		Free(buffer)
		return p.out.Bytes(), func() { packers.Put(p) }
	}
	if len(body) < cap(body)/4 {
		body = bytes.Clone(body)
		Free(buffer)
		return body, func() {}
	}
	return body, func() { Free(buffer) }
}

// AppendJSON appends v as a line of JSON.
func AppendJSON(b []byte, v any) ([]byte, error) {
	text, err := json.Marshal(v)
	return append(append(b, text...), '\n'), err
}

// AppendPlainJSON appends v as JSON without escapes for HTML. v must have a JSON form.
func AppendPlainJSON(b []byte, v any) []byte {
	to := bytes.NewBuffer(b)
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("reply: " + err.Error())
	}
	return bytes.TrimSuffix(to.Bytes(), []byte("\n"))
}

// AppendHead appends a response as far as its rows, which have a name; End
// follows them.
func AppendHead(b []byte, meta any, rows string) ([]byte, error) {
	m, err := json.Marshal(meta)
	return fmt.Appendf(b, `{"meta":%s,%q:[`, m, rows), err
}

// End ends a response that AppendHead began.
const End = "]}\n"

// Cut returns the places of a page's rows in a result of n, and notes the page.
func Cut(m *wire.Page, p Page, n int) (from, to int) {
	from = min(p.Offset, n)
	to = from + min(p.Limit, n-from)
	*m = wire.Page{Limit: p.Limit, Offset: p.Offset, Count: to - from, HasMore: to < n}
	if m.HasMore {
		m.NextOffset = &to
	}
	return from, to
}

// Take returns the rows of a page, and counts the rows as far as the first after it.
func Take[T any](p Page, rows iter.Seq[T]) (page []T, n int) {
	page = []T{}
	for x := range rows {
		if n++; n > p.Offset+p.Limit {
			break
		}
		if n > p.Offset {
			page = append(page, x)
		}
	}
	return page, n
}

// WeakTag returns the ETag of what the parts are.
func WeakTag(parts ...[]byte) string {
	sum := sha256.Sum256(bytes.Join(parts, []byte{'\n'}))
	return `W/"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
}

// TagMatches reports whether If-None-Match names a tag, by the weak comparison.
func TagMatches(h http.Header, tag string) bool {
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

// ProgramID tells one program from another: what they make of a snapshot may differ. Two
// programs that were built of the same commit, or of none, have the same one.
var ProgramID = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo() // nil for a program without modules
	sum := sha256.Sum256([]byte(info.String()))
	return hex.EncodeToString(sum[:6])
})

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

// DocumentAge is the Cache-Control of documents: an hour, so that a new release is
// known soon.
const DocumentAge = "public, max-age=3600"

// Document is a body that stays the same, such as a page or a file, with its
// headers. It is packed once, when a client first takes that.
type Document struct {
	header      http.Header
	contentType string
	body        []byte
	packed      func() []byte
	tag         string
}

// NewDocument returns a document with the given headers, name after value, beside
// Vary and ETag. The tag is weak, since the document is sent packed or not.
func NewDocument(contentType string, body []byte, headers ...string) *Document {
	d := &Document{contentType: contentType, body: body, tag: WeakTag(body), header: http.Header{}}
	d.packed = sync.OnceValue(func() []byte {
		var packed bytes.Buffer
		gz, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level is valid
		gz.Write(body)                                              //nolint:errcheck // to memory
		gz.Close()                                                  //nolint:errcheck // to memory
		return packed.Bytes()
	})
	d.header.Set("Vary", "Accept-Encoding")
	d.header.Set("ETag", d.tag)
	for i := 0; i < len(headers); i += 2 {
		d.header.Set(headers[i], headers[i+1])
	}
	return d
}

// Remember returns a function that makes something, unless it was made of the same last time. Of
// several callers at once, one makes it and the others wait.
func Remember[K comparable, V any](make func(of K) (V, error)) func(of K) (V, error) {
	var (
		mu   sync.Mutex
		last *K
		made V
	)
	return func(of K) (V, error) {
		mu.Lock()
		defer mu.Unlock()
		if last != nil && *last == of {
			return made, nil
		}
		x, err := make(of)
		if err == nil {
			last, made = &of, x
		}
		return x, err
	}
}

// Serve answers with the document, or with 304 if the client has it.
func (d *Document) Serve(w http.ResponseWriter, r *http.Request) error {
	maps.Copy(w.Header(), d.header)
	if TagMatches(r.Header, d.tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	w.Header().Set("Content-Type", d.contentType)
	body := d.body
	if len(body) >= minPacked && accept.Gzip(r.Header) {
		w.Header().Set("Content-Encoding", "gzip")
		body = d.packed()
	}
	Send(w, r, http.StatusOK, body)
	return nil
}
