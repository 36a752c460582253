package pages

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/larder-index/larder/httpapi/lang"
)

//go:generate go test -run TestBuilt -built

var updateBuilt = flag.Bool("built", false, "write what browsers load anew")

// TestBuilt joins scripts and styles with what they import, a script once for each language,
// without comments and long names, so that a page on a slow connection waits for few files.
// The files in built are equal to that. vendor/manifest.json says how built/vendor is made.
func TestBuilt(t *testing.T) {
	t.Parallel()
	want := map[string][]byte{}
	for _, name := range entries() {
		for _, l := range lang.All {
			body, err := join(os.DirFS("assets"), name, l)
			if err != nil {
				t.Fatal(err)
			}
			want[inLanguage(l, name)] = body
		}
	}
	if *updateBuilt {
		for name, body := range want {
			file := filepath.Join("built", filepath.FromSlash(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, body, 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	err := fs.WalkDir(os.DirFS("built"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Dir(name) == "vendor" {
			return err
		}
		body, err := os.ReadFile(filepath.Join("built", name))
		if !bytes.Equal(body, want[name]) {
			t.Errorf("built/%s is not what its sources make: run go generate ./httpapi/pages", name)
		}
		delete(want, name)
		return err
	})
	if err != nil || len(want) > 0 {
		t.Errorf("built lacks %q: run go generate ./httpapi/pages (%v)", slices.Sorted(maps.Keys(want)), err)
	}
}

// entries returns the names of our assets that a template or the server names.
func entries() []string {
	names := map[string]bool{workerName: true}
	for _, pattern := range []string{"templates/*.html", "templates/parts/*.html"} {
		for _, file := range must(fs.Glob(files, pattern)) {
			for _, name := range assetsOf(file) {
				if path.Dir(name) != "vendor" {
					names[name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// inLanguage returns the name of an asset in a language. Only scripts differ.
func inLanguage(l *lang.Language, name string) string {
	if path.Ext(name) != ".js" {
		return name
	}
	return strings.TrimPrefix(l.Prefix+"/"+name, "/")
}

// join returns an asset with everything that it imports, in a language. All scripts have
// languageTag and languagePrefix. The error names the file and line that is wrong.
func join(source fs.FS, name string, l *lang.Language) ([]byte, error) {
	if ext := path.Ext(name); ext != ".js" && ext != ".css" {
		return fs.ReadFile(source, name)
	}
	result := api.Build(api.BuildOptions{
		EntryPoints:      []string{name},
		Outfile:          path.Base(name),
		Bundle:           true,
		Format:           api.FormatIIFE, // a service worker is no module
		Target:           api.ES2024,
		Charset:          api.CharsetUTF8,
		LegalComments:    api.LegalCommentsNone,
		MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: true,
		Define:  map[string]string{"languageTag": strconv.Quote(l.Tag), "languagePrefix": strconv.Quote(l.Prefix)},
		Plugins: []api.Plugin{{Name: "assets", Setup: func(b api.PluginBuild) { readFrom(source, l, b) }}},
	})
	if text := slices.Concat(result.Errors, result.Warnings); len(text) > 0 {
		return nil, errors.New(strings.Join(api.FormatMessages(text, api.FormatMessagesOptions{}), ""))
	}
	return result.OutputFiles[0].Contents, nil
}

// readFrom has a build read assets and nothing else. Scripts get the texts of the
// language.
func readFrom(source fs.FS, l *lang.Language, b api.PluginBuild) {
	const namespace = "assets"
	b.OnResolve(api.OnResolveOptions{Filter: "."}, func(x api.OnResolveArgs) (api.OnResolveResult, error) {
		return api.OnResolveResult{Path: path.Join(path.Dir(x.Importer), x.Path), Namespace: namespace}, nil
	})
	b.OnLoad(api.OnLoadOptions{Filter: ".", Namespace: namespace}, func(x api.OnLoadArgs) (api.OnLoadResult, error) {
		text, err := fs.ReadFile(source, x.Path)
		if path.Ext(x.Path) == ".js" {
			text = translate(text, l)
		}
		contents := string(text)
		return api.OnLoadResult{Contents: &contents, Loader: api.LoaderDefault}, err
	})
}

// keyInScript finds the first argument of t and tx.
var keyInScript = regexp.MustCompile(`\b(tx?\(\s*)("(?:[^"\\]|\\.)*")`)

// translate replaces the keys of texts in a script by the texts. A text with plurals is
// an object of its forms.
func translate(script []byte, l *lang.Language) []byte {
	return keyInScript.ReplaceAllFunc(script, func(found []byte) []byte {
		part := keyInScript.FindSubmatch(found)
		var key string
		if json.Unmarshal(part[2], &key) != nil {
			return found
		}
		text, err := json.Marshal(l.Text(key))
		if err != nil {
			return found
		}
		return append(part[1], text...)
	})
}
