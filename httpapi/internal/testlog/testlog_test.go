package testlog

import (
	"strings"
	"sync"
	"testing"
)

// TestLog writes from many goroutines while it reads: what it reads is whole
// lines, ever more of them, and at the end all.
func TestLog(t *testing.T) {
	const writers, lines, line = 8, 5000, "a line of the log\n"
	var log Log
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for range lines {
				if n, err := log.Write([]byte(line)); n != len(line) || err != nil {
					t.Errorf("written were %d bytes: %v", n, err)
				}
			}
		})
	}
	seen := 0
	read := func() {
		text := log.String()
		if len(text) < seen || strings.ReplaceAll(text, line, "") != "" {
			t.Errorf("after %d bytes: %q", seen, text)
		}
		seen = len(text)
	}
	for range 20 {
		read()
	}
	wg.Wait()
	if read(); seen != writers*lines*len(line) {
		t.Errorf("kept are %d bytes", seen)
	}
}
