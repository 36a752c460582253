package mcp

import (
	"bytes"
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/larder-index/larder/compare"
)

// work does the work of a tool. It gets the arguments as they were sent, and returns a
// text for the model and the JSON that the output schema describes.
type work func(ctx context.Context, arguments []byte) (text string, body []byte, err error)

// addTools registers the tools. Every tool only reads, and reads only the snapshot.
// The notice comes before their descriptions.
func (s *Server) addTools(to *sdk.Server, notice string) {
	add := func(do work, t sdk.Tool) {
		t.Description = lines(notice, t.Description)
		t.Annotations = &sdk.ToolAnnotations{
			Title: t.Title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: new(false), OpenWorldHint: new(false),
		}
		to.AddTool(&t, s.guard(t.Name, do))
	}
	add(s.callCatalog, sdk.Tool{
		Name: "catalog", Title: "What can be compared", InputSchema: catalogIn, OutputSchema: schemaOf[catalogBody](),
		Description: `Lists what the tool compare accepts: cities, items with their ids, units and quantities, grocery chains with their keys, and the chains of each city; and the rules in force. ` +
			`Takes no arguments. These are definitions: they say nothing of current prices or of stock. ` +
			`Use it to turn a shopper's list into item ids. If something is not listed, say so and ask; an item must not be replaced by another variant or brand without asking the shopper.`,
	})
	add(s.callFind, sdk.Tool{
		Name: "find_items", Title: "Find items by a shopper's words", InputSchema: findIn, OutputSchema: schemaOf[foundBody](),
		Description: `Says what a shopper's words mean, in English or French: the item's id and name, its quantity where the words have one ("2 dozen eggs", "1.5 kg chicken"), the quantities that it takes, and alternatives. ` +
			`One text for each item of the list. Take an item only where the result says so; else ask the shopper. What is not compared stays out of the list: tell the shopper, and take nothing in its place.`,
	})
	add(s.callCompare, sdk.Tool{
		Name: "compare", Title: "Compare a grocery list", InputSchema: compareIn, OutputSchema: schemaOf[comparison](),
		Description: `Compares what a grocery list costs at the chains of one Canadian city, as of today in UTC (evaluatedOn), in CAD. ` +
			`City and items must be given explicitly: there is no default list, and nothing is ever substituted. Leave out stores to compare all chains of the city. ` +
			`recommendation.status is "lowest", and one chain is named, only when two or more chains have a fresh price for every item, no other chain is close, and differing package sizes do not change the outcome. ` +
			`Otherwise no chain is the cheapest: tell the shopper the status and the reasons, and do not pick a winner from the totals. ` +
			`A total whose totalScope is observed_subtotal leaves items out: never set it beside a complete one. The items that a chain has no usable price of are in its missing, by reason. ` +
			`The lines of the first chain name what was priced: where a title is another kind of goods than was asked for, tell the shopper. ` +
			`Prices are those of a chain, not of a branch; neither checkout prices nor stock are promised. ` +
			`When you pass on a result, cite evaluatedOn and this comparison; the page at comparisonUrl may also show older prices. ` +
			`Bad arguments are refused with a code, the place and what to change.`,
	})
}

// callCatalog answers catalog, which takes no arguments.
func (s *Server) callCatalog(_ context.Context, arguments []byte) (string, []byte, error) {
	var plain bytes.Buffer
	if err := json.Compact(&plain, orEmpty(arguments)); err != nil || plain.String() != "{}" {
		return "", nil, &Refusal{Code: string(compare.InvalidBody), Path: "arguments", Message: "catalog takes no arguments; send {}"}
	}
	pr := s.Projection()
	if pr == nil {
		return "", nil, errNoSnapshot
	}
	c := catalogOf(pr)
	body, err := json.Marshal(c)
	return text("catalog", c), body, err
}

// callCompare answers compare. It checks in the order of the HTTP address: the
// limit, so that refused lists count too, then the list, then the snapshot.
func (s *Server) callCompare(ctx context.Context, arguments []byte) (string, []byte, error) {
	if s.Admit != nil {
		if err := s.Admit(ctx); err != nil {
			return "", nil, err
		}
	}
	pr := s.Projection()
	request, err := compare.DecodeRequest(orEmpty(arguments))
	if err != nil {
		return "", nil, allFaults(pr, arguments, err)
	}
	if pr == nil {
		return "", nil, errNoSnapshot
	}
	if s.Comparing != nil {
		select {
		case s.Comparing <- struct{}{}:
			defer func() { <-s.Comparing }()
		default:
			return "", nil, errOverloaded
		}
	}
	allLines := len(request.Include) > 0
	request.Include = []string{compare.IncludeLines}
	result, err := compare.Evaluate(pr, request, s.Now())
	if err != nil {
		return "", nil, allFaults(pr, arguments, err)
	}
	c := newComparison(pr, request, result, allLines, s.BaseURL)
	body, err := json.Marshal(c)
	return text("comparison", c), body, err
}

// orEmpty returns an empty object for missing or null arguments, which the protocol
// lets a client leave out.
func orEmpty(arguments []byte) []byte {
	if t := bytes.TrimSpace(arguments); len(t) == 0 || string(t) == "null" {
		return []byte("{}")
	}
	return arguments
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
