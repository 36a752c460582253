package httpapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// apiDocument is the OpenAPI document as its readers have it.
type apiDocument struct {
	text     []byte
	root     map[string]any
	compiler *jsonschema.Compiler

	mu       sync.Mutex
	places   map[uintptr]string // JSON pointers of the objects in it
	compiled map[string]*jsonschema.Schema

	rows sync.Map // those that were validated, by schema and hash
}

const documentURL = "https://larder.example/openapi.json"

// theDocument returns the document of a server at https://larder.example.
var theDocument = sync.OnceValue(func() *apiDocument {
	d := &apiDocument{
		text:     (&Server{Config: Config{BaseURL: "https://larder.example"}}).openAPI(),
		compiler: jsonschema.NewCompiler(), places: map[uintptr]string{}, compiled: map[string]*jsonschema.Schema{},
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(d.text))
	if err != nil {
		panic(err)
	}
	d.root = v.(map[string]any)
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.AssertFormat()
	if err := d.compiler.AddResource(documentURL, v); err != nil {
		panic(err)
	}
	d.walk("", v, func(at string, x map[string]any) { d.places[reflect.ValueOf(x).Pointer()] = at })
	return d
})

// walk visits all objects below a value, with their JSON pointers.
func (d *apiDocument) walk(at string, v any, visit func(at string, x map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		visit(at, v)
		for _, k := range slices.Sorted(maps.Keys(v)) {
			d.walk(at+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(k), v[k], visit)
		}
	case []any:
		for i, x := range v {
			d.walk(fmt.Sprintf("%s/%d", at, i), x, visit)
		}
	}
}

func (d *apiDocument) paths() map[string]any { return d.root["paths"].(map[string]any) }

func (d *apiDocument) component(kind, name string) any { return d.at(d.root, "components", kind, name) }

// at follows names, and references on the way; nil if it leads nowhere.
func (d *apiDocument) at(v any, names ...string) any {
	for _, name := range names {
		x, ok := d.resolve(v).(map[string]any)
		if !ok {
			return nil
		}
		v = x[name]
	}
	return d.resolve(v)
}

// resolve follows a reference outside of schemas. Those have theirs followed by
// the validator.
func (d *apiDocument) resolve(v any) any {
	for {
		x, ok := v.(map[string]any)
		ref, isRef := x["$ref"].(string)
		if !ok || !isRef || strings.HasPrefix(ref, "#/components/schemas/") {
			return v
		}
		if v = d.pointer(ref); v == nil {
			panic("no " + ref)
		}
	}
}

// pointer returns what a reference within the document points at; nil if that
// is nothing.
func (d *apiDocument) pointer(ref string) any {
	rest, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil
	}
	var v any = d.root
	for part := range strings.SplitSeq(rest, "/") {
		x, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = x[strings.NewReplacer("~1", "/", "~0", "~").Replace(part)]
	}
	return v
}

// validate holds a JSON value against a schema of the document.
func (d *apiDocument) validate(schema, v any) error {
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

// checkText holds text, such as a header's value, against a schema: as a number
// where it asks for one.
func (d *apiDocument) checkText(schema any, text string) error {
	if d.at(schema, "type") == "integer" {
		return d.validate(schema, json.Number(text))
	}
	return d.validate(schema, text)
}

// combinations are all documented responses, in order.
func (d *apiDocument) combinations() []combination {
	var list []combination
	for path, operations := range d.paths() {
		for method, operation := range operations.(map[string]any) {
			for status := range d.at(operation, "responses").(map[string]any) {
				list = append(list, combination{path, method, status})
			}
		}
	}
	slices.SortFunc(list, func(a, b combination) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.method, b.method), cmp.Compare(a.status, b.status))
	})
	return list
}
