package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/internal/panics"
)

// tool does the work of a call: its arguments are as they were sent, and the
// result is a text for the model and the JSON that the schema describes.
type tool func(ctx context.Context, arguments []byte) (text string, body []byte, err error)

// guard makes a handler of a tool. What the tool refuses becomes a tool error,
// what fails on this side one without detail, and a panic is not the end of the
// process: of it the log has the type and the place, since its value may be made
// of the list. A call that was cancelled has nobody to answer.
func (s *Server) guard(name string, do tool) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (res *sdk.CallToolResult, err error) {
		defer func() {
			if p := recover(); p != nil {
				if s.Panicked != nil {
					s.Panicked()
				}
				s.Log.LogAttrs(ctx, slog.LevelError, "panic", append(panics.Attrs(p), slog.String("tool", name))...)
				res, err = refused(errInternal), nil
			}
		}()
		text, body, err := do(ctx, req.Params.Arguments)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil:
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}, StructuredContent: json.RawMessage(body)}, nil
		}
		refusal, ok := asRefusal(err)
		if !ok {
			s.Log.LogAttrs(ctx, slog.LevelError, "tool failed", slog.String("tool", name), slog.String("error", err.Error()))
			refusal = errInternal
		}
		return refused(refusal), nil
	}
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
	c, err := s.catalogOf(pr)
	if err != nil {
		return "", nil, err
	}
	return c.text, c.body, nil
}

// callCompare answers compare. As at the HTTP address the limit comes first, so
// that refused lists count too; what is wrong with the list by itself comes
// before there being nothing to compare it with.
func (s *Server) callCompare(ctx context.Context, arguments []byte) (string, []byte, error) {
	if s.Admit != nil {
		if err := s.Admit(ctx); err != nil {
			return "", nil, err
		}
	}
	request, err := compare.DecodeRequest(orEmpty(arguments))
	if err != nil {
		return "", nil, err
	}
	pr := s.Projection()
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
	result, err := compare.Evaluate(pr, request, s.Now())
	if err != nil {
		return "", nil, err
	}
	result.WithLinks(s.BaseURL)
	return resultText(result), result.AppendJSON(nil), nil
}

// orEmpty takes arguments that were left out, or are null, for an empty object:
// the protocol lets a client leave them out.
func orEmpty(arguments []byte) []byte {
	if t := bytes.TrimSpace(arguments); len(t) == 0 || string(t) == "null" {
		return []byte("{}")
	}
	return arguments
}
