package pages

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
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

// bundle returns the assets that templates name. A script or style is one file with
// everything that it imports, without comments and long names, so that a page on a slow
// connection waits for few files. The error names the file and line that is wrong.
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
			if files[name] != nil {
				continue
			}
			if files[name], err = join(source, name, nil); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

// join returns an asset with everything that it imports. Constants are global names of a
// script and their values in JSON.
func join(source fs.FS, name string, constants map[string]string) ([]byte, error) {
	if ext := path.Ext(name); ext != ".js" && ext != ".css" {
		return fs.ReadFile(source, "assets/"+name)
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
		Define:  constants,
		Plugins: []api.Plugin{{Name: "assets", Setup: func(b api.PluginBuild) { readFrom(source, b) }}},
	})
	if text := slices.Concat(result.Errors, result.Warnings); len(text) > 0 {
		return nil, fmt.Errorf("pages: %s", strings.Join(api.FormatMessages(text, api.FormatMessagesOptions{}), ""))
	}
	return result.OutputFiles[0].Contents, nil
}

// readFrom has a build read assets and nothing else.
func readFrom(source fs.FS, b api.PluginBuild) {
	const namespace = "assets"
	b.OnResolve(api.OnResolveOptions{Filter: "."}, func(x api.OnResolveArgs) (api.OnResolveResult, error) {
		return api.OnResolveResult{Path: path.Join(path.Dir(x.Importer), x.Path), Namespace: namespace}, nil
	})
	b.OnLoad(api.OnLoadOptions{Filter: ".", Namespace: namespace}, func(x api.OnLoadArgs) (api.OnLoadResult, error) {
		text, err := fs.ReadFile(source, "assets/"+x.Path)
		contents := string(text)
		return api.OnLoadResult{Contents: &contents, Loader: api.LoaderDefault}, err
	})
}
