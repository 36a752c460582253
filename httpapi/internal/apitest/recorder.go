package apitest

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"mime"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/klauspost/compress/gzip"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/site/pages"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
)

// combination is a documented response.
type combination struct{ path, method, status string }

// seen are the documented responses that tests got.
var seen sync.Map

// ordinaryHeaders need no documentation.
var ordinaryHeaders = []string{"Content-Type", "Content-Length", "Content-Encoding", "Connection", "Content-Security-Policy", "Date", "Strict-Transport-Security", "Vary", "X-Content-Type-Options"}

var frenchFirst, _ = panel.NewAbout(map[string]string{"language": "fr"}, nil)

// IsPage reports whether an address is a page, an asset, or a file for search engines. Those
// are not in the document.
func IsPage(path string) bool {
	_, path = words.Locate(path)
	_, path = words.Locate(path, words.Of(frenchFirst)...)
	return slices.Contains([]string{"/", "/account", "/shopper", "/methodology", "/docs", "/releases", "/figure", "/embed/figure", "/why", "/robots.txt", "/sitemap.xml", pages.WorkerPath}, path) || strings.HasPrefix(path, "/docs/") || strings.HasPrefix(path, pages.AssetPrefix)
}

// fits compares a response with a document: address, method, status, headers and body.
func fits(doc *openapi3.T, r *Response) error {
	path, method := r.Request.URL.EscapedPath(), r.Request.Method
	head := method == http.MethodHead
	if head {
		method = http.MethodGet
	}
	slash := strings.Contains(strings.ToLower(path), "%2f") // no address has one
	if strings.HasPrefix(path, "/api/v1/files/") && !slash {
		path = "/api/v1/files/{path}"
	}
	if rest, ok := strings.CutPrefix(path, "/api/v1/releases/"); ok && !slash && strings.HasSuffix(rest, "/leaf") && strings.Count(rest, "/") == 1 {
		path = "/api/v1/releases/{id}/leaf"
	}
	if slices.Contains([]string{"/", "/fr", "/figure", "/embed/figure", "/why"}, path) && r.StatusCode >= http.StatusBadRequest {
		path = "/figure.json" // a program is told the same at all forms of a figure
	}
	if strings.HasSuffix(path, "/releases.atom") {
		path = "/releases.atom" // in either language
	}
	html := strings.HasPrefix(r.Header.Get("Content-Type"), "text/html")
	if method == http.MethodPost && IsPage(path) && strings.HasSuffix(path, "/shopper") && !html && r.StatusCode != http.StatusMethodNotAllowed && r.Request.Header.Get("Authorization") == "" {
		path = "/shopper/search" // a program is told the same of a form
	}
	item := doc.Paths.Value(path)
	var operation *openapi3.Operation
	if item != nil {
		operation = item.GetOperation(method)
	}
	refusal := func(name string) *openapi3.ResponseRef {
		if strings.HasPrefix(path, "/api/shopper/") || path == "/shopper/search" {
			name = "Shopper" + name
		}
		return doc.Components.Responses[name]
	}
	var want *openapi3.ResponseRef
	switch {
	case IsPage(path) && (r.StatusCode < http.StatusBadRequest || method == http.MethodPost && item == nil && r.StatusCode != http.StatusMethodNotAllowed), // a form's too
		html && strings.Contains(r.Request.Header.Get("Accept"), "text/html"): // a refusal, for a browser
		if r.Header.Get("Content-Security-Policy") == "" {
			return errors.New("a page without a policy")
		}
		return nil
	case IsPage(path) && r.StatusCode == http.StatusMethodNotAllowed:
		want = refusal("MethodNotAllowed")
	case item == nil && r.StatusCode == http.StatusNotFound:
		want = refusal("NotFound")
	case item == nil:
		return errors.New("the address is not documented")
	case operation == nil && r.StatusCode == http.StatusMethodNotAllowed:
		want = refusal("MethodNotAllowed")
		if allow := strings.Join(Methods(path), ", "); r.Header.Get("Allow") != allow {
			return fmt.Errorf("header Allow is %q; documented is %q", r.Header.Get("Allow"), allow)
		}
	case operation == nil:
		return errors.New("the method is not documented")
	default:
		status := strconv.Itoa(r.StatusCode)
		if want = operation.Responses.Value(status); want == nil {
			return errors.New("the status is not documented")
		}
		seen.Store(combination{path, method, status}, true)
	}
	policy := "default-src 'none'; frame-ancestors 'none'"
	if r.StatusCode < http.StatusBadRequest && strings.HasSuffix(path, ".svg") {
		policy += "; style-src 'unsafe-inline'"
	}
	return cmp.Or(checkHeaders(want.Value.Headers, r.Header, policy), checkBody(want.Value.Content, r, head))
}

func checkHeaders(documented openapi3.Headers, got http.Header, policy string) error {
	names := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(documented)) {
		names[http.CanonicalHeaderKey(name)] = true
		header, values := documented[name].Value, got.Values(name)
		if len(values) == 0 && !header.Required {
			continue
		}
		if len(values) != 1 {
			return fmt.Errorf("header %s is there %d times", name, len(values))
		}
		var value any = values[0]
		if header.Schema.Value.Type.Is("integer") {
			value = json.Number(values[0])
		}
		if err := Validate(header.Schema, value); err != nil {
			return fmt.Errorf("header %s: %q: %w", name, values[0], err)
		}
	}
	for name := range got {
		if !names[http.CanonicalHeaderKey(name)] && !slices.Contains(ordinaryHeaders, name) {
			return fmt.Errorf("header %s is not documented", name)
		}
	}
	// If a browser takes data for a page, nothing in it runs or loads.
	for name, value := range map[string]string{"X-Content-Type-Options": "nosniff", "Content-Security-Policy": policy} {
		if got.Get(name) != value {
			return fmt.Errorf("header %s is %q", name, got.Get(name))
		}
	}
	return nil
}

// checkBody checks type and body. Answers to HEAD have no body.
func checkBody(documented openapi3.Content, r *Response, head bool) error {
	sent := r.Header.Get("Content-Type")
	if len(documented) == 0 {
		if len(r.Content) > 0 || sent != "" {
			return fmt.Errorf("it has a body, of type %q", sent)
		}
		return nil
	}
	media, params, err := mime.ParseMediaType(sent)
	if err != nil || documented[media] == nil {
		return fmt.Errorf("Content-Type is %q", sent)
	}
	schema := documented[media].Schema
	binary := schema.Value.Format == "binary"
	if charset := params["charset"]; !binary && charset != "utf-8" {
		return fmt.Errorf("Content-Type is %q: which encoding?", sent)
	}
	if head {
		if len(r.Content) > 0 {
			return errors.New("HEAD got a body")
		}
		return nil
	}
	body, err := r.Plain()
	if err != nil || binary {
		return err
	}
	if !strings.HasSuffix(media, "json") {
		return Validate(schema, string(body))
	}
	var refusal struct {
		RequestID *string `json:"requestId"`
	}
	if r.StatusCode >= http.StatusBadRequest && json.Unmarshal(body, &refusal) == nil && refusal.RequestID != nil && *refusal.RequestID != r.Header.Get("X-Request-Id") {
		return errors.New("requestId is not the header's")
	}
	return validateText(schema, body)
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
// excuses late bodies, faults of the server except at two addresses, and a state that is gone.
func checkCoverage(code int) int {
	for _, name := range []string{"test.run", "test.skip", "test.list", "test.fuzz"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return code
		}
	}
	if code != 0 || testing.Short() {
		return code
	}
	var missed []combination
	for path, item := range OpenAPI().Paths.Map() {
		for method, operation := range item.Operations() {
			for status, response := range operation.Responses.Map() {
				c := combination{path, method, status}
				_, ok := seen.Load(c)
				if !ok && status != "408" && (status != "500" || path == "/api/v1/index" || path == "/api/v1/prices") && !strings.HasSuffix(response.Ref, "/StateUnavailable") {
					missed = append(missed, c)
				}
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

// OpenAPI is the document of a server at https://larder.example, made strict: its schemas
// allow only members that they name.
var OpenAPI = sync.OnceValue(func() *openapi3.T { return strict(published()) })

// strict has schemas that allow only members that they name.
func strict(text []byte) *openapi3.T {
	doc, err := openapi3.NewLoader().LoadFromData(text)
	must(err)
	must(doc.WalkSchemas(func(at string, s *openapi3.SchemaRef) error {
		if strings.HasPrefix(at, "/components/schemas") && len(s.Value.Properties) > 0 && s.Value.AdditionalProperties == (openapi3.AdditionalProperties{}) {
			s.Value.AdditionalProperties = openapi3.BoolSchema{Has: new(bool)}
		}
		return nil
	}))
	return doc
}

// Published is the document that subscribers get.
func Published() *openapi3.T {
	doc, err := openapi3.NewLoader().LoadFromData(published())
	must(err)
	return doc
}

var published = sync.OnceValue(func() []byte {
	now := func() time.Time { return Now }
	db, err := state.Open(context.Background(), filepath.Join(dir(), "document.db"), state.Options{Now: now, Serve: true})
	must(err)
	defer db.Close()
	s, err := httpapi.New(httpapi.Config{
		Now: now, Snapshots: prepared.NewSnapshots("", now), State: db, BaseURL: "https://larder.example", Log: slog.New(slog.DiscardHandler),
	})
	must(err)
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	return w.Body.Bytes()
})

// Methods are the methods of a documented address, as the header Allow lists them.
func Methods(path string) (list []string) {
	for _, m := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
		if OpenAPI().Paths.Value(path).GetOperation(m) == nil {
			continue
		}
		if list = append(list, m); m == "GET" {
			list = append(list, "HEAD")
		}
	}
	return list
}

// formats are checked beside those that the validator knows.
var formats = []openapi3.SchemaValidationOption{openapi3.EnableFormatValidation(),
	openapi3.WithStringFormatValidator("uri", openapi3.NewRegexpFormatValidator(`^[a-z]+:`))}

// Validate checks a JSON value against a schema.
func Validate(schema *openapi3.SchemaRef, v any) error { return schema.Value.VisitJSON(v, formats...) }

// validRows are schemas with the hashes of rows that were validated. Tests get most rows
// hundreds of times.
var validRows sync.Map

// validateText checks the text of a JSON body against a schema.
func validateText(schema *openapi3.SchemaRef, body []byte) error {
	var members map[string]json.RawMessage
	for name, list := range schema.Value.Properties {
		if list.Value.Items == nil || list.Value.Items.Ref == "" || json.Unmarshal(body, &members) != nil || !bytes.HasPrefix(members[name], []byte("[")) {
			continue
		}
		var rows []json.RawMessage
		if err := json.Unmarshal(members[name], &rows); err != nil {
			return err
		}
		if most := list.Value.MaxItems; most != nil && uint64(len(rows)) > *most {
			return fmt.Errorf("%s has %d rows; documented are %d at most", name, len(rows), *most)
		}
		for i, row := range rows {
			key := [2]any{list.Value.Items.Value, sha256.Sum256(row)}
			if _, known := validRows.Load(key); known {
				continue
			}
			if err := validateJSON(list.Value.Items, row); err != nil {
				return fmt.Errorf("%s[%d]: %s: %w", name, i, row, err)
			}
			validRows.Store(key, true)
		}
		members[name] = json.RawMessage("[]")
		var err error
		if body, err = json.Marshal(members); err != nil {
			return err
		}
		break
	}
	return validateJSON(schema, body)
}

func validateJSON(schema *openapi3.SchemaRef, text []byte) error {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	return Validate(schema, v)
}
