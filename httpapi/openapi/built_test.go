package openapi

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

//go:generate go test -run TestBuilt -built

var updateBuilt = flag.Bool("built", false, "write openapi.json anew")

// TestBuilt makes openapi.json of openapi.yaml, as people write it, and examples.json, which a
// test of package httpapi writes. The file is equal to that.
func TestBuilt(t *testing.T) {
	source, err1 := os.ReadFile("openapi.yaml")
	examples, err2 := os.ReadFile("examples.json")
	var doc yaml.Node
	if err1 != nil || err2 != nil || yaml.Unmarshal(source, &doc) != nil {
		t.Fatal(err1, err2, "or openapi.yaml is no YAML")
	}
	root := doc.Content[0]
	for i, key := range root.Content {
		if key.Value == "components" {
			components := root.Content[i+1]
			components.Content = append(components.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "examples"},
				&yaml.Node{Kind: yaml.ScalarNode, Tag: "!json", Value: string(examples)})
		}
	}
	var want bytes.Buffer
	if err := json.Indent(&want, appendYAML(nil, root), "", " "); err != nil {
		t.Fatal(err)
	}
	if *updateBuilt {
		if err := os.WriteFile("openapi.json", want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile("openapi.json"); err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("openapi.json is not what its sources make: run go generate ./httpapi/openapi (%v)", err)
	}
}

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
