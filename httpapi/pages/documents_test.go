package pages

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/panel"
)

// root is the source tree, and docsFolder its folder of documents.
var root = os.DirFS("../..")

const (
	docsFolder = "docs"
	sourceTree = "https://github.com/larder-index/larder/blob/main/" // begins the addresses of other files
)

// markdown leaves out raw HTML and addresses that run scripts, as goldmark does by
// default. The policy allows no style attributes, so columns have an attribute for
// their alignment.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(frameRenderer{}, 0))),
)

// makeDocuments makes the page of every document of the shelf, in every language that it is
// written in, and copies the pictures.
func makeDocuments(t *testing.T, want map[string][]byte) {
	t.Helper()
	for _, name := range must(fs.Glob(root, docsFolder+"/*.svg")) {
		want[name] = must(fs.ReadFile(root, name))
	}
	for _, name := range must(fs.Glob(root, docsFolder+"/fr/*.svg")) {
		want[name] = must(fs.ReadFile(root, name))
	}
	made := 0
	for _, g := range shelf {
		for _, x := range g.documents {
			var english []string
			for _, l := range lang.All {
				w := walker{lang: l, dir: docsFolder + l.Prefix, english: english, slugs: map[string]int{}, labels: map[string]int{}}
				source, err := fs.ReadFile(root, w.dir+"/"+x.name+".md")
				if errors.Is(err, fs.ErrNotExist) && l != lang.English {
					continue
				}
				made++
				page, err := w.page(source)
				if err == nil && english != nil && len(english) != len(w.ids) {
					err = fmt.Errorf("it has %d headings, the English document %d", len(w.ids), len(english))
				}
				if err != nil {
					t.Errorf("%s/%s.md: %v", w.dir, x.name, err)
				}
				english = w.ids
				want[w.dir+"/"+x.name+".html"] = page
			}
		}
	}
	if files := len(must(fs.Glob(root, docsFolder+"/*.md"))) + len(must(fs.Glob(root, docsFolder+"/fr/*.md"))); made != files {
		t.Errorf("%d documents of %d files are on the shelf", made, files)
	}
}

// marks stand for what each snapshot says in words of its own.
var marks = strings.NewReplacer(
	"Larder publishes a weekly", "{{publisher}} publishes a weekly", "Larder publie un", "{{publisher}} publie un", panel.DefaultSource, "{{source}}",
	"named <strong>2026-07-19<", "named <strong>{{week}}<", "nommée <strong>2026-07-19<", "nommée <strong>{{week}}<",
	"as that week, 2026-07-19", "as that week, {{week}}", "not before 2026-07-19", "not before {{week}}",
	"from=2026-07-13&amp;to=2026-07-19", "from={{monday}}&amp;to={{week}}", "<code>--base</code> says otherwise", "<code>--base</code> says otherwise{{base}}",
)

// walker turns a document for a source tree into one for this site.
type walker struct {
	lang    *lang.Language
	dir     string // of the document
	source  []byte
	english []string       // ids of the document that this one translates; or nil
	ids     []string       // of the headings so far
	slugs   map[string]int // headings so far, by slug
	labels  map[string]int // frames so far, by label
	heading string         // above the node
}

func (w *walker) page(source []byte) ([]byte, error) {
	w.source = source
	tree := markdown.Parser().Parse(text.NewReader(source))
	var b bytes.Buffer
	err := ast.Walk(tree, w.visit)
	if err == nil {
		err = markdown.Renderer().Render(&b, source, tree)
	}
	if err == nil && !strings.HasPrefix(b.String(), "<h1 ") {
		err = errors.New("it has no title")
	}
	return []byte(marks.Replace(b.String())), err
}

func (w *walker) visit(n ast.Node, entering bool) (_ ast.WalkStatus, err error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	switch n := n.(type) {
	case *ast.Heading:
		w.addHeading(n)
	case *ast.Link:
		var to string
		to, err = target(w.dir, string(n.Destination))
		n.Destination = []byte(to)
		w.nameLink(n)
	case *ast.Image:
		err = w.dressPicture(n)
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		w.addCode(n)
	case *east.Table:
		w.dressTable(n)
		w.addFrame(n, "region", w.lang.T(lang.Key("{heading}: table"), w.heading))
	case *ast.RawHTML, *ast.HTMLBlock:
		err = fmt.Errorf("it has HTML below %q", w.heading)
	}
	return ast.WalkContinue, err
}

// target returns the address of a link in a document of the folder dir. Links are written
// as in the source tree, such as "sizes.md#what-is-read".
func target(dir, link string) (string, error) {
	file, fragment, _ := strings.Cut(link, "#")
	if fragment != "" {
		fragment = "#" + fragment
	}
	if strings.HasPrefix(link, "https://") || file == "" && fragment != "" {
		return link, nil
	}
	full := path.Join(dir, file)
	if _, err := fs.Stat(root, full); err != nil || strings.HasPrefix(file, "/") {
		return "", fmt.Errorf("it links to %q, which is no document", link)
	}
	if name, ok := strings.CutSuffix(path.Base(full), ".md"); ok && (path.Dir(full) == dir || path.Dir(full) == docsFolder) {
		return pathOf(name) + fragment, nil
	}
	return sourceTree + full + fragment, nil
}

// addHeading gives a heading the id that it has on GitHub, so that links to it work
// there and here. One of a translation has the id of the English heading.
func (w *walker) addHeading(n *ast.Heading) {
	w.heading = w.textOf(n)
	id := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r):
			return r
		}
		return -1
	}, strings.ToLower(w.heading))
	if again := w.slugs[id]; again > 0 {
		w.slugs[id]++
		id = fmt.Sprintf("%s-%d", id, again)
	}
	w.slugs[id]++
	if i := len(w.ids); i < len(w.english) {
		id = w.english[i]
	}
	n.SetAttributeString("id", []byte(id))
	w.ids = append(w.ids, id)
}

// nameLink replaces the text of a link that is a document's file, as in "see
// sizes.md", by the document's title.
func (w *walker) nameLink(n *ast.Link) {
	name, ok := strings.CutSuffix(w.textOf(n), ".md")
	if !ok {
		return
	}
	source, err := fs.ReadFile(root, docsFolder+w.lang.Prefix+"/"+name+".md")
	if err != nil {
		source, err = fs.ReadFile(root, docsFolder+"/"+name+".md")
	}
	if err == nil {
		title, _, _ := strings.Cut(string(source), "\n")
		n.RemoveChildren(n)
		n.AppendChild(n, ast.NewString([]byte(w.lang.T(lang.Key("“{title}”"), strings.TrimPrefix(title, "# ")))))
	}
}

var viewBox = regexp.MustCompile(`viewBox="\S+ \S+ (\S+) (\S+)"`)

// dressPicture gives a picture its address here, and its size, so that the text
// below it stays in its place when the picture arrives.
func (w *walker) dressPicture(n *ast.Image) error {
	name := path.Join(w.dir, string(n.Destination))
	body, err := fs.ReadFile(root, name)
	size := viewBox.FindSubmatch(body)
	if err != nil || size == nil || w.textOf(n) == "" {
		return fmt.Errorf("the picture %s has no size, or no text for those who can't see it (%v)", n.Destination, err)
	}
	n.Destination = []byte(AssetPrefix + name)
	n.SetAttributeString("width", size[1])
	n.SetAttributeString("height", size[2])
	return nil
}

// shortCell is the length in bytes up to which a cell stays on one line. A browser
// would break days and numbers at their hyphens.
const shortCell = 12

// dressTable marks the heads of columns. An empty head becomes a plain cell. A row of
// empty heads, which Markdown needs for a table without heads, is left out.
func (w *walker) dressTable(table *east.Table) {
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			if len(w.textOf(cell)) <= shortCell {
				cell.SetAttributeString("class", []byte("short"))
			}
		}
	}
	head, named := table.FirstChild(), 0
	for cell, next := head.FirstChild(), ast.Node(nil); cell != nil; cell = next {
		next = cell.NextSibling()
		if w.textOf(cell) == "" {
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

// textOf returns the text that is in a node.
func (w *walker) textOf(n ast.Node) string {
	var b strings.Builder
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { //nolint:errcheck // it has none
		if x, ok := n.(*ast.Text); ok && entering {
			b.Write(x.Value(w.source))
			if x.SoftLineBreak() {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// frame is the markup around a part that may be wider than the page. The part scrolls by
// itself, with the keyboard too.
type frame struct{ open, end string }

// addFrame gives a node a frame. A repeated label gets a number.
func (w *walker) addFrame(n ast.Node, role, label string) *frame {
	w.labels[label]++
	if again := w.labels[label]; again > 1 {
		label = fmt.Sprintf("%s %d", label, again)
	}
	f := &frame{`<div class="scroll" role="` + role + `" tabindex="0" aria-label="` + html.EscapeString(label) + "\">\n", "</div>\n"}
	n.SetAttributeString("frame", f)
	return f
}

// tabs are the languages in which the same thing may be said, with their names.
var tabs = map[string]string{"sh": "curl", "python": "Python", "r": "R", "go": "Go"}

// addCode frames a block of code. Below it there is room for the button that copies it, which
// a script makes. Blocks in different languages with nothing between them are alternatives.
func (w *walker) addCode(n ast.Node) {
	tab := func(of ast.Node) string {
		if block, ok := of.(*ast.FencedCodeBlock); ok {
			return tabs[string(block.Language(w.source))]
		}
		return ""
	}
	own, before, after := tab(n), tab(n.PreviousSibling()), tab(n.NextSibling())
	first, last := before == "" || before == own, after == "" || after == own
	if own == "" || first && last {
		f := w.addFrame(n, "group", w.lang.T(lang.Key("{heading}: code"), w.heading))
		f.open, f.end = `<div class="code">`+f.open, f.end+"</div>\n"
		return
	}
	f := w.addFrame(n, "group", w.heading+": "+own)
	f.open, f.end = `<div class="code"><p class="tab-name">`+own+"</p>\n"+f.open, f.end+"</div>\n"
	if first {
		f.open = `<div class="tabs">` + f.open
	}
	if last {
		f.end += "</div>\n"
	}
}

// frameRenderer renders what has a frame.
type frameRenderer struct{}

func (frameRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(east.KindTable, framed(func([]byte, ast.Node) (open, end string) { return "<table>\n", "</table>\n" }))
	code := framed(func(source []byte, n ast.Node) (open, end string) {
		open = "<pre><code>"
		if block, ok := n.(*ast.FencedCodeBlock); ok {
			open = `<pre><code class="language-` + html.EscapeString(string(block.Language(source))) + `">`
		}
		return open + html.EscapeString(string(n.Lines().Value(source))), "</code></pre>\n"
	})
	r.Register(ast.KindCodeBlock, code)
	r.Register(ast.KindFencedCodeBlock, code)
}

// framed returns a function that writes a node's own markup within its frame.
func framed(markup func(source []byte, n ast.Node) (open, end string)) renderer.NodeRendererFunc {
	return func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		x, _ := n.AttributeString("frame")
		open, end := markup(source, n)
		text := end + x.(*frame).end
		if entering {
			text = x.(*frame).open + open
		}
		_, err := w.WriteString(text)
		return ast.WalkContinue, err
	}
}

// TestFaultyDocuments can't be made into pages.
func TestFaultyDocuments(t *testing.T) {
	for _, source := range []string{
		"", "no title", "## no title", "# t\n\n[x](javascript:alert(1))", "# t\n\n[x]\n\n[x]: nosuch.md", "# t\n\n[x](/etc/passwd)", "# t\n\n![x](https://elsewhere.example/x.png)",
		"# t\n\n![](release.svg)", "# t\n\n<b>b</b>", "# t\n\n<script>alert(1)</script>\n",
	} {
		w := walker{lang: lang.English, dir: docsFolder, slugs: map[string]int{}, labels: map[string]int{}}
		if page, err := w.page([]byte(source)); err == nil {
			t.Errorf("%q became the page %q", source, page)
		}
	}
}

// TestDocuments has the places of the English document in each translation, so that a link
// leads to the same one in both.
func TestDocuments(t *testing.T) {
	t.Parallel()
	translated := 0
	for i, english := range New().Documents(lang.English) {
		french := New().Documents(lang.French)[i]
		ids := func(d Document) (ids []string) {
			for _, x := range d.Contents {
				ids = append(ids, fmt.Sprint(x.Level, x.ID))
			}
			return ids
		}
		if french.Lang == lang.French {
			translated++
		}
		if !slices.Equal(ids(english), ids(french)) || (french.Lang == lang.French) == (french.Title == english.Title) || len(english.Contents) == 0 {
			t.Errorf("%s: %q with %q, and %q with %q", english.Name, english.Title, ids(english), french.Title, ids(french))
		}
	}
	if translated < 2 {
		t.Errorf("%d documents are translated", translated)
	}
}
