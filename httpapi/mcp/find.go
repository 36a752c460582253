package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/larder-index/larder/compare"
)

// The form of the arguments and of the result of find_items.
const (
	findIn = `{"type":"object","properties":{"texts":{"type":"array","minItems":1,"maxItems":50,"items":{"type":"string"},` +
		`"description":"The shopper's words, one text for each item, such as \"2 dozen eggs\" or \"1,5 kg de poulet\"."}},"required":["texts"],"additionalProperties":false}`
	findOut = `{"type":"object","properties":{"found":{"type":"array","items":{"type":"object"}}},"required":["found"]}`
)

// callFind answers find_items: what each text of a shopper means.
func (s *Server) callFind(_ context.Context, arguments []byte) (string, []byte, error) {
	var asked struct {
		Texts []string `json:"texts"`
	}
	d := json.NewDecoder(bytes.NewReader(orEmpty(arguments)))
	d.DisallowUnknownFields()
	if err := d.Decode(&asked); err != nil || len(asked.Texts) == 0 || len(asked.Texts) > compare.MaxFindTexts {
		return "", nil, &Refusal{Code: string(compare.InvalidBody), Path: "texts", Message: fmt.Sprintf(`send 1 to %d texts and no other member, such as {"texts":["2 dozen eggs","milk"]}`, compare.MaxFindTexts)}
	}
	pr := s.Projection()
	if pr == nil {
		return "", nil, errNoSnapshot
	}
	var body struct {
		Found []compare.Found `json:"found"`
	}
	var b strings.Builder
	for _, text := range asked.Texts {
		f := pr.Find(text)
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
func describe(b *strings.Builder, f *compare.Found) {
	fmt.Fprintf(b, "%q: ", f.Text)
	for i, m := range f.Matches {
		switch {
		case f.Status == compare.FoundOne && i > 0:
			b.WriteString("; else ")
		case f.Status == compare.FoundOne && m.Qty == nil && m.Fault != "":
			b.WriteString("ask how much: ")
		case f.Status == compare.FoundOne:
			b.WriteString("take ")
		case i > 0:
			b.WriteString("; or ")
		case f.Status == compare.FoundChoice:
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
	case f.Status != compare.NotCompared && f.Matches[0].Fault != "":
		fmt.Fprintf(b, ". %s", f.Matches[0].Fault)
	}
	b.WriteString("\n")
}

// faults returns all faults of a list, of which first is known. It checks the city,
// every item and every chain by itself.
func faults(pr *compare.Projection, arguments []byte, first *compare.Error) []*compare.Error {
	var parts struct {
		City          json.RawMessage
		Items, Stores []json.RawMessage
	}
	listed := compare.Catalog(pr)
	if json.Unmarshal(arguments, &parts) != nil || len(listed.Cities) == 0 || len(listed.Items) == 0 {
		return []*compare.Error{first}
	}
	list := []*compare.Error{}
	add := func(e *compare.Error) {
		if !slices.ContainsFunc(list, func(x *compare.Error) bool { return x.Path == e.Path }) {
			list = append(list, e)
		}
	}
	check := func(city, item, stores, from, to string) bool {
		r, err := compare.DecodeRequest([]byte(`{"city":` + city + `,"items":[` + item + `],"stores":[` + stores + `]}`))
		if err == nil {
			err = pr.Check(&r)
		}
		e, ok := err.(*compare.Error)
		if ok && strings.HasPrefix(e.Path, from) {
			add(&compare.Error{Code: e.Code, Path: to + strings.TrimPrefix(e.Path, from), Message: e.Message})
		}
		return ok
	}
	city, item := fmt.Sprintf("%q", listed.Cities[0].Slug), ""
	one := listed.Items[0]
	item = fmt.Sprintf(`{"id":%d,"qty":%s}`, one.ID, one.MinQuantity)
	if len(parts.City) > 0 && !check(string(parts.City), item, "", "city", "city") {
		city = string(parts.City)
	}
	for i, x := range parts.Items[:min(len(parts.Items), compare.MaxItems)] {
		check(city, string(x), "", "items[0]", fmt.Sprintf("items[%d]", i))
	}
	for i, x := range parts.Stores[:min(len(parts.Stores), compare.MaxStores)] {
		check(city, item, string(x), "stores[0]", fmt.Sprintf("stores[%d]", i))
	}
	add(first) // such as an item that is there twice
	return list
}
