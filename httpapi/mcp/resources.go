package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/larder-index/larder/compare"
)

// prompt asks the model to compare a list. Its arguments can be completed.
func prompt(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	a := req.Params.Arguments
	if a["city"] == "" || a["items"] == "" {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: `compare_list needs the arguments "city" and "items"`}
	}
	text := fmt.Sprintf("What does this grocery list cost in %s: %s? Look the items up with find_items, ask me about what is not certain, then call compare.", a["city"], a["items"])
	if a["chains"] != "" {
		text += " Compare these chains only: " + a["chains"] + "."
	}
	return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}}}, nil
}

// readResource returns the catalog, its rules, or the chains of a city.
func (s *Server) readResource(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	served, uri := s.Snapshots.Current(), req.Params.URI
	if served == nil {
		return nil, errNoSnapshot
	}
	pr := served.Projection()
	var v any
	switch uri {
	case "larder://catalog":
		v = catalogOf(pr)
	case "larder://rules":
		v = compare.Catalog(pr).Rules
	default:
		chains := pr.ChainsIn(strings.TrimSuffix(strings.TrimPrefix(uri, "larder://cities/"), "/chains"))
		if chains == nil {
			return nil, sdk.ResourceNotFoundError(uri)
		}
		v = chains
	}
	b, err := json.Marshal(v)
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: "application/json", Text: string(b)}}}, err
}

// complete completes the slug of a city, the name of an item, or the key of a chain.
func (s *Server) complete(_ context.Context, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	values := []string{}
	if served := s.Snapshots.Current(); served != nil {
		listed, typed := compare.Catalog(served.Projection()), strings.ToLower(req.Params.Argument.Value)
		add := func(argument, value string, names ...string) {
			begins := func(s string) bool { return strings.HasPrefix(strings.ToLower(s), typed) }
			if req.Params.Argument.Name == argument && (begins(value) || slices.ContainsFunc(names, begins)) {
				values = append(values, value)
			}
		}
		for _, c := range listed.Cities {
			add("city", c.Slug, c.Name)
		}
		for _, it := range listed.Items {
			add("items", it.Name, it.Aliases...)
		}
		for _, c := range listed.Chains {
			add("chains", c.Key, c.Name)
		}
	}
	return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: values, Total: len(values)}}, nil
}
