package httpapi_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	lookup "github.com/larder-index/larder/compare/find"
	"github.com/larder-index/larder/httpapi/internal/apitest"
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
