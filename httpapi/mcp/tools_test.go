package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
)

// value decodes JSON, so that formatting makes no difference.
func value(t testing.TB, v any) (x any) {
	t.Helper()
	b, err := json.Marshal(v)
	check(errors.Join(err, json.Unmarshal(b, &x)))
	return x
}

func TestTools(t *testing.T) {
	s, _ := newServer()
	session := connect(t, overHTTP(t, s), nil)
	init := session.InitializeResult()
	if init.ServerInfo.Name != "larder" || init.ServerInfo.Version == "" || init.Capabilities.Tools == nil ||
		init.Capabilities.Tools.ListChanged || init.Instructions != lines(panel.SyntheticNotice, textsOf(nil).Instructions, snapshots().Current().About().Credit()) {
		t.Errorf("initialized with %+v", init)
	}
	listed, err := session.ListTools(t.Context(), nil)
	if err != nil || len(listed.Tools) != 2 {
		t.Fatalf("%+v, %v", listed, err)
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
	for arguments, valid := range map[string]bool{
		list: true, `{"city":"toronto","items":[{"id":1,"qty":20},{"id":50,"qty":0.25}],"stores":["northlarch"],"include":["lines"],"conditions":["member","multi_buy"]}`: true,
		`{"city":"toronto","items":[]}`: false, `{"city":"toronto"}`: false, `{"city":"toronto","items":[{"id":51,"qty":1}]}`: false, `{"city":"toronto","items":[{"id":1,"qty":0.3}]}`: false,
		`{"city":"toronto","items":[{"id":1,"qty":1}],"budget":5}`: false, `{"city":"toronto","items":[{"id":1,"qty":1}],"conditions":["vip"]}`: false, `{"city":"toronto","items":[{"id":1,"qty":1}],"include":["split"]}`: false,
	} {
		accepts(t, textsOf(nil).Compare, value(t, json.RawMessage(arguments)), valid)
	}
}

// TestStructuredContent compares structured results with those of package compare. Each item
// and each chain is described once.
func TestStructuredContent(t *testing.T) {
	s, _ := newServer()
	const list = `{"city":"toronto","items":[{"id":1,"qty":2},{"id":7,"qty":0.5},{"id":8,"qty":1.25},{"id":12,"qty":1},{"id":18,"qty":1}],"include":["lines"]}`
	request, err := compare.DecodeRequest([]byte(list))
	result, err2 := compare.Evaluate(demo(), request, testNow)
	check(errors.Join(err, err2))
	session := connect(t, overHTTP(t, s), nil)
	_, demoCatalog, _ := callCatalog(s, snapshots().Current(), struct{}{})
	for _, arguments := range []string{"", "{}", " { } "} {
		got, _ := call(t, session, "catalog", arguments)
		if diff := cmp.Diff(value(t, demoCatalog), value(t, got.StructuredContent)); diff != "" || got.IsError {
			t.Errorf("catalog %q: -want +got\n%s", arguments, diff)
		}
	}
	res, _ := call(t, session, "compare", list)
	body, _ := json.Marshal(res.StructuredContent)
	var got struct {
		Recommendation compare.Recommendation
		Items          []struct{ Name string }
		Stores         []struct {
			Key     string
			Missing map[string][]int
			Lines   any
		}
		ComparisonURL string
	}
	check(json.Unmarshal(body, &got))
	if diff := cmp.Diff(result.Recommendation, got.Recommendation); diff != "" || got.ComparisonURL != result.WithLinks(s.BaseURL).ComparisonURL {
		t.Errorf("%s, -want +got\n%s", got.ComparisonURL, diff)
	}
	var want, lacking []string
	for _, x := range result.Exclusions {
		want = append(want, fmt.Sprint(x.StoreKey, " ", x.Reason, " ", x.ItemID))
	}
	for i, x := range got.Stores {
		if diff := cmp.Diff(value(t, result.Stores[i].Lines), x.Lines); diff != "" || x.Key != result.Stores[i].Key {
			t.Errorf("%s: -want +got\n%s", x.Key, diff)
		}
		for reason, ids := range x.Missing {
			for _, id := range ids {
				lacking = append(lacking, fmt.Sprint(x.Key, " ", reason, " ", id))
			}
		}
	}
	if diff := cmp.Diff(want, lacking, cmpopts.SortSlices(strings.Compare)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, x := range append(got.Items, struct{ Name string }{"Northlarch"}) {
		if n := strings.Count(string(body), `"name":"`+x.Name); n != 1 {
			t.Errorf("%s is described %d times", x.Name, n)
		}
	}
	short, _ := call(t, session, "compare", strings.Replace(list, `,"include":["lines"]`, "", 1))
	if body, _ := json.Marshal(short.StructuredContent); strings.Count(string(body), `"lines":`) != 1 {
		t.Errorf("other chains than the first have lines: %s", body)
	}
}

// TestIndexTools calls the tools of the index. Their rows are bounded, and a cell that is not published is refused.
func TestIndexTools(t *testing.T) {
	s, _ := newServer(func(c *Config) { c.Index = true })
	session := connect(t, overHTTP(t, s), nil)
	for _, c := range []struct{ tool, arguments, says, has string }{
		{"index", `{"city":"Toronto"}`, "overall, Toronto: 3 rows.", `"ci95_low"`},
		{"index", `{"city":"Toronto","to":"2026-11-08"}`, "overall, Toronto: 2 rows.", `"observations":[{`},
		{"index", `{"city":"Toront"}`, `did you mean "Toronto"?`, ""},
		{"index", `{"banner":"northlarch"}`, "send city too", ""},
		{"index", `{"from":"yesterday"}`, "invalid_parameter at from", ""},
		{"explain", `{"city":"Toronto","category":"dairy"}`, "dairy, Toronto, week ending 2026-11-15: level ", `"contribution_pp"`},
		{"explain", `{"to":"2020-01-05"}`, "not_found: no week of these days is published", ""},
		{"shrinkflation", `{"grade":"low"}`, "packs got smaller.", `"events":[`},
		{"shrinkflation", `{"grade":"sure"}`, "invalid_parameter at grade", ""},
	} {
		res, text := call(t, session, c.tool, c.arguments)
		body, _ := json.Marshal(res.StructuredContent)
		if !strings.Contains(text, c.says) || !strings.Contains(string(body), c.has) || res.IsError != (c.has == "") {
			t.Errorf("%s %s: %s %.300s", c.tool, c.arguments, text, body)
		}
	}
	listed, err := session.ListTools(t.Context(), nil)
	if err != nil || len(listed.Tools) != 5 {
		t.Errorf("%+v, %v", listed, err)
	}
}
