package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
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
			init.Capabilities.Tools.ListChanged || init.Instructions != lines(panel.SyntheticNotice, offers.Instructions, snapshots().Current().About().Credit()) {
			t.Errorf("initialized with %+v", init)
		}
		listed, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(listed.Tools) != 3 || listed.Tools[0].Name != "catalog" || listed.Tools[1].Name != "compare" || listed.Tools[2].Name != "find_items" {
			t.Fatalf("tools %+v", listed.Tools)
		}
		for _, tool := range listed.Tools {
			a := tool.Annotations
			if !a.ReadOnlyHint || !a.IdempotentHint || a.DestructiveHint == nil || *a.DestructiveHint || a.OpenWorldHint == nil || *a.OpenWorldHint ||
				a.Title == "" || tool.Title != a.Title || len(tool.Description) < 200 {
				t.Errorf("%s: %q, annotations %+v", tool.Name, tool.Title, a)
			}
			if text, _ := json.Marshal(tool); strings.Contains(string(text), "$ref") {
				t.Errorf("%s has references: %s", tool.Name, text)
			}
		}
		var form jsonschema.Schema
		if err := json.Unmarshal(offers.Tools[1].InputSchema, &form); err != nil {
			t.Fatal(err)
		}
		for arguments, valid := range map[string]bool{
			list: true, `{"city":"toronto","items":[{"id":1,"qty":20},{"id":50,"qty":0.25}],"stores":["northlarch"],"include":["lines"],"conditions":["member","multi_buy"]}`: true,
			`{"city":"toronto","items":[]}`: false, `{"city":"toronto"}`: false, `{"city":"toronto","items":[{"id":51,"qty":1}]}`: false, `{"city":"toronto","items":[{"id":1,"qty":0.3}]}`: false,
			`{"city":"toronto","items":[{"id":1,"qty":1}],"budget":5}`: false, `{"city":"toronto","items":[{"id":1,"qty":1}],"conditions":["vip"]}`: false, `{"city":"toronto","items":[{"id":1,"qty":1}],"include":["split"]}`: false,
		} {
			s, err := form.Resolve(nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Validate(value(t, json.RawMessage(arguments))) == nil; got != valid {
				t.Errorf("%s is valid: %t", arguments, got)
			}
		}
	})
}

// TestStructuredContent compares structured results with the bodies of package compare.
// Each item and each chain is described once.
func TestStructuredContent(t *testing.T) {
	s, _ := newServer(t)
	const list = `{"city":"toronto","items":[{"id":1,"qty":2},{"id":7,"qty":0.5},{"id":8,"qty":1.25},{"id":12,"qty":1},{"id":18,"qty":1}],"include":["lines"]}`
	request, err := compare.DecodeRequest([]byte(list))
	if err != nil {
		t.Fatal(err)
	}
	result, err := compare.Evaluate(demo(), request, testNow)
	if err != nil {
		t.Fatal(err)
	}
	var want []any
	var exclusions []string
	for _, s := range result.Stores {
		x := store{Key: s.Key, Name: s.Name, TotalCAD: s.TotalCAD, TotalScope: s.TotalScope, Lines: s.Lines}
		if s.SizeAdjustedTotalCAD != s.TotalCAD {
			x.AtStandardSizes = s.SizeAdjustedTotalCAD
		}
		want = append(want, value(t, x))
	}
	for _, x := range result.Exclusions {
		exclusions = append(exclusions, fmt.Sprint(x.StoreKey, " ", x.Reason, " ", x.ItemID))
	}
	listed := value(t, catalogOf(demo()))
	overBoth(t, s, func(t *testing.T, session *sdk.ClientSession) {
		for _, arguments := range []string{"", "{}", " { } ", "null"} {
			got := call(t, session, "catalog", arguments)
			if diff := cmp.Diff(listed, value(t, got.StructuredContent)); diff != "" || got.IsError {
				t.Errorf("catalog %q: -want +got\n%s", arguments, diff)
			}
		}
		body, _ := json.Marshal(call(t, session, "compare", list).StructuredContent)
		var got struct {
			Recommendation compare.Recommendation
			Items          []struct{ Name string }
			Stores         []map[string]any
			ComparisonURL  string
		}
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(result.Recommendation, got.Recommendation); diff != "" || got.ComparisonURL != result.WithLinks(s.BaseURL).ComparisonURL {
			t.Errorf("%s, -want +got\n%s", got.ComparisonURL, diff)
		}
		var lacking []string
		for i, x := range got.Stores {
			missing, _ := x["missing"].(map[string]any)
			for reason, ids := range missing {
				for _, id := range ids.([]any) {
					lacking = append(lacking, fmt.Sprint(x["key"], " ", reason, " ", id))
				}
			}
			delete(x, "missing")
			if diff := cmp.Diff(want[i], any(x)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		}
		if diff := cmp.Diff(exclusions, lacking, cmpopts.SortSlices(strings.Compare)); diff != "" || len(got.Stores) != len(want) {
			t.Errorf("-want +got\n%s", diff)
		}
		for _, x := range append(got.Items, struct{ Name string }{"Northlarch"}) {
			if n := strings.Count(string(body), `"name":"`+x.Name); n != 1 {
				t.Errorf("%s is described %d times", x.Name, n)
			}
		}
		short, _ := json.Marshal(call(t, session, "compare", strings.Replace(list, `,"include":["lines"]`, "", 1)).StructuredContent)
		if n := strings.Count(string(short), `"lines":`); n != 1 {
			t.Errorf("%d chains have lines", n)
		}
	})
}
