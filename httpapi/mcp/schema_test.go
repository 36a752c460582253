package mcp

import (
	"strings"
	"testing"
)

// A document that lacks what the tools need, or has schemas that can't be put
// into one, is refused when the server is made.
func TestSchemaFaults(t *testing.T) {
	for name, c := range map[string]struct{ old, new, says string }{
		"no JSON": {`{
 "paths"`, `"paths"`, "OpenAPI document"},
		"no address":   {`"/api/shopper/catalog"`, `"/api/catalog"`, "nothing is at /paths/~1api~1shopper~1catalog/get"},
		"no reference": {`"City": {`, `"Town": {`, "nothing is at /components/schemas/City"},
		"a circle":     {`"Item": {"type": "object", "properties": {`, `"Item": {"type": "object", "properties": {"of": {"$ref": "#/components/schemas/Item"}, `, "circle"},
		"two rules":    {`"description": "where"`, `"enum": ["halifax"]`, `"enum" beside a reference`},
		"no schema":    {`"City": {"type": "string", "description": "a city", "enum": ["toronto"]}`, `"City": "toronto"`, "no schema"},
	} {
		if !strings.Contains(testOpenAPI, c.old) {
			t.Fatalf("%s: no %q in the document", name, c.old)
		}
		_, err := schemasOf([]byte(strings.Replace(testOpenAPI, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := New(Config{}); err == nil {
		t.Error("a server without a clock")
	}
}
