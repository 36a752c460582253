package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
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

// details are the code, path and seconds of a tool error.
func details(t testing.TB, res *sdk.CallToolResult) (code, path string, seconds float64) {
	t.Helper()
	m, ok := res.Meta[ErrorKey].(map[string]any)
	if !ok || !res.IsError || res.StructuredContent != nil {
		t.Fatalf("no tool error: %+v", res)
	}
	code, _ = m["code"].(string)
	path, _ = m["path"].(string)
	seconds, _ = m["retryAfterSeconds"].(float64)
	return code, path, seconds
}

// TestRefusals calls tools with lists that POST refuses. The tool error has the same code,
// and says where and what to change.
func TestRefusals(t *testing.T) {
	s, log := newServer()
	session := connect(t, overHTTP(t, s), nil)
	for name, c := range map[string]struct{ tool, arguments, code, path, says string }{
		"no arguments":    {"compare", "", "invalid_body", "city", "missing"},
		"unknown member":  {"compare", `{"city":"toronto","items":[{"id":1,"qty":1}],"budget":50}`, "invalid_body", "budget", "leave it out"},
		"duplicate key":   {"compare", `{"city":"toronto","city":"halifax","items":[{"id":1,"qty":1}]}`, "invalid_json", "arguments", "the arguments object is not"},
		"unknown city":    {"compare", `{"city":"paris","items":[{"id":1,"qty":1}]}`, "unsupported_city", "city", "do not take another city"},
		"unknown item":    {"compare", `{"city":"toronto","items":[{"id":51,"qty":1}]}`, "unknown_item", "items[0].id", "do not take another item"},
		"half a package":  {"compare", `{"city":"toronto","items":[{"id":1,"qty":0.5}]}`, "invalid_quantity", "items[0].qty", "tool catalog"},
		"not in the city": {"compare", `{"city":"toronto","items":[{"id":1,"qty":1}],"stores":["gullhaven"]}`, "store_unavailable", "stores[0]", "tell the shopper"},
		"an array":        {"compare", `[]`, "invalid_body", "arguments", "object"},
		"many faults": {"compare", `{"city":"Montréal","items":[{"id":1,"qty":0.5},{"id":1,"qty":1},{"id":7,"qty":11}],"stores":["Northlark"],"accept":["9@x"],"reject":["9@x"]}`,
			"duplicate_item", "items[1].id", "invalid_quantity at items[2].qty: item 7"},
		"the city meant":  {"compare", `{"city":"Montréal","items":[{"id":1,"qty":1}]}`, "unsupported_city", "city", `"Montréal"; did you mean "montreal"?`},
		"the chain meant": {"compare", `{"city":"toronto","items":[{"id":1,"qty":1}],"stores":["North Larch"]}`, "unknown_store", "stores[0]", `did you mean "northlarch"?`},
		"no such accept":  {"compare", `{"city":"toronto","items":[{"id":1,"qty":1}],"accept":["exact"]}`, "invalid_accept", "accept[0]", "send variants, or an item's id, @ and a chain's key"},
		"no such reject":  {"compare", `{"city":"toronto","items":[{"id":1,"qty":1}],"reject":["1"]}`, "invalid_reject", "reject[0]", "send an item's id, @ and a chain's key"},
	} {
		res, text := call(t, session, c.tool, c.arguments)
		code, path, seconds := details(t, res)
		if code != c.code || path != c.path || seconds != 0 || !strings.HasPrefix(text, c.code+" at "+c.path+": ") || !strings.Contains(text, c.says) {
			t.Errorf("%s: %s at %s (%g s): %s", name, code, path, seconds, text)
		}
	}
	if log.String() != "" {
		t.Errorf("logged: %s", log)
	}
	res, _ := call(t, session, "compare", `{"city":"toronto","items":[{"id":1,"qty":0.5},{"id":1,"qty":0.3}],"stores":["Northlark","gullhaven"]}`)
	others, _ := json.Marshal(res.Meta[ErrorKey])
	want := `{"code":"duplicate_item","others":[{"code":"invalid_quantity","path":"items[1].qty"},{"code":"invalid_quantity","path":"items[0].qty"},{"code":"unknown_store","path":"stores[0]"},` +
		`{"code":"store_unavailable","path":"stores[1]"}],"path":"items[1].id"}`
	if string(others) != want {
		t.Errorf("%s", others)
	}
}

// TestRejectedListings asks a comparison to leave out the listing that was priced, and accepts what it asks.
func TestRejectedListings(t *testing.T) {
	s, _ := newServer()
	session := connect(t, overHTTP(t, s), nil)
	type store struct {
		Lines []struct {
			ItemID int
			Fit    string
		}
		Missing map[string][]int
	}
	type asked struct{ Question, Accept, Title string }
	var questions []asked // of the last answer
	ask := func(id int, more string) (first store) {
		res, text := call(t, session, "compare", fmt.Sprintf(`{"city":"toronto","items":[{"id":%d,"qty":1}],"stores":["northlarch"]%s}`, id, more))
		var body struct {
			Stores    []store
			Questions []asked
		}
		b, err := json.Marshal(res.StructuredContent)
		if err := errors.Join(err, json.Unmarshal(b, &body)); err != nil || len(body.Stores) != 1 {
			t.Fatalf("%s: %v", text, err)
		}
		for _, x := range body.Questions {
			if !strings.HasPrefix(x.Question, "Northlarch sells "+x.Title+" here for ") || !strings.HasSuffix(x.Question, "): fine?") ||
				!strings.HasSuffix(text, " Questions for the shopper: 1 variant.") {
				t.Errorf("%+v is not asked, or not in the text: %s", x, text)
			}
		}
		questions = body.Questions
		return body.Stores[0]
	}
	exact, variants := 0, 0
	for id := 1; id <= 50; id++ {
		was := ask(id, `,"accept":["variants"]`)
		if len(was.Lines) == 0 {
			continue
		}
		without := ask(id, fmt.Sprintf(`,"accept":["variants"],"reject":["%d@northlarch"]`, id))
		strict := ask(id, "")
		if fit := was.Lines[0].Fit; fit == "exact" {
			exact++
			if !reflect.DeepEqual(strict, was) {
				t.Errorf("item %d, exact: %+v", id, strict)
			}
		} else if variants++; fit != "variant" || !slices.Contains(strict.Missing["variant_match"], id) || len(strict.Lines) > 0 {
			t.Errorf("item %d, %s: %+v", id, fit, strict)
		} else if again := ask(id, fmt.Sprintf(`,"accept":[%q]`, questions[0].Accept)); !reflect.DeepEqual(again, was) || len(questions) > 0 {
			t.Errorf("item %d: accepted %+v, not accepted %+v", id, again, was)
		}
		if len(without.Lines) == 0 && !slices.Contains(without.Missing["rejected_match"], id) {
			t.Errorf("item %d rejected: %+v", id, without)
		}
	}
	if exact == 0 || variants == 0 {
		t.Errorf("%d exact lines and %d variants are tried", exact, variants)
	}
}

// TestFaults calls tools while the server can't answer. The error says when to try again
// and nothing about the inside.
func TestFaults(t *testing.T) {
	none := prepared.NewSnapshots(filepath.Join(t.TempDir(), "none.db"), now)
	without := func(c *Config) { c.Snapshots = none }
	admits := func(err error) func(*Config) {
		return func(c *Config) { c.Admit = func(context.Context) error { return err } }
	}
	limited := admits(reply.Refuse("rate_limited", "too many").After(2500 * time.Millisecond))
	for name, c := range map[string]struct {
		change    func(*Config)
		tool      string
		arguments string
		code      string
		seconds   float64
		logged    string
	}{
		"no snapshot, compare": {without, "compare", list, "data_unavailable", 30, ""},
		"no snapshot, catalog": {without, "catalog", "", "data_unavailable", 30, ""},
		"syntax comes first":   {without, "compare", "{}", "invalid_body", 0, ""},
		"limit":                {limited, "compare", list, "rate_limited", 3, ""},
		"limit before syntax":  {limited, "compare", "{}", "rate_limited", 3, ""},
		"fault":                {admits(errors.New("disk on fire")), "compare", list, "internal_error", 10, "disk on fire"},
		"overloaded":           {func(c *Config) { c.Comparing = make(chan struct{}) }, "compare", list, "overloaded", 1, ""},
		"panic":                {func(c *Config) { c.Admit = func(context.Context) error { panic("toronto") } }, "compare", list, "internal_error", 10, "a string, which is not shown"},
	} {
		panics := 0
		s, log := newServer(c.change, func(c *Config) { c.Panicked = func() { panics++ } })
		res, text := call(t, connect(t, overHTTP(t, s), nil), c.tool, c.arguments)
		code, _, seconds := details(t, res)
		if code != c.code || seconds != c.seconds || c.logged != "" && strings.Contains(text, c.logged) {
			t.Errorf("%s: %s, %g s: %s", name, code, seconds, text)
		}
		if (panics == 1) != (name == "panic") {
			t.Errorf("%s: %d panics were counted", name, panics)
		}
		if text := log.String(); c.logged == "" && text != "" || !strings.Contains(text, c.logged) || strings.Contains(text, "toronto") {
			t.Errorf("%s: logged %q", name, text)
		}
	}
}
