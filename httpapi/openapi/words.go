// Package openapi has the documents by which programs find their way: the OpenAPI document, which
// go generate makes of what people write and of answers as examples, llms.txt
// and robots.txt. Words fills in what the server and its snapshot say.
package openapi

//go:generate go -C ../../internal/tools run ./openapi

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/panel"
)

//go:embed openapi.json
var openapiText string

//go:embed llms.txt
var llmsText string

// robotsText tells crawlers what to leave out: answers that need a key, and the account's.
// What has the header X-Robots-Tag must not be here, or crawlers never see the header.
// The interface for shoppers' agents is open to them.
const robotsText = `User-agent: *
Disallow: /api/public/
Disallow: /api/v1/
Disallow: /account/

Sitemap: {base_url}/sitemap.xml
`

// Words holds the texts of a server and its snapshot that documents repeat.
type Words struct {
	BaseURL string
	Cookie  string // the name of the cookie with a session
	Where   string // the prices are from, after a space; or empty
	About   *panel.About
	Cities  []string // slugs, the one of examples first
	Wide    bool     // ids or chains go beyond the default bounds
}

// JSON returns the OpenAPI document as JSON. Lists of values and bounds are those of the snapshot.
func (w Words) JSON() []byte {
	text := w.fill(openapiText, jsonText)
	if !w.About.Elsewhere() && !w.Wide {
		return text
	}
	var doc any
	if err := json.Unmarshal(text, &doc); err != nil {
		panic("openapi: " + err.Error()) // a test reads the document
	}
	w.follow(doc)
	text, _ = json.MarshalIndent(doc, "", " ")
	return []byte(w.own(unbound.Replace(string(text))))
}

// unbound takes ids of the default basket out of descriptions.
var unbound = strings.NewReplacer("Of the items 7, 8, 9, 11, 18, 21, 27 and 50, which are sold", "Of items sold",
	", from 1 to 50. One in that range", ". One")

// follow makes lists of values and bounds in a part of the document those of the snapshot. Examples are answers of the
// demonstration, and go.
func (w Words) follow(part any) {
	switch x := part.(type) {
	case []any:
		for _, v := range x {
			w.follow(v)
		}
	case map[string]any:
		delete(x, "example")
		delete(x, "examples")
		for _, bound := range []string{"maximum", "maxItems"} {
			switch most, _ := x[bound].(float64); {
			case bound == "maximum" && most == 50: // an id
				delete(x, bound)
			case most == compare.MinMaxStores: // chains
				x[bound] = compare.MaxChains
			case most == compare.MinMaxStores*compare.MaxItems: // an item at a chain
				x[bound] = compare.MaxChains * compare.MaxItems
			case most == 50 && x["description"] == "By id.": // items of the catalog
				x[bound] = compare.MaxCatalog
			}
		}
		if list, ok := x["enum"].([]any); ok {
			if list[0] == float64(compare.MinMaxStores) {
				delete(x, "enum")
			}
			for _, own := range []struct {
				first any
				slugs []string
			}{{"dairy", w.About.Categories().Slugs()}, {"vancouver", w.Cities}} {
				if i := slices.Index(list, own.first); i >= 0 && len(own.slugs) > 0 {
					list = list[:i:i]
					for _, slug := range own.slugs {
						list = append(list, slug)
					}
					x["enum"] = list
				}
			}
		}
		for _, v := range x {
			w.follow(v)
		}
	}
}

func (w Words) own(text string) string {
	city := ""
	if len(w.Cities) > 0 {
		city = w.Cities[0]
	}
	return prepared.Own(w.About, city, text)
}

// LLMs returns llms.txt.
func (w Words) LLMs() []byte { return []byte(w.own(string(w.fill(llmsText, plainText)))) }

// Robots returns robots.txt.
func (w Words) Robots() []byte { return w.fill(robotsText, plainText) }

func plainText(text string) string { return text }

// fill replaces the marks in a document by the words. escape writes a text as the document
// needs it.
func (w Words) fill(text string, escape func(string) string) []byte {
	about := w.About
	base := about.BaseWeek.Date()
	first, last := (base - 6).Time(time.UTC), base.Time(time.UTC)
	days := first.Format(time.DateOnly) + " to " + last.Format(time.DateOnly)
	if first.Month() == last.Month() {
		days = first.Format(time.DateOnly) + " to " + last.Format("02")
	}
	week := about.BaseWeek.String()
	if about.BaseWeek == panel.DefaultBaseWeek {
		week += " unless the snapshot's base week is another"
	}
	var lead string
	for _, paragraph := range []string{about.Notice(), about.Credit()} {
		if paragraph != "" {
			lead += paragraph + "\n\n"
		}
	}
	marks := []string{`"{about}": "",` + "\n  ", infoMembers(about)}
	for _, x := range [][2]string{
		{"base_url", w.BaseURL}, {"where", w.Where}, {"cookie", w.Cookie}, {"note", prepared.Note("v2", about)},
		{"license", about.Terms()},
		{"publisher", cmp.Or(about.Publisher, "Larder")}, {"lead", lead}, {"week", week},
		{"base_days", days}, {"zone", about.Calendar().Zone().String()}, {"clock", about.Calendar().City()},
		{"month", first.Format("January 2006")}, {"next_year", strconv.Itoa(first.Year() + 1)},
	} {
		marks = append(marks, "{"+x[0]+"}", escape(x[1]))
	}
	return []byte(strings.NewReplacer(marks...).Replace(text))
}

// infoMembers returns contact and license of the OpenAPI document's info, a comma
// after each; empty if the snapshot names neither.
func infoMembers(about *panel.About) (members string) {
	var contact []string
	if about.Publisher != "" {
		contact = append(contact, `"name": "`+jsonText(about.Publisher)+`"`)
	}
	if about.Contact != "" {
		name, value := "url", about.Contact
		if about.ContactURL() != about.Contact {
			name = "email"
		}
		contact = append(contact, `"`+name+`": "`+jsonText(value)+`"`)
	}
	if len(contact) > 0 {
		members += `"contact": {` + strings.Join(contact, ", ") + "},\n  "
	}
	if about.Licence != "" {
		members += `"license": {"name": "` + jsonText(about.Licence) + "\"},\n  "
	}
	return members
}

// jsonText returns a text as it is inside a JSON string.
func jsonText(s string) string {
	quoted := reply.AppendPlainJSON(nil, s)
	return string(quoted[1 : len(quoted)-1])
}
