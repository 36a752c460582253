package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The tools answer what the addresses do, to the letter but for the spaces.
func TestMCPAnswers(t *testing.T) {
	f := serveDemo(t)
	session := f.agent()
	for name, c := range map[string]struct {
		tool, arguments string
		same            *response
	}{
		"catalog": {"catalog", "{}", f.get(pathCatalog, "")},
		"compare": {"compare", agentList, f.post(pathCompare, agentList)},
		"stores":  {"compare", `{"city":"halifax","items":[{"id":2,"qty":1}],"stores":[]}`, f.post(pathCompare, `{"city":"halifax","items":[{"id":2,"qty":1}],"stores":[]}`)},
	} {
		res := callTool(t, session, c.tool, c.arguments)
		var want any
		if err := json.Unmarshal(c.same.body, &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, res.StructuredContent); diff != "" || res.IsError {
			t.Errorf("%s: -address +tool\n%s", name, diff)
		}
	}
}

// Comparisons of all kinds come out of one minute for each client. A tool call
// over it is told how long to wait, and the answer tells what is left.
func TestMCPLimit(t *testing.T) {
	f := serveDemo(t, func(c *Config) { c.Trusted = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")} })
	session := f.agent() // initializing is free
	for range 10 {
		if res := callTool(t, session, "compare", agentList); res.IsError {
			t.Fatalf("%+v", res.Content)
		}
		callTool(t, session, "catalog", "{}") // and so is this
		if _, err := session.ListTools(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		f.post(pathCompare, agentList)
		f.get(pathCompare+"?city=toronto&items=1", "")
	}
	if r := f.post(pathCompare, agentList); r.StatusCode != http.StatusTooManyRequests {
		t.Errorf("POST after 30 comparisons: %d", r.StatusCode)
	}
	if code, seconds := refusedAs(callTool(t, session, "compare", agentList)); code != "rate_limited" || seconds != 2 {
		t.Errorf("a call after 30 comparisons: %s, %g s", code, seconds)
	}
	r := f.message(compareCall)
	if r.StatusCode != 200 || !strings.Contains(string(r.body), `"isError":true`) || r.Header.Get("X-RateLimit-Remaining") != "0" || r.Header.Get("X-RateLimit-Limit") != "30" {
		t.Errorf("%d %v %s", r.StatusCode, r.Header, r.body)
	}
	if r := f.message(toolsList); r.Header.Get("RateLimit") != "" {
		t.Errorf("tools/list tells of the limit: %v", r.Header)
	}
	if r := f.message(compareCall, header("X-Forwarded-For", "203.0.113.9")); strings.Contains(string(r.body), "isError") || r.Header.Get("X-RateLimit-Remaining") != "29" {
		t.Errorf("another client: %s", r.body)
	}
	f.clock.Advance(2 * time.Second)
	if res := callTool(t, session, "compare", agentList); res.IsError {
		t.Errorf("2 s later: %+v", res.Content)
	}
	if code, _ := refusedAs(callTool(t, session, "compare", "{}")); code != "rate_limited" {
		t.Errorf("a list that is wrong does not count: %s", code)
	}
}

// Every status that is documented, in the form that is documented: the recorder
// checks it.
func TestMCPTransport(t *testing.T) {
	f := serveDemo(t)
	send := func(body string, change ...func(*http.Request)) int { return f.message(body, change...).StatusCode }
	for name, c := range map[string]struct{ got, want int }{
		"tools/list":     {send(toolsList), 200},
		"compare":        {send(compareCall), 200},
		"no such tool":   {send(strings.Replace(compareCall, `"compare"`, `"buy"`, 1)), 200},
		"notification":   {send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`), 202},
		"own page":       {send(toolsList, header("Origin", "https://larder.example")), 200},
		"other page":     {send(toolsList, header("Origin", "http://localhost:8080")), 403},
		"no JSON":        {send("hello"), 400},
		"a batch":        {send("[" + toolsList + "]"), 400},
		"a form":         {send(toolsList, header("Content-Type", "text/plain")), 415},
		"HTML":           {send(toolsList, header("Accept", "text/html")), 406},
		"too long":       {send(strings.Repeat(" ", 1<<17)), 413},
		"GET":            {f.get(pathMCP, "").StatusCode, 405},
		"DELETE":         {f.do(http.MethodDelete, pathMCP, "", "").StatusCode, 405},
		"OPTIONS":        {f.do(http.MethodOptions, pathMCP, "", "").StatusCode, 405},
		"no such method": {send(`{"jsonrpc":"2.0","id":1,"method":"tools/buy","params":`+meta+`}`, header("Mcp-Protocol-Version", "2026-07-28"), header("Mcp-Method", "tools/buy")), 404},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", name, c.got, c.want)
		}
	}
	if log := f.log.String(); strings.Contains(log, "toronto") || strings.Contains(log, `"panic"`) || !strings.Contains(log, `"route":"/mcp"`) {
		t.Errorf("logged\n%s", log)
	}
	packed := f.message(compareCall, header("Accept-Encoding", "gzip"))
	if packed.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("not packed: %v", packed.Header)
	}
}

const meta = `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}`

// A session goes on over the swap of a snapshot, and without one.
func TestMCPSwap(t *testing.T) {
	_, db := demo()
	own := filepath.Join(t.TempDir(), "panel.db")
	f := serveSnapshot(t, own, manyComparisons)
	session := f.agent()
	if code, seconds := refusedAs(callTool(t, session, "compare", agentList)); code != "data_unavailable" || seconds != 30 {
		t.Errorf("without a snapshot: %s, %g s", code, seconds)
	}
	b, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, b, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := f.snapshots.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	if res := callTool(t, session, "compare", agentList); res.IsError {
		t.Errorf("with one: %+v", res.Content)
	}
}

// Calls count among the comparisons that are made at once.
func TestMCPOverloaded(t *testing.T) {
	f := serveDemo(t)
	session := f.agent()
	for range cap(f.server.comparing) {
		f.server.comparing <- struct{}{}
	}
	if code, seconds := refusedAs(callTool(t, session, "compare", agentList)); code != "overloaded" || seconds != 1 {
		t.Errorf("%s, %g s", code, seconds)
	}
	<-f.server.comparing
	for range 2 { // the first gives its place back
		if res := callTool(t, session, "compare", agentList); res.IsError {
			t.Errorf("%+v", res.Content)
		}
	}
}

// What larder mcp offers has the schemas of the server.
func TestNewMCP(t *testing.T) {
	f := serveDemo(t)
	server, err := NewMCP(f.snapshots, f.clock.Now, "https://larder.example/", f.server.Log)
	if err != nil {
		t.Fatal(err)
	}
	if server.BaseURL != "https://larder.example" || server.Admit != nil {
		t.Errorf("%+v", server.Config)
	}
	if _, err := NewMCP(f.snapshots, f.clock.Now, "larder.example", f.server.Log); err == nil {
		t.Error("an address without a scheme is taken")
	}
}
