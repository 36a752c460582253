package apitest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/httpapi/pages"
)

// Check compares a response with the OpenAPI document: address, method, status, headers and
// body.
func Check(t testing.TB, r *Response) {
	t.Helper()
	if err := check(OpenAPI(), r); err != nil {
		t.Errorf("%s %s: %d: not as /openapi.json says: %v\n%.600s", r.Request.Method, r.Request.URL, r.StatusCode, err, r.Content)
	}
}

// combination is a documented response.
type combination struct{ path, method, status string }

// seen are the documented responses that tests got.
var seen sync.Map

// ordinaryHeaders need no documentation.
var ordinaryHeaders = []string{"Content-Type", "Content-Length", "Content-Encoding", "Connection", "Content-Security-Policy", "Date", "Strict-Transport-Security", "Vary", "X-Content-Type-Options"}

// IsPage reports whether an address is a page, an asset, or a file for search engines. Those
// are not in the document.
func IsPage(path string) bool {
	_, path = lang.Locate(path)
	return slices.Contains([]string{"/", "/account", "/shopper", "/methodology", "/docs", "/releases", "/figure", "/embed/figure", "/why", "/robots.txt", "/sitemap.xml", pages.WorkerPath}, path) || strings.HasPrefix(path, "/docs/") || strings.HasPrefix(path, pages.AssetPrefix)
}

func check(doc *Document, r *Response) error {
	path, method := r.Request.URL.EscapedPath(), strings.ToLower(r.Request.Method)
	head := method == "head"
	if head {
		method = "get"
	}
	if rest, ok := strings.CutPrefix(path, "/api/v1/bulk/"); ok && strings.Count(rest, "/") == 1 {
		path = "/api/v1/bulk/{release}/{file}"
	}
	if slices.Contains([]string{"/figure", "/embed/figure", "/why"}, path) && r.StatusCode >= http.StatusBadRequest {
		path = "/figure.json" // a program is told the same at all forms of a figure
	}
	operations, known := doc.Paths()[path]
	operation := doc.At(operations, method)
	refusal := func(name string) any {
		if strings.HasPrefix(path, "/api/shopper/") || path == "/shopper/lines" || path == "/shopper/search" {
			name = "Shopper" + name
		}
		return doc.At(doc.Root, "components", "responses", name)
	}
	html := strings.HasPrefix(r.Header.Get("Content-Type"), "text/html")
	var want any
	switch {
	case IsPage(path) && r.StatusCode < http.StatusBadRequest,
		html && strings.Contains(r.Request.Header.Get("Accept"), "text/html"): // a refusal, for a browser
		if r.Header.Get("Content-Security-Policy") == "" {
			return fmt.Errorf("a page without a policy")
		}
		return nil
	case IsPage(path) && r.StatusCode == http.StatusMethodNotAllowed:
		want = refusal("MethodNotAllowed")
	case !known && r.StatusCode == http.StatusNotFound:
		want = refusal("NotFound")
	case !known:
		return fmt.Errorf("the address is not documented")
	case operation == nil && r.StatusCode == http.StatusMethodNotAllowed:
		want = refusal("MethodNotAllowed")
		if allow := strings.Join(doc.Methods(path), ", "); r.Header.Get("Allow") != allow {
			return fmt.Errorf("header Allow is %q; documented is %q", r.Header.Get("Allow"), allow)
		}
	case operation == nil:
		return fmt.Errorf("the method is not documented")
	default:
		status := fmt.Sprint(r.StatusCode)
		if want = doc.At(operation, "responses", status); want == nil {
			return fmt.Errorf("the status is not documented")
		}
		seen.Store(combination{path, method, status}, true)
	}
	if err := doc.checkHeaders(want, r.Header); err != nil {
		return err
	}
	return doc.checkBody(want, r, head)
}

// Methods are the methods of an address, as the header Allow lists them.
func (d *Document) Methods(path string) (list []string) {
	for _, m := range []string{"get", "post", "put", "patch", "delete", "options"} {
		if d.At(d.Paths()[path], m) == nil {
			continue
		}
		if list = append(list, strings.ToUpper(m)); m == "get" {
			list = append(list, "HEAD")
		}
	}
	return list
}

func (d *Document) checkHeaders(want any, got http.Header) error {
	documented, _ := d.At(want, "headers").(map[string]any)
	names := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(documented)) {
		names[http.CanonicalHeaderKey(name)] = true
		header := d.resolve(documented[name])
		values := got.Values(name)
		if len(values) == 0 {
			if d.At(header, "required") == true {
				return fmt.Errorf("header %s is missing", name)
			}
			continue
		}
		if len(values) > 1 {
			return fmt.Errorf("header %s is there %d times", name, len(values))
		}
		var value any = values[0]
		if d.At(header, "schema", "type") == "integer" {
			value = json.Number(values[0])
		}
		if err := d.Validate(d.At(header, "schema"), value); err != nil {
			return fmt.Errorf("header %s: %q: %w", name, values[0], err)
		}
	}
	for name := range got {
		if !names[http.CanonicalHeaderKey(name)] && !slices.Contains(ordinaryHeaders, name) {
			return fmt.Errorf("header %s is not documented", name)
		}
	}
	// If a browser takes data for a page, nothing in it runs or loads.
	for name, value := range map[string]string{"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'"} {
		if got.Get(name) != value {
			return fmt.Errorf("header %s is %q", name, got.Get(name))
		}
	}
	return nil
}

// checkBody checks type and body. Answers to HEAD have no body.
func (d *Document) checkBody(want any, r *Response, head bool) error {
	sent := r.Header.Get("Content-Type")
	content, _ := d.At(want, "content").(map[string]any)
	if content == nil {
		if len(r.Content) > 0 || sent != "" {
			return fmt.Errorf("it has a body, of type %q", sent)
		}
		return nil
	}
	media, params, err := mime.ParseMediaType(sent)
	if err != nil || content[media] == nil {
		return fmt.Errorf("Content-Type is %q", sent)
	}
	binary := d.At(content[media], "schema", "format") == "binary"
	if charset := params["charset"]; !binary && charset != "utf-8" && (charset != "" || media != "application/linkset+json" && media != "image/png") {
		return fmt.Errorf("Content-Type is %q: which encoding?", sent)
	}
	if head {
		if len(r.Content) > 0 {
			return fmt.Errorf("HEAD got a body")
		}
		return nil
	}
	body, err := r.Plain()
	if err != nil {
		return err
	}
	if media == "image/png" {
		return nil
	}
	schema := d.At(content[media], "schema")
	if !strings.HasSuffix(media, "json") {
		return d.Validate(schema, string(body))
	}
	var refusal struct {
		RequestID *string `json:"requestId"`
	}
	if r.StatusCode >= http.StatusBadRequest && json.Unmarshal(body, &refusal) == nil && refusal.RequestID != nil && *refusal.RequestID != r.Header.Get("X-Request-Id") {
		return fmt.Errorf("requestId is not the header's")
	}
	return d.validateText(schema, body)
}

// Plain returns the body, unpacked.
func (r *Response) Plain() ([]byte, error) {
	switch packed := r.Header.Get("Content-Encoding"); packed {
	case "":
		return r.Content, nil
	case "gzip":
		z, err := gzip.NewReader(bytes.NewReader(r.Content))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(z)
	default:
		return nil, fmt.Errorf("Content-Encoding is %q", packed)
	}
}

// checkCoverage fails a run of all tests in which no test got some documented response. It
// excuses late bodies, faults of the server except at two addresses, and a database that is
// gone where no test must have one.
func checkCoverage(code int) int {
	for _, name := range []string{"test.run", "test.skip", "test.list", "test.fuzz"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return code
		}
	}
	if code != 0 || testing.Short() {
		return code
	}
	database := slices.Contains(strings.Fields(os.Getenv("LARDER_REQUIRE_TOOLS")), "postgresql")
	var missed []combination
	for path, operations := range OpenAPI().Paths() {
		for method, operation := range operations.(map[string]any) {
			for status, response := range OpenAPI().At(operation, "responses").(map[string]any) {
				if text, err := json.Marshal(response); err != nil || !database && bytes.Contains(text, []byte("responses/StateUnavailable")) {
					continue
				}
				if _, ok := seen.Load(combination{path, method, status}); ok || status == "408" || status == "500" && path != "/api/v1/index" && path != "/api/v1/prices" {
					continue
				}
				missed = append(missed, combination{path, method, status})
			}
		}
	}
	slices.SortFunc(missed, func(a, b combination) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	for _, c := range missed {
		fmt.Fprintf(os.Stderr, "/openapi.json: no test got the response %s %s %s\n", c.method, c.path, c.status)
		code = 1
	}
	return code
}
