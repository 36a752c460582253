package main

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// TestDocLinks follows the links of README.md and docs in the source tree, to
// files and to headings. Links between the pages that a server makes of docs are
// followed in httpapi.
func TestDocLinks(t *testing.T) {
	t.Parallel()
	all := readDocuments(t)
	anchors := map[string]map[string]bool{} // by document
	for _, d := range all {
		anchors[d.name] = map[string]bool{}
		for n := range d.nodes() {
			if n, ok := n.(*ast.Heading); ok {
				anchors[d.name][anchorOf(string(n.Lines().Value(d.source)))] = true
			}
		}
	}
	links := 0
	for _, d := range all {
		for n := range d.nodes() {
			link, ok := n.(*ast.Link)
			if !ok || strings.Contains(string(link.Destination), "://") {
				continue
			}
			links++
			file, anchor, has := strings.Cut(string(link.Destination), "#")
			to := d.name
			if file != "" {
				to = path.Join(path.Dir(d.name), file)
			}
			if _, err := os.Stat(filepath.Join("../..", to)); err != nil {
				t.Errorf("%s: %v", d.name, err)
			}
			if has && !anchors[to][anchor] {
				t.Errorf("%s: %s has no heading #%s", d.name, to, anchor)
			}
		}
	}
	if links < 60 {
		t.Errorf("%d links: are these the documents?", links)
	}
}

// anchorOf returns the anchor that GitHub gives a heading.
func anchorOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(heading))
}
