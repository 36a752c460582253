package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/compare/find"
)

// foundBody is the structured result of find_items.
type foundBody struct {
	Found []find.Found `json:"found" jsonschema:"one for each text, in their order"`
}

// callFind answers find_items: what each text of a shopper means.
func (s *Server) callFind(_ context.Context, arguments []byte) (string, []byte, error) {
	var asked struct {
		Texts []string `json:"texts"`
	}
	d := json.NewDecoder(bytes.NewReader(orEmpty(arguments)))
	d.DisallowUnknownFields()
	if err := d.Decode(&asked); err != nil || len(asked.Texts) == 0 || len(asked.Texts) > find.MaxTexts {
		return "", nil, &Refusal{Code: string(compare.InvalidBody), Path: "texts", Message: fmt.Sprintf(`send 1 to %d texts and no other member, such as {"texts":["2 dozen eggs","milk"]}`, find.MaxTexts)}
	}
	finder := s.Finder()
	if finder == nil {
		return "", nil, errNoSnapshot
	}
	var body foundBody
	var b strings.Builder
	for _, text := range asked.Texts {
		f := finder.Find(text)
		f.Matches = f.Matches[:min(len(f.Matches), maxOffered)]
		body.Found = append(body.Found, f)
		describe(&b, &f)
	}
	out, err := json.Marshal(body)
	return b.String(), out, err
}

// maxOffered is how many alternatives an agent is told of.
const maxOffered = 5

// describe writes a line for each find: the item and its quantity, or what to ask.
func describe(b *strings.Builder, f *find.Found) {
	fmt.Fprintf(b, "%q: ", f.Text)
	for i, m := range f.Matches {
		switch {
		case f.Status == find.One && i > 0:
			b.WriteString("; else ")
		case f.Status == find.One && m.Qty == nil && m.Fault != "":
			b.WriteString("ask how much: ")
		case f.Status == find.One:
			b.WriteString("take ")
		case i > 0:
			b.WriteString("; or ")
		case f.Status == find.Choice:
			b.WriteString("ask the shopper: ")
		default:
			b.WriteString("not compared; related: ")
		}
		fmt.Fprintf(b, "id %d %s", m.ID, m.Name)
		if m.Qty != nil {
			fmt.Fprintf(b, ", qty %s", m.Qty)
		} else if i == 0 || m.Rule != f.Matches[0].Rule {
			fmt.Fprintf(b, " (%s)", m.Rule)
		}
	}
	switch {
	case len(f.Matches) == 0:
		b.WriteString("not compared; nothing is taken in its place")
	case f.Status != find.NotCompared && f.Matches[0].Fault != "":
		fmt.Fprintf(b, ". %s", f.Matches[0].Fault)
	}
	b.WriteString("\n")
}
