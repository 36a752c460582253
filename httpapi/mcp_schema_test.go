package httpapi

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The schemas of the tools are those of the document, reference by reference.
func TestMCPSchemas(t *testing.T) {
	f := serveDemo(t)
	list, err := f.agent().ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var doc any
	if err := json.Unmarshal(f.get(pathOpenAPI, "").body, &doc); err != nil {
		t.Fatal(err)
	}
	schemas := func(name string) any {
		return map[string]any{"$ref": "#/components/schemas/" + name}
	}
	tools := map[string]*sdk.Tool{}
	for _, x := range list.Tools {
		tools[x.Name] = x
	}
	for name, c := range map[string]struct{ documented, offered any }{
		"catalog": {schemas("ShopperCatalog"), tools["catalog"].OutputSchema},
		"request": {schemas("ShopperRequest"), tools["compare"].InputSchema},
		"result":  {schemas("ShopperComparison"), tools["compare"].OutputSchema},
	} {
		if err := sameSchema(doc, c.documented, c.offered, name); err != nil {
			t.Error(err)
		}
	}
}

// sameSchema compares a schema with one that has no references.
func sameSchema(doc, documented, offered any, at string) error {
	switch x := documented.(type) {
	case map[string]any:
		members := x
		for ref, ok := x["$ref"].(string); ok; ref, ok = x["$ref"].(string) {
			target := doc
			for part := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
				target = target.(map[string]any)[part]
			}
			merged := map[string]any{}
			for k, v := range target.(map[string]any) {
				merged[k] = v
			}
			for k, v := range x {
				if k != "$ref" {
					merged[k] = v
				}
			}
			x, members = merged, merged
		}
		got, _ := offered.(map[string]any)
		if len(got) != len(members) {
			return fmt.Errorf("%s: documented %v, offered %v", at, documented, offered)
		}
		for k, v := range members {
			if err := sameSchema(doc, v, got[k], at+"/"+k); err != nil {
				return err
			}
		}
	case []any:
		got, _ := offered.([]any)
		if len(got) != len(x) {
			return fmt.Errorf("%s: documented %v, offered %v", at, documented, offered)
		}
		for i := range x {
			if err := sameSchema(doc, x[i], got[i], fmt.Sprintf("%s/%d", at, i)); err != nil {
				return err
			}
		}
	default:
		if documented != offered {
			return fmt.Errorf("%s: documented %v, offered %v", at, documented, offered)
		}
	}
	return nil
}
