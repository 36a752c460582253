// Package oas30 rewrites an OpenAPI 3.1 document in the words of OpenAPI 3.0, which
// most code generators read. Both documents accept the same bodies, with one
// exception: 3.0 has no word for dependentRequired, so that keyword becomes an
// extension, which generators skip.
package oas30

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Version is the version of the documents that From31 makes.
const Version = "3.0.3"

// From31 returns the document in 3.0. It leaves root as it is. The error names the
// place of a keyword that it does not know, or that 3.0 can't say.
func From31(root *yaml.Node) (*yaml.Node, error) {
	c := &converter{}
	out := c.object("", root)
	return out, c.err
}

// converter keeps the first error.
type converter struct{ err error }

// refuse returns the node as it is, and keeps the error if it is the first.
func (c *converter) refuse(at string, n *yaml.Node, why string) *yaml.Node {
	if c.err == nil {
		c.err = fmt.Errorf("%s: %s", at, why)
	}
	return n
}

// each returns a copy of a mapping or a list with its values changed.
func each(at string, n *yaml.Node, change func(at string, n *yaml.Node) *yaml.Node) *yaml.Node {
	list := *n
	list.Content = slices.Clone(n.Content)
	for i := range list.Content {
		if n.Kind == yaml.SequenceNode {
			list.Content[i] = change(fmt.Sprintf("%s/%d", at, i), n.Content[i])
		} else if i%2 == 1 {
			list.Content[i] = change(at+"/"+n.Content[i-1].Value, n.Content[i])
		}
	}
	return &list
}

// object converts what is no schema.
func (c *converter) object(at string, n *yaml.Node) *yaml.Node {
	switch n.Kind {
	case yaml.AliasNode:
		return c.object(at, n.Alias)
	case yaml.ScalarNode:
		return n
	}
	out := each(at, n, func(at string, v *yaml.Node) *yaml.Node {
		switch name := at[strings.LastIndexByte(at, '/')+1:]; {
		case at == "/openapi":
			return text(Version)
		case at == "/components/schemas":
			return each(at, v, c.schema)
		case name == "schema":
			return c.schema(at, v)
		case name == "example" || name == "examples":
			return v
		case at == "/webhooks", at == "/jsonSchemaDialect", at == "/components/pathItems", at == "/info/license/identifier":
			return c.refuse(at, v, "OpenAPI 3.0 has no such member")
		case name == "$ref" && len(n.Content) > 2:
			return c.refuse(at, v, "OpenAPI 3.0 ignores what is beside a reference")
		}
		return c.object(at, v)
	})
	if at == "/info" {
		for i := 0; i < len(out.Content); i += 2 {
			if out.Content[i].Value == "summary" {
				out.Content[i] = text("x-summary")
			}
		}
	}
	return out
}

// Keywords of schemas that mean the same in both versions: those that hold no schema, one
// schema, and many.
var (
	plain = strings.Fields(`description title format default required minLength maxLength pattern minimum maximum multipleOf
		minItems maxItems uniqueItems minProperties maxProperties example deprecated readOnly writeOnly`)
	one  = []string{"items", "not", "additionalProperties"}
	many = []string{"properties", "oneOf", "anyOf", "allOf"}
)

// schema converts a schema.
func (c *converter) schema(at string, n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return c.schema(at, n.Alias)
	}
	if n.Kind != yaml.MappingNode {
		if at[strings.LastIndexByte(at, '/')+1:] == "additionalProperties" {
			return n // true or false
		}
		return c.refuse(at, n, "it is no schema")
	}
	has := map[string]*yaml.Node{}
	for i := 0; i < len(n.Content); i += 2 {
		has[n.Content[i].Value] = n.Content[i+1]
	}
	out := *n
	out.Content = nil
	add := func(pairs ...*yaml.Node) { out.Content = append(out.Content, pairs...) }
	for i := 0; i < len(n.Content); i += 2 {
		key, v := n.Content[i], n.Content[i+1]
		at := at + "/" + key.Value
		switch name := key.Value; {
		case slices.Contains(plain, name), strings.HasPrefix(name, "x-"), name == "$ref" && len(has) == 1:
			add(key, v)
		case slices.Contains(one, name):
			add(key, c.schema(at, v))
		case slices.Contains(many, name):
			if v.Kind == yaml.AliasNode {
				v = v.Alias
			}
			add(key, each(at, v, c.schema))
		case name == "$ref" && has["allOf"] == nil: // 3.0 ignores what is beside a reference
			add(text("allOf"), list(mapping(key, v)))
		case name == "type":
			add(c.types(at, v)...)
			if has["format"] == nil && slices.ContainsFunc(append(v.Content, v), func(x *yaml.Node) bool { return x.Value == "number" }) {
				// Some generators read a number without a format as a float of 32 bits, which loses digits.
				add(text("format"), text("double"))
			}
		case name == "const" && has["enum"] == nil:
			add(c.enum(at, list(v), has["type"])...)
		case name == "enum":
			add(c.enum(at, v, has["type"])...)
		case name == "exclusiveMinimum" && has["minimum"] == nil:
			add(text("minimum"), v, key, boolean("true"))
		case name == "exclusiveMaximum" && has["maximum"] == nil:
			add(text("maximum"), v, key, boolean("true"))
		case name == "examples" && v.Kind == yaml.SequenceNode && has["example"] == nil:
			add(text("example"), v.Content[0])
		case name == "contentMediaType" && has["type"] != nil && has["format"] == nil:
			add(text("format"), text("binary"))
		case name == "dependentRequired":
			add(text("x-dependentRequired"), v)
		default:
			c.refuse(at, v, "no way to say this in OpenAPI 3.0 is known")
		}
	}
	return &out
}

// types converts the keyword type.
func (c *converter) types(at string, v *yaml.Node) []*yaml.Node {
	if v.Kind == yaml.ScalarNode && v.Value != "null" {
		return []*yaml.Node{text("type"), v}
	}
	var kinds []*yaml.Node
	for _, x := range v.Content {
		if x.Value != "null" {
			kinds = append(kinds, x)
		}
	}
	null := []*yaml.Node{}
	if len(kinds) < len(v.Content) {
		null = append(null, text("nullable"), boolean("true"))
	}
	switch len(kinds) {
	case 0:
		c.refuse(at, v, "OpenAPI 3.0 has no schema of null alone")
		return nil
	case 1:
		return append([]*yaml.Node{text("type"), kinds[0]}, null...)
	}
	var choices []*yaml.Node
	for _, x := range kinds {
		choices = append(choices, mapping(append([]*yaml.Node{text("type"), x}, null...)...))
	}
	return []*yaml.Node{text("anyOf"), list(choices...)}
}

// enum converts a list of values. It adds their type if there is none beside it:
// generators ask for one.
func (c *converter) enum(at string, values, beside *yaml.Node) []*yaml.Node {
	pairs := []*yaml.Node{text("enum"), values}
	if beside != nil {
		return pairs
	}
	names := map[string]string{"!!str": "string", "!!int": "integer", "!!float": "number", "!!bool": "boolean", "!!null": "null"}
	var kinds []string
	for _, x := range values.Content {
		if name := names[x.ShortTag()]; !slices.Contains(kinds, name) {
			kinds = append(kinds, name)
		}
	}
	if slices.Contains(kinds, "number") {
		kinds = slices.DeleteFunc(kinds, func(name string) bool { return name == "integer" })
	}
	var types []*yaml.Node
	for _, name := range kinds {
		types = append(types, text(name))
	}
	if len(slices.DeleteFunc(kinds, func(name string) bool { return name == "null" })) != 1 {
		c.refuse(at, values, "values of several types have no type in OpenAPI 3.0")
		return pairs
	}
	return append(c.types(at, list(types...)), pairs...)
}

func text(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
}

func boolean(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: s}
}

func list(values ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Content: values}
}

func mapping(pairs ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Content: pairs}
}
