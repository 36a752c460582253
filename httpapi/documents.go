package httpapi

import (
	"bytes"
	"cmp"
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v4"

	"github.com/larder-index/larder/httpapi/internal/oas30"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/panel"
)

//go:embed openapi/llms.txt
var llmsText string

//go:embed openapi/api-catalog.json
var apiCatalog string

// discoveryRoutes returns the documents by which programs find their way. Search
// engines are asked not to list them. Pages of any site may read them.
func (s *Server) discoveryRoutes() []*route {
	row := func(path, contentType string, fill func(*panel.About) []byte, headers ...string) *route {
		headers = append(headers, "Cache-Control", reply.DocumentAge, "X-Robots-Tag", "noindex", "Access-Control-Allow-Origin", "*")
		current := s.worded(func(about *panel.About) (*reply.Document, error) {
			return reply.NewDocument(contentType, fill(about), headers...), nil
		})
		return &route{"GET", path, access{}, nil, func(c *call) error {
			d, err := current()
			if err != nil {
				return err
			}
			return d.Serve(c.w, c.r)
		}}
	}
	return []*route{
		row(pathOpenAPI, reply.JSONType, s.openAPI),
		row(pathOpenAPI30, reply.JSONType, func(about *panel.About) []byte { return s.fillMarks(openapi30Text(), about, jsonText) }),
		row("/llms.txt", "text/plain; charset=utf-8", func(about *panel.About) []byte {
			return s.fillMarks(llmsText, about, func(text string) string { return text })
		}),
		// The type is that of RFC 9727.
		row("/.well-known/api-catalog", `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`,
			func(about *panel.About) []byte { return s.fillMarks(apiCatalog, about, jsonText) }, "Link", `</.well-known/api-catalog>; rel="api-catalog"`),
	}
}

// worded returns a document in the words of the snapshot that is served. It makes
// the document anew when another snapshot has other words.
func (s *Server) worded(make func(*panel.About) (*reply.Document, error)) func() (*reply.Document, error) {
	type edition struct {
		about panel.About
		*reply.Document
	}
	var last atomic.Pointer[edition]
	return func() (*reply.Document, error) {
		about := s.Snapshots.Current().About()
		if e := last.Load(); e != nil && e.about == *about {
			return e.Document, nil
		}
		d, err := make(about)
		if err == nil {
			last.Store(&edition{*about, d})
		}
		return d, err
	}
}

// fillMarks replaces the marks in an embedded document by the server's address and
// cookie, and by what the snapshot says of itself. escape writes a text as the
// document needs it.
func (s *Server) fillMarks(text string, about *panel.About, escape func(string) string) []byte {
	base := about.BaseWeek.Date()
	first, last := (base - 6).Time(time.UTC), base.Time(time.UTC)
	days := first.Format(time.DateOnly) + " to " + last.Format(time.DateOnly)
	if first.Month() == last.Month() {
		days = first.Format(time.DateOnly) + " to " + last.Format("02")
	}
	week := about.BaseWeek.String()
	if about.BaseWeek == panel.DefaultBaseWeek {
		week += " unless the snapshot's base week is another"
	}
	var lead, mark string
	for _, paragraph := range []string{about.Notice(), about.Credit()} {
		if paragraph != "" {
			lead += paragraph + "\n\n"
		}
	}
	if about.Synthetic {
		mark = panel.SyntheticMark
	}
	marks := []string{`"{about}": "",` + "\n  ", infoMembers(about), `      "{author}": [],` + "\n", authorMember(about)}
	for _, x := range [][2]string{
		{"base_url", s.BaseURL}, {"cookie", s.sessionCookie()}, {"note", prepared.Note("v2", about)}, {"license", about.Terms()},
		{"publisher", cmp.Or(about.Publisher, "Larder")}, {"lead", lead}, {"mark", mark}, {"week", week},
		{"base_days", days}, {"month", first.Format("January 2006")}, {"next_year", strconv.Itoa(first.Year() + 1)},
	} {
		marks = append(marks, "{"+x[0]+"}", escape(x[1]))
	}
	return []byte(strings.NewReplacer(marks...).Replace(text))
}

// infoMembers returns contact and license of the OpenAPI document's info, a comma
// after each; empty if the snapshot names neither.
func infoMembers(about *panel.About) (members string) {
	var contact []string
	if about.Publisher != "" {
		contact = append(contact, `"name": "`+jsonText(about.Publisher)+`"`)
	}
	if about.Contact != "" {
		name, value := "url", about.Contact
		if about.ContactURL() != about.Contact {
			name = "email"
		}
		contact = append(contact, `"`+name+`": "`+jsonText(value)+`"`)
	}
	if len(contact) > 0 {
		members += `"contact": {` + strings.Join(contact, ", ") + "},\n  "
	}
	if about.Licence != "" {
		members += `"license": {"name": "` + jsonText(about.Licence) + "\"},\n  "
	}
	return members
}

// authorMember returns the link to the publisher in the catalog of interfaces.
func authorMember(about *panel.About) string {
	if about.Contact == "" {
		return ""
	}
	return `      "author": [{"href": "` + jsonText(about.ContactURL()) + `", "title": "` + jsonText(cmp.Or(about.Publisher, about.Contact)) + "\"}],\n"
}

// jsonText returns a text as it is inside a JSON string.
func jsonText(s string) string {
	quoted, _ := jsontext.AppendQuote(nil, s) // the texts of a snapshot are UTF-8
	return string(quoted[1 : len(quoted)-1])
}

// openapiSource is the OpenAPI document as people write it, without examples.
//
//go:embed openapi/openapi.yaml
var openapiSource []byte

// openapiExamples are the examples of the document by name: responses of the demo
// snapshot, which a test writes.
//
//go:embed openapi/examples.json
var openapiExamples string

// openAPI returns the OpenAPI document of this server as JSON.
func (s *Server) openAPI(about *panel.About) []byte {
	return s.fillMarks(openapiText(), about, jsonText)
}

// openapiText and openapi30Text are the document with its marks, in OpenAPI 3.1 and 3.0.
// The parts are embedded, so they panic on a fault in them, which every test would find.
var (
	openapiText   = sync.OnceValue(func() string { return openapiJSON(openapiRoot()) })
	openapi30Text = sync.OnceValue(func() string {
		root, err := oas30.From31(openapiRoot())
		mustOpenAPI(err)
		return openapiJSON(root)
	})
)

// openapiRoot returns the document with its examples.
var openapiRoot = sync.OnceValue(func() *yaml.Node {
	var doc yaml.Node
	mustOpenAPI(yaml.Unmarshal(openapiSource, &doc))
	root := doc.Content[0]
	for i, key := range root.Content {
		if key.Value == "components" {
			components := root.Content[i+1]
			components.Content = append(components.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "examples"},
				&yaml.Node{Kind: yaml.ScalarNode, Tag: "!json", Value: openapiExamples})
		}
	}
	return root
})

// openapiJSON writes a document as JSON.
func openapiJSON(root *yaml.Node) string {
	var text bytes.Buffer
	mustOpenAPI(writeYAML(jsontext.NewEncoder(&text, jsontext.WithIndent(" "), jsontext.PreserveRawStrings(true)), root))
	return text.String()
}

// writeYAML writes a value as JSON. Its members keep their order, and its numbers
// their digits.
func writeYAML(to *jsontext.Encoder, n *yaml.Node) (err error) {
	switch n.Kind {
	case yaml.AliasNode:
		return writeYAML(to, n.Alias)
	case yaml.MappingNode:
		err = to.WriteToken(jsontext.BeginObject)
		for i := 0; i < len(n.Content); i += 2 {
			err = cmp.Or(err, to.WriteToken(jsontext.String(n.Content[i].Value)), writeYAML(to, n.Content[i+1]))
		}
		return cmp.Or(err, to.WriteToken(jsontext.EndObject))
	case yaml.SequenceNode:
		err = to.WriteToken(jsontext.BeginArray)
		for _, x := range n.Content {
			err = cmp.Or(err, writeYAML(to, x))
		}
		return cmp.Or(err, to.WriteToken(jsontext.EndArray))
	}
	if n.ShortTag() == "!!str" {
		return to.WriteToken(jsontext.String(n.Value))
	}
	return to.WriteValue(jsontext.Value(n.Value)) // a number, true, false, null, or JSON already
}

func mustOpenAPI(err error) {
	if err != nil {
		panic("httpapi: the OpenAPI document: " + err.Error())
	}
}

const (
	pathRobots  = "/robots.txt"
	pathSitemap = "/sitemap.xml"
)

// robots tells crawlers what to leave out: answers that need a key, and the account's.
// What has the header X-Robots-Tag must not be here, or crawlers never see the header.
// The interface for shoppers' agents is open to them.
const robots = `User-agent: *
Disallow: /api/public/
Disallow: /api/v1/
Disallow: /account/

Sitemap: {base_url}/sitemap.xml
`

// crawlerRoutes returns the files that search engines read.
func (s *Server) crawlerRoutes() []*route {
	row := func(path, contentType string, fill func(*panel.About) ([]byte, error)) *route {
		current := s.worded(func(about *panel.About) (*reply.Document, error) {
			body, err := fill(about)
			return reply.NewDocument(contentType, body, "Cache-Control", reply.DocumentAge), err
		})
		return &route{"GET", path, access{by: withBrowser}, nil, func(c *call) error {
			d, err := current()
			if err != nil {
				return err
			}
			return d.Serve(c.w, c.r)
		}}
	}
	return []*route{
		row(pathRobots, "text/plain; charset=utf-8", func(about *panel.About) ([]byte, error) {
			return s.fillMarks(robots, about, func(text string) string { return text }), nil
		}),
		row(pathSitemap, "application/xml; charset=utf-8", func(*panel.About) ([]byte, error) { return s.front().Sitemap(pathReleasesPage) }),
	}
}
