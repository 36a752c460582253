package httpapi

import (
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
)

func TestSourceOf(t *testing.T) {
	vcs := func(revision, modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: modified}}
	}
	for _, c := range []struct {
		name string
		info debug.BuildInfo
		want string
	}{
		{"a clean checkout", debug.BuildInfo{Main: debug.Module{Version: "v1.0.1-0.2026"}, Settings: vcs("abc", "false")}, "v1.0.1-0.2026 abc"},
		{"a changed checkout", debug.BuildInfo{Main: debug.Module{Version: "v1.0.1-0.2026+dirty"}, Settings: vcs("abc", "true")}, ""},
		{"a published module", debug.BuildInfo{Main: debug.Module{Version: "v1.2.3", Sum: "h1:x"}}, "v1.2.3 h1:x"},
		{"no word of its source", debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, ""},
	} {
		if got := sourceOf(&c.info); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Two programs that say nothing of their source differ by their files.
func TestHashOfFile(t *testing.T) {
	dir := t.TempDir()
	hash := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		sum, err := hashOfFile(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	if a, b, same := hash("a", "one"), hash("b", "two"), hash("c", "one"); a == b || a != same {
		t.Error(a, b, same)
	}
	if _, err := hashOfFile(filepath.Join(dir, "none"), nil); err == nil {
		t.Error("a file that is not there has a hash")
	}
	if _, err := hashOfFile("", errors.ErrUnsupported); err == nil {
		t.Error("a program without a file has a hash")
	}
	if first := buildVersion(); first == "" || buildVersion() != first {
		t.Error("the program has no version of its own")
	}
}
