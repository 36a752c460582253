// Package words holds the texts of the pages in each language of the service, and
// writes numbers and days as readers of that language do.
//
// The key of a text is the English text. fr.json has the French of every key, months and
// weekdays too. en.json has only those keys whose English is not the key itself: plurals, and
// keys that tell apart two meanings of one English word. Texts may have HTML elements and
// placeholders, such as {week}. The placeholder {n} chooses between singular and plural.
//
// The address of a page decides its language, and nothing else does.
package words

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strings"

	"github.com/larder-index/larder/panel"
)

//go:embed en.json fr.json
var files embed.FS

// Language is a language of the pages.
type Language struct {
	Code   string // such as "fr"
	Tag    string // such as "fr-CA", as the attribute lang has it
	Name   string // in the language itself
	Prefix string // begins the addresses of its pages; empty for the first language of a publication

	Currency string // of amounts, by ISO 4217

	other        *Language
	texts        map[string]Text
	point, group string // between whole and fraction, and between thousands
	percent      string // after a percentage
	money        string // an amount, with %[1]s for its currency and %[2]s for its digits
	clock        string // an hour and a minute
}

// Text is a text of a catalogue: its only form, or the forms "one" and "other".
type Text map[string]string

// only names the form of a text without plurals.
const only = ""

// UnmarshalJSON reads a string, or an object of plural categories.
func (t *Text) UnmarshalJSON(data []byte) error {
	var form string
	if json.Unmarshal(data, &form) == nil {
		*t = Text{only: form}
		return nil
	}
	return json.Unmarshal(data, (*map[string]string)(t))
}

// The languages of the pages, as a publication has them whose settings name neither a country nor a language. Files
// and routes of pages are named as these have it. Of returns those of any publication.
var (
	English = &Language{Code: "en", Tag: "en-CA", Name: "English", Currency: "CAD", point: ".", group: ",",
		percent: "%", money: "%[1]s%[2]s", clock: "%02d:%02d"}
	French = &Language{
		Code: "fr", Tag: "fr-CA", Name: "Français", Prefix: "/fr", Currency: "CAD", point: ",", group: "\u00a0",
		percent: "\u00a0%", money: "%[2]s\u00a0%[1]s", clock: "%d\u00a0h\u00a0%02d",
	}
	All = []*Language{English, French}
)

func init() {
	English.other, French.other = French, English
	English.texts, French.texts = read("en.json"), read("fr.json")
	for key, text := range French.texts {
		for category, form := range text {
			text[category] = spaced.Replace(form)
		}
		if English.texts[key] == nil {
			English.texts[key] = Text{only: key}
		}
	}
}

// spaced puts the spaces of French typography into a text that is written with
// ordinary ones.
var spaced = strings.NewReplacer(" :", "\u00a0:", " »", "\u00a0»", "« ", "«\u00a0", " %", "\u00a0%", " $", "\u00a0$",
	"} kg", "}\u00a0kg", "} pt", "}\u00a0pt", "'", "’")

// read reads an embedded catalogue. A test reads them too, so a fault panics.
func read(name string) (texts map[string]Text) {
	data, err := files.ReadFile(name)
	if err := errors.Join(err, json.Unmarshal(data, &texts)); err != nil {
		panic("words: " + err.Error())
	}
	return texts
}

var (
	placeholder = regexp.MustCompile(`\{(\w+)\}`)
	ofPlace     = regexp.MustCompile(`\bde \{\w+\}`)
	elided      = regexp.MustCompile(`^(?i:[aeiouâàéèêëîïôöûü]|h(?:[ae]|ono))`)
)

// Placeholders returns the names of a text's placeholders, each once, in order.
func Placeholders(text string) (names []string) {
	for _, found := range placeholder.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, found[1]) {
			names = append(names, found[1])
		}
	}
	return names
}

// Key marks a text that is translated where it is shown, for the test that each key is
// in the catalogues.
func Key(text string) string { return text }

// T returns the text of a key. It puts args in place of the key's placeholders, in their
// order, and writes whole numbers as the language does. It returns the key itself if the
// catalogue doesn't have it.
func (l *Language) T(key string, args ...any) string {
	text := l.texts[key]
	if text == nil {
		return key
	}
	values, form, names := map[string]string{}, text[only], Placeholders(key)
	for i, arg := range args[:min(len(args), len(names))] {
		value := fmt.Sprint(arg)
		if names[i] == "n" && text["other"] != "" {
			form = text["other"]
			if value == "1" || value == "0" && l.Code == French.Code {
				form = text["one"]
			}
		}
		switch arg.(type) {
		case int, int64:
			value = l.Number(value)
		}
		values["{"+names[i]+"}"] = value
	}
	form = ofPlace.ReplaceAllStringFunc(form, func(found string) string {
		if name := found[len("de "):]; elided.MatchString(values[name]) {
			return "d’" + name
		}
		return found
	})
	return placeholder.ReplaceAllStringFunc(form, func(found string) string { return values[found] })
}

// Source names the source of a snapshot.
func (l *Language) Source(about *panel.About) string {
	return l.Label(about, cmp.Or(about.Source, l.T("Larder weekly grocery price index")))
}

// Label returns a name. It says that invented prices are invented.
func (l *Language) Label(about *panel.About, name string) string {
	if about.Synthetic {
		name += " " + l.T(strings.TrimSpace(panel.SyntheticMark))
	}
	return name
}

// HTML is T for templates: elements in the text are markup, the arguments are not.
func (l *Language) HTML(key string, args ...any) template.HTML {
	for i, x := range args {
		switch x := x.(type) {
		case int, int64, template.HTML:
		default:
			args[i] = template.HTML(template.HTMLEscapeString(fmt.Sprint(x))) //nolint:gosec // it is escaped
		}
	}
	return template.HTML(l.Links(l.T(key, args...))) //nolint:gosec // catalogues are ours
}

// Text returns the text of a key, or the key itself.
func (l *Language) Text(key string) Text {
	if text := l.texts[key]; text != nil {
		return text
	}
	return Text{only: key}
}
