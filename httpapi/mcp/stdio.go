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
	lines, to := io.Pipe()
	c := &calls{Writer: out}
	go c.pass(bufio.NewReader(in), to)
	err := s.server().Run(ctx, &sdk.IOTransport{Reader: lines, Writer: c})
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// calls writes one message at a time, and knows which calls of the client have no answer.
type calls struct {
	io.Writer
	writing sync.Mutex
	due     sync.Map // by id
	left    sync.WaitGroup
}

// pass hands the lines of in on, but for those that are refused. The SDK drops calls under way when
// the input ends, so it sees the end after their answers.
func (c *calls) pass(in *bufio.Reader, to *io.PipeWriter) {
	var err, closed error
	for err == nil && closed == nil {
		var line []byte
		line, err = in.ReadBytes('\n')
		if refusal := refusalOf(line); refusal != nil {
			c.Write(append(refusal, '\n')) //nolint:errcheck // the SDK sees it at its next answer
			continue
		}
		m, wrong := jsonrpc.DecodeMessage(line)
		if wrong != nil { // the SDK says so, and ends
			c.left.Wait()
		}
		if call, ok := m.(*jsonrpc.Request); ok && call.IsCall() {
			if _, twice := c.due.LoadOrStore(call.ID, true); !twice {
				c.left.Add(1)
			}
		}
		_, closed = to.Write(line)
	}
	c.left.Wait()
	to.CloseWithError(err)
}

// Write writes an answer.
func (c *calls) Write(line []byte) (int, error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	m, _ := jsonrpc.DecodeMessage(line)
	if a, ok := m.(*jsonrpc.Response); ok {
		if _, was := c.due.LoadAndDelete(a.ID); was {
			defer c.left.Done()
		}
	}
	return c.Writer.Write(line)
}

// Close implements io.Closer.
func (c *calls) Close() error { return nil }
