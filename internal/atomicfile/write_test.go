package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestWriteAfterKill writes where a Write that was killed left what it made, and while another
// Write of the place runs.
func TestWriteAfterKill(t *testing.T) {
	dir := t.TempDir()
	place, tmp := filepath.Join(dir, "a"), ""
	fill := func(w io.Writer) error {
		tmp = w.(*os.File).Name()
		if err := Write(place, 0o600, func(io.Writer) error { return nil }); !errors.Is(err, ErrHeld) {
			t.Errorf("written twice at once: %v", err)
		}
		_, err := io.WriteString(w, "whole")
		return err
	}
	for range 2 {
		if err := Write(place, 0o600, fill); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(place)
		entries, _ := os.ReadDir(dir)
		if string(text) != "whole" || err != nil || len(entries) != 1 {
			t.Errorf("%q, %v, in %v", text, err, entries)
		}
		if err := os.WriteFile(tmp, []byte("half a file"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
