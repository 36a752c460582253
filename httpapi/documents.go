package httpapi

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"
)

//go:embed openapi/llms.txt
var llmsText string

//go:embed openapi/api-catalog.json
var apiCatalog string

// documentAge is the Cache-Control of documents: an hour, so that a new release is
// known soon.
const documentAge = "public, max-age=3600"

// discoveryRoutes returns the documents by which programs find their way. Search
// engines are asked not to list them. Pages of any site may read them.
func (s *Server) discoveryRoutes() []*route {
	row := func(path, contentType string, body []byte, headers ...string) *route {
		d := newDocument(contentType, body, append(headers, "Cache-Control", documentAge, "X-Robots-Tag", "noindex", "Access-Control-Allow-Origin", "*")...)
		return &route{"GET", path, access{}, nil, func(c *call) error { return d.serve(c.w, c.r) }}
	}
	return []*route{
		row(pathOpenAPI, jsonType, s.openAPI()),
		row("/llms.txt", "text/plain; charset=utf-8", s.fillMarks(llmsText)),
		// The type is that of RFC 9727.
		row("/.well-known/api-catalog", `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`,
			s.fillMarks(apiCatalog), "Link", `</.well-known/api-catalog>; rel="api-catalog"`),
	}
}

// fillMarks replaces the marks in an embedded document by what only the server
// knows: its address, its cookie, and texts that responses have too.
func (s *Server) fillMarks(text string) []byte {
	return []byte(strings.NewReplacer(
		"{base_url}", s.BaseURL, "{cookie}", s.sessionCookie(), "{note}", note, "{license}", license,
	).Replace(text))
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
func (s *Server) openAPI() []byte { return s.fillMarks(openapiText()) }

// openapiText is the document with its marks. The parts are embedded, so it panics
// on a fault in them, which every test would find.
var openapiText = sync.OnceValue(func() string {
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
	var text bytes.Buffer
	mustOpenAPI(json.Indent(&text, appendYAML(nil, root), "", " "))
	return text.String() + "\n"
})

// appendYAML appends a value as JSON. Its members keep their order, and its numbers
// their digits.
func appendYAML(b []byte, n *yaml.Node) []byte {
	switch n.Kind {
	case yaml.AliasNode:
		return appendYAML(b, n.Alias)
	case yaml.MappingNode:
		b = append(b, '{')
		for i := 0; i < len(n.Content); i += 2 {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendJSONText(b, n.Content[i].Value), ':')
			b = appendYAML(b, n.Content[i+1])
		}
		return append(b, '}')
	case yaml.SequenceNode:
		b = append(b, '[')
		for i, x := range n.Content {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendYAML(b, x)
		}
		return append(b, ']')
	}
	if n.ShortTag() == "!!str" {
		return appendJSONText(b, n.Value)
	}
	return append(b, n.Value...) // a number, true, false, null, or JSON already
}

// appendJSONText appends a text as JSON, with < and > as they are.
func appendJSONText(b []byte, s string) []byte {
	text := bytes.NewBuffer(b)
	e := json.NewEncoder(text)
	e.SetEscapeHTML(false)
	mustOpenAPI(e.Encode(s))
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}

func mustOpenAPI(err error) {
	if err != nil {
		panic("httpapi: the OpenAPI document: " + err.Error())
	}
}
