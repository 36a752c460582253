package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// conn is a session's connection on a pair of streams.
type conn struct {
	in     io.Closer
	lines  chan line
	closed chan struct{}
	close  func() error

	mu       sync.Mutex
	out      io.Writer           // every Write is one message
	due      map[jsonrpc.ID]bool // requests that were read and not answered
	answered chan struct{}       // says that due may have become empty
}

// line is one that was read, or why there are no more.
type line struct {
	text []byte
	err  error
}

func newConn(in io.ReadCloser, out io.Writer) *conn {
	c := &conn{
		in: in, out: out, lines: make(chan line), closed: make(chan struct{}),
		due: map[jsonrpc.ID]bool{}, answered: make(chan struct{}, 1),
	}
	c.close = sync.OnceValue(func() error {
		close(c.closed)
		return c.in.Close()
	})
	go c.readLines(bufio.NewReader(in))
	return c
}

// readLines reads until the input ends. It is on its own since nothing stops a
// read of standard input.
func (c *conn) readLines(from *bufio.Reader) {
	for {
		text, err := readLine(from)
		if !c.hand(line{text: text}) {
			return
		}
		if err != nil {
			c.hand(line{err: err})
			return
		}
	}
}

// hand passes a line on; false: nobody reads any more.
func (c *conn) hand(l line) bool {
	select {
	case c.lines <- l:
		return true
	case <-c.closed:
		return false
	}
}

// readLine reads a line. Of one that is too long it returns the beginning, which
// is longer than a message may be.
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

// Read returns the next message, and answers what is none by itself. The end of
// the input is told when all that is due was answered.
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		var l line
		select {
		case l = <-c.lines:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		}
		if l.err != nil {
			return nil, c.drain(ctx, l.err)
		}
		text := bytes.TrimSpace(l.text)
		if len(text) == 0 {
			continue
		}
		m, wrong := checkMessage(text)
		if wrong == nil {
			c.note(m)
			return m, nil
		}
		if err := c.writeLine(wrong.body("")); err != nil {
			return nil, err
		}
	}
}

// note remembers that a request is to be answered.
func (c *conn) note(m jsonrpc.Message) {
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.due[r.ID] = true
	}
}

// drain waits until nothing is due.
func (c *conn) drain(ctx context.Context, end error) error {
	for {
		c.mu.Lock()
		due := len(c.due)
		c.mu.Unlock()
		if due == 0 {
			return end
		}
		select {
		case <-c.answered:
		case <-ctx.Done():
			return ctx.Err()
		case <-c.closed:
			return end
		}
	}
}

// Write writes a message. Several may write at the same time.
func (c *conn) Write(_ context.Context, m jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	if r, ok := m.(*jsonrpc.Response); ok {
		defer c.done(r.ID)
	}
	return c.writeLine(text)
}

func (c *conn) done(id jsonrpc.ID) {
	c.mu.Lock()
	delete(c.due, id)
	c.mu.Unlock()
	select {
	case c.answered <- struct{}{}:
	default: // it was said already
	}
}

func (c *conn) writeLine(text []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.out.Write(append(text, '\n'))
	return err
}

// Close ends the session. It leaves the output open: that is not this package's.
func (c *conn) Close() error { return c.close() }

// SessionID is empty: there is one session.
func (c *conn) SessionID() string { return "" }
