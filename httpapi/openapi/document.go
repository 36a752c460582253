package openapi

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// openapiSource is the OpenAPI document as people write it, without examples.
//
//go:embed openapi.yaml
var openapiSource []byte

// openapiExamples are the examples of the document by name: responses of the demo
// snapshot, which a test writes.
//
//go:embed examples.json
var openapiExamples string

// openapiText is the document as JSON, with its marks. The parts are embedded, so it panics
// on a fault in them, which every test would find.
var openapiText = sync.OnceValue(func() string {
	var doc yaml.Node
	must(yaml.Unmarshal(openapiSource, &doc))
	root := doc.Content[0]
	for i, key := range root.Content {
		if key.Value == "components" {
			components := root.Content[i+1]
			components.Content = append(components.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "examples"},
				&yaml.Node{Kind: yaml.ScalarNode, Tag: "!json", Value: openapiExamples})
		}
	}
	var text bytes.Buffer
	must(json.Indent(&text, appendYAML(nil, root), "", " "))
	return text.String()
})

// appendYAML appends a value as JSON. Its members keep their order, and its numbers
// their digits.
func appendYAML(b []byte, n *yaml.Node) []byte {
	switch n.Kind {
	case yaml.AliasNode:
		return appendYAML(b, n.Alias)
	case yaml.MappingNode:
		before := "{"
		for i := 0; i < len(n.Content); i += 2 {
			b = append(append(b, before+jsonString(n.Content[i].Value)...), ':')
			b, before = appendYAML(b, n.Content[i+1]), ","
		}
		return append(b, strings.TrimPrefix(before, ",")+"}"...)
	case yaml.SequenceNode:
		before := "["
		for _, x := range n.Content {
			b, before = appendYAML(append(b, before...), x), ","
		}
		return append(b, strings.TrimPrefix(before, ",")+"]"...)
	}
	if n.ShortTag() == "!!str" {
		return append(b, jsonString(n.Value)...)
	}
	return append(b, n.Value...) // a number, true, false, null, or JSON already
}

// jsonString returns a text as a JSON string, without HTML escapes.
func jsonString(s string) string {
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	must(to.Encode(s))
	return strings.TrimSuffix(b.String(), "\n")
}

func must(err error) {
	if err != nil {
		panic("openapi: " + err.Error())
	}
}
