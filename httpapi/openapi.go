package httpapi

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"sync"

	"go.yaml.in/yaml/v4"
)

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
