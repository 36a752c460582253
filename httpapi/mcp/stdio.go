package mcp

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// RunStdio serves one client on a pair of streams, one JSON-RPC message a line,
// until the input ends or the context is done; neither is an error. It answers every call
// that it read before the input ended. A line that is no message ends the session with an
// error. It closes in at the end, and leaves out open.
func (s *Server) RunStdio(ctx context.Context, in io.ReadCloser, out io.Writer) error {
	defer in.Close()
	lines, taken := io.Pipe()
	o := &output{Writer: out}
	go filter(bufio.NewReader(in), taken, o)
	t := &stdio{Transport: &sdk.IOTransport{Reader: lines, Writer: o}, due: map[jsonrpc.ID]bool{}}
	t.settled = sync.NewCond(&t.mu)
	err := s.server().Run(ctx, t)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// output writes one message at a time.
type output struct {
	mu sync.Mutex
	io.Writer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.Writer.Write(p)
}

func (o *output) Close() error { return nil }

// filter hands the lines of in on, but for those that are refused.
func filter(in *bufio.Reader, to *io.PipeWriter, out io.Writer) {
	for {
		line, err := in.ReadBytes('\n')
		if refusal := refusalOf(line); refusal != nil {
			out.Write(append(refusal, '\n')) //nolint:errcheck // the SDK sees it at its next answer
			line = nil
		}
		if _, closed := to.Write(line); closed != nil || err != nil {
			to.CloseWithError(err)
			return
		}
	}
}

// stdio is the SDK's transport and its connection. The SDK drops calls under way when the input
// ends, so it sees the end after their answers.
type stdio struct {
	sdk.Transport
	sdk.Connection
	mu      sync.Mutex
	due     map[jsonrpc.ID]bool // calls without an answer
	settled *sync.Cond          // there are fewer
}

// Connect implements sdk.Transport.
func (t *stdio) Connect(ctx context.Context) (_ sdk.Connection, err error) {
	t.Connection, err = t.Transport.Connect(ctx)
	return t, err
}

func (t *stdio) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := t.Connection.Read(ctx)
	t.mu.Lock()
	defer t.mu.Unlock()
	if call, ok := m.(*jsonrpc.Request); ok && call.IsCall() {
		t.due[call.ID] = true
	}
	for err != nil && len(t.due) > 0 {
		t.settled.Wait()
	}
	return m, err
}

func (t *stdio) Write(ctx context.Context, m jsonrpc.Message) error {
	if a, ok := m.(*jsonrpc.Response); ok {
		defer t.settle(func() { delete(t.due, a.ID) })
	}
	return t.Connection.Write(ctx, m)
}

func (t *stdio) Close() error {
	t.settle(func() { clear(t.due) })
	return t.Connection.Close()
}

func (t *stdio) settle(change func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	change()
	t.settled.Broadcast()
}
