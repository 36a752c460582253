package mcp

import (
	"errors"
	"fmt"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/larder-index/larder/compare"
)

// ErrorKey is the key in the _meta of a tool error of an object with its code, its
// path and retryAfterSeconds. The latter two are left out when they do not apply.
const ErrorKey = "io.github.larder-index/error"

// Refusal says why a call has no result, in words for an agent.
type Refusal struct {
	Code       string        // as at the HTTP addresses
	Path       string        // in the arguments, such as "items[2].qty"; "": none
	Message    string        // what to change
	RetryAfter time.Duration // until the same call may succeed; 0: never
}

func (r *Refusal) Error() string {
	if r.Path == "" {
		return r.Code + ": " + r.Message
	}
	return r.Code + " at " + r.Path + ": " + r.Message
}

var (
	errInternal   = &Refusal{Code: "internal_error", RetryAfter: 10 * time.Second, Message: "something failed on the server's side"}
	errNoSnapshot = &Refusal{Code: "data_unavailable", RetryAfter: 30 * time.Second, Message: "there is no verified snapshot of prices at the moment"}
	errOverloaded = &Refusal{Code: "overloaded", RetryAfter: time.Second, Message: "too many comparisons are being made at the moment"}
)

// asRefusal returns the refusal to show for an error; false when the error is the
// server's own.
func asRefusal(err error) (*Refusal, bool) {
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r, true
	}
	e, ok := errors.AsType[*compare.Error](err)
	if !ok {
		return nil, false
	}
	// A tool call has arguments where other requests have a body.
	r := &Refusal{Code: string(e.Code), Path: e.Path, Message: e.Message}
	if r.Path == "body" {
		r.Path = "arguments"
	}
	if rest, ok := strings.CutPrefix(r.Message, "the body "); ok {
		r.Message = "the arguments object " + rest
	}
	return r, true
}

// advice tells the agent how to go on after a refusal, when its message does not.
var advice = map[string]string{
	string(compare.UnsupportedCity):  "The tool catalog lists the cities. Ask the shopper; do not take another city instead.",
	string(compare.UnknownItem):      "The tool catalog lists the items. Ask the shopper; do not take another item instead.",
	string(compare.InvalidQuantity):  "The tool catalog has the quantities of each item.",
	string(compare.UnknownStore):     "The tool catalog lists the chains.",
	string(compare.StoreUnavailable): "Leave the chain out and tell the shopper, or leave out stores to compare all chains of the city.",
}

// refused makes a tool error. It has no structured content, which the schema
// requires to be a comparison.
func refused(r *Refusal) *sdk.CallToolResult {
	details, again := map[string]any{"code": r.Code}, ""
	if r.Path != "" {
		details["path"] = r.Path
	}
	if r.RetryAfter > 0 {
		seconds := max(1, int64((r.RetryAfter+time.Second-1)/time.Second))
		details["retryAfterSeconds"] = seconds
		again = fmt.Sprintf("Nothing is wrong with the arguments: send the same call again after %d s.", seconds)
	}
	return &sdk.CallToolResult{
		Meta: sdk.Meta{ErrorKey: details}, IsError: true,
		Content: []sdk.Content{&sdk.TextContent{Text: lines(r.Error(), again, advice[r.Code])}},
	}
}
