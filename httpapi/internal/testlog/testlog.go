// Package testlog is the log of a server under test: what the server writes from
// many goroutines, a test reads meanwhile. It is for tests only.
package testlog

import (
	"bytes"
	"sync"
)

// Log keeps all that is written to it. The zero value is empty.
type Log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write appends a piece, whole: two never mix.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// String returns what was written so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
