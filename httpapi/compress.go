package httpapi

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
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

// takesGzip reports whether Accept-Encoding names gzip, or anything, with a
// weight above 0.
func takesGzip(h http.Header) bool {
	any := false
	for _, list := range h.Values("Accept-Encoding") {
		for item := range strings.SplitSeq(list, ",") {
			name, weight, _ := strings.Cut(item, ";")
			takes := true
			if q, ok := strings.CutPrefix(strings.TrimSpace(weight), "q="); ok {
				x, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
				takes = err == nil && x > 0
			}
			switch strings.ToLower(strings.TrimSpace(name)) {
			case "gzip", "x-gzip":
				return takes
			case "*":
				any = takes
			}
		}
	}
	return any
}
