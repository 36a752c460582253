package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
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

// addTools adds the tools. Each reads the snapshot and nothing else.
func (s *Server) addTools(to *sdk.Server, offers *texts, notice string) {
	add(s, to, offers, notice, "catalog", schemaOf[catalogBody](), callCatalog)
	compares := offers.tool("compare", notice, schemaOf[comparison]())
	compares.InputSchema = offers.Compare
	to.AddTool(compares, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		served := s.Snapshots.Current()
		text, result, err := s.callCompare(ctx, served, bytes.TrimSpace(req.Params.Arguments))
		res, err := s.result(ctx, served, "compare", text, err)
		if err == nil && !res.IsError {
			res.StructuredContent = named(served, result)
		}
		return res, err
	})
	if s.Index {
		add(s, to, offers, notice, "index", nil, callIndex)
		add(s, to, offers, notice, "explain", nil, callExplain)
		add(s, to, offers, notice, "shrinkflation", nil, callShrinkflation)
	}
}

func (o *texts) tool(name, notice string, result any) *sdk.Tool {
	t := o.Tools[name]
	if schema := string(reply.AppendPlainJSON(nil, result)); o.own(schema) != schema {
		result = json.RawMessage(o.own(schema))
	}
	return &sdk.Tool{
		Name: name, Title: t.Title, Description: lines(notice, t.Description), OutputSchema: result,
		Annotations: &sdk.ToolAnnotations{
			Title: t.Title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: new(false),
			OpenWorldHint: new(false),
		},
	}
}

// add adds a tool that reads the snapshot alone. Its text says in one line what the structured result says.
func add[In, Out any](s *Server, to *sdk.Server, offers *texts, notice, name string, result any,
	call func(*Server, *prepared.Snapshot, In) (string, Out, error)) {
	t := offers.tool(name, notice, result)
	in, err := jsonschema.For[In](nil)
	if err != nil {
		panic("mcp: " + err.Error()) // a type without a JSON form
	}
	for _, argument := range in.Properties {
		argument.Description = offers.own(argument.Description)
	}
	t.InputSchema = in
	sdk.AddTool(to, t,
		func(ctx context.Context, _ *sdk.CallToolRequest, in In) (*sdk.CallToolResult, any, error) {
			served, text, out := s.Snapshots.Current(), "", any(nil)
			err := needPrices(served)
			if err == nil {
				text, out, err = call(s, served, in)
			}
			res, failed := s.result(ctx, served, name, text, err)
			if err != nil {
				return res, nil, failed
			}
			return res, named(served, out), failed
		})
}

// result makes the result of a call. A refusal becomes a tool error, and a failure of the server one without details.
// A cancelled call is not answered.
func (s *Server) result(
	ctx context.Context, served *prepared.Snapshot, tool, text string, err error,
) (*sdk.CallToolResult, error) {
	switch refusals := asRefusals(err, served); {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil:
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}, nil
	case refusals != nil:
		return refused(refusals[0], refusals[1:]...), nil
	}
	s.Log.LogAttrs(ctx, slog.LevelError, "tool failed", slog.String("tool", tool), slog.String("error", err.Error()))
	return refused(errInternal), nil
}

// named returns a structured result with the names of compare.InCurrency.
func named(served *prepared.Snapshot, result any) json.RawMessage {
	return compare.InCurrency(reply.AppendPlainJSON(nil, result), served.About().Currency())
}

// schemaOf returns the schema of a structured result. Lists are never null in it.
func schemaOf[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[compare.Money]():    {Types: []string{"number", "null"}},
		reflect.TypeFor[compare.Date]():     {Types: []string{"string", "null"}, Format: "date"},
		reflect.TypeFor[compare.Quantity](): {Type: "number"},
		reflect.TypeFor[basket.Fit]():       {Type: "string", Enum: []any{"exact", "variant"}},
	}})
	if err != nil {
		panic("mcp: " + err.Error()) // a type without a JSON form
	}
	return s
}

// catalogBody is the structured result of catalog: the body of the HTTP address, and
// the chains of each city.
type catalogBody struct {
	*compare.CatalogBody
	ChainsByCity map[string][]string `json:"chainsByCity" jsonschema:"keys of chains, by the city's slug"`
}

func callCatalog(_ *Server, served *prepared.Snapshot, _ struct{}) (string, catalogBody, error) {
	pr := served.Projection()
	c := catalogBody{compare.Catalog(pr), map[string][]string{}}
	for _, city := range c.Cities {
		keys := []string{}
		for _, chain := range pr.ChainsIn(city.Slug) {
			keys = append(keys, chain.Key)
		}
		c.ChainsByCity[city.Slug] = keys
	}
	return fmt.Sprintf("Cities: %d. Items: %d. Chains: %d.", len(c.Cities), len(c.Items), len(c.Chains)), c, nil
}

// needPrices fails as the HTTP addresses do.
func needPrices(served *prepared.Snapshot) error {
	if served == nil {
		return errNoSnapshot
	}
	return served.NeedPrices()
}

// callCompare checks in the order of the HTTP address: the limit, so that refused lists count
// too, then the list, then the snapshot.
func (s *Server) callCompare(
	ctx context.Context, served *prepared.Snapshot, arguments []byte,
) (string, *comparison, error) {
	if s.Admit != nil {
		if err := s.Admit(ctx); err != nil {
			return "", nil, err
		}
	}
	if len(arguments) == 0 || string(arguments) == "null" { // the protocol lets a client leave them out
		arguments = []byte("{}")
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
		err = s.Lines(ctx, told)
	}
	return c.text(), c, err
}
