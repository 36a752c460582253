package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
)

// tools are the tools by name. Every tool only reads, and reads only the snapshot. It gets its
// arguments as they were sent, and returns a text for the model and the structured result.
var tools = map[string]struct {
	call   func(s *Server, ctx context.Context, served *prepared.Snapshot, arguments []byte) (text string, result any, err error)
	result json.RawMessage // its schema
}{
	"catalog": {(*Server).callCatalog, schemaOf[catalogBody]()},
	"compare": {(*Server).callCompare, schemaOf[comparison]()},
}

// handler makes the handler of a tool. A refusal becomes a tool error. A failure of
// the server becomes one without details. A cancelled call is not answered.
func (s *Server) handler(tool string) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		arguments := bytes.TrimSpace(req.Params.Arguments)
		if len(arguments) == 0 || string(arguments) == "null" { // the protocol lets a client leave them out
			arguments = []byte("{}")
		}
		served := s.Snapshots.Current()
		text, result, err := tools[tool].call(s, ctx, served, arguments)
		switch refusal := asRefusal(err, served); {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil:
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}, StructuredContent: result}, nil
		case refusal != nil:
			var others []*reply.Error
			if e, ok := errors.AsType[*compare.Error](err); ok {
				for _, other := range e.Others {
					others = append(others, asRefusal(other, served))
				}
			}
			return refused(refusal, others...), nil
		}
		s.Log.LogAttrs(ctx, slog.LevelError, "tool failed", slog.String("tool", tool), slog.String("error", err.Error()))
		return refused(errInternal), nil
	}
}

// schemaOf returns the schema of a structured result. Lists are never null in it.
func schemaOf[T any]() json.RawMessage {
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[compare.Money]():    {Types: []string{"number", "null"}},
		reflect.TypeFor[compare.Date]():     {Types: []string{"string", "null"}, Format: "date"},
		reflect.TypeFor[compare.Quantity](): {Type: "number"},
		reflect.TypeFor[basket.Fit]():       {Type: "string", Enum: []any{"exact", "variant"}},
	}})
	text, failed := json.Marshal(s)
	if err := errors.Join(err, failed); err != nil {
		panic("mcp: " + err.Error()) // a type without a JSON form
	}
	return bytes.ReplaceAll(text, []byte(`["null","array"]`), []byte(`"array"`))
}

// catalogBody is the structured result of catalog: the body of the HTTP address, and
// the chains of each city.
type catalogBody struct {
	*compare.CatalogBody
	ChainsByCity map[string][]string `json:"chainsByCity" jsonschema:"keys of the chains with a store in the city, by the city's slug"`
}

func catalogOf(pr *compare.Projection) catalogBody {
	c := catalogBody{compare.Catalog(pr), map[string][]string{}}
	for _, city := range c.Cities {
		keys := []string{}
		for _, chain := range pr.ChainsIn(city.Slug) {
			keys = append(keys, chain.Key)
		}
		c.ChainsByCity[city.Slug] = keys
	}
	return c
}

func (s *Server) callCatalog(_ context.Context, served *prepared.Snapshot, arguments []byte) (string, any, error) {
	var plain bytes.Buffer
	if err := json.Compact(&plain, arguments); err != nil || plain.String() != "{}" {
		return "", nil, &compare.Error{Code: "invalid_body", Path: "arguments", Message: "catalog takes no arguments; send {}"}
	}
	if err := needPrices(served); err != nil {
		return "", nil, err
	}
	c := catalogOf(served.Projection())
	return fmt.Sprintf("Cities: %d. Items: %d. Chains: %d.", len(c.Cities), len(c.Items), len(c.Chains)), c, nil
}

// needPrices fails as the HTTP addresses do, after the arguments are found to be right.
func needPrices(served *prepared.Snapshot) error {
	if served == nil {
		return errNoSnapshot
	}
	return served.NeedPrices()
}

// callCompare checks in the order of the HTTP address: the limit, so that refused lists count
// too, then the list, then the snapshot.
func (s *Server) callCompare(ctx context.Context, served *prepared.Snapshot, arguments []byte) (string, any, error) {
	if err := s.Admit(ctx); err != nil {
		return "", nil, err
	}
	request, err := compare.DecodeRequest(arguments)
	if err != nil && request.Items == nil {
		return "", nil, err
	}
	if missing := needPrices(served); missing != nil {
		return "", nil, cmp.Or(err, missing)
	}
	if s.Comparing != nil {
		select {
		case s.Comparing <- struct{}{}:
			defer func() { <-s.Comparing }()
		default:
			return "", nil, cmp.Or(err, error(errOverloaded))
		}
	}
	allLines := len(request.Include) > 0
	request.Include = []string{compare.IncludeLines}
	result, err := compare.Evaluate(served.Projection(), request, s.Now())
	if err != nil {
		return "", nil, err
	}
	c := newComparison(served.Projection(), request, result, allLines, s.BaseURL)
	told := 0
	for i := range c.Stores {
		told += len(c.Stores[i].Lines)
	}
	if s.Lines != nil {
		if err := s.Lines(ctx, told); err != nil {
			return "", nil, err
		}
	}
	return c.text(), c, nil
}
