package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// RunStdio serves one client on a pair of streams, one JSON-RPC message a line,
// until the input ends or the context is done; neither is an error. It answers every call
// that it read before the input ended. A line that is no message ends the session with an
// error. It closes in at the end, and leaves out open.
func (s *Server) RunStdio(ctx context.Context, in io.ReadCloser, out io.Writer) error {
	t := &stdio{in: in, lines: bufio.NewReader(in), out: out}
	t.changed = sync.NewCond(&t.mu)
	err := s.server().Run(ctx, &sdk.IOTransport{Reader: t, Writer: t})
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// stdio is the input and output of the SDK. It answers messages that refusalOf refuses, and
// the SDK reads the rest. The SDK drops calls under way when the input ends, so it sees
// the end after their answers.
type stdio struct {
	in    io.ReadCloser
	lines *bufio.Reader
	rest  []byte // of the line that is being read

	mu      sync.Mutex
	out     io.Writer
	due     int // calls without an answer
	closed  bool
	changed *sync.Cond // due or closed
}

func (t *stdio) Read(p []byte) (n int, err error) {
	for len(t.rest) == 0 {
		if t.rest, err = t.lines.ReadBytes('\n'); err != nil && len(t.rest) == 0 {
			t.mu.Lock()
			defer t.mu.Unlock()
			for t.due > 0 && !t.closed {
				t.changed.Wait()
			}
			return 0, err
		}
		if refusal := refusalOf(t.rest); refusal != nil {
			t.rest = nil
			t.count(+1)
			if _, err := t.Write(append(refusal, '\n')); err != nil {
				return 0, err
			}
		} else if id, method := headOf(t.rest); id && method {
			t.count(+1)
		}
	}
	n = copy(p, t.rest)
	t.rest = t.rest[n:]
	return n, nil
}

// headOf reports whether a message has an id and a method: a call has both, an answer the
// id alone.
func headOf(message []byte) (id, method bool) {
	var m struct{ ID, Method json.RawMessage }
	err := json.Unmarshal(message, &m)
	return err == nil && m.ID != nil, err == nil && m.Method != nil
}

func (t *stdio) count(calls int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.due += calls
	t.changed.Broadcast()
}

// Write writes one message.
func (t *stdio) Write(p []byte) (int, error) {
	if id, method := headOf(p); id && !method {
		defer t.count(-1)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.out.Write(p)
}

func (t *stdio) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed { // the SDK closes its reader and its writer, which are one
		return nil
	}
	t.closed = true
	t.changed.Broadcast()
	return t.in.Close()
}
