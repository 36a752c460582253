package mcp

import sdk "github.com/modelcontextprotocol/go-sdk/mcp"

// catalogTool describes catalog to a model.
func catalogTool(s schemas) *sdk.Tool {
	return &sdk.Tool{
		Name:  toolCatalog,
		Title: "What can be compared",
		Description: `Lists what the tool compare accepts: cities, items with their ids, units and quantities, and grocery chains with their keys; and the rules in force. ` +
			`Takes no arguments. These are definitions: they say nothing of current prices or of stock. ` +
			`Use it to turn a shopper's list into item ids. If something is not listed, say so and ask; an item must not be replaced by another variant or brand without asking the shopper.`,
		InputSchema:  s.catalogIn,
		OutputSchema: s.catalogOut,
		Annotations:  readOnly("What can be compared"),
	}
}

// compareTool describes compare to a model.
func compareTool(s schemas) *sdk.Tool {
	return &sdk.Tool{
		Name:  toolCompare,
		Title: "Compare a grocery list",
		Description: `Compares what a grocery list costs at the chains of one Canadian city, as of today in UTC (evaluatedOn), in CAD. ` +
			`City and items must be given explicitly: there is no default list, and nothing is ever substituted. Leave out stores to compare all chains of the city. ` +
			`recommendation.status is "lowest", and one chain is named, only when two or more chains have a fresh price for every item, no other chain is close, and differing package sizes do not change the outcome. ` +
			`Otherwise no chain is the cheapest: tell the shopper the status and the reasons, and do not pick a winner from the totals. ` +
			`A total whose totalScope is observed_subtotal leaves items out: never set it beside a complete one. Items without a usable price are in exclusions, each with its reason. ` +
			`Prices are those of a chain, not of a branch; neither checkout prices nor stock are promised. ` +
			`When you pass on a result, cite evaluatedOn and this comparison; the page at comparisonUrl may also show older prices. ` +
			`Bad arguments are refused with a code, the place and what to change.`,
		InputSchema:  s.compareIn,
		OutputSchema: s.compareOut,
		Annotations:  readOnly("Compare a grocery list"),
	}
}

// readOnly are the annotations of a tool that changes nothing, and reaches
// nothing but the snapshot.
func readOnly(title string) *sdk.ToolAnnotations {
	no := false
	return &sdk.ToolAnnotations{Title: title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no}
}
