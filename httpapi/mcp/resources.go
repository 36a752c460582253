package mcp

import (
	"context"
	"encoding/json"
	"errors"
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
	text := fmt.Sprintf("What does this grocery list cost in %s: %s? Look the items up in the catalog, ask me about what is not certain, then call compare.", a["city"], a["items"])
	if a["chains"] != "" {
		text += " Compare these chains only: " + a["chains"] + "."
	}
	return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}}}, nil
}

func (s *Server) readResource(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	served := s.Snapshots.Current()
	if served == nil {
		return nil, errors.New(words(errNoSnapshot))
	}
	catalog := catalogOf(served.Projection())
	resources := map[string]any{"larder://catalog": catalog, "larder://rules": catalog.Rules}
	for _, c := range catalog.Cities {
		resources["larder://cities/"+c.Slug+"/chains"] = served.Projection().ChainsIn(c.Slug)
	}
	v, ok := resources[req.Params.URI]
	if !ok {
		return nil, sdk.ResourceNotFoundError(req.Params.URI)
	}
	b, err := json.Marshal(v)
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: req.Params.URI, MIMEType: "application/json", Text: string(b)}}}, err
}

// complete completes the slug of a city, the name of an item, or the key of a chain.
func (s *Server) complete(_ context.Context, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	values := []string{}
	if served := s.Snapshots.Current(); served != nil {
		listed, typed := compare.Catalog(served.Projection()), strings.ToLower(req.Params.Argument.Value)
		add := func(argument string, names ...string) { // the first is the value
			begins := func(s string) bool { return strings.HasPrefix(strings.ToLower(s), typed) }
			if req.Params.Argument.Name == argument && slices.ContainsFunc(names, begins) {
				values = append(values, names[0])
			}
		}
		for _, c := range listed.Cities {
			add("city", c.Slug, c.Name)
		}
		for _, it := range listed.Items {
			add("items", append([]string{it.Name}, it.Aliases...)...)
		}
		for _, c := range listed.Chains {
			add("chains", c.Key, c.Name)
		}
	}
	return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: values, Total: len(values)}}, nil
}
