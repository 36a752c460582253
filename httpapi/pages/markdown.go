package pages

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown leaves out raw HTML and addresses that run scripts, as goldmark does by
// default. The policy allows no style attributes, so columns have an attribute for
// their alignment.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(frameRenderer{}, 0))),
)

// read fills in title, contents and body from Markdown.
func (d *Document) read(source []byte) error {
	root := markdown.Parser().Parse(text.NewReader(source))
	w := walker{Document: d, source: source, slugs: map[string]int{}, frames: map[string]int{}}
	if err := ast.Walk(root, w.enter); err != nil {
		return err
	}
	if d.Title == "" {
		return errors.New("it has no title")
	}
	for _, x := range w.wide {
		x.frame.label = w.unique(x.frame.label)
		parent := x.node.Parent()
		parent.ReplaceChild(parent, x.node, x.frame)
		x.frame.AppendChild(x.frame, x.node)
	}
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, source, root); err != nil {
		return err
	}
	d.Body = template.HTML(b.String()) //nolint:gosec // goldmark escapes
	return nil
}

// walker turns a document for a source tree into one for this site.
type walker struct {
	*Document
	source  []byte
	slugs   map[string]int // headings so far, by slug
	frames  map[string]int // frames so far, by label
	heading string         // above the node
	wide    []wideNode
}

// wideNode is a node that may be wider than the page, with its frame.
type wideNode struct {
	node  ast.Node
	frame *frame
}

func (w *walker) enter(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	switch n := n.(type) {
	case *ast.Heading:
		w.addHeading(n)
	case *ast.Link:
		to, err := target(string(n.Destination))
		if err != nil {
			return ast.WalkStop, err
		}
		n.Destination = []byte(to)
		w.nameLink(n)
	case *ast.Image:
		return ast.WalkStop, errors.New("it has a picture, which pages don't load")
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		w.wide = append(w.wide, wideNode{n, &frame{role: "group", label: w.heading + ": code"}})
	case *east.Table:
		w.dressTable(n)
		w.wide = append(w.wide, wideNode{n, &frame{role: "region", label: w.heading + ": table"}})
	}
	return ast.WalkContinue, nil
}

// addHeading gives a heading the id that it has on GitHub, so that links to it work
// there and here.
func (w *walker) addHeading(n *ast.Heading) {
	w.heading = textOf(n, w.source)
	id := slug(w.heading)
	if again := w.slugs[id]; again > 0 {
		w.slugs[id]++
		id = fmt.Sprintf("%s-%d", id, again)
	}
	w.slugs[id]++
	n.SetAttributeString("id", []byte(id))
	switch {
	case n.Level == 1 && w.Title == "":
		w.Title = w.heading
	case n.Level == 2 || n.Level == 3:
		w.Contents = append(w.Contents, Heading{n.Level, id, w.heading})
	}
}

// nameLink replaces the text of a link that is a document's file, as in "see
// sizes.md", by the document's title.
func (w *walker) nameLink(n *ast.Link) {
	name, ok := strings.CutSuffix(textOf(n, w.source), ".md")
	title := titleOf(name)
	if !ok || title == "" {
		return
	}
	n.RemoveChildren(n)
	n.AppendChild(n, ast.NewString([]byte("“"+title+"”")))
}

// dressTable marks the heads of columns. An empty head becomes a plain cell. A row of
// empty heads, which Markdown needs for a table without heads, is left out.
func (w *walker) dressTable(table *east.Table) {
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			if len(textOf(cell, w.source)) <= shortCell {
				cell.SetAttributeString("class", []byte("short"))
			}
		}
	}
	head := table.FirstChild()
	named := 0
	for cell, next := head.FirstChild(), ast.Node(nil); cell != nil; cell = next {
		next = cell.NextSibling()
		if textOf(cell, w.source) == "" {
			head.ReplaceChild(head, cell, &markup{text: "<td></td>\n"})
			continue
		}
		named++
		cell.SetAttributeString("scope", []byte("col"))
	}
	if named == 0 {
		table.ReplaceChild(table, head, &markup{text: "<tbody>\n"})
	}
}

// shortCell is the length in bytes up to which a cell stays on one line. A browser
// would break days and numbers at their hyphens.
const shortCell = 12

// unique numbers repeated labels.
func (w *walker) unique(label string) string {
	w.frames[label]++
	if n := w.frames[label]; n > 1 {
		return fmt.Sprintf("%s %d", label, n)
	}
	return label
}

// slug returns the id that GitHub gives a heading.
func slug(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r):
			return r
		}
		return -1
	}, strings.ToLower(heading))
}

// textOf returns the text that is in a node.
func textOf(n ast.Node, source []byte) string {
	var b strings.Builder
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { //nolint:errcheck // it has none
		if x, ok := n.(*ast.Text); ok && entering {
			b.Write(x.Value(source))
			if x.SoftLineBreak() {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}
