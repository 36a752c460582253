package pages

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/httpapi/lang"
)

// library returns a set with one document.
func library(t *testing.T, source string) *Set {
	t.Helper()
	d, w := Document{Lang: lang.English, Path: "/docs/t"}, walker{lang: lang.English, dir: docsFolder, slugs: map[string]int{}, labels: map[string]int{}}
	d.read(string(must(w.page([]byte(source)))))
	return &Set{groups: map[*lang.Language][]Group{lang.English: {{"G", []Document{d}}}}}
}

// TestSearch finds sections in the order of their ranks.
func TestSearch(t *testing.T) {
	s := library(t, `# Cheese

Œufs, lait. A hole.

## Holes

Trimmed at the rim. See [this](sizes.md) and `+"`a_b`"+`.

## Rind

A hole, a whole, a hole. Crème brûlée.

| Trimmings |
|---|
| cell |

    code --trim 5

## The trim

Nothing.
`)
	for query, want := range map[string][]string{
		"trim":       {"/docs/t#the-trim", "/docs/t#rind", "/docs/t#holes"}, // a heading, then two words in a text, then one
		"TRIM rim":   {"/docs/t#holes"},
		"hole":       {"/docs/t#holes", "/docs/t#rind", "/docs/t"},
		"creme":      {"/docs/t#rind"},
		"CRÈME BRU":  {"/docs/t#rind"},
		"oeuf":       {"/docs/t"},
		"Œuf":        {"/docs/t"},
		"b":          {"/docs/t#holes", "/docs/t#rind"}, // a_b before brûlée
		"a_b rim":    {"/docs/t#holes"},
		"cell":       {"/docs/t#rind"},
		"--trim 5":   {"/docs/t#rind"},
		"ole":        {},
		"trim salad": {},
		"":           {},
		" .":         {},
	} {
		got := []string{}
		for _, x := range s.Search(lang.English, query) {
			got = append(got, x.Path)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", query, diff)
		}
	}
}

// TestSearchDocuments looks for what people look for.
func TestSearchDocuments(t *testing.T) {
	s := New()
	for query, want := range map[string]string{
		"trim":      "/methodology#the-trim ",
		"retry":     "/docs/api",
		"tls":       "/docs/operations",
		"confiance": "",
	} {
		var found []string
		for _, x := range s.Search(lang.English, query) {
			found = append(found, x.Path)
		}
		if !strings.Contains(strings.Join(found[:min(3, len(found))], " ")+" ", want) || (want == "") != (len(found) == 0) {
			t.Errorf("%q: %q", query, found)
		}
	}
}
