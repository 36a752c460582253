package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// Every response that a test of this package receives is held against the
// OpenAPI document: its address, method and status must be documented, its
// headers and body must be as documented, and no more than that.
func init() {
	observe = func(t testing.TB, r *response) {
		t.Helper()
		if err := theRecorder.check(r); err != nil {
			t.Errorf("%s %s: %d: not as /openapi.json says: %v\n%.600s", r.Request.Method, r.Request.URL, r.StatusCode, err, r.body)
		}
	}
}

// combination is a response that is documented.
type combination struct {
	path, method string
	status       string
}

func (c combination) String() string { return c.method + " " + c.path + " " + c.status }

// recorder checks responses, and notes which of those documented there were.
type recorder struct {
	mu   sync.Mutex
	seen map[combination]int
}

var theRecorder = &recorder{seen: map[combination]int{}}

// ordinaryHeaders may be on any response without being documented.
var ordinaryHeaders = []string{"Content-Type", "Content-Length", "Content-Encoding", "Connection", "Content-Security-Policy", "Date", "Vary", "X-Content-Type-Options"}

// refusal returns what any address, or any method, may answer.
func (d *apiDocument) refusal(r *response, name string) any {
	if underShopper(r.Request) {
		name = "Shopper" + name
	}
	return d.component("responses", name)
}

// onPage says whether an address is a page, or what pages load: for people, and
// no part of the document.
func onPage(path string) bool {
	return slices.ContainsFunc(pageRoutes(), func(x *route) bool { return x.takes(path) })
}

// pageRoutes are the routes of pages.
var pageRoutes = sync.OnceValue(func() []*route {
	s := &Server{}
	if err := s.addPages(); err != nil {
		panic(err)
	}
	return s.routes
})

func (x *recorder) check(r *response) error {
	doc := theDocument()
	method := strings.ToLower(r.Request.Method)
	head := method == "head"
	if head {
		method = "get"
	}
	operations, known := doc.paths()[r.Request.URL.Path]
	operation := doc.at(operations, method)
	var want any
	switch {
	case onPage(r.Request.URL.Path) && r.StatusCode < http.StatusBadRequest,
		wantsPage(r.Request) && r.Header.Get("Content-Type") == htmlType: // a refusal, for a browser
		if r.Header.Get("Content-Security-Policy") == "" {
			return fmt.Errorf("a page without a policy")
		}
		return nil
	case onPage(r.Request.URL.Path) && r.StatusCode == http.StatusMethodNotAllowed:
		want = doc.refusal(r, "MethodNotAllowed")
	case !known && r.StatusCode == http.StatusNotFound:
		want = doc.refusal(r, "NotFound")
	case !known:
		return fmt.Errorf("the address is not documented")
	case operation == nil && r.StatusCode == http.StatusMethodNotAllowed:
		want = doc.refusal(r, "MethodNotAllowed")
		if allow := allowOf(operations); r.Header.Get("Allow") != allow {
			return fmt.Errorf("Allow is %q; documented is %q", r.Header.Get("Allow"), allow)
		}
	case operation == nil:
		return fmt.Errorf("the method is not documented")
	default:
		status := fmt.Sprint(r.StatusCode)
		if want = doc.at(operation, "responses", status); want == nil {
			return fmt.Errorf("the status is not documented")
		}
		x.mu.Lock()
		x.seen[combination{r.Request.URL.Path, method, status}]++
		x.mu.Unlock()
	}
	if err := doc.checkHeaders(want, r.Header); err != nil {
		return err
	}
	return doc.checkBody(want, r, head)
}

// allowOf lists the methods of an address as the header Allow does.
func allowOf(operations any) string {
	var list []string
	for _, m := range []string{"get", "post", "put", "patch", "delete", "options"} {
		if theDocument().at(operations, m) == nil {
			continue
		}
		if list = append(list, strings.ToUpper(m)); m == "get" {
			list = append(list, "HEAD")
		}
	}
	return strings.Join(list, ", ")
}

func (d *apiDocument) checkHeaders(want any, got http.Header) error {
	documented, _ := d.at(want, "headers").(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(documented)) {
		header := d.resolve(documented[name])
		values := got.Values(name)
		if len(values) == 0 {
			if d.at(header, "required") == true {
				return fmt.Errorf("header %s is missing", name)
			}
			continue
		}
		if len(values) > 1 {
			return fmt.Errorf("header %s stands there %d times", name, len(values))
		}
		if err := d.checkText(d.at(header, "schema"), values[0]); err != nil {
			return fmt.Errorf("header %s: %q: %w", name, values[0], err)
		}
	}
	for name := range got {
		if _, ok := documented[name]; !ok && !slices.Contains(ordinaryHeaders, name) && !slices.ContainsFunc(slices.Collect(maps.Keys(documented)), func(n string) bool {
			return strings.EqualFold(n, name)
		}) {
			return fmt.Errorf("header %s is not documented", name)
		}
	}
	if got.Get("X-Content-Type-Options") != "nosniff" {
		return fmt.Errorf("X-Content-Type-Options is not nosniff")
	}
	return nil
}

// checkBody checks body and type. What answers HEAD has the headers alone.
func (d *apiDocument) checkBody(want any, r *response, head bool) error {
	content, _ := d.at(want, "content").(map[string]any)
	if content == nil {
		if len(r.body) > 0 || r.Header.Get("Content-Type") != "" {
			return fmt.Errorf("it has a body, of type %q", r.Header.Get("Content-Type"))
		}
		return nil
	}
	sent := r.Header.Get("Content-Type")
	media, params, err := mime.ParseMediaType(sent)
	if err != nil || content[media] == nil {
		return fmt.Errorf("Content-Type is %q", sent)
	}
	if charset := params["charset"]; charset != "utf-8" && !(charset == "" && media == "application/linkset+json") {
		return fmt.Errorf("Content-Type is %q: which encoding?", sent)
	}
	if head {
		if len(r.body) > 0 {
			return fmt.Errorf("HEAD got a body")
		}
		return nil
	}
	body, err := plainBody(r)
	if err != nil {
		return err
	}
	schema := d.at(content[media], "schema")
	if !strings.HasSuffix(media, "json") {
		return d.validate(schema, string(body))
	}
	var refusal struct {
		RequestID string `json:"requestId"`
	}
	if r.StatusCode >= http.StatusBadRequest && !underShopper(r.Request) && r.Request.URL.Path != pathMCP && json.Unmarshal(body, &refusal) == nil && refusal.RequestID != r.Header.Get("X-Request-Id") {
		return fmt.Errorf("requestId is not the header's")
	}
	return d.validateText(schema, body)
}

// plainBody returns the body, unpacked.
func plainBody(r *response) ([]byte, error) {
	switch packed := r.Header.Get("Content-Encoding"); packed {
	case "":
		return r.body, nil
	case "gzip":
		z, err := gzip.NewReader(bytes.NewReader(r.body))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(z)
	default:
		return nil, fmt.Errorf("Content-Encoding is %q", packed)
	}
}
