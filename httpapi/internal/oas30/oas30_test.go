package oas30

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// convert rewrites a document that has one schema.
func convert(t *testing.T, text string) (string, error) {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	root, err := From31(doc.Content[0])
	if err != nil {
		return "", err
	}
	var v any
	if err := root.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return normal(t, v), nil
}

// normal writes a value with its members in the order of their names.
func normal(t *testing.T, v any) string {
	t.Helper()
	out, err := yaml.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestSchemas(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]string{
		"{type: string, minLength: 1}":                              "{type: string, minLength: 1}",
		"{type: number}":                                            "{type: number, format: double}",
		"{type: [number, 'null'], format: float}":                   "{type: number, nullable: true, format: float}",
		"{type: [string, 'null'], format: date}":                    "{type: string, nullable: true, format: date}",
		"{type: [string, integer, 'null']}":                         "{anyOf: [{type: string, nullable: true}, {type: integer, nullable: true}]}",
		"{type: [string, integer]}":                                 "{anyOf: [{type: string}, {type: integer}]}",
		"{const: v1, description: D}":                               "{type: string, enum: [v1], description: D}",
		"{const: true}":                                             "{type: boolean, enum: [true]}",
		"{const: 50}":                                               "{type: integer, enum: [50]}",
		"{enum: [0.25, 1]}":                                         "{type: number, enum: [0.25, 1]}",
		"{enum: [null, a]}":                                         "{type: string, nullable: true, enum: [null, a]}",
		"{type: string, enum: [a]}":                                 "{type: string, enum: [a]}",
		"{type: integer, exclusiveMinimum: 0, exclusiveMaximum: 9}": "{type: integer, minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true}",
		"{type: string, examples: [a, b]}":                          "{type: string, example: a}",
		"{type: string, contentMediaType: image/png}":               "{type: string, format: binary}",
		"{$ref: '#/a'}":                                             "{$ref: '#/a'}",
		"{$ref: '#/a', description: D}":                             "{allOf: [{$ref: '#/a'}], description: D}",
		"{type: object, dependentRequired: {a: [b]}}":               "{type: object, x-dependentRequired: {a: [b]}}",
		"{properties: {const: {const: 1}, type: {type: [boolean, 'null']}}, additionalProperties: false}": "{properties: {const: {type: integer, enum: [1]}, type: {type: boolean, nullable: true}}, additionalProperties: false}",
		"{items: {const: 1}, not: {oneOf: [{const: a}]}, additionalProperties: {enum: [a]}}":              "{items: {type: integer, enum: [1]}, not: {oneOf: [{type: string, enum: [a]}]}, additionalProperties: {type: string, enum: [a]}}",
	} {
		var value any
		if err := yaml.Unmarshal([]byte(want), &value); err != nil {
			t.Fatal(err)
		}
		want := normal(t, map[string]any{"openapi": "3.0.3", "components": map[string]any{"schemas": map[string]any{"X": value}}})
		if got, err := convert(t, "{openapi: 3.1.0, components: {schemas: {X: "+from+"}}}"); err != nil || got != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", from, err, got, want)
		}
	}
}

// TestPlaces finds schemas wherever they are, and leaves examples alone.
func TestPlaces(t *testing.T) {
	t.Parallel()
	got, err := convert(t, `{openapi: 3.1.0, info: {summary: S}, paths: {/a: {get: {parameters: &p [{schema: {const: 1}, example: {schema: {const: 1}}}],
		responses: {"200": {content: {text/plain: {examples: {e: {value: {schema: {const: 1}}}}}}}}}, post: {parameters: *p}}}}`)
	if err != nil {
		t.Fatal(err)
	}
	parameter := []any{map[string]any{"schema": map[string]any{"type": "integer", "enum": []any{1}}, "example": map[string]any{"schema": map[string]any{"const": 1}}}}
	if want := normal(t, map[string]any{"openapi": "3.0.3", "info": map[string]any{"x-summary": "S"}, "paths": map[string]any{"/a": map[string]any{
		"get": map[string]any{"parameters": parameter, "responses": map[string]any{"200": map[string]any{"content": map[string]any{"text/plain": map[string]any{
			"examples": map[string]any{"e": map[string]any{"value": map[string]any{"schema": map[string]any{"const": 1}}}}}}}}},
		"post": map[string]any{"parameters": parameter},
	}}}); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestRefusals makes sure that nothing is dropped unsaid.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for text, place := range map[string]string{
		"{webhooks: {}}":                                                     "/webhooks",
		"{jsonSchemaDialect: x}":                                             "/jsonSchemaDialect",
		"{components: {pathItems: {}}}":                                      "/components/pathItems",
		"{info: {license: {name: MIT, identifier: MIT}}}":                    "/info/license/identifier",
		"{paths: {/a: {$ref: '#/b', summary: S}}}":                           "/paths//a/$ref",
		"{components: {schemas: {X: true}}}":                                 "/components/schemas/X",
		"{components: {schemas: {X: {type: 'null'}}}}":                       "/components/schemas/X/type",
		"{components: {schemas: {X: {enum: [a, 1]}}}}":                       "/components/schemas/X/enum",
		"{components: {schemas: {X: {const: null}}}}":                        "/components/schemas/X/const",
		"{components: {schemas: {X: {const: a, enum: [a]}}}}":                "/components/schemas/X/const",
		"{components: {schemas: {X: {minimum: 1, exclusiveMinimum: 0}}}}":    "/components/schemas/X/exclusiveMinimum",
		"{components: {schemas: {X: {maximum: 1, exclusiveMaximum: 0}}}}":    "/components/schemas/X/exclusiveMaximum",
		"{components: {schemas: {X: {$ref: a, allOf: []}}}}":                 "/components/schemas/X/$ref",
		"{components: {schemas: {X: {example: a, examples: [b]}}}}":          "/components/schemas/X/examples",
		"{components: {schemas: {X: {contentMediaType: a}}}}":                "/components/schemas/X/contentMediaType",
		"{components: {schemas: {X: {properties: {a: {prefixItems: []}}}}}}": "/components/schemas/X/properties/a/prefixItems",
		"{components: {headers: {X: {schema: {if: {}}}}}}":                   "/components/headers/X/schema/if",
	} {
		if got, err := convert(t, text); err == nil || !strings.HasPrefix(err.Error(), place+": ") {
			t.Errorf("%s: %v, want a refusal at %s\n%s", text, err, place, got)
		}
	}
}
