// Package testlog is a log for tests: a server writes it from many goroutines while
// a test reads it.
package testlog

import (
	"bytes"
	"sync"
)

// Log keeps everything that is written to it. The zero value is empty.
type Log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write appends a piece as a whole. It never fails.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// String returns everything that was written so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
