package apitest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/state"
)

// Document is an OpenAPI document.
type Document struct {
	Root map[string]any

	compiler *jsonschema.Compiler
	mu       sync.Mutex
	places   map[uintptr]string // JSON pointers of the objects in it
	compiled map[string]*jsonschema.Schema
	rows     sync.Map // schemas and hashes of the rows that were validated
}

const documentURL = "https://larder.example/openapi.json"

// OpenAPI is the document of a server at https://larder.example, made strict. Its schemas
// allow only members that they name.
var OpenAPI = sync.OnceValue(func() *Document { return ParseDocument(published(), true) })

// Published is the document that subscribers get.
var Published = sync.OnceValue(func() *Document { return ParseDocument(published(), false) })

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

// ParseDocument reads a document. A strict one has closed schemas. It panics if the text is
// not a JSON object.
func ParseDocument(text []byte, strict bool) *Document {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	must(err)
	d := &Document{Root: v.(map[string]any), compiler: jsonschema.NewCompiler(), places: map[uintptr]string{}, compiled: map[string]*jsonschema.Schema{}}
	if strict {
		d.Walk("", d.At(v, "components", "schemas"), func(at string, x map[string]any) {
			if _, ok := x["properties"].(map[string]any); ok && !strings.HasSuffix(at, "/properties") && x["additionalProperties"] == nil {
				x["additionalProperties"] = false
			}
		})
	}
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.AssertFormat()
	must(d.compiler.AddResource(documentURL, v))
	d.Walk("", v, func(at string, x map[string]any) { d.places[reflect.ValueOf(x).Pointer()] = at })
	return d
}

// Walk visits all objects below a value, with their JSON pointers.
func (d *Document) Walk(at string, v any, visit func(at string, x map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		visit(at, v)
		for _, k := range slices.Sorted(maps.Keys(v)) {
			d.Walk(at+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(k), v[k], visit)
		}
	case []any:
		for i, x := range v {
			d.Walk(fmt.Sprintf("%s/%d", at, i), x, visit)
		}
	}
}

// Paths are the documented addresses.
func (d *Document) Paths() map[string]any { return d.Root["paths"].(map[string]any) }

// Schema returns a schema by its name.
func (d *Document) Schema(name string) any { return d.At(d.Root, "components", "schemas", name) }

// At follows names, and references on the way. It returns nil where they lead nowhere.
func (d *Document) At(v any, names ...string) any {
	for _, name := range names {
		x, ok := d.resolve(v).(map[string]any)
		if !ok {
			return nil
		}
		v = x[name]
	}
	return d.resolve(v)
}

// resolve follows a reference outside of schemas. The validator follows those of
// schemas.
func (d *Document) resolve(v any) any {
	for {
		x, ok := v.(map[string]any)
		ref, isRef := x["$ref"].(string)
		if !ok || !isRef || strings.HasPrefix(ref, "#/components/schemas/") {
			return v
		}
		if v = d.Pointer(ref); v == nil {
			panic("no " + ref)
		}
	}
}

// Pointer returns the target of a reference within the document, or nil.
func (d *Document) Pointer(ref string) any {
	rest, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil
	}
	var v any = d.Root
	for part := range strings.SplitSeq(rest, "/") {
		x, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = x[strings.NewReplacer("~1", "/", "~0", "~").Replace(part)]
	}
	return v
}

// Validate checks a JSON value against a schema of the document.
func (d *Document) Validate(schema, v any) error {
	x, ok := schema.(map[string]any)
	if !ok {
		return fmt.Errorf("there is no schema")
	}
	d.mu.Lock()
	at := d.places[reflect.ValueOf(x).Pointer()]
	compiled := d.compiled[at]
	if compiled == nil {
		var err error
		if compiled, err = d.compiler.Compile(documentURL + "#" + (&url.URL{Path: at}).EscapedPath()); err != nil {
			d.mu.Unlock()
			return err
		}
		d.compiled[at] = compiled
	}
	d.mu.Unlock()
	return compiled.Validate(v)
}

// validateText checks the text of a JSON body against a schema. Tests get most rows hundreds
// of times, so each row is validated once.
func (d *Document) validateText(schema any, body []byte) error {
	name, list := d.rowsOf(schema)
	var members map[string]json.RawMessage
	if list != nil && json.Unmarshal(body, &members) == nil && bytes.HasPrefix(members[name], []byte("[")) {
		var rows []json.RawMessage
		if err := json.Unmarshal(members[name], &rows); err != nil {
			return err
		}
		if most, ok := list["maxItems"].(json.Number); ok {
			if n, err := most.Int64(); err != nil || int64(len(rows)) > n {
				return fmt.Errorf("%s has %d rows; documented are %s at most", name, len(rows), most)
			}
		}
		ref := list["items"].(map[string]any)["$ref"].(string)
		for i, row := range rows {
			key := [2]any{ref, sha256.Sum256(row)}
			if _, known := d.rows.Load(key); known {
				continue
			}
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(row))
			if err != nil {
				return err
			}
			if err := d.Validate(list["items"], v); err != nil {
				return fmt.Errorf("%s[%d]: %s: %w", name, i, row, err)
			}
			d.rows.Store(key, true)
		}
		members[name] = json.RawMessage("[]")
		var err error
		if body, err = json.Marshal(members); err != nil {
			return err
		}
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return d.Validate(schema, v)
}

// rowsOf returns the member of a body whose items have a schema of their own, and
// the schema of the list. It is nil for other bodies.
func (d *Document) rowsOf(schema any) (name string, list map[string]any) {
	if ref, ok := d.At(schema, "$ref").(string); ok {
		schema = d.Pointer(ref)
	}
	properties, _ := d.At(schema, "properties").(map[string]any)
	for key, property := range properties {
		x, _ := property.(map[string]any)
		if items, ok := x["items"].(map[string]any); ok && items["$ref"] != nil {
			name, list = key, x
		}
	}
	return name, list
}
