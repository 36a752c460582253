package httpapi

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/larder-index/larder/compare"
)

// FuzzShopperLines holds the lines against the comparison of the same body: given
// are those of the list that is compared, refused is what is refused there.
func FuzzShopperLines(f *testing.F) {
	eachBody(func(contentType string, body []byte) { f.Add(contentType, "", body) })
	f.Add("application/json", "city=toronto", []byte(goodList))
	server := serveDemo(f, manyComparisons)
	f.Fuzz(func(t *testing.T, contentType, query string, body []byte) {
		lines, compared := server.ask(t, http.MethodPost, pathLines, query, contentType, body), server.ask(t, http.MethodPost, pathCompare, query, contentType, body)
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
