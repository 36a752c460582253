package main

import (
	"cmp"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/mattn/go-sqlite3"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// document is README.md or a page of docs.
type document struct {
	name   string // its path in the source tree
	source []byte
	root   ast.Node
}

// readDocuments reads README.md and everything in docs.
func readDocuments(t *testing.T) (all []document) {
	t.Helper()
	names, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(names) < 10 {
		t.Fatal(names, err)
	}
	for _, name := range append([]string{"../../README.md"}, names...) {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		markdown := goldmark.New(goldmark.WithExtensions(extension.Table))
		name = strings.TrimPrefix(filepath.ToSlash(name), "../../")
		all = append(all, document{name, source, markdown.Parser().Parse(text.NewReader(source))})
	}
	return all
}

// documentOf returns one document.
func documentOf(t *testing.T, name string) document {
	t.Helper()
	for _, d := range readDocuments(t) {
		if d.name == name {
			return d
		}
	}
	t.Fatalf("no document %s", name)
	return document{}
}

// block is a block of code, fenced or indented.
type block struct {
	language string // "" where none is said
	text     string
	line     int
}

// blocks returns the blocks of code, of some languages or all.
func (d document) blocks(languages ...string) (all []block) {
	for n := range d.nodes() {
		b := block{}
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			b.language = string(n.Language(d.source))
		case *ast.CodeBlock:
		default:
			continue
		}
		lines := n.Lines()
		b.text = string(lines.Value(d.source))
		if lines.Len() > 0 {
			b.line = 1 + strings.Count(string(d.source[:lines.At(0).Start]), "\n")
		}
		if len(languages) == 0 || slices.Contains(languages, b.language) {
			all = append(all, b)
		}
	}
	return all
}

// nodes goes through the document in order.
func (d document) nodes() func(yield func(ast.Node) bool) {
	return func(yield func(ast.Node) bool) {
		ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) { //nolint:errcheck // it has no errors of its own
			if entering && !yield(n) {
				return ast.WalkStop, nil
			}
			return ast.WalkContinue, nil
		})
	}
}

// ownTests are the documents whose Go programs need modules, and the tests that run
// them.
var ownTests = map[string]string{
	"README.md":         "TestReadmeProgram",
	"docs/revisions.md": "httpapi's TestRevisionsDocProgram",
}

// TestWarehouseSQL runs the statements of docs/revisions.md.
func TestWarehouseSQL(t *testing.T) {
	t.Parallel()
	db, err := sql.Open("sqlite3", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each has a memory of its own
	var got string
	_, err = db.Exec(`CREATE TABLE prices (id, price); CREATE TABLE changed (id, price); CREATE TABLE gone (id);
		INSERT INTO prices VALUES (1, 'as it was'), (2, 'as it was'), (3, 'as it was');
		INSERT INTO changed VALUES (2, 'restated'), (4, 'added'); INSERT INTO gone VALUES (3);` +
		documentOf(t, "docs/revisions.md").blocks("sql")[0].text)
	err = cmp.Or(err, db.QueryRow("SELECT group_concat(id || ' ' || price, ', ') FROM (SELECT * FROM prices ORDER BY id)").Scan(&got))
	if want := "1 as it was, 2 restated, 4 added"; err != nil || got != want {
		t.Errorf("the prices are %q (%v), want %q", got, err, want)
	}
}
