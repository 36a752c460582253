package pages

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/larder-index/larder/docs"
	"github.com/larder-index/larder/httpapi/lang"
)

// TestDocuments has a page of every file, and follows links into the source tree.
func TestDocuments(t *testing.T) {
	all := New().Documents(lang.English)
	if files, err := fs.Glob(docs.Files, "*.md"); len(files) != len(all) {
		t.Errorf("%d documents of %d files (%v)", len(all), len(files), err)
	}
	for _, d := range all {
		if d.Title == "" || d.Summary == "" || len(d.Contents) == 0 || !strings.HasPrefix(string(d.Body), "<h1 id=") {
			t.Errorf("%s: title %q, summary %q, %d headings", d.Name, d.Title, d.Summary, len(d.Contents))
		}
		if text := string(d.Body); strings.Contains(text, "raw HTML omitted") || strings.Contains(text, `href=""`) {
			t.Errorf("%s: something was left out", d.Name)
		}
		for _, part := range strings.Split(string(d.Body), `"`+sourceTree)[1:] {
			file, _, _ := strings.Cut(part, `"`)
			file, _, _ = strings.Cut(file, "#")
			if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(file))); err != nil {
				t.Errorf("%s: %v", d.Name, err)
			}
		}
	}
}

// TestTarget knows where links lead. Others would be followed by people.
func TestTarget(t *testing.T) {
	for link, want := range map[string]string{
		"sizes.md":                        "/docs/sizes",
		"sizes.md#what-is-read":           "/docs/sizes#what-is-read",
		"methodology.md":                  "/methodology",
		"methodology.md#the-quality-gate": "/methodology#the-quality-gate",
		"#limits":                         "#limits",
		"../jevons/doc.go":                "https://github.com/larder-index/larder/blob/main/jevons/doc.go",
		"../README.md#you-publish":        "https://github.com/larder-index/larder/blob/main/README.md#you-publish",
		"https://modelcontextprotocol.io": "https://modelcontextprotocol.io",
		"":                                "",
		"#":                               "",
		"nosuch.md":                       "",
		"sizes":                           "",
		"/etc/passwd":                     "",
		"http://insecure.example":         "",
		"//elsewhere.example":             "",
		"javascript:alert(1)":             "",
		"JavaScript:alert(1)//.md":        "",
		"data:text/html,<script>alert(1)</script>": "",
	} {
		got, err := target("docs", link)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%q leads to %q, %v; want %q", link, got, err, want)
		}
	}
}

// TestTargetOfTranslation follows links from a folder of translations.
func TestTargetOfTranslation(t *testing.T) {
	for link, want := range map[string]string{
		"shopper.md#x": "/docs/shopper#x", "../sizes.md": "/docs/sizes", "../../jevons/doc.go": sourceTree + "jevons/doc.go",
		"../jevons/doc.go": sourceTree + "docs/jevons/doc.go", "../../../x": "", "nosuch.md": "",
	} {
		if got, err := target("docs/fr", link); got != want || (err != nil) != (want == "") {
			t.Errorf("%q leads to %q, %v; want %q", link, got, err, want)
		}
	}
}

// onePicture is a folder with one picture.
func onePicture(name string) (picture, error) {
	if name != "a.svg" {
		return picture{}, errors.New("there is no picture " + name)
	}
	return picture{"/assets/x/docs/a.svg", "30", "20"}, nil
}

// errOf returns the fault of a document, or nil.
func errOf(source string) error {
	return (&Document{Lang: lang.English}).read([]byte(source), nil, onePicture)
}

// TestRefusedDocuments can't be made into pages.
func TestRefusedDocuments(t *testing.T) {
	for _, source := range []string{
		"", "no title", "## no title", "# t\n\n[x](javascript:alert(1))", "# t\n\n[x]\n\n[x]: nosuch.md", "# t\n\n![x](https://elsewhere.example/x.png)", "# t\n\n![](a.svg)",
	} {
		if err := errOf(source); err == nil {
			t.Errorf("%q became a page", source)
		}
	}
	if err := errOf("# t\n\n[x](nosuch.md)"); err == nil || errors.Unwrap(err) != nil || !strings.Contains(err.Error(), "nosuch.md") {
		t.Errorf("%v does not name the link", err)
	}
}
