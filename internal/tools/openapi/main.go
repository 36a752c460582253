// Command openapi makes openapi.json in the folder of httpapi/openapi: of openapi.yaml, as people write it, of the
// lists of columns, and of examples.json, which a test of package httpapi writes.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"log"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/record"
)

const dir = "../../httpapi/openapi/"

func main() {
	source, err := os.ReadFile(dir + "openapi.yaml")
	examples, err1 := os.ReadFile(dir + "examples.json")
	var doc yaml.Node
	var built bytes.Buffer
	if err = errors.Join(err, err1, yaml.Unmarshal(source, &doc)); err == nil {
		root := doc.Content[0]
		describeColumns(root)
		components := memberOf(root, "components")
		components.Content = append(components.Content, node("!!str", "examples"), node("!json", string(examples)))
		err = json.Indent(&built, appendYAML(nil, root), "", " ")
	}
	if err == nil {
		err = os.WriteFile(dir+"openapi.json", built.Bytes(), 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// node returns a text, with the tag !!str, or JSON.
func node(tag, value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value}
}

// describeColumns adds to the schemas of rows the columns that openapi.yaml says nothing of, with
// their types.
func describeColumns(n *yaml.Node) {
	for _, x := range n.Content {
		describeColumns(x)
	}
	required, properties := memberOf(n, "required"), memberOf(n, "properties")
	if required == nil || properties == nil {
		return
	}
	add := func(name, kind string) {
		if memberOf(properties, name) == nil {
			required.Content = append(required.Content, node("!!str", name))
			properties.Content = append(properties.Content, node("!!str", name),
				node("!json", `{"type":"`+kind+`","nullable":true}`))
		}
	}
	if memberOf(properties, table.IndexValue) != nil && memberOf(properties, table.TotalItems) != nil {
		for _, c := range table.Columns(&panel.About{}) {
			switch {
			case c.Licensed && memberOf(properties, table.ChangeYoY) == nil, c.Number == nil &&
				memberOf(properties, "date") == nil:
			case c.Number == nil:
				add(c.Name, "string")
			case c.Decimals == 0:
				add(c.Name, "integer")
			default:
				add(c.Name, "number")
			}
		}
	}
	if memberOf(properties, "effective_price") != nil && memberOf(properties, "scraped_name") != nil {
		kinds := map[record.Type]string{record.JSON: "object", record.Whole: "integer", record.Float: "number",
			record.Decimal: "number", record.Flag: "boolean"}
		for _, c := range record.Observations {
			if c.Shown {
				add(c.Name, cmp.Or(kinds[c.Type], "string"))
			}
		}
	}
}

// memberOf returns a member of an object, or nil.
func memberOf(n *yaml.Node, name string) *yaml.Node {
	for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
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
			b = append(reply.AppendPlainJSON(append(b, before...), n.Content[i].Value), ':')
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
		return reply.AppendPlainJSON(b, n.Value)
	}
	return append(b, n.Value...) // a number, true, false, null, or JSON already
}
