package httpapi

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// document is a text that is the same for everyone as long as the server runs.
type document struct {
	path, contentType string
	body, packed      []byte // packed: as gzip
	tag               string
	link              string // value of the header Link; empty: none
	age               string // value of Cache-Control
	listed            bool   // search engines may list it
}

const (
	pathOpenAPI    = "/openapi.json"
	pathLLMs       = "/llms.txt"
	pathAPICatalog = "/.well-known/api-catalog"

	// linksetType is the type that RFC 9727 asks for.
	linksetType = `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`
)

// documentAge is how long a document may be kept before it is asked for again:
// an hour, so that a new release is known soon.
const documentAge = "public, max-age=3600"

//go:embed openapi/llms.txt
var llmsText string

//go:embed openapi/api-catalog.json
var apiCatalog string

// documents returns the documents with the server's own address in them.
func (s *Server) documents() []*document {
	return []*document{
		newDocument(pathOpenAPI, jsonType, s.openAPI()),
		newDocument(pathLLMs, "text/plain; charset=utf-8", s.fillMarks(llmsText)),
		newDocument(pathAPICatalog, linksetType, s.fillMarks(apiCatalog)).linked(`</.well-known/api-catalog>; rel="api-catalog"`),
	}
}

// fillMarks puts what the embedded documents can't know in the place of the
// marks that stand for it: the server's own address, the cookie that it uses,
// and texts that responses have too.
func (s *Server) fillMarks(text string) []byte {
	return []byte(strings.NewReplacer(
		"{base_url}", s.BaseURL, "{cookie}", s.sessionCookie(), "{note}", note, "{license}", license,
	).Replace(text))
}

func newDocument(path, contentType string, body []byte) *document {
	var packed bytes.Buffer
	gz, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level is valid
	gz.Write(body)                                              //nolint:errcheck // to memory
	gz.Close()                                                  //nolint:errcheck // to memory
	sum := sha256.Sum256(body)
	return &document{
		path: path, contentType: contentType, body: body, packed: packed.Bytes(),
		tag: `W/"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`, // weak: packed or not
		age: documentAge,
	}
}

// linked adds a header Link.
func (d *document) linked(link string) *document {
	d.link = link
	return d
}

// serve answers with the document. Search engines are asked not to list most: they
// are for programs that know where to look.
func (d *document) serve(w http.ResponseWriter, r *http.Request) error {
	h := w.Header()
	h.Set("Cache-Control", d.age)
	h.Set("Vary", "Accept-Encoding")
	if !d.listed {
		h.Set("X-Robots-Tag", "noindex")
	}
	if d.link != "" {
		h.Set("Link", d.link)
	}
	if d.tag != "" {
		h.Set("ETag", d.tag)
		if tagMatches(r.Header, d.tag) {
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	body := d.body
	if len(d.packed) > 0 && len(body) >= minPacked && takesGzip(r.Header) {
		h.Set("Content-Encoding", "gzip")
		body = d.packed
	}
	h.Set("Content-Type", d.contentType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		w.Write(body) //nolint:errcheck // the client is gone then
	}
	return nil
}
