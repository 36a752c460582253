package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/larder-index/larder/compare"
)

// value decodes JSON, so that formatting makes no difference.
func value(t testing.TB, v any) any {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var x any
	if err := json.Unmarshal(b, &x); err != nil {
		t.Fatal(err)
	}
	return x
}

func TestTools(t *testing.T) {
	s, _ := newServer(t)
	overBoth(t, s, func(t *testing.T, session *sdk.ClientSession) {
		init := session.InitializeResult()
		if init.ServerInfo.Name != "larder" || init.ServerInfo.Version == "" || init.Capabilities.Tools == nil ||
			init.Capabilities.Tools.ListChanged || init.Instructions != instructions {
			t.Errorf("initialized with %+v", init)
		}
		list, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(list.Tools) != 3 || list.Tools[0].Name != "catalog" || list.Tools[1].Name != "compare" || list.Tools[2].Name != "find_items" {
			t.Fatalf("tools %+v", list.Tools)
		}
		for _, tool := range list.Tools {
			a := tool.Annotations
			if !a.ReadOnlyHint || !a.IdempotentHint || a.DestructiveHint == nil || *a.DestructiveHint || a.OpenWorldHint == nil || *a.OpenWorldHint ||
				a.Title == "" || tool.Title != a.Title || len(tool.Description) < 200 {
				t.Errorf("%s: %q, annotations %+v", tool.Name, tool.Title, a)
			}
			if text, _ := json.Marshal(tool); strings.Contains(string(text), "$ref") {
				t.Errorf("%s has references: %s", tool.Name, text)
			}
		}
		want := value(t, json.RawMessage(`{"type": "object", "properties": {
			"city": {"type": "string", "description": "where", "enum": ["toronto"]},
			"items": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}}}}}}`))
		if diff := cmp.Diff(want, value(t, list.Tools[1].InputSchema)); diff != "" {
			t.Errorf("-document +tool\n%s", diff)
		}
		want = value(t, json.RawMessage(`{"type": "object", "properties": {"evaluatedOn": {"type": "string"}}}`))
		if diff := cmp.Diff(want, value(t, list.Tools[1].OutputSchema)); diff != "" {
			t.Errorf("-document +tool\n%s", diff)
		}
	})
}

// TestStructuredContent compares structured content with the bodies of package compare.
func TestStructuredContent(t *testing.T) {
	s, _ := newServer(t)
	request, err := compare.DecodeRequest([]byte(list))
	if err != nil {
		t.Fatal(err)
	}
	result, err := compare.Evaluate(demo(), request, testNow)
	if err != nil {
		t.Fatal(err)
	}
	comparison := value(t, json.RawMessage(result.WithLinks("https://larder.example").AppendJSON(nil)))
	catalog := value(t, compare.Catalog(demo()))
	overBoth(t, s, func(t *testing.T, session *sdk.ClientSession) {
		for _, arguments := range []string{"", "{}", " { } ", "null"} {
			got := call(t, session, "catalog", arguments)
			if diff := cmp.Diff(catalog, value(t, got.StructuredContent)); diff != "" || got.IsError {
				t.Errorf("catalog %q: -want +got\n%s", arguments, diff)
			}
		}
		got := call(t, session, "compare", list)
		if diff := cmp.Diff(comparison, value(t, got.StructuredContent)); diff != "" || got.IsError {
			t.Errorf("compare: -want +got\n%s", diff)
		}
	})
}

// TestCatalogOf makes sure that the catalog is made once for a snapshot.
func TestCatalogOf(t *testing.T) {
	s, _ := newServer(t)
	of := func(c *catalog, err error) *catalog {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first, next := demo(), newDemo(2)
	c := of(s.catalogOf(first))
	if of(s.catalogOf(first)) != c {
		t.Error("made again for the same snapshot")
	}
	other := of(s.catalogOf(next))
	if other == c || other.of.Value() != next {
		t.Error("the next snapshot got the catalog of the one before")
	}
}

// TestSchemaFaults makes servers of documents without a usable schema. They are refused.
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
		_, err := schemasOf([]byte(strings.Replace(testOpenAPI, c.old, c.new, 1)), true)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, lacks := range map[string]func(*Config){
		"clock": func(c *Config) { c.Now = nil }, "projection": func(c *Config) { c.Projection = nil }, "log": func(c *Config) { c.Log = nil },
	} {
		s, _ := newServer(t)
		c := s.Config
		if lacks(&c); c.OpenAPI == nil {
			c.OpenAPI = []byte(testOpenAPI)
		}
		if _, err := New(c); err == nil {
			t.Errorf("a server without a %s", name)
		}
	}
}
