package browser

import (
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/site/words"
)

// testFrench opens every page in French, signed in and not. No text in them is English,
// and every number is written as Canadians write it in French.
func testFrench(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	key := f.standardKey()
	list := apitest.List(t, "toronto", "1x2,9x0.5,12", "bigfathom", "nickelbasket", "northlarch")
	english := englishTexts()
	for _, c := range []struct {
		path, there string
		signedIn    bool
		act         func(*tab)
	}{
		{path: "/fr", there: "main .chart-box img"},
		{path: "/fr", there: "#desk", signedIn: true},
		{path: "/fr?tab=cities&view=4w&days=365&grade=low&s=toronto.dairy&s=national.overall", there: "#lines", signedIn: true},
		{path: "/fr?tab=chains&view=cost", there: "#lines", signedIn: true},
		{path: "/fr?tab=grid", there: "#grid", signedIn: true},
		{path: "/why?s=toronto.overall&lang=fr", there: "#why table", signedIn: true},
		{path: "/fr/account", there: "#signin:not([disabled])"},
		{path: "/fr/account", there: "#usage-words", signedIn: true, act: func(x *tab) {
			x.click("#rotate")
			x.click("#rotate-confirm")
			x.there("#new-key-value")
			x.click("#new-key-stored")
		}},
		{path: "/fr/methodology", there: "article.document"},
		{path: "/fr/docs", there: ".documents"},
		{path: "/fr/docs/shopper", there: "article.document"},
		{path: "/fr/docs/api", there: "article.document"},
		{path: "/fr/shopper", there: "#shopper[data-state=ready]", act: func(x *tab) {
			x.click("#compare")
			x.fill("#search", "lait")
			x.there("#matches [role=option]")
		}},
		{path: "/fr" + apitest.PageURL("", list), there: "#recommendation", act: func(x *tab) {
			x.click("#chains-compared summary")
			x.click("#list [data-more]")
		}},
		{path: "/figure?s=national.overall&s=national.dairy&lang=fr", there: "main picture img"},
		{path: "/fr/nosuch", there: "#trouble"},
	} {
		x := b.open(t, f.API.BaseURL)
		if c.signedIn {
			x = f.signedIn(b, key)
		}
		if c.path == "/fr/nosuch" {
			x.refused(c.path, "404")
		}
		x.visit(c.path)
		x.there(c.there)
		x.settle()
		x.french(c.path, english)
		if c.act != nil {
			c.act(x)
			x.settle()
			x.french(c.path+", afterwards", english)
		}
		x.shoot("french" + strings.ReplaceAll(c.path, "/", "-"))
	}

}

// testSwitch changes the language of a page that has a query and a fragment, and back.
func testSwitch(t *testing.T, b *browser) {
	f := serve(t, "")
	x := b.open(t, f.API.BaseURL)
	x.visit("/account?a=1#b")
	x.there("#signin:not([disabled])")
	x.click("#language")
	x.says("h1", "Se connecter")
	if got := strings.TrimPrefix(x.address(), f.API.BaseURL); got != "/fr/account?a=1#b" {
		t.Errorf("the French page is at %s", got)
	}
	x.there("#signin:not([disabled])")
	x.click("#language")
	x.says("h1", "Sign in")
	if got := strings.TrimPrefix(x.address(), f.API.BaseURL); got != "/account?a=1#b" {
		t.Errorf("the English page is at %s", got)
	}
}

// english are the texts that no French page has: whole ones, and long parts of them.
type english struct {
	whole map[string]bool
	parts []string
}

var betweenParts = regexp.MustCompile(`<[^>]*>|\{\w+\}`)

// englishTexts returns the English texts of the catalogue. Those that are French too are left
// out.
func englishTexts() english {
	const long = 12 // bytes: a shorter part may be French too
	catalogue, err := os.ReadFile("../../site/words/fr.json")
	var texts map[string]any
	if err := errors.Join(err, json.Unmarshal(catalogue, &texts)); err != nil {
		panic(err)
	}
	split := func(l *words.Language) (parts []string) {
		for key := range texts {
			for _, form := range l.Text(key) {
				for _, part := range betweenParts.Split(form, -1) {
					parts = append(parts, strings.TrimSpace(part))
				}
			}
		}
		return parts
	}
	known := split(words.French)
	all := english{whole: map[string]bool{}}
	for _, part := range split(words.English) {
		if len(part) < 3 || slices.Contains(known, part) {
			continue
		}
		all.whole[part] = true
		if len(part) >= long && strings.Contains(part, " ") {
			all.parts = append(all.parts, part)
		}
	}
	return all
}

// englishNumber finds a number in English form: a point, a sign of dollars before it, or one of
// percent without a space.
var englishNumber = regexp.MustCompile(`\$\s?\d|\d[%$]|\d\.\d+(?:[^\d.]|$)`)

// quoted finds what a French text names in English.
var quoted = regexp.MustCompile(`«[^»]*»|OpenAPI 3\.[01]|https?://\S+`)

// french fails the test for every English text or number in the page. What the page says
// is English or code is left out.
func (x *tab) french(name string, english english) {
	x.t.Helper()
	texts := get[[]string](x, `() => {
		const foreign = "[lang^='en'], [data-scraped], code, pre, kbd, samp, script, style, [translate=no]";
		const found = [document.querySelector("article[lang^='en']") ? "" : document.title];
		const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
		for (let node = walker.nextNode(); node; node = walker.nextNode()) {
			const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
			if (element.closest(foreign)) continue;
			const presentational = element.closest("[role=slider] *, [aria-hidden=true]"); // nobody hears its attributes
			if (element === node && !presentational) found.push(...["aria-label", "aria-valuetext", "title", "placeholder", "alt"].map((name) => node.getAttribute(name) ?? ""));
			else if (element !== node) found.push(node.data);
		}
		return found.map((text) => text.replace(/[ \n\t]+/g, " ").trim()).filter((text) => text !== "");
	}`)
	for _, text := range texts {
		bare, figures := strings.TrimSuffix(text, " - Larder"), quoted.ReplaceAllString(text, "")
		long := slices.IndexFunc(english.parts, func(part string) bool { return strings.Contains(figures, part) })
		switch {
		case english.whole[bare]:
			x.t.Errorf("%s: %q is English", name, text)
		case long >= 0:
			x.t.Errorf("%s: %q is in %q", name, english.parts[long], text)
		case englishNumber.MatchString(figures):
			x.t.Errorf("%s: a number in English form in %q", name, text)
		}
	}
	if len(texts) < 15 {
		x.t.Errorf("%s: only %d texts", name, len(texts))
	}
}
