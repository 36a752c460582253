package mcp

import (
	"context"
	"errors"
	"io"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// RunStdio serves one client on a pair of streams, a JSON-RPC message a line,
// until the input ends or the context is done; neither is an error. Calls that
// were read before the input ended are answered.
//
// A line that is no message is answered with an error of the protocol, and does
// not end the session. in is closed at the end.
func (s *Server) RunStdio(ctx context.Context, in io.ReadCloser, out io.Writer) error {
	err := s.mcp.Run(ctx, stdio{in, out})
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// stdio is the transport of RunStdio. The SDK's own ends the session at the first
// line that is no message, and drops the answers that are due when the input
// ends.
type stdio struct {
	in  io.ReadCloser
	out io.Writer
}

func (t stdio) Connect(context.Context) (sdk.Connection, error) {
	return newConn(t.in, t.out), nil
}
