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
)

// Document is a page of the documentation.
type Document struct {
	Name     string // of its file, without .md
	Path     string // of its page
	Title    string
	Summary  string // what somebody finds there
	Contents []Heading
	Body     template.HTML
}

// Heading is one below the title.
type Heading struct {
	Level int // 2 and 3
	ID    string
	Text  string
}

// DocsPath is the address of the list of documents, and begins those of all but
// the methodology, which has one of its own since answers of the server name it.
const (
	DocsPath        = "/docs"
	methodologyPath = "/methodology"
)

// shelf says in which order somebody may want the documents, and what for.
var shelf = []struct{ name, summary string }{
	{"methodology", "Every formula, from a price on a shelf to a published level, with examples to check by hand."},
	{"verify", "How a subscriber computes a published figure anew from what the service hands out."},
	{"shrinkflation", "How packs that got smaller are found and graded, and how often the grades are right."},
	{"sizes", "How the size of a package is read from what a shop writes."},
	{"api", "For subscribers: addresses, parameters, limits and errors, with programs to copy."},
	{"account", "Sign-in, sessions and a new secret for a key."},
	{"shopper", "For shopping agents: comparing a list over HTTP, without a key."},
	{"mcp", "The same comparison as tools of the Model Context Protocol."},
	{"snapshot", "For publishers: the form that prices come in, and the file that is made of them."},
	{"checking", "What to look at before a snapshot is published."},
	{"operations", "Running a server: TLS, backups, keys, upgrades, monitoring."},
	{"faults", "What was made to fail on purpose, and what the server did then."},
	{"performance", "How fast it is, how that was measured, and where the time goes."},
	{"architecture", "The packages, and what each may know of the others."},
}

// place returns where on the shelf a document is; one that is not there comes
// last.
func place(name string) int {
	for i, x := range shelf {
		if x.name == name {
			return i
		}
	}
	return len(shelf)
}

// pathOf returns the address of the document of a name; false if there is none.
func pathOf(name string) (string, bool) {
	if _, err := fs.Stat(docs.Files, name+".md"); err != nil {
		return "", false
	}
	if name == path.Base(methodologyPath) {
		return methodologyPath, true
	}
	return DocsPath + "/" + name, true
}

// titleOf returns the title of the document of a name, which is its first line;
// empty if there is none.
func titleOf(name string) string {
	source, err := docs.Files.ReadFile(name + ".md")
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(source), "\n")
	return strings.TrimPrefix(line, "# ")
}

// readDocuments makes the pages of all documents.
func readDocuments() ([]Document, error) {
	files, err := fs.Glob(docs.Files, "*.md")
	if err != nil {
		return nil, err
	}
	all := make([]Document, 0, len(files))
	for _, file := range files {
		source, err := docs.Files.ReadFile(file)
		if err != nil {
			return nil, err
		}
		d := Document{Name: strings.TrimSuffix(file, ".md")}
		d.Path, _ = pathOf(d.Name)
		if i := place(d.Name); i < len(shelf) {
			d.Summary = shelf[i].summary
		}
		if err := d.read(source); err != nil {
			return nil, fmt.Errorf("docs/%s: %w", file, err)
		}
		all = append(all, d)
	}
	slices.SortStableFunc(all, func(a, b Document) int { return cmp.Compare(place(a.Name), place(b.Name)) })
	return all, nil
}

// sourceTree is where files that are no documents can be read.
const sourceTree = "https://github.com/larder-index/larder/blob/main/"

// target returns the address of what a document links to. Links between
// documents are written as in the source tree, "sizes.md#what-is-read".
func target(link string) (string, error) {
	file, fragment, _ := strings.Cut(link, "#")
	if fragment != "" {
		fragment = "#" + fragment
	}
	switch {
	case strings.HasPrefix(link, "https://"), file == "" && fragment != "":
		return link, nil
	case strings.HasPrefix(file, "../"):
		return sourceTree + strings.TrimPrefix(file, "../") + fragment, nil
	}
	name, isDocument := strings.CutSuffix(file, ".md")
	address, known := pathOf(name)
	if !isDocument || !known {
		return "", fmt.Errorf("it links to %q, which is no document", link)
	}
	return address + fragment, nil
}
