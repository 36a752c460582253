package pages

import (
	"cmp"
	"encoding/json"
	"html"
	"html/template"
	"io/fs"
	"regexp"
	"strings"

	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/panel"
)

// Document is a page of the documentation.
type Document struct {
	Lang     *words.Language // of its text, which may be another one than its page's
	Name     string          // of its file, without .md
	Path     string          // of its page in English
	Title    string
	Summary  string // one sentence, for the list
	Contents []heading
	body     string // with marks that BodyFor replaces
}

type heading struct {
	Level    int // 2 or 3
	ID, Text string
}

// Group is documents for one kind of reader.
type Group struct {
	Title     string
	Documents []Document
}

// BodyFor returns the document in the words of a snapshot: its base week, publisher
// and source.
func (d Document) BodyFor(about *panel.About) template.HTML {
	week, flag := about.BaseWeek.String(), ""
	if about.BaseWeek != panel.DefaultBaseWeek {
		flag = ", as <code>--base " + week + "</code> does for this service"
	}
	return template.HTML(strings.NewReplacer( //nolint:gosec // go generate made it, and texts are escaped
		"{{week}}", week, "{{monday}}", (about.BaseWeek.Date() - 6).String(), "{{base}}", flag,
		"{{zone}}", about.Calendar().Zone().String(), "{{source}}", html.EscapeString(about.SourceLabel()),
		"{{publisher}}", html.EscapeString(cmp.Or(about.Publisher, "Larder")),
	).Replace(d.body))
}

// DocsPath is the address of the list of documents. It begins the address of every
// document but the methodology, whose own address is in responses.
const (
	DocsPath        = "/docs"
	methodologyPath = "/methodology"
)

func pathOf(name string) string {
	if name == "methodology" {
		return methodologyPath
	}
	return DocsPath + "/" + name
}

// readDocuments returns the documents of documents.json and a page for each address, in a language.
func (s *Set) readDocuments(l *words.Language) (groups []Group) {
	must(groups, json.Unmarshal(must(files.ReadFile("documents.json")), &groups))
	addresses := Group{Title: words.Key("Address by address")}
	for _, name := range must(fs.Glob(files, "built/docs/api/*.html")) {
		addresses.Documents = append(addresses.Documents,
			Document{Name: strings.TrimSuffix(strings.TrimPrefix(name, "built/docs/"), ".html")})
	}
	groups = append(groups, addresses)
	for _, g := range groups {
		for i := range g.Documents {
			s.readDocument(l, &g.Documents[i])
		}
	}
	return groups
}

var (
	headings = regexp.MustCompile(`<h([1-3]) id="([^"]*)">(.*?)</h[1-3]>`)
	markup   = regexp.MustCompile(`<[^>]*>`)
)

// readDocument reads a document in a language. One that is not translated keeps its
// English text, under a title in the language.
func (s *Set) readDocument(l *words.Language, d *Document) {
	d.Lang, d.Path = l, pathOf(d.Name)
	source, err := files.ReadFile("built/docs/" + l.Code + "/" + d.Name + ".html")
	if err != nil { // it is not translated
		source = must(files.ReadFile("built/docs/" + d.Name + ".html"))
		if l.Code != words.English.Code {
			d.Lang = l.Other()
		}
	}
	d.body = l.Links(strings.ReplaceAll(string(source), `src="`+AssetPrefix, `src="`+AssetPrefix+s.hash+"/"))
	for _, found := range headings.FindAllStringSubmatch(d.body, -1) {
		h := heading{int(found[1][0] - '0'), found[2], html.UnescapeString(markup.ReplaceAllString(found[3], ""))}
		if h.Level == 1 {
			d.Title = h.Text
		} else {
			d.Contents = append(d.Contents, h)
		}
	}
	if d.Lang != l {
		d.Title = l.T("{title} (in English)", l.T(d.Title))
	}
}
