package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/larder-index/larder/compare"
)

// schemas are the schemas of the tools, without references.
type schemas struct {
	catalogIn, catalogOut, compareIn, compareOut json.RawMessage
}

// comparePath is the address with the schemas of compare.
const comparePath = "/api/shopper/compare"

// schemasOf takes the schemas from the OpenAPI document: compare takes the body of
// the POST, and both tools return the responses of the addresses.
func schemasOf(openapi []byte) (s schemas, err error) {
	var doc any
	if err := json.Unmarshal(openapi, &doc); err != nil {
		return s, fmt.Errorf("mcp: the OpenAPI document: %w", err)
	}
	s.catalogIn = json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)
	const schema = "content/application~1json/schema"
	for _, x := range []struct {
		to   *json.RawMessage
		path string
		from string
	}{
		{&s.catalogOut, compare.CatalogPath, "get/responses/200/" + schema},
		{&s.compareIn, comparePath, "post/requestBody/" + schema},
		{&s.compareOut, comparePath, "post/responses/200/" + schema},
	} {
		pointer := "/paths/" + strings.ReplaceAll(x.path, "/", "~1") + "/" + x.from
		found, err := walk(doc, pointer)
		if err != nil {
			return s, fmt.Errorf("mcp: the OpenAPI document: %w", err)
		}
		whole, err := inline(doc, found, nil)
		if err != nil {
			return s, fmt.Errorf("mcp: the OpenAPI document: %w", err)
		}
		if *x.to, err = json.Marshal(whole); err != nil {
			return s, fmt.Errorf("mcp: the OpenAPI document: %w", err)
		}
	}
	return s, nil
}

// walk follows a JSON pointer (RFC 6901) and the references on its way.
func walk(doc any, pointer string) (any, error) {
	v := doc
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		m, _ := v.(map[string]any)
		if ref, ok := m["$ref"].(string); ok {
			target, err := walk(doc, strings.TrimPrefix(ref, "#"))
			if err != nil {
				return nil, err
			}
			m, _ = target.(map[string]any)
		}
		next, ok := m[strings.NewReplacer("~1", "/", "~0", "~").Replace(part)]
		if !ok {
			return nil, fmt.Errorf("nothing is at %s", pointer)
		}
		v = next
	}
	return v, nil
}

// inline replaces references by their targets, since hosts hand a schema to models
// without the document around it. A title or description beside a reference
// replaces that of the target.
func inline(doc, v any, within []string) (any, error) {
	const deepest = 32
	if len(within) > deepest {
		return nil, errors.New("references go round in a circle: " + strings.Join(within[deepest-3:], ", "))
	}
	switch x := v.(type) {
	case []any:
		list := make([]any, len(x))
		for i := range x {
			var err error
			if list[i], err = inline(doc, x[i], within); err != nil {
				return nil, err
			}
		}
		return list, nil
	case map[string]any:
		m := map[string]any{}
		if ref, ok := x["$ref"].(string); ok {
			target, err := walk(doc, strings.TrimPrefix(ref, "#"))
			if err != nil {
				return nil, err
			}
			whole, err := inline(doc, target, append(within, ref))
			if err != nil {
				return nil, err
			}
			if m, ok = whole.(map[string]any); !ok {
				return nil, fmt.Errorf("%s is no schema of an object's form", ref)
			}
		}
		for key, value := range x {
			if key == "$ref" {
				continue
			}
			if _, taken := m[key]; taken && key != "description" && key != "title" {
				return nil, fmt.Errorf("%v has %q beside a reference to a schema that has it too", x["$ref"], key)
			}
			whole, err := inline(doc, value, within)
			if err != nil {
				return nil, err
			}
			m[key] = whole
		}
		return m, nil
	}
	return v, nil
}
