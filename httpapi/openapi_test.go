package httpapi

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pb33f/libopenapi/datamodel"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestOpenAPIIsValid holds the document against the schema that the OpenAPI
// Initiative publishes for 3.1.
func TestOpenAPIIsValid(t *testing.T) {
	official, err := jsonschema.UnmarshalJSON(strings.NewReader(datamodel.OpenAPI31SchemaData))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("https://spec.openapis.org/oas/3.1/schema/2022-10-07", official); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("https://spec.openapis.org/oas/3.1/schema/2022-10-07")
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(theDocument().root); err != nil {
		t.Errorf("%v", err)
	}
}

func TestOpenAPIReferences(t *testing.T) {
	d := theDocument()
	used := map[string]bool{}
	d.walk("", d.root, func(at string, x map[string]any) {
		if ref, ok := x["$ref"].(string); ok {
			used[ref] = true
			if d.pointer(ref) == nil {
				t.Errorf("%s: %s leads nowhere", at, ref)
			}
		}
	})
	// What any address and method may answer is named in the text.
	for _, name := range []string{"NotFound", "MethodNotAllowed", "ShopperNotFound", "ShopperMethodNotAllowed"} {
		used["#/components/responses/"+name] = true
	}
	for kind, all := range d.root["components"].(map[string]any) {
		for name := range all.(map[string]any) {
			if ref := "#/components/" + kind + "/" + name; kind != "securitySchemes" && !used[ref] {
				t.Errorf("%s is not used", ref)
			}
		}
	}
}

// TestOpenAPISchemasAreClosed makes sure that an undocumented member, and a
// documented one that is missing, would be noticed.
func TestOpenAPISchemasAreClosed(t *testing.T) {
	d := theDocument()
	optional := map[string][]string{ // members that may be absent, and where
		"/components/schemas/InvalidParameter":                         {"accepted", "parameter"},
		"/components/schemas/AccountInvalid":                           {"parameter"},
		"/components/schemas/SignIn":                                   {"key", "signin"},
		"/components/schemas/PriceObservation":                         {"promo_detail", "regular_price_source"},
		"/components/schemas/PriceObservation/properties/promo_detail": {"packagePrice", "packageWasPrice", "regularPriceBasisUnavailable"},
		"/components/schemas/ShrinkflationMeta":                        {"scan_truncated"},
		"/components/schemas/Linkset/properties/linkset/items":         {"item", "service-desc", "service-doc", "service-meta", "status"},
		"/components/schemas/Links/items":                              {"title", "type"},
		"/components/schemas/SnapshotHealth/properties/file":           {"reason", "since"},
		"/components/schemas/ShopperCatalogItem":                       {"aliases", "nameFr"},
		"/components/schemas/ShopperRequest":                           {"stores"},
	}
	d.walk("", d.root["components"].(map[string]any)["schemas"], func(at string, x map[string]any) {
		at = "/components/schemas" + at
		properties, ok := x["properties"].(map[string]any)
		if !ok || strings.HasSuffix(at, "/properties") {
			return
		}
		if x["additionalProperties"] != false {
			t.Errorf("%s takes any member", at)
		}
		missing := slices.Sorted(maps.Keys(properties))
		required, _ := x["required"].([]any)
		for _, name := range required {
			i := slices.Index(missing, name.(string))
			if i < 0 {
				t.Errorf("%s requires %s, which it doesn't know", at, name)
				continue
			}
			missing = slices.Delete(missing, i, i+1)
		}
		if !slices.Equal(missing, optional[at]) {
			t.Errorf("%s: %q may be absent; meant are %q", at, missing, optional[at])
		}
	})
}

func TestOpenAPIOperations(t *testing.T) {
	d := theDocument()
	var tags []any
	for _, tag := range d.root["tags"].([]any) {
		tags = append(tags, d.at(tag, "name"))
	}
	ids := map[any]string{}
	for path, operations := range d.paths() {
		for method, op := range operations.(map[string]any) {
			where := method + " " + path
			id, _ := d.at(op, "operationId").(string)
			if id == "" || ids[id] != "" {
				t.Errorf("%s: operationId %q is none, or also that of %s", where, id, ids[id])
			}
			ids[id] = where
			if s, _ := d.at(op, "summary").(string); s == "" {
				t.Errorf("%s has no summary", where)
			}
			list, _ := d.at(op, "tags").([]any)
			if len(list) != 1 || !slices.Contains(tags, list[0]) {
				t.Errorf("%s has the tags %v", where, list)
			}
			if d.at(op, "security") == nil {
				t.Errorf("%s does not say who may use it", where)
			}
		}
	}
}

// TestOpenAPIExamples holds each example of a body against the schema beside it.
func TestOpenAPIExamples(t *testing.T) {
	d := theDocument()
	n := 0
	d.walk("", d.root, func(at string, x map[string]any) {
		if x["schema"] == nil {
			return
		}
		examples, _ := x["examples"].(map[string]any)
		for name, e := range examples {
			n++
			if err := d.validate(x["schema"], d.at(e, "value")); err != nil {
				t.Errorf("%s: example %s: %v", at, name, err)
			}
		}
		if e, ok := x["example"]; ok {
			n++
			if err := d.validate(x["schema"], e); err != nil {
				t.Errorf("%s: %v", at, err)
			}
		}
	})
	if n < 25 {
		t.Errorf("there are %d examples", n)
	}
	for path, operations := range d.paths() {
		content, _ := d.at(operations, "get", "responses", "200", "content", "application/json").(map[string]any)
		if strings.HasPrefix(path, "/api/") && d.at(content, "examples") == nil {
			t.Errorf("%s shows no example", path)
		}
	}
}
