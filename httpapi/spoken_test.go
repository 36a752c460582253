package httpapi_test

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	lookup "github.com/larder-index/larder/compare/find"
	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// TestSpokenLists gives lists as people write them to the tool that finds items, through the SDK.
// No part is lost, and none is taken that the shopper may not have meant.
func TestSpokenLists(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: f.HTTP.URL + "/mcp"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	lists := apitest.SpokenLists()
	if len(lists) < 60 {
		t.Errorf("%d lists", len(lists))
	}
	for _, list := range lists {
		res, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "find_items", Arguments: map[string]any{"texts": []string{list.Text}}})
		if err != nil || res.IsError {
			t.Fatalf("%q: %+v, %v", list.Text, res, err)
		}
		var body struct{ Found []foundText }
		b, err := json.Marshal(res.StructuredContent)
		if err := errors.Join(err, json.Unmarshal(b, &body)); err != nil {
			t.Fatal(err)
		}
		if len(body.Found) != len(list.Parts) {
			t.Errorf("%q has %d parts: %s", list.Text, len(body.Found), b)
			continue
		}
		for i, want := range list.Parts {
			got := body.Found[i]
			if !asSpoken(want, got) {
				t.Errorf("%q: want %c %v %s, got %+v", want.Words, max(want.Mark, ' '), want.IDs, want.Qty, got)
			}
		}
	}
}

type foundText struct {
	Text   string
	Status lookup.Status
	Ask    string

	Matches []struct {
		ID  int
		Qty *json.Number
	}
}

// TestServerJSON asks for the entry for the registry of MCP servers: its version is the one that the tools
// tell, and the tools are at its address.
func TestServerJSON(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: f.HTTP.URL + "/mcp"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	var entry struct {
		Name, Title, Description, Version, WebsiteURL string
		Remotes                                       []struct{ Type, URL string }
	}
	r := f.Get("/server.json", "")
	apitest.WantStatus(t, r, 200)
	if err := json.Unmarshal(r.Content, &entry); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]{1,100}$`).MatchString(entry.Name) || len(entry.Name) > 200 || entry.Description == "" ||
		entry.Title == "" || len(entry.Title) > 100 || entry.Version == "" || len(entry.Version) > 255 || strings.ContainsAny(entry.Version, "^~<>=* ") {
		t.Errorf("the registry refuses %s", r.Content)
	}
	told := strings.TrimPrefix(strings.Replace(session.InitializeResult().ServerInfo.Version, "(devel)", "0.0.0-devel", 1), "v")
	if entry.Name != "example.larder/larder" || entry.Version != told || entry.WebsiteURL != f.API.BaseURL || len(entry.Description) > 100 ||
		len(entry.Remotes) != 1 || entry.Remotes[0].Type != "streamable-http" || entry.Remotes[0].URL != f.API.BaseURL+"/mcp" {
		t.Errorf("%s; told is version %s", r.Content, told)
	}
}

// TestLinesOfADay reads lines without a key until the day's are used up, by the comparison, by the page's address
// and by the tool. A key reads on, and so does who leaves the lines out. A day later there are all again.
func TestLinesOfADay(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, func(c *httpapi.Config) { c.ShopperPerMinute, c.LinesPerDay = 1000, 40 })
	const list, address = `{"city":"toronto","items":[{"id":1,"qty":1}],"stores":["northlarch","tillbrook"]`, "/api/shopper/compare"
	withLines := list + `,"include":["lines"]}`
	same := apitest.Header("Sec-Fetch-Site", "same-origin")
	refused := func() *apitest.Response {
		for range 100 {
			if r := f.Post(address, withLines); r.StatusCode != 200 {
				return r
			}
			apitest.WantStatus(t, f.Post("/shopper/lines", list+"}", same), 200)
		}
		t.Fatal("never refused")
		return nil
	}
	r := refused()
	apitest.WantError(t, "lines", r, 429, "rate_limited")
	if !strings.Contains(string(r.Content), "about 40 lines of comparisons a day without a key; ask for fewer") || r.Header.Get("Retry-After") == "" {
		t.Errorf("%s, %v", r.Content, r.Header)
	}
	apitest.WantError(t, "the page", f.Post("/shopper/lines", list+"}", same), 429, "rate_limited")
	tool := f.Post("/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"compare","arguments":`+list+`}}}`)
	if !strings.Contains(string(tool.Content), "rate_limited: this client may read about 40 lines") {
		t.Errorf("the tool: %s", tool.Content)
	}
	apitest.WantStatus(t, f.Post(address, list+"}"), 200)
	key := f.Key(state.Research)
	apitest.WantStatus(t, f.Do("POST", address, key, withLines, apitest.Header("Content-Type", "application/json")), 200)
	f.Clock.Advance(24 * time.Hour)
	if r := refused(); r.StatusCode != 429 {
		t.Errorf("a day later: %s", r.Content)
	}
}

func asSpoken(want apitest.SpokenPart, got foundText) bool {
	var ids []int
	for _, m := range got.Matches {
		ids = append(ids, m.ID)
	}
	offered := !slices.ContainsFunc(want.IDs, func(id int) bool { return !slices.Contains(ids, id) })
	status := map[byte][]lookup.Status{0: {lookup.One}, '?': {lookup.Choice}, '~': {lookup.Choice, lookup.NotCompared}, '-': {lookup.NotCompared}}[want.Mark]
	if !slices.Contains(status, got.Status) || !offered || !strings.Contains(got.Text, want.Words) {
		return false
	}
	if want.Mark != 0 {
		return true
	}
	qty := "1"
	if m := got.Matches[0]; m.Qty != nil {
		qty = m.Qty.String()
	}
	return ids[0] == want.IDs[0] && (want.Qty == "" || qty == want.Qty)
}
