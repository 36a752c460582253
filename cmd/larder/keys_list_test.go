package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// The list shows the first characters of a key, and no more of it.
func TestKeysListPrefix(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db")
	var made struct{ Key string }
	if err := json.Unmarshal(larder(t, "keys", "create", "--state", path, "--tier", "standard", "--name", "test", "--format", "json"), &made); err != nil {
		t.Fatal(err)
	}
	shown := made.Key[:len("larder_live_Ab3x")]
	for _, format := range []string{"json", "table"} {
		if list := string(larder(t, "keys", "list", "--state", path, "--format", format)); !strings.Contains(list, shown) || strings.Contains(list, made.Key[:len(shown)+1]) {
			t.Errorf("%s: %s", format, list)
		}
	}
}
