package mcp

import (
	"fmt"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/larder-index/larder/compare"
)

// ErrorKey is where in the _meta of a tool error programs find its code, path
// and retryAfterSeconds; the latter two only where there are such.
const ErrorKey = "io.github.larder-index/error"

// Refusal is why a call got no result, as an agent sees it.
type Refusal struct {
	Code       string        // as at the HTTP addresses
	Path       string        // where in the arguments, such as "items[2].qty"; "": nowhere
	Message    string        // what to change
	RetryAfter time.Duration // until the same call may succeed; 0: it won't
}

func (r *Refusal) Error() string {
	if r.Path == "" {
		return r.Code + ": " + r.Message
	}
	return r.Code + " at " + r.Path + ": " + r.Message
}

// refusalOf puts an error of a comparison in the terms of a tool call, where
// the arguments stand for the body.
func refusalOf(e *compare.Error) *Refusal {
	r := &Refusal{Code: string(e.Code), Path: e.Path, Message: e.Message}
	if r.Path == "body" {
		r.Path = "arguments"
	}
	if rest, ok := strings.CutPrefix(r.Message, "the body "); ok {
		r.Message = "the arguments object " + rest
	}
	return r
}

// advice is what an agent does best after a refusal, where the message does not
// say so.
var advice = map[compare.Code]string{
	compare.UnsupportedCity:  "The tool catalog lists the cities. Ask the shopper; do not take another city instead.",
	compare.UnknownItem:      "The tool catalog lists the items. Ask the shopper; do not take another item instead.",
	compare.InvalidQuantity:  "The tool catalog has the quantities of each item.",
	compare.UnknownStore:     "The tool catalog lists the chains.",
	compare.StoreUnavailable: "Leave the chain out and tell the shopper, or leave out stores to compare all chains of the city.",
}

// refused makes a tool error. It has no structured content, since that would
// have to be a comparison.
func refused(r *Refusal) *sdk.CallToolResult {
	text := r.Error()
	details := map[string]any{"code": r.Code}
	if r.Path != "" {
		details["path"] = r.Path
	}
	if r.RetryAfter > 0 {
		seconds := max(1, int64((r.RetryAfter+time.Second-1)/time.Second))
		details["retryAfterSeconds"] = seconds
		text += fmt.Sprintf("\nNothing is wrong with the arguments: send the same call again after %d s.", seconds)
	}
	if next := advice[compare.Code(r.Code)]; next != "" {
		text += "\n" + next
	}
	return &sdk.CallToolResult{
		Meta: sdk.Meta{ErrorKey: details}, IsError: true,
		Content: []sdk.Content{&sdk.TextContent{Text: text}},
	}
}
