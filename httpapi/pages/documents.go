package pages

import (
	"cmp"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/larder-index/larder/docs"
	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/panel"
)

// Document is a page of the documentation.
type Document struct {
	Lang     *lang.Language // of its text, which may be another one than its page's
	Name     string         // of its file, without .md
	Path     string         // of its page in English
	Title    string
	Summary  string // one sentence, for the list
	Contents []heading
	Body     template.HTML
	sections []section
}

// heading is a heading below the title.
type heading struct {
	Level int // 2 or 3
	ID    string
	Text  string
}

// Group is documents for one kind of reader.
type Group struct {
	Title     string
	Documents []Document
}

// BodyFor returns the document in the words of a snapshot: its base week, publisher
// and source replace those in the text.
func (d Document) BodyFor(about *panel.About) template.HTML {
	week, monday := about.BaseWeek.String(), (about.BaseWeek.Date() - 6).String()
	swap := []string{
		"Larder publishes a weekly", template.HTMLEscapeString(cmp.Or(about.Publisher, "Larder")) + " publishes a weekly",
		"Larder publie un", template.HTMLEscapeString(cmp.Or(about.Publisher, "Larder")) + " publie un",
		panel.DefaultSource, template.HTMLEscapeString(about.SourceLabel()),
	}
	for _, phrase := range baseWeekPhrases {
		swap = append(swap, phrase, strings.NewReplacer("2026-07-19", week, "2026-07-13", monday).Replace(phrase))
	}
	if about.BaseWeek != panel.DefaultBaseWeek {
		const command = "<code>--base</code> says otherwise"
		swap = append(swap, command, command+", as <code>--base "+week+"</code> does for this service")
	}
	return template.HTML(strings.NewReplacer(swap...).Replace(string(d.Body)))
}

// baseWeekPhrases are the passages of documents that name the default base week.
var baseWeekPhrases = []string{
	"named <strong>2026-07-19</strong>", "nommée <strong>2026-07-19</strong>", "as that week, 2026-07-19", "not before 2026-07-19",
	"from=2026-07-13&amp;to=2026-07-19",
}

// DocsPath is the address of the list of documents. It begins the address of every
// document but the methodology, whose own address is in responses. DocsSearch is
// the address of the search.
const (
	DocsPath        = "/docs"
	DocsSearch      = DocsPath + "/search"
	methodologyPath = "/methodology"
)

// shelf is the documents in the order of the list, with what each is for.
var shelf = []struct {
	group     string
	documents []shelved
}{
	{lang.Key("Use the numbers"), []shelved{
		{"methodology", lang.Key("Every formula, from a price on a shelf to a published level, with examples to check by hand.")},
		{"reading", lang.Key("For journalists: what a number means and what it doesn't, and which sentences it carries.")},
		{"figures", lang.Key("A figure is an address: how to show, cite, embed and freeze one.")},
		{"verify", lang.Key("How a subscriber computes a published figure anew from what the service hands out.")},
		{"revisions", lang.Key("What moves a published number, and what stops a release that moves one by mistake.")},
		{"api", lang.Key("For subscribers: addresses, parameters, limits and errors, with programs to copy.")},
		{"bulk", lang.Key("Whole tables as files, Parquet or CSV, and how to read them.")},
		{"clients", lang.Key("Ready clients in Go, Python and R, and clients that generators make.")},
		{"account", lang.Key("Sign-in, sessions and a new secret for a key.")},
	}},
	{lang.Key("Shop"), []shelved{
		{"shopper", lang.Key("For shopping agents: comparing a list over HTTP, without a key.")},
		{"mcp", lang.Key("The same comparison as tools of the Model Context Protocol.")},
	}},
	{lang.Key("Run it"), []shelved{
		{"snapshot", lang.Key("For publishers: the form that prices come in, and the file that is made of them.")},
		{"checking", lang.Key("What to look at before a snapshot is published.")},
		{"operations", lang.Key("Running a server: TLS, backups, keys, upgrades, monitoring.")},
	}},
	{lang.Key("How it is made"), []shelved{
		{"intervals", lang.Key("How often the 95% intervals hold the truth, on products whose truth is known.")},
		{"shrinkflation", lang.Key("How packs that got smaller are found and graded, and how often the grades are right.")},
		{"sizes", lang.Key("How the size of a package is read from what a shop writes.")},
		{"faults", lang.Key("What was made to fail on purpose, and what the server did then.")},
		{"performance", lang.Key("How fast it is, how that was measured, and where the time goes.")},
		{"sql", lang.Key("The method as SQL, for a panel that one machine does not hold.")},
		{"architecture", lang.Key("The packages, and what each may know of the others.")},
	}},
}

// shelved is a document of the shelf.
type shelved struct{ name, summary string }

// pathOf returns the address of a document; false if there is no such document.
func pathOf(name string) (string, bool) {
	if _, err := fs.Stat(docs.Files, name+".md"); err != nil {
		return "", false
	}
	if name == path.Base(methodologyPath) {
		return methodologyPath, true
	}
	return DocsPath + "/" + name, true
}

// titleOf returns the title of a document, its first line, in a language if it is
// translated; empty if there is no such document.
func titleOf(l *lang.Language, name string) string {
	source, err := docs.Files.ReadFile((&Document{Name: name, Lang: l}).file())
	if err != nil && l != lang.English {
		return titleOf(lang.English, name)
	}
	line, _, _ := strings.Cut(string(source), "\n")
	return strings.TrimPrefix(line, "# ")
}

// readDocuments makes the pages of all documents in a language. A document that is not
// translated keeps its English text. It panics with the name of a file that is no page.
func readDocuments(l *lang.Language, find func(name string) (picture, error)) (groups []Group) {
	for _, g := range shelf {
		group := Group{Title: g.group}
		for _, x := range g.documents {
			d := readDocument(lang.English, x, find, nil)
			translated := Document{Lang: l, Name: x.name}
			if _, err := fs.Stat(docs.Files, translated.file()); err == nil && l != lang.English {
				d = readDocument(l, x, find, d.sections)
			}
			d.Body = template.HTML(l.Links(string(d.Body))) //nolint:gosec // only addresses of links change
			group.Documents = append(group.Documents, d)
		}
		groups = append(groups, group)
	}
	return groups
}

// file returns the name of a document's file in docs.Files.
func (d *Document) file() string {
	return strings.TrimPrefix(d.Lang.Prefix+"/"+d.Name+".md", "/")
}

// readDocument makes the page of a document's file. A translation gets the sections of the
// English document, and takes their ids: a link to a place leads there in every language.
func readDocument(l *lang.Language, x shelved, find func(name string) (picture, error), english []section) Document {
	d := Document{Lang: l, Name: x.name, Summary: x.summary}
	d.Path, _ = pathOf(x.name)
	beside := path.Dir(d.file())
	err := d.read(must(docs.Files.ReadFile(d.file())), english, func(name string) (picture, error) { return find(path.Join(beside, name)) })
	if err != nil {
		panic("docs/" + d.file() + ": " + err.Error())
	}
	return d
}

// sourceTree begins the addresses of files that are not documents.
const sourceTree = "https://github.com/larder-index/larder/blob/main/"

// docsFolder is the folder of documents in the source tree.
const docsFolder = "docs"

// target returns the address of a link in a document of the folder dir. Links are written
// as in the source tree, such as "sizes.md#what-is-read".
func target(dir, link string) (string, error) {
	file, fragment, _ := strings.Cut(link, "#")
	if fragment != "" {
		fragment = "#" + fragment
	}
	switch {
	case strings.HasPrefix(link, "https://"), file == "" && fragment != "":
		return link, nil
	case strings.HasPrefix(file, "/"):
		return "", fmt.Errorf("it links to %q, which is no document", link)
	}
	full := path.Join(dir, file)
	name, isDocument := strings.CutSuffix(path.Base(full), ".md")
	isDocument = isDocument && slices.Contains([]string{dir, docsFolder}, path.Dir(full))
	if !isDocument && strings.HasPrefix(file, "../") && !strings.HasPrefix(full, "..") {
		return sourceTree + full + fragment, nil
	}
	address, known := pathOf(name)
	if !isDocument || !known {
		return "", fmt.Errorf("it links to %q, which is no document", link)
	}
	return address + fragment, nil
}
