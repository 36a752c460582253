package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/internal/panics"
)

// The resources: the catalog, its rules, and the chains of a city.
const (
	uriCatalog = "larder://catalog"
	uriRules   = "larder://rules"
	uriChains  = "larder://cities/" // a slug and "/chains" follow
)

// addResources registers the resources, and a prompt whose arguments can be completed.
func (s *Server) addResources(to *sdk.Server) {
	to.AddResource(&sdk.Resource{URI: uriCatalog, Name: "catalog", Title: "Cities, items and chains", MIMEType: "application/json"}, s.readResource)
	to.AddResource(&sdk.Resource{URI: uriRules, Name: "rules", Title: "The rules of a comparison", MIMEType: "application/json"}, s.readResource)
	to.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: uriChains + "{city}/chains", Name: "chains", Title: "The chains of a city", MIMEType: "application/json"}, s.readResource)
	to.AddPrompt(&sdk.Prompt{
		Name: "compare_list", Title: "Compare a grocery list", Description: "Asks what a grocery list costs in a city.",
		Arguments: []*sdk.PromptArgument{
			{Name: "city", Description: "The slug of a city.", Required: true}, {Name: "items", Description: "Items with quantities, in words.", Required: true}, {Name: "chains", Description: "Keys of chains; empty: all of the city."},
		},
	}, func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		a := req.Params.Arguments
		if a["city"] == "" || a["items"] == "" {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: `compare_list needs the arguments "city" and "items"`}
		}
		text := fmt.Sprintf("What does this grocery list cost in %s: %s? Look the items up with find_items, ask me about what is not certain, then call compare.", a["city"], a["items"])
		if a["chains"] != "" {
			text += " Compare these chains only: " + a["chains"] + "."
		}
		return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}}}, nil
	})
}

func (s *Server) readResource(ctx context.Context, req *sdk.ReadResourceRequest) (res *sdk.ReadResourceResult, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.Log.LogAttrs(ctx, slog.LevelError, "panic", panics.Attrs(p)...)
			err = errInternal
		}
	}()
	pr := s.Projection()
	if pr == nil {
		return nil, errNoSnapshot
	}
	uri := req.Params.URI
	var v any = catalogOf(pr)
	switch uri {
	case uriCatalog:
	case uriRules:
		v = compare.Catalog(pr).Rules
	default:
		chains := pr.ChainsIn(strings.TrimSuffix(strings.TrimPrefix(uri, uriChains), "/chains"))
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
	res := &sdk.CompleteResult{}
	res.Completion.Values = []string{}
	pr := s.Projection()
	if pr == nil {
		return res, nil
	}
	listed, typed := compare.Catalog(pr), strings.ToLower(req.Params.Argument.Value)
	add := func(value string, names ...string) {
		if slices.ContainsFunc(append(names, value), func(s string) bool { return strings.HasPrefix(strings.ToLower(s), typed) }) {
			res.Completion.Values = append(res.Completion.Values, value)
		}
	}
	switch req.Params.Argument.Name {
	case "city":
		for _, c := range listed.Cities {
			add(c.Slug, c.Name)
		}
	case "items":
		for _, it := range listed.Items {
			add(it.Name, it.Aliases...)
		}
	case "chains":
		for _, c := range listed.Chains {
			add(c.Key, c.Name)
		}
	}
	res.Completion.Total = len(res.Completion.Values)
	return res, nil
}
