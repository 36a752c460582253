package pages

import (
	"cmp"
	"html"
	"html/template"
	"io/fs"
	"regexp"
	"strings"

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
	body     string // with marks that BodyFor replaces
}

// heading is a heading below the title.
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
		"{{publisher}}", html.EscapeString(cmp.Or(about.Publisher, "Larder")), "{{source}}", html.EscapeString(about.SourceLabel()),
	).Replace(d.body))
}

// DocsPath is the address of the list of documents. It begins the address of every
// document but the methodology, whose own address is in responses.
const (
	DocsPath        = "/docs"
	methodologyPath = "/methodology"
)

// shelf is the documents in the order of the list, with what each is for.
var shelf = []struct {
	group     string
	documents []shelved
}{
	{lang.Key("Use the numbers"), []shelved{
		{"methodology", lang.Key("Every formula, from a price on a shelf to a published level, with examples to check by hand.")},
		{"rules", lang.Key("The gate, intervals, companion series and the comparison of lists: every rule.")},
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

type shelved struct{ name, summary string }

func pathOf(name string) string {
	if name == "methodology" {
		return methodologyPath
	}
	return DocsPath + "/" + name
}

func (s *Set) readDocuments(l *lang.Language) (groups []Group) {
	for _, g := range shelf {
		group := Group{Title: g.group}
		for _, x := range g.documents {
			group.Documents = append(group.Documents, s.readDocument(l, x))
		}
		groups = append(groups, group)
	}
	addresses := Group{Title: lang.Key("Address by address")}
	for _, name := range must(fs.Glob(files, "built/docs/api/*.html")) {
		name = strings.TrimSuffix(strings.TrimPrefix(name, "built/docs/"), ".html")
		addresses.Documents = append(addresses.Documents, s.readDocument(l, shelved{name: name}))
	}
	return append(groups, addresses)
}

var (
	headings = regexp.MustCompile(`<h([1-3]) id="([^"]*)">(.*?)</h[1-3]>`)
	markup   = regexp.MustCompile(`<[^>]*>`)
)

// readDocument returns a document in a language. One that is not translated keeps its
// English text.
func (s *Set) readDocument(l *lang.Language, x shelved) Document {
	d := Document{Lang: l, Name: x.name, Path: pathOf(x.name), Summary: x.summary}
	source, err := files.ReadFile("built/docs" + l.Prefix + "/" + x.name + ".html")
	if err != nil && l != lang.English {
		d.Lang, source = lang.English, must(files.ReadFile("built/docs/"+x.name+".html"))
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
	return d
}
