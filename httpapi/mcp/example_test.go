package mcp_test

import (
	"encoding/json"
	"fmt"
	"log"
	"log/slog"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/prepared"
)

// A message over HTTP: which tools there are. httpapi.NewMCP gives the server
// its snapshot and the schemas.
func Example() {
	snapshots := prepared.NewSnapshots("prices.db", time.Now)
	server, err := httpapi.NewMCP(snapshots, time.Now, "https://prices.example.org", slog.New(slog.DiscardHandler))
	if err != nil {
		log.Fatal(err)
	}
	request := httptest.NewRequest("POST", "/mcp", strings.NewReader(`{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}`))
	request.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	server.ServeHTTP(w, request)
	var answer struct {
		Result struct {
			Tools []struct{ Name, Title string }
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		log.Fatal(err)
	}
	for _, tool := range answer.Result.Tools {
		fmt.Printf("%s: %s\n", tool.Name, tool.Title)
	}
	// Output:
	// catalog: What can be compared
	// compare: Compare a grocery list
	// find_items: Find items by a shopper's words
}
