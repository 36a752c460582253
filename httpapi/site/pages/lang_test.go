package pages

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/larder-index/larder/httpapi/site/words"
)

// TestCatalogue checks that both catalogues have the texts of all pages and scripts, and
// nothing else, and that a translation has the placeholders and elements of its key.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	used := usedKeys(t)
	en, fr := catalogue(t, "en"), catalogue(t, "fr")
	for key, where := range used {
		if len(fr[key]) == 0 || slices.Contains(slices.Collect(maps.Values(fr[key])), "") {
			t.Errorf("fr.json has no %q, which %s uses", key, where)
		}
	}
	for key := range fr {
		if used[key] == "" {
			t.Errorf("fr.json has %q, which nothing uses", key)
		}
		checkForms(t, key, fr[key])
	}
	for key := range en {
		if fr[key] == nil {
			t.Errorf("en.json has %q, which fr.json has not", key)
		} else if (len(en[key]) > 1) != (len(fr[key]) > 1) {
			t.Errorf("%q has a plural in one language", key)
		}
		checkForms(t, key, en[key])
	}
}

var (
	element     = regexp.MustCompile(`<[^>]*>`)
	frenchFault = regexp.MustCompile(` [;:!?%$»]|« |["“”']|\.\.\.|\pL:|\d[%$]|\d \d{3}\b`)
	// notFrench is code, addresses and English titles.
	notFrench = regexp.MustCompile("(?s)<[^>]*>|```.*?```|`[^`]*`|\\]\\([^)]*\\)|\\*Consumer .*?\\*")
)

// checkForms compares the forms of a text with its key.
func checkForms(t *testing.T, key string, forms words.Text) {
	t.Helper()
	sorted := func(text string) []string { return slices.Sorted(slices.Values(element.FindAllString(text, -1))) }
	for category, form := range forms {
		want, got := slices.Sorted(slices.Values(words.Placeholders(key))), slices.Sorted(slices.Values(words.Placeholders(form)))
		if category != "" && !slices.Contains(got, "n") { // a plural may leave out its number
			want = slices.DeleteFunc(want, func(name string) bool { return name == "n" })
		}
		if !slices.Equal(want, got) {
			t.Errorf("%q: placeholders %q of %q", key, got, form)
		}
		if !slices.Equal(sorted(key), sorted(form)) {
			t.Errorf("%q: elements of %q", key, form)
		}
	}
}

// TestFrenchTypography finds what a Canadian printer would mark in the French texts and documents.
func TestFrenchTypography(t *testing.T) {
	t.Parallel()
	check := func(name, text string) {
		if fault := frenchFault.FindString(notFrench.ReplaceAllString(text, "x")); fault != "" {
			t.Errorf("%q: %q in %q", name, fault, text)
		}
	}
	for key := range catalogue(t, "fr") {
		for _, form := range words.French.Text(key) {
			check(key, form)
		}
	}
	for _, name := range must(filepath.Glob("../../../docs/fr/*.md")) {
		for line := range strings.Lines(notFrench.ReplaceAllString(string(must(os.ReadFile(name))), "x")) {
			check(name, line)
		}
	}
}

// refused finds what is not said of a thing that has another name here: réduflation, intervalle de confiance or IC,
// variation concluante, relatif de prix, prix récent, diffusion, promotion, vérifier, cumuler, lieu, liste d'épicerie,
// adresse IP, semaine se terminant le.
var refused = regexp.MustCompile(`(?i)[^/]shrinkflation|intervalles? à 95|(?:variation|écart|changement)s? (?:net|clair)|` +
	`rapports? de prix|prix frais|dossier d.une publication|\bsoldes?\b|\bcontrôle[rz]\b|\bchecker|en multiples|la figure\b|` +
	`\bsemaines? du [{\d]|\b(?:la|ne) composez|territoires?\b|listes? d.achats|adresses? de réseau|par pas de`)

// TestFrenchTerms checks that a thing has one name in the French of the pages and the documents.
func TestFrenchTerms(t *testing.T) {
	t.Parallel()
	files := append(must(filepath.Glob("../../../docs/fr/*.*")), cataloguePath("fr"))
	for _, name := range files {
		values := regexp.MustCompile(`(?m)^"(?:[^"\\]|\\.)*": |\]\([^)]*\)`).ReplaceAllString(string(must(os.ReadFile(name))), "")
		if found := refused.FindString(values); found != "" {
			t.Errorf("%s: %q has another name", name, found)
		}
	}
}

func cataloguePath(name string) string { return filepath.Join("..", "words", name+".json") }

func catalogue(t *testing.T, name string) (texts map[string]words.Text) {
	t.Helper()
	data, err := os.ReadFile(cataloguePath(name))
	if err == nil {
		err = json.Unmarshal(data, &texts)
	}
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// usedKeys returns the keys of templates, scripts and Go files, and where each is used.
// It fails for a text in a template that is no key.
func usedKeys(t *testing.T) map[string]string {
	t.Helper()
	used := map[string]string{}
	for d := range 366 { // the days of a leap year
		day := time.Date(2028, 1, 1+d, 0, 0, 0, 0, time.UTC)
		used[day.Month().String()], used[day.Format("Jan")], used[day.Weekday().String()] = "a month", "a month", "a weekday"
	}
	english := New().Documents(words.English)
	for i, d := range New().Documents(words.French) {
		if d.Lang != words.French && !strings.HasPrefix(d.Name, "api/") {
			used[english[i].Title] = "the title of a document"
		}
	}
	walk(t, ".", func(name string, source []byte) {
		switch filepath.Ext(name) {
		case ".html":
			templateKeys(t, name, string(source), used)
		case ".json":
			for _, found := range regexp.MustCompile(`"(?:title|summary)": "([^"]*)"`).FindAllSubmatch(source, -1) {
				used[string(found[1])] = name
			}
		case ".js":
			for _, key := range scriptKeys(t, name, source) {
				used[key] = name
			}
		}
	})
	walk(t, "../..", func(name string, source []byte) {
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") && filepath.Base(name) != "documents_test.go" {
			return
		}
		source = joined.ReplaceAll(source, nil)
		for _, found := range keyInGo.FindAllSubmatch(source, -1) {
			key, err := strconv.Unquote(string(joined.ReplaceAll(found[1], nil)))
			if err != nil {
				t.Errorf("%s: %s: %v", name, found[0], err)
			}
			used[key] = name
		}
	})
	return used
}

func walk(t *testing.T, dir string, visit func(name string, source []byte)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && slices.Contains([]string{"node_modules", "vendor", "built"}, d.Name()) {
				return filepath.SkipDir
			}
			return err
		}
		source, err := os.ReadFile(name)
		visit(name, source)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

var (
	joined     = regexp.MustCompile(`" ?\+\n\s*"`) // a text of several lines
	keyInGo    = regexp.MustCompile("(?:words\\.Key|\\.T|\\.HTML)\\(\\s*(\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`)")
	callOfText = regexp.MustCompile(`(?:^|[^\w.$])tx?\(`)
)

// scriptKeys returns the keys in a script, each of which must be a plain literal.
func scriptKeys(t *testing.T, name string, source []byte) (keys []string) {
	t.Helper()
	source = regexp.MustCompile(`(?m)^\s*//.*$|^export function.*$`).ReplaceAll(source, nil)
	for _, found := range keyInScript.FindAllSubmatch(source, -1) {
		var key string
		if err := json.Unmarshal(found[2], &key); err != nil {
			t.Errorf("%s: %s: %v", name, found[0], err)
		}
		keys = append(keys, key)
	}
	if calls := callOfText.FindAll(source, -1); len(calls) != len(keys) {
		t.Errorf("%s: %d calls of t and tx, %d of them with a literal", name, len(calls), len(keys))
	}
	return keys
}

var (
	control       = regexp.MustCompile(`\{\{-? ?(?:if|else|end|range|with|define|template)[^}]*\}\}`)
	action        = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	keyInTemplate = regexp.MustCompile("\\bt (\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`)")
)

// templateKeys adds the keys in a template. A text outside of t fails the test.
func templateKeys(t *testing.T, name, source string, used map[string]string) {
	t.Helper()
	for _, part := range action.FindAllString(source, -1) {
		for _, found := range keyInTemplate.FindAllStringSubmatch(part, -1) {
			key, err := strconv.Unquote(found[1])
			if err != nil {
				t.Errorf("%s: %s: %v", name, found[0], err)
			}
			used[key] = name
		}
	}
	checkMarkup(t, name, action.ReplaceAllString(control.ReplaceAllString(source, ""), "0"))
}

// proper are the names that are the same in every language.
var proper = regexp.MustCompile(`Larder|HTTP|MCP|JSON|OpenAPI|llms\.txt`)

var letters = regexp.MustCompile(`\pL{2,}`)

// checkMarkup fails for texts in markup.
func checkMarkup(t *testing.T, name, markup string) {
	t.Helper()
	z := html.NewTokenizer(strings.NewReader(strings.ReplaceAll(markup, "noscript>", "div>"))) // whose text would not be parsed
	inCode := false
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.TextToken:
			if text := proper.ReplaceAllString(string(z.Text()), ""); !inCode && letters.MatchString(text) {
				t.Errorf("%s: %q is not translated", name, strings.TrimSpace(text))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			x := z.Token()
			inCode = x.Data == "code"
			for _, a := range x.Attr {
				if slices.Contains([]string{"aria-label", "alt", "title", "placeholder", "summary"}, a.Key) && letters.MatchString(proper.ReplaceAllString(a.Val, "")) {
					t.Errorf("%s: %s=%q is not translated", name, a.Key, a.Val)
				}
			}
		case html.EndTagToken:
			inCode = false
		}
	}
}
