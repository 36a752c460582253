package mcp

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
)

// ErrorKey is the key in the _meta of a tool error of an object with its code, its
// path and retryAfterSeconds, and others, the code and path of each further fault. What does not apply is left out.
const ErrorKey = "io.github.larder-index/error"

var (
	errInternal   = reply.Refuse("internal_error", "something failed on the server's side").After(10 * time.Second)
	errNoSnapshot = reply.Refuse("data_unavailable", "there is no verified snapshot of prices at the moment").After(
		30 * time.Second)
	errOverloaded = reply.Refuse("overloaded", "too many comparisons are being made at the moment").After(time.Second)
)

// asRefusals returns the refusals to show for an error, whose parameters are paths in the arguments; none when the
// error is the server's own. Its examples are of a snapshot.
func asRefusals(err error, served *prepared.Snapshot) (list []*reply.Error) {
	if r, ok := errors.AsType[*reply.Error](err); ok {
		return []*reply.Error{r}
	}
	e, ok := errors.AsType[*compare.Error](err)
	if !ok {
		return nil
	}
	// A tool call has arguments where other requests have a body.
	message, begins := strings.CutPrefix(e.Message, "the body ")
	if begins {
		message = "the arguments object " + message
	}
	r := reply.Refuse(e.Code, served.InExample(message))
	r.Parameter = e.Path
	if e.Path == "body" {
		r.Parameter = "arguments"
	}
	list = append(list, r)
	for _, other := range e.Others {
		list = append(list, asRefusals(other, served)...)
	}
	return list
}

// advice tells the agent how to go on after a refusal, when its message does not.
var advice = map[string]string{
	"unsupported_city":  "The tool catalog lists the cities. Ask the shopper; do not take another city instead.",
	"unknown_item":      "The tool catalog lists the items. Ask the shopper; do not take another item instead.",
	"invalid_quantity":  "The tool catalog has the quantities of each item.",
	"unknown_store":     "The tool catalog lists the chains.",
	"store_unavailable": "Leave the chain out and tell the shopper, or leave out stores to compare all chains.",
}

// words returns a refusal as one sentence.
func words(r *reply.Error) string {
	if r.Parameter == "" {
		return r.Code + ": " + r.Refusal.Error
	}
	return r.Code + " at " + r.Parameter + ": " + r.Refusal.Error
}

// refused makes a tool error, with the further faults of the arguments. It has no structured content,
// which the schema requires to be a comparison.
func refused(r *reply.Error, others ...*reply.Error) *sdk.CallToolResult {
	details, text := map[string]any{"code": r.Code}, []string{words(r)}
	if r.Parameter != "" {
		details["path"] = r.Parameter
	}
	if r.RetryAfter > 0 {
		seconds := reply.WholeSeconds(r.RetryAfter)
		details["retryAfterSeconds"] = seconds
		text = append(text, fmt.Sprintf("Nothing is wrong with the arguments: send the same call again after %d s.",
			seconds))
	}
	advised, more := []string{advice[r.Code]}, []map[string]any{}
	for _, x := range others {
		text, more = append(text, words(x)), append(more, map[string]any{"code": x.Code, "path": x.Parameter})
		if !slices.Contains(advised, advice[x.Code]) {
			advised = append(advised, advice[x.Code])
		}
	}
	if len(more) > 0 {
		details["others"] = more
	}
	content := lines(append(text, advised...)...)
	return &sdk.CallToolResult{Meta: sdk.Meta{ErrorKey: details}, IsError: true,
		Content: []sdk.Content{&sdk.TextContent{Text: content}}}
}
