package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/larder-index/larder/compare"
)

// comparePath is the address with the schemas of compare.
const comparePath = "/api/shopper/compare"

// schemas are the schemas of the tools, without references.
type schemas struct {
	catalogOut, compareIn, compareOut json.RawMessage
}

// schemasOf takes the schemas from the OpenAPI document: compare takes the body of
// the POST, and both tools return the responses of the addresses. Without links, a
// comparison need not have any.
func schemasOf(openapi []byte, links bool) (schemas, error) {
	var d document
	d.err = json.Unmarshal(openapi, &d.root)
	s := schemas{
		d.schema(compare.CatalogPath, "get/responses/200"),
		d.schema(comparePath, "post/requestBody"),
		d.schema(comparePath, "post/responses/200"),
	}
	if !links && d.err == nil {
		var out map[string]any
		d.fail(json.Unmarshal(s.compareOut, &out))
		if required, ok := out["required"].([]any); ok {
			out["required"] = slices.DeleteFunc(required, func(v any) bool { return v == "comparisonUrl" || v == "sourceUrls" })
		}
		s.compareOut, _ = json.Marshal(out)
	}
	if d.err != nil {
		return s, fmt.Errorf("mcp: the OpenAPI document: %w", d.err)
	}
	return s, nil
}

// document is an OpenAPI document. It keeps the first fault that is found in it.
type document struct {
	root any
	err  error
}

// schema returns a schema of an address. Hosts hand a schema to models without the
// document around it, so references are replaced by their targets.
func (d *document) schema(path, of string) json.RawMessage {
	pointer := "/paths/" + strings.ReplaceAll(path, "/", "~1") + "/" + of + "/content/application~1json/schema"
	text, err := json.Marshal(d.inline(d.find(jsontext.Pointer(pointer)), nil))
	d.fail(err)
	return text
}

func (d *document) fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

// find follows a pointer and the references on its way.
func (d *document) find(pointer jsontext.Pointer) any {
	v := d.root
	for part := range pointer.Tokens() {
		m, _ := v.(map[string]any)
		if ref, ok := m["$ref"].(string); ok {
			m, _ = d.target(ref).(map[string]any)
		}
		next, ok := m[part]
		if !ok {
			d.fail(fmt.Errorf("nothing is at %s", pointer))
			return nil
		}
		v = next
	}
	return v
}

func (d *document) target(ref string) any {
	return d.find(jsontext.Pointer(strings.TrimPrefix(ref, "#")))
}

// inline replaces the references in a value by their targets. A title or description
// beside a reference replaces that of the target. within lists the references that
// the value is in.
func (d *document) inline(v any, within []string) any {
	const deepest = 32
	if len(within) > deepest {
		d.fail(fmt.Errorf("references go round in a circle: %s", strings.Join(within[deepest-3:], ", ")))
		return nil
	}
	switch x := v.(type) {
	case []any:
		list := make([]any, len(x))
		for i := range x {
			list[i] = d.inline(x[i], within)
		}
		return list
	case map[string]any:
		m := map[string]any{}
		if ref, ok := x["$ref"].(string); ok {
			if m, ok = d.inline(d.target(ref), append(within, ref)).(map[string]any); !ok {
				d.fail(fmt.Errorf("%s is no schema of an object's form", ref))
				return nil
			}
		}
		for key, value := range x {
			if key == "$ref" {
				continue
			}
			if _, taken := m[key]; taken && key != "description" && key != "title" {
				d.fail(fmt.Errorf("%v has %q beside a reference to a schema that has it too", x["$ref"], key))
			}
			m[key] = d.inline(value, within)
		}
		return m
	}
	return v
}
