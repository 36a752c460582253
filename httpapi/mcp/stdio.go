package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// RunStdio serves one client on a pair of streams, one JSON-RPC message a line,
// until the input ends or the context is done; neither is an error. It answers
// every call that it read before the input ended. It answers a line that is not a
// message with an error of the protocol, and the session goes on. It closes in at
// the end, and leaves out open. Every Write to out is one message.
func (s *Server) RunStdio(ctx context.Context, in io.ReadCloser, out io.Writer) error {
	err := s.server().Run(ctx, newStdio(in, out))
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// stdio is the transport of one session on streams. The SDK's own transport ends
// the session at the first line that is not a message, and drops pending answers
// when the input ends. So the SDK reads from a pipe of checked messages, which
// ends after the last answer.
type stdio struct {
	in      io.ReadCloser
	checked *io.PipeWriter
	pipe    *io.PipeReader

	mu      sync.Mutex
	out     io.Writer
	due     map[jsonrpc.ID]bool // requests that were read and not answered
	closed  bool
	changed *sync.Cond // due or closed
}

func newStdio(in io.ReadCloser, out io.Writer) *stdio {
	t := &stdio{in: in, out: out, due: map[jsonrpc.ID]bool{}}
	t.pipe, t.checked = io.Pipe()
	t.changed = sync.NewCond(&t.mu)
	return t
}

// Connect starts the session.
func (t *stdio) Connect(ctx context.Context) (sdk.Connection, error) {
	inner, err := (&sdk.IOTransport{Reader: t, Writer: t}).Connect(ctx)
	if err != nil {
		return nil, err
	}
	go t.readLines()
	return connection{inner, t}, nil
}

// connection marks the requests of a session that are answered.
type connection struct {
	sdk.Connection
	of *stdio
}

// Write writes a message. Several goroutines may write at the same time.
func (c connection) Write(ctx context.Context, m jsonrpc.Message) error {
	r, ok := m.(*jsonrpc.Response)
	if ok && r.Error != nil {
		wire, is := errors.AsType[*jsonrpc.Error](r.Error)
		if !is {
			wire = &jsonrpc.Error{Message: r.Error.Error()}
		} else if text := r.Error.Error(); text != wire.Error() {
			wire = &jsonrpc.Error{Code: wire.Code, Message: text, Data: wire.Data}
		}
		r = &jsonrpc.Response{ID: r.ID, Error: plain(wire), Extra: r.Extra}
		m = r
	}
	err := c.Connection.Write(ctx, m)
	if ok {
		c.of.change(func() { delete(c.of.due, r.ID) })
	}
	return err
}

// change changes due or closed.
func (t *stdio) change(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f()
	t.changed.Broadcast()
}

// readLines passes messages to the SDK until the input ends, and answers other
// lines itself.
func (t *stdio) readLines() {
	from := bufio.NewReader(t.in)
	for {
		line, end := readLine(from)
		if text := bytes.TrimSpace(line); len(text) > 0 {
			if err := t.pass(text); err != nil {
				return // the session ended
			}
		}
		if end != nil {
			t.mu.Lock()
			defer t.mu.Unlock()
			for len(t.due) > 0 && !t.closed {
				t.changed.Wait()
			}
			t.checked.CloseWithError(end)
			return
		}
	}
}

// pass hands a line to the SDK, or answers it when it is not a message.
func (t *stdio) pass(text []byte) error {
	m, wrong := checkMessage(text)
	if wrong != nil {
		_, err := t.Write(append(wrong.body(""), '\n'))
		return err
	}
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		t.change(func() { t.due[r.ID] = true })
	}
	_, err := t.checked.Write(append(text, '\n'))
	return err
}

// readLine reads a line. Of a line that is too long it returns a beginning that is
// longer than a message may be.
func readLine(from *bufio.Reader) ([]byte, error) {
	var text []byte
	for {
		part, err := from.ReadSlice('\n')
		if len(text) <= maxMessage {
			text = append(text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, err
		}
	}
}

// Read reads from the pipe of checked messages.
func (t *stdio) Read(p []byte) (int, error) { return t.pipe.Read(p) }

// Write writes one message.
func (t *stdio) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.out.Write(p)
}

// Close ends reading. The SDK closes its reader and its writer, which are one.
func (t *stdio) Close() error {
	var err error
	t.change(func() {
		if !t.closed {
			t.closed = true
			err = errors.Join(t.pipe.Close(), t.in.Close())
		}
	})
	return err
}
