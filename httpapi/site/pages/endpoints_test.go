package pages

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/larder-index/larder/httpapi/openapi"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/panel"
)

// makeEndpoints makes a page for every address of the data, of the OpenAPI document. The tables of docs/api.md and
// docs/shopper.md lead to them.
func makeEndpoints(t *testing.T, want map[string][]byte) {
	t.Helper()
	spec := must(openapi3.NewLoader().LoadFromData(openapi.Words{BaseURL: "https://prices.example.org", Cookie: "session", About: &panel.About{BaseWeek: panel.DefaultBaseWeek}}.JSON()))
	for _, address := range slices.Sorted(maps.Keys(spec.Paths.Map())) {
		get := spec.Paths.Find(address).Get
		overviews, shown := []string{"api"}, address
		if strings.HasPrefix(address, "/api/shopper/") {
			overviews, shown = []string{"shopper", "fr/shopper"}, "GET "+address
		}
		if get == nil || !strings.HasPrefix(address, "/api/") {
			continue
		}
		name := endpointName(address)
		w := walker{lang: words.English, dir: docsFolder, slugs: map[string]int{}, labels: map[string]int{}}
		page, err := w.page([]byte(endpointText(address, overviews[0], get)))
		if err != nil {
			t.Errorf("%s: %v", address, err)
		}
		want[docsFolder+"/"+name+".html"] = page
		code := "<code>" + shown + "</code>"
		for _, overview := range overviews {
			overview = docsFolder + "/" + overview + ".html"
			linked := strings.Replace(string(want[overview]), code+"</td>", `<a href="`+pathOf(name)+`">`+code+"</a></td>", 1)
			if linked == string(want[overview]) {
				t.Errorf("the table in %s lacks %s", overview, address)
			}
			want[overview] = []byte(linked)
		}
	}
}

// endpointName names the page of an address: api/companions-regular of /api/v1/companions/regular.
func endpointName(address string) string {
	address, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimPrefix(address, "/api/"), "v1/"), "/{")
	return "api/" + strings.ReplaceAll(address, "/", "-")
}

// endpointText describes an address in Markdown, with a link to the guide to it.
func endpointText(address, guide string, get *openapi3.Operation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# GET %s\n\n%s.\n\n%s\n\n", address, strings.TrimSuffix(get.Summary, "."), strings.TrimSpace(get.Description))
	fmt.Fprintf(&b, "The [guide](%s.md) says how to ask, and what the limits and errors are.\n\n## Parameters\n\n| name | default | |\n|---|---|---|\n", guide)
	for _, p := range get.Parameters {
		if p := p.Value; p.In != "header" {
			byDefault := ""
			if d := p.Schema.Value.Default; d != nil {
				byDefault = fmt.Sprintf("`%v`", d)
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s%s |\n", p.Name, byDefault, cell(p.Description), accepted(p.Schema.Value))
		}
	}
	for _, media := range slices.Sorted(maps.Keys(get.Responses.Value("200").Value.Content)) {
		if schema := get.Responses.Value("200").Value.Content[media].Schema; media == "application/json" && schema != nil {
			members(&b, "The answer", schema.Value)
		}
	}
	b.WriteString("## Refusals\n\n| status | |\n|---|---|\n")
	for _, status := range slices.Sorted(maps.Keys(get.Responses.Map())) {
		if r := get.Responses.Value(status).Value; status >= "3" {
			fmt.Fprintf(&b, "| %s | %s |\n", status, cell(*r.Description))
		}
	}
	return b.String()
}

// members writes a table of the members of an object, then one for each list of objects in it.
func members(b *strings.Builder, title string, s *openapi3.Schema) {
	fmt.Fprintf(b, "## %s\n\n| member | null | |\n|---|---|---|\n", title)
	type list struct {
		name string
		of   *openapi3.Schema
	}
	var lists []list
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name].Value
		if name == "split" {
			continue // it is for the service's own page
		}
		null := ""
		if p.Nullable {
			null = "may be"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s%s |\n", name, null, cell(p.Description), accepted(p))
		if p.Items != nil {
			p = p.Items.Value
		}
		if len(p.Properties) > 0 {
			lists = append(lists, list{name, p})
		}
	}
	b.WriteString("\n")
	for _, l := range lists {
		members(b, "Members of "+l.name, l.of)
	}
}

// cell returns a text on one line of a table.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}

// accepted names the values of an enum, and the bounds of a number.
func accepted(s *openapi3.Schema) string {
	var words []string
	for _, v := range s.Enum {
		words = append(words, fmt.Sprintf("`%v`", cmp.Or[any](v, "null")))
	}
	if s.Max != nil {
		words = append(words, fmt.Sprintf("at most %v", *s.Max))
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}
