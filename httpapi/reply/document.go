package reply

import (
	"bytes"
	"maps"
	"net/http"
	"strconv"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/larder-index/larder/httpapi/internal/accept"
)

// DocumentAge is the Cache-Control of documents: an hour, so that a new release is
// known soon.
const DocumentAge = "public, max-age=3600"

// Document is a body that stays the same, such as a page or a file, with its
// headers. It is packed once.
type Document struct {
	header       http.Header
	contentType  string
	body, packed []byte
	tag          string
}

// NewDocument returns a document with the given headers, name after value, beside
// Vary and ETag. The tag is weak, since the document is sent packed or not.
func NewDocument(contentType string, body []byte, headers ...string) *Document {
	var packed bytes.Buffer
	gz, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level is valid
	gz.Write(body)                                              //nolint:errcheck // to memory
	gz.Close()                                                  //nolint:errcheck // to memory
	d := &Document{contentType: contentType, body: body, packed: packed.Bytes(), tag: WeakTag(body), header: http.Header{}}
	d.header.Set("Vary", "Accept-Encoding")
	d.header.Set("ETag", d.tag)
	for i := 0; i < len(headers); i += 2 {
		d.header.Set(headers[i], headers[i+1])
	}
	return d
}

// Serve answers with the document, or with 304 if the client has it.
func (d *Document) Serve(w http.ResponseWriter, r *http.Request) error {
	maps.Copy(w.Header(), d.header)
	if TagMatches(r.Header, d.tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	w.Header().Set("Content-Type", d.contentType)
	Send(w, r, http.StatusOK, d.choose(w.Header(), r.Header))
	return nil
}

// ServeFile answers with the document, or with the range of it that the client
// asks for.
func (d *Document) ServeFile(w http.ResponseWriter, r *http.Request) {
	maps.Copy(w.Header(), d.header)
	w.Header().Set("Content-Type", d.contentType)
	body := d.choose(w.Header(), r.Header)
	if r.Header.Get("Range") == "" {
		w.Header().Set("Content-Length", strconv.Itoa(len(body))) // net/http leaves it out of packed files
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// choose returns the form of the document that the client takes.
func (d *Document) choose(response, request http.Header) []byte {
	if len(d.body) < minPacked || !accept.Gzip(request) {
		return d.body
	}
	response.Set("Content-Encoding", "gzip")
	return d.packed
}
