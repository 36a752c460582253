package httpapi_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// twin loads /openapi-3.0.json.
func twin(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(apitest.Serve(t).Get("/openapi-3.0.json", "").Content)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestOpenAPI30IsValid has a validator of OpenAPI 3.0 look at the twin and at its examples.
func TestOpenAPI30IsValid(t *testing.T) {
	t.Parallel()
	doc := twin(t)
	if err := doc.Validate(t.Context(), openapi3.EnableSchemaFormatValidation()); err != nil {
		t.Error(err)
	}
	if doc.OpenAPI != "3.0.3" || !slices.Equal(slices.Sorted(maps.Keys(doc.Paths.Map())), sorted(slices.Collect(maps.Keys(apitest.Published().Paths())))) {
		t.Errorf("version %s, addresses %v", doc.OpenAPI, doc.Paths.InMatchingOrder())
	}
}

// TestOpenAPI30Agrees damages the examples of bodies in every member. Both documents accept
// the same bodies, except that 3.0 can't say that two members are only there together.
func TestOpenAPI30Agrees(t *testing.T) {
	t.Parallel()
	d, schemas := apitest.Published(), twin(t).Components.Schemas
	formats := []openapi3.SchemaValidationOption{openapi3.EnableFormatValidation(),
		openapi3.WithStringFormatValidator("uri", openapi3.NewRegexpFormatValidator(`^[a-z]+:`))}
	accepted, refused := 0, 0
	d.Walk("", d.Root["paths"], func(at string, x map[string]any) {
		examples, _ := x["examples"].(map[string]any)
		schema, _ := x["schema"].(map[string]any)
		ref, _ := schema["$ref"].(string)
		if ref == "" {
			return
		}
		name := ref[strings.LastIndexByte(ref, '/')+1:]
		for title, e := range examples {
			body := d.At(e, "value")
			damage(body, "", func(place string) {
				new, old := d.Validate(schema, body), schemas[name].Value.VisitJSON(body, formats...)
				together := strings.HasSuffix(place, "-promo_detail") || strings.HasSuffix(place, "-regular_price_source")
				if (new == nil) != (old == nil) && !(together && old == nil) {
					t.Errorf("%s %s%s: 3.1 says %v\n3.0 says %v", name, title, place, new, old)
				}
				if new == nil {
					accepted++
				} else {
					refused++
				}
			})
		}
	})
	if accepted < 200 || refused < 2000 {
		t.Errorf("%d bodies were accepted, %d refused", accepted, refused)
	}
}

// damage calls look with the value as it is and with each member below it gone or
// replaced, one at a time. Of a list it takes the first item.
func damage(v any, at string, look func(place string)) {
	look(at)
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			kept := v[k]
			for _, other := range []any{nil, "", "nonesuch", -1.0, 0.0, 0.5, 1e9, true, []any{}, map[string]any{}} {
				v[k] = other
				look(at + "/" + k)
			}
			delete(v, k)
			look(at + "/-" + k)
			v[k] = kept
			damage(kept, at+"/"+k, look)
		}
	case []any:
		if len(v) > 0 {
			damage(v[0], at+"/0", look)
		}
	}
}
