package pages

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/site/words"
)

//go:generate go test -run TestBuilt -built

var updateBuilt = flag.Bool("built", false, "write what browsers load anew")

// TestBuilt joins scripts and styles with what they import, a script once for each language,
// without comments and long names, so that a page on a slow connection waits for few files.
// It makes pages of the documentation.
// The files in built are equal to that.
func TestBuilt(t *testing.T) {
	t.Parallel()
	want := map[string][]byte{"icon.svg": must(os.ReadFile("assets/icon.svg"))}
	for _, l := range words.All {
		joined := join(t, l)
		must(struct{}{}, fs.WalkDir(joined, ".", func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				want[inLanguage(l, name)], err = fs.ReadFile(joined, name)
			}
			return err
		}))
	}
	makeDocuments(t, want)
	makeEndpoints(t, want)
	if *updateBuilt {
		for name, body := range want {
			file := filepath.Join("built", filepath.FromSlash(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, body, 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	err := fs.WalkDir(os.DirFS("built"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(filepath.Join("built", name))
		if !bytes.Equal(body, want[name]) {
			t.Errorf("built/%s is not what its sources make: run go generate ./httpapi/site/pages", name)
		}
		delete(want, name)
		return err
	})
	if err != nil || len(want) > 0 {
		t.Errorf("built lacks %q: run go generate ./httpapi/site/pages (%v)", slices.Sorted(maps.Keys(want)), err)
	}
}

// entries returns the names of our scripts and styles that a template or the server names.
func entries() []string {
	names := map[string]bool{workerName: true}
	for _, pattern := range []string{"templates/*.html", "templates/parts/*.html"} {
		for _, file := range must(fs.Glob(files, pattern)) {
			for _, name := range assetsOf(file) {
				if path.Ext(name) != ".svg" {
					names[name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// inLanguage returns the name of an asset in a language. Only scripts differ.
func inLanguage(l *words.Language, name string) string {
	if path.Ext(name) != ".js" || name == workerName {
		return name
	}
	return strings.TrimPrefix(l.Prefix+"/"+name, "/")
}

// join returns scripts and styles with everything that they import, in a language.
func join(t *testing.T, l *words.Language) fs.FS {
	t.Helper()
	from, to := filepath.Join(t.TempDir(), "pages"), t.TempDir()
	add := func(name string, source []byte) {
		name = filepath.Join(from, name)
		if path.Ext(name) == ".js" {
			source = translate(source, l)
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, source, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	walk(t, "assets", add)
	walk(t, "../chart", add) // the colours
	args := []string{"--bundle", "--minify", "--format=iife", "--target=es2024", "--charset=utf8", "--legal-comments=none", "--log-level=warning",
		"--outbase=" + filepath.Join(from, "assets"), "--outdir=" + to}
	for _, name := range entries() {
		args = append(args, filepath.Join(from, "assets", name))
	}
	esbuild, err := exec.CommandContext(t.Context(), "go", "-C", "../../../internal/tools", "tool", "-n", "esbuild").Output()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), strings.TrimSpace(string(esbuild)), args...).CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v\n%s", err, out)
	}
	return os.DirFS(to)
}

// keyInScript finds the first argument of t and tx.
var keyInScript = regexp.MustCompile(`\b(tx?\(\s*)("(?:[^"\\]|\\.)*")`)

// translate replaces the keys of texts in a script by the texts. A text with plurals is
// an object of its forms.
func translate(script []byte, l *words.Language) []byte {
	return keyInScript.ReplaceAllFunc(script, func(found []byte) []byte {
		part := keyInScript.FindSubmatch(found)
		var key string
		if json.Unmarshal(part[2], &key) != nil {
			return found
		}
		var forms any = l.Text(key)
		if form, one := l.Text(key)[""]; one {
			forms = form
		}
		text, err := json.Marshal(forms)
		if err != nil {
			return found
		}
		return append(part[1], text...)
	})
}
