package pages

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/larder-index/larder/httpapi/lang"
)

// named finds the assets that a template names.
var named = regexp.MustCompile(`\{\{asset "([^"]+)"\}\}`)

// assetsOf returns the names of the assets that a template names, in its order.
func assetsOf(source fs.FS, template string) ([]string, error) {
	text, err := fs.ReadFile(source, template)
	var names []string
	for _, found := range named.FindAllSubmatch(text, -1) {
		names = append(names, string(found[1]))
	}
	return names, err
}

// bundle returns the assets that templates name, a script once for each language. A
// script or style is one file with everything that it imports, without comments and long
// names, so that a page on a slow connection waits for few files. The error names the file
// and line that is wrong.
func bundle(source fs.FS) (map[string][]byte, error) {
	templates, err := fs.Glob(source, "templates/*.html")
	if err != nil {
		return nil, err
	}
	parts, err := fs.Glob(source, "templates/parts/*.html")
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, name := range slices.Concat(templates, parts) {
		names, err := assetsOf(source, name)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			for _, l := range lang.All {
				in := inLanguage(l, name)
				if files[in] != nil {
					continue
				}
				if files[in], err = join(source, name, l, nil); err != nil {
					return nil, err
				}
			}
		}
	}
	return files, nil
}

// isVendored reports whether other people wrote an asset. Such a script is joined already, and
// vendor/manifest.json says how.
func isVendored(name string) bool { return path.Dir(name) == "vendor" }

// inLanguage returns the name of an asset in a language. Only our scripts differ.
func inLanguage(l *lang.Language, name string) string {
	if path.Ext(name) != ".js" || isVendored(name) {
		return name
	}
	return strings.TrimPrefix(l.Prefix+"/"+name, "/")
}

// join returns an asset with everything that it imports, in a language. Constants are
// global names of a script and their values in JSON. All scripts have languageTag and
// languagePrefix.
func join(source fs.FS, name string, l *lang.Language, constants map[string]string) ([]byte, error) {
	if ext := path.Ext(name); ext != ".js" && ext != ".css" || isVendored(name) {
		return fs.ReadFile(source, "assets/"+name)
	}
	defined := map[string]string{"languageTag": strconv.Quote(l.Tag), "languagePrefix": strconv.Quote(l.Prefix)}
	maps.Copy(defined, constants)
	result := api.Build(api.BuildOptions{
		EntryPoints:      []string{name},
		Outfile:          path.Base(name),
		Bundle:           true,
		Format:           api.FormatIIFE, // a service worker is no module
		Target:           api.ES2024,
		Charset:          api.CharsetUTF8,
		LegalComments:    api.LegalCommentsNone,
		MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: true,
		Define:  defined,
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
		text, err := fs.ReadFile(source, "assets/"+x.Path)
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
