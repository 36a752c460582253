package pages

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/larder-index/larder/httpapi/site/words"
)

// root is the source tree, and docsFolder its folder of documents.
var root = os.DirFS("../../..")

const (
	docsFolder = "docs"
	sourceTree = "https://github.com/larder-index/larder/blob/main/" // begins the addresses of other files
)

// markdown leaves out raw HTML and addresses that run scripts, as goldmark does by
// default. The policy allows no style attributes, so columns have an attribute for
// their alignment.
var markdown = goldmark.New(goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))))

// makeDocuments makes the page of every document of documents.json, in every language that it is
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
	var groups []Group
	must(groups, json.Unmarshal(must(files.ReadFile("documents.json")), &groups))
	for _, g := range groups {
		for _, x := range g.Documents {
			var english []string
			for _, l := range words.All {
				w := walker{lang: l, dir: docsFolder + l.Prefix, english: english, slugs: map[string]int{}, labels: map[string]int{}}
				source, err := fs.ReadFile(root, w.dir+"/"+x.Name+".md")
				if errors.Is(err, fs.ErrNotExist) && l != words.English {
					continue
				}
				made++
				page, err := w.page(source)
				if err == nil && english != nil && len(english) != len(w.ids) {
					err = fmt.Errorf("it has %d headings, the English document %d", len(w.ids), len(english))
				}
				if err != nil {
					t.Errorf("%s/%s.md: %v", w.dir, x.Name, err)
				}
				english = w.ids
				want[w.dir+"/"+x.Name+".html"] = page
			}
		}
	}
	if files := len(must(fs.Glob(root, docsFolder+"/*.md"))) + len(must(fs.Glob(root, docsFolder+"/fr/*.md"))); made != files {
		t.Errorf("%d documents of %d files are in documents.json", made, files)
	}
}

// marks stand for what each snapshot says in words of its own.
var marks = strings.NewReplacer(
	"Larder publishes a weekly", "{{publisher}} publishes a weekly", "Larder publie un", "{{publisher}} publie un", "Larder weekly grocery price index, Canada", "{{source}}",
	"<strong>America/Toronto<", "<strong>{{zone}}<", "named <strong>2026-07-19<", "named <strong>{{week}}<", "nommée <strong>2026-07-19<", "nommée <strong>{{week}}<",
	"as that week, 2026-07-19", "as that week, {{week}}", "not before 2026-07-19", "not before {{week}}",
	"from=2026-07-13&amp;to=2026-07-19", "from={{monday}}&amp;to={{week}}", "<code>--base</code> says otherwise", "<code>--base</code> says otherwise{{base}}",
)

// walker turns a document for a source tree into one for this site.
type walker struct {
	lang    *words.Language
	dir     string         // of the document
	english []string       // ids of the document that this one translates; or nil
	ids     []string       // of the headings so far
	slugs   map[string]int // headings so far, by slug
	labels  map[string]int // frames so far, by label
	heading string         // above the part
	err     error
}

var (
	parts     = regexp.MustCompile(`(?s)<h([1-6])>(.*?)</h[1-6]>|<table>\n(.*?)</table>\n|(?:<pre><code[^>]*>[^<]*</code></pre>\n)+`)
	thead     = regexp.MustCompile(`(?s)<thead>\n<tr>\n(<td></td>\n)*</tr>\n</thead>\n`)
	tableCell = regexp.MustCompile(`<(t[hd])( align="\w+")?>(.*?)</t[hd]>`)
	block     = regexp.MustCompile(`<pre><code(?: class="language-(\w+)")?>([^<]*)</code></pre>\n`)
	link      = regexp.MustCompile(`(?s)<a href="([^"]*)">(.*?)</a>`)
	image     = regexp.MustCompile(`<img src="([^"]*)" alt="([^"]*)">`)
	rawTag    = "<!-- raw HTML omitted -->"
)

func (w *walker) page(source []byte) ([]byte, error) {
	var b bytes.Buffer
	if err := markdown.Convert(source, &b); err != nil {
		return nil, err
	}
	page := parts.ReplaceAllStringFunc(b.String(), w.dress)
	page = link.ReplaceAllStringFunc(page, w.dressLink)
	page = image.ReplaceAllStringFunc(page, w.dressPicture)
	if !strings.HasPrefix(page, "<h1 ") || strings.Contains(page, rawTag) {
		w.err = errors.Join(w.err, errors.New("it has no title, or has HTML"))
	}
	return []byte(marks.Replace(page)), w.err
}

func text(markup string) string {
	return html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(strings.ReplaceAll(markup, "\n", " "), ""))
}

// dress gives a heading its id, and a table and blocks of code their frames.
func (w *walker) dress(part string) string {
	found := parts.FindStringSubmatch(part)
	switch {
	case found[1] != "":
		w.heading = text(found[2])
		return "<h" + found[1] + ` id="` + w.id() + `">` + found[2] + "</h" + found[1] + ">"
	case found[3] != "":
		body := thead.ReplaceAllString(tableCell.ReplaceAllStringFunc(found[3], dressCell), "")
		return w.frame("region", w.lang.T(words.Key("{heading}: table"), w.heading)) + "<table>\n" + body + "</table>\n</div>\n"
	}
	return w.dressCode(block.FindAllStringSubmatch(part, -1))
}

// id returns the id that a heading has on GitHub, so that links to it work there and here. One of
// a translation has the id of the English heading.
func (w *walker) id() string {
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
	w.ids = append(w.ids, id)
	return id
}

// dressCell marks the heads of columns. An empty head becomes a plain tableCell. A short cell stays on
// one line: a browser would break days and numbers at their hyphens.
func dressCell(markup string) string {
	const short = 12 // bytes
	x := tableCell.FindStringSubmatch(markup)
	name, attributes := x[1], x[2]
	if name == "th" && x[3] == "" {
		return "<td></td>"
	}
	if len(text(x[3])) <= short {
		attributes += ` class="short"`
	}
	if name == "th" {
		attributes += ` scope="col"`
	}
	return "<" + name + attributes + ">" + x[3] + "</" + name + ">"
}

// frame begins the frame around a part that may be wider than the page. The part scrolls by
// itself, with the keyboard too. A repeated label gets a number.
func (w *walker) frame(role, label string) string {
	w.labels[label]++
	if again := w.labels[label]; again > 1 {
		label = fmt.Sprintf("%s %d", label, again)
	}
	return `<div class="scroll" role="` + role + `" tabindex="0" aria-label="` + html.EscapeString(label) + "\">\n"
}

// dressCode frames blocks of code with nothing between them. Below each there is room for the
// button that copies it, which a script makes.
func (w *walker) dressCode(blocks [][]string) (out string) {
	for _, x := range blocks {
		class := ""
		if x[1] != "" {
			class = ` class="language-` + x[1] + `"`
		}
		out += `<div class="code">` + w.frame("group", w.lang.T(words.Key("{heading}: code"), w.heading)) + "<pre><code" + class + ">" +
			html.EscapeString(html.UnescapeString(x[2])) + "</code></pre>\n</div>\n</div>\n"
	}
	return out
}

// dressLink leads a link, written as in the source tree such as "sizes.md#what-is-read", to the
// page. The text of one that is a document's file becomes the document's title.
func (w *walker) dressLink(markup string) string {
	x := link.FindStringSubmatch(markup)
	to, err := target(w.dir, html.UnescapeString(x[1]))
	w.err = errors.Join(w.err, err)
	if name, ok := strings.CutSuffix(text(x[2]), ".md"); ok {
		source, err := fs.ReadFile(root, docsFolder+w.lang.Prefix+"/"+name+".md")
		if err != nil {
			source, err = fs.ReadFile(root, docsFolder+"/"+name+".md")
		}
		if title, _, _ := strings.Cut(string(source), "\n"); err == nil {
			x[2] = html.EscapeString(w.lang.T(words.Key("“{title}”"), strings.TrimPrefix(title, "# ")))
		}
	}
	return `<a href="` + html.EscapeString(to) + `">` + x[2] + "</a>"
}

// target returns the address of a link in a document of the folder dir.
func target(dir, link string) (string, error) {
	file, fragment, _ := strings.Cut(link, "#")
	if fragment != "" {
		fragment = "#" + fragment
	}
	if strings.HasPrefix(link, "https://") || file == "" && fragment != "" {
		return link, nil
	}
	full := path.Join(dir, file)
	if _, err := fs.Stat(root, full); err != nil || file == "" || strings.HasPrefix(file, "/") {
		return "", fmt.Errorf("it links to %q, which is no document", link)
	}
	if name, ok := strings.CutSuffix(path.Base(full), ".md"); ok && (path.Dir(full) == dir || path.Dir(full) == docsFolder) {
		return pathOf(name) + fragment, nil
	}
	return sourceTree + full + fragment, nil
}

var viewBox = regexp.MustCompile(`viewBox="\S+ \S+ (\S+) (\S+)"`)

// dressPicture gives a picture its address here, and its size, so that the text
// below it stays in its place when the picture arrives.
func (w *walker) dressPicture(markup string) string {
	x := image.FindStringSubmatch(markup)
	name := path.Join(w.dir, x[1])
	body, err := fs.ReadFile(root, name)
	size := viewBox.FindSubmatch(body)
	if err != nil || size == nil || x[2] == "" {
		w.err = errors.Join(w.err, fmt.Errorf("the picture %s has no size, or no text for those who can't see it (%v)", x[1], err))
		return ""
	}
	return fmt.Sprintf(`<img src="%s" alt="%s" width="%s" height="%s">`, AssetPrefix+name, x[2], size[1], size[2])
}

// TestFaultyDocuments can't be made into pages.
func TestFaultyDocuments(t *testing.T) {
	for _, source := range []string{
		"", "no title", "## no title", "# t\n\n[x](javascript:alert(1))", "# t\n\n[x]\n\n[x]: nosuch.md", "# t\n\n[x](/etc/passwd)", "# t\n\n![x](https://elsewhere.example/x.png)",
		"# t\n\n![](release.svg)", "# t\n\n<b>b</b>", "# t\n\n<script>alert(1)</script>\n",
	} {
		w := walker{lang: words.English, dir: docsFolder, slugs: map[string]int{}, labels: map[string]int{}}
		if page, err := w.page([]byte(source)); err == nil {
			t.Errorf("%q became the page %q", source, page)
		}
	}
}
