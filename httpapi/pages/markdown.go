package pages

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"path"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/larder-index/larder/httpapi/lang"
)

// markdown leaves out raw HTML and addresses that run scripts, as goldmark does by
// default. The policy allows no style attributes, so columns have an attribute for
// their alignment.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(frameRenderer{}, 0))),
)

// read fills in everything that the Markdown tells. picture returns the address and
// the size of a picture, by the name of its file. A translation takes the ids of the
// English sections.
func (d *Document) read(source []byte, english []section, picture func(name string) (picture, error)) error {
	root := markdown.Parser().Parse(text.NewReader(source))
	w := walker{Document: d, english: english, source: source, picture: picture, slugs: map[string]int{}, labels: map[string]int{}}
	if err := ast.Walk(root, w.visit); err != nil {
		return err
	}
	if d.Title == "" {
		return errors.New("it has no title")
	}
	if english != nil && len(english) != len(d.sections) {
		return fmt.Errorf("it has %d headings, the English document %d", len(d.sections), len(english))
	}
	for i := range d.sections {
		d.sections[i].folded = foldWords(d.sections[i].text)
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
	picture func(name string) (picture, error)
	english []section      // of the document that this one translates; or nil
	slugs   map[string]int // headings so far, by slug
	labels  map[string]int // frames so far, by label
	heading string         // above the node
}

func (w *walker) visit(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		switch {
		case n.Kind() == ast.KindHeading:
			w.sections[len(w.sections)-1].text = ""
		case n.Type() == ast.TypeBlock:
			w.say(" ")
		}
		return ast.WalkContinue, nil
	}
	switch n := n.(type) {
	case *ast.Heading:
		w.addHeading(n)
	case *ast.Text:
		w.say(string(n.Value(w.source)))
		if n.SoftLineBreak() {
			w.say(" ")
		}
	case *ast.String:
		if !n.IsCode() {
			w.say(string(n.Value))
		}
	case *ast.Link:
		to, err := target(path.Join(docsFolder, path.Dir(w.file())), string(n.Destination))
		if err != nil {
			return ast.WalkStop, err
		}
		n.Destination = []byte(to)
		w.nameLink(n)
	case *ast.Image:
		return ast.WalkContinue, w.dressPicture(n)
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		w.addCode(n)
	case *east.Table:
		w.dressTable(n)
		w.addFrame(n, "region", w.Lang.T(lang.Key("{heading}: table"), w.heading))
	}
	return ast.WalkContinue, nil
}

// say adds to the text of the section that the walk is in.
func (w *walker) say(text string) {
	if n := len(w.sections); n > 0 {
		w.sections[n-1].text += text
	}
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
	if i := len(w.sections); i < len(w.english) {
		id = w.english[i].id
	}
	n.SetAttributeString("id", []byte(id))
	switch {
	case n.Level == 1 && w.Title == "":
		w.Title = w.heading
	case n.Level == 2 || n.Level == 3:
		w.Contents = append(w.Contents, heading{n.Level, id, w.heading})
	}
	w.sections = append(w.sections, section{id: id, heading: w.heading})
}

// nameLink replaces the text of a link that is a document's file, as in "see
// sizes.md", by the document's title.
func (w *walker) nameLink(n *ast.Link) {
	name, ok := strings.CutSuffix(textOf(n, w.source), ".md")
	title := titleOf(w.Lang, name)
	if !ok || title == "" {
		return
	}
	n.RemoveChildren(n)
	n.AppendChild(n, ast.NewString([]byte(w.Lang.T(lang.Key("“{title}”"), title))))
}

// dressPicture gives a picture its address here, and its size, so that the text
// below it stays in its place when the picture arrives.
func (w *walker) dressPicture(n *ast.Image) error {
	p, err := w.picture(string(n.Destination))
	if err != nil {
		return err
	}
	if textOf(n, w.source) == "" {
		return fmt.Errorf("the picture %s has no text for those who can't see it", n.Destination)
	}
	n.Destination = []byte(p.address)
	n.SetAttributeString("width", []byte(p.width))
	n.SetAttributeString("height", []byte(p.height))
	return nil
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
			head.ReplaceChild(head, cell, raw("<td></td>\n"))
			continue
		}
		named++
		cell.SetAttributeString("scope", []byte("col"))
	}
	if named == 0 {
		table.ReplaceChild(table, head, raw("<tbody>\n"))
	}
}

// raw returns a node of markup that goldmark would write differently.
func raw(markup string) ast.Node {
	n := ast.NewString([]byte(markup))
	n.SetCode(true)
	return n
}

// shortCell is the length in bytes up to which a cell stays on one line. A browser
// would break days and numbers at their hyphens.
const shortCell = 12

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
