package httpapi

import (
	"bytes"
	"net/http"
	"sync"

	"github.com/klauspost/compress/gzip"

	"github.com/larder-index/larder/httpapi/internal/accept"
)

// minPacked is the size from which compressing is worth it.
const minPacked = 1 << 10

type packer struct {
	out bytes.Buffer
	gz  *gzip.Writer
}

var packers = sync.Pool{New: func() any {
	p := &packer{}
	p.gz, _ = gzip.NewWriterLevel(&p.out, gzip.BestSpeed) // the level is valid
	return p
}}

// compress returns the body packed, if the client takes that and it is worth
// it, and says so in the response's headers; nil if not. The body is given in
// parts. free gives back what the packed body stands in.
func compress(response, request http.Header, body ...[]byte) (packed []byte, free func()) {
	if lengthOf(body) < minPacked || !takesGzip(request) {
		return nil, nil
	}
	p := packers.Get().(*packer)
	p.out.Reset()
	p.gz.Reset(&p.out)
	for _, part := range body {
		p.gz.Write(part) //nolint:errcheck // to memory
	}
	p.gz.Close() //nolint:errcheck // to memory
	response.Set("Content-Encoding", "gzip")
	return p.out.Bytes(), func() { packers.Put(p) }
}

func takesGzip(h http.Header) bool { return accept.Encoding(h, "gzip", "x-gzip") > 0 }
