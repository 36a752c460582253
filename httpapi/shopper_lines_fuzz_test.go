package httpapi

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/larder-index/larder/compare"
)

// postTo sends a body to the handler, without a connection, and holds the answer
// against the OpenAPI document.
func (f *fixture) postTo(t *testing.T, path, query, contentType string, body []byte) *response {
	t.Helper()
	r := (&http.Request{
		Method: http.MethodPost, URL: &url.URL{Path: path, RawQuery: query}, Header: http.Header{"Content-Type": {contentType}}, RemoteAddr: "192.0.2.1:1234",
		Body: readCloser{bytes.NewReader(body)}, ContentLength: int64(len(body)), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(context.Background())
	w := httptest.NewRecorder()
	f.server.Handler().ServeHTTP(w, r)
	got := &response{w.Result(), w.Body.Bytes()}
	got.Request = r
	observe(t, got)
	return got
}

// FuzzShopperLines holds the lines against the comparison of the same body: given
// are those of the list that is compared, refused is what is refused there.
func FuzzShopperLines(f *testing.F) {
	for _, body := range []string{
		goodList, goodList + "x", "", "null", "[]", "{}", strings.Repeat("[", 100), `{"city":"toronto","items":[{"id":1e0,"qty":0.2e1}],"stores":["northlarch"]}`,
		`{"city":"toronto","city":"toronto"}`, "{\"city\":\"\xff\"}", `{"city":"toronto","items":[{"id":1,"qty":1e99999}]}`, padded(8193),
		`{"stores":[],"items":[{"qty":1,"id":50}],"city":"halifax"}`, `{"city":"toronto","items":[{"id":7,"qty":0.30}]}`, itemsOf(50), storesOf(41),
	} {
		f.Add("application/json", "", []byte(body))
	}
	f.Add("text/plain", "", []byte(goodList))
	f.Add("application/json", "city=toronto", []byte(goodList))
	server := serveDemo(f, manyComparisons)
	f.Fuzz(func(t *testing.T, contentType, query string, body []byte) {
		lines, compared := server.postTo(t, pathLines, query, contentType, body), server.postTo(t, pathCompare, query, contentType, body)
		wantSameAnswer(t, lines, compared)
		if lines.StatusCode != http.StatusOK {
			return
		}
		list, err := compare.DecodeRequest(body)
		if err != nil {
			t.Fatalf("given are the lines of %q: %v", body, err)
		}
		if want := expectedLines(t, reference(), list, testNow); !bytes.Equal(lines.body, want) {
			t.Errorf("%s\nwant\n%s", lines.body, want)
		}
	})
}
