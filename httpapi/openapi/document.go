package openapi

import (
	"bytes"
	"cmp"
	_ "embed"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
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
	must(writeYAML(jsontext.NewEncoder(&text, jsontext.WithIndent(" "), jsontext.PreserveRawStrings(true)), root))
	return text.String()
})

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

func must(err error) {
	if err != nil {
		panic("openapi: " + err.Error())
	}
}
