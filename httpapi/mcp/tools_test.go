package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/larder-index/larder/compare"
)

// value is JSON as any, so that formatting makes no difference.
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
		if len(list.Tools) != 2 || list.Tools[0].Name != "catalog" || list.Tools[1].Name != "compare" {
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

// The structured content is what the HTTP addresses answer.
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

// No tool has the name, and the protocol has no method of it: errors of the
// protocol, after which the session goes on.
func TestUnknown(t *testing.T) {
	s, _ := newServer(t)
	overBoth(t, s, func(t *testing.T, session *sdk.ClientSession) {
		if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "buy"}); err == nil || !strings.Contains(err.Error(), "buy") {
			t.Errorf("buy: %v", err)
		}
		if _, err := session.ListResources(t.Context(), nil); err != nil && !strings.Contains(err.Error(), "esource") {
			t.Errorf("resources: %v", err)
		}
		if res := call(t, session, "compare", list); res.IsError {
			t.Errorf("afterwards: %s", textOf(t, res))
		}
	})
}
