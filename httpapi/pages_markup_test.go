package httpapi_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/httpapi/pages"
	"github.com/larder-index/larder/httpapi/state"
)

// parsed reads a page as a browser does.
func parsed(t testing.TB, body []byte) *html.Node {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// attr returns an attribute and whether it is there.
func attr(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// loads are the attributes with addresses that a browser fetches by itself.
var loads = map[string][]string{
	"script": {"src"}, "link": {"href"}, "img": {"src", "srcset"}, "source": {"src", "srcset"}, "video": {"src", "poster"}, "audio": {"src"},
	"iframe": {"src"}, "embed": {"src"}, "object": {"data"}, "use": {"href"}, "image": {"href"}, "input": {"src"}, "track": {"src"},
}

// isAlternate reports whether an element only names another address of the page.
func isAlternate(n *html.Node) bool {
	rel, _ := attr(n, "rel")
	return rel == "alternate" || rel == "canonical"
}

// languageOf returns the language of a page.
func languageOf(p shownPage) *lang.Language {
	l, _ := lang.Locate(p.path)
	return l
}

// TestPageMarkup checks that pages have nothing that the policy stops, and that screen
// readers can read them.
func TestPageMarkup(t *testing.T) {
	t.Parallel()
	for _, p := range allPages(apitest.Serve(t)) {
		t.Run(p.name, func(t *testing.T) {
			root := parsed(t, p.Content)
			ids, level, heads, mains := map[string]bool{}, 0, 0, 0
			for n := range root.Descendants() {
				if n.Type != html.ElementNode {
					continue
				}
				for _, a := range n.Attr {
					if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "srcdoc" {
						t.Errorf("<%s %s=%q> is in the page", n.Data, a.Key, a.Val)
					}
					if slices.Contains(loads[n.Data], a.Key) && !isAlternate(n) && !strings.HasPrefix(a.Val, pages.AssetPrefix) {
						t.Errorf("<%s> loads %q", n.Data, a.Val)
					}
				}
				if id, ok := attr(n, "id"); ok {
					if ids[id] || id == "" {
						t.Errorf("id %q is there twice", id)
					}
					ids[id] = true
				}
				switch n.DataAtom {
				case atom.Script:
					kind, _ := attr(n, "type")
					if _, ok := attr(n, "src"); kind != "application/ld+json" && (!ok || n.FirstChild != nil) {
						t.Error("a script is in the page")
					}
				case atom.Style, atom.Iframe, atom.Object, atom.Embed, atom.Base:
					t.Errorf("<%s>", n.Data)
				case atom.Main:
					mains++
				case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
					if insideOf(n, atom.Dialog) || insideOf(n, atom.Nav) {
						continue
					}
					now := int(n.Data[1] - '0')
					if now == 1 {
						heads++
					} else if now > level+1 && hidden(n) == nil {
						t.Errorf("a heading of level %d after one of level %d", now, level)
					}
					level = now
				case atom.Form:
					if _, ok := attr(n, "action"); ok {
						t.Error("a form that a browser sends by itself")
					}
				}
			}
			if tag, _ := attr(element(root, atom.Html), "lang"); tag != languageOf(p).Tag || heads != 1 || mains != 1 || !ids["main"] {
				t.Errorf("lang %q, %d of h1, %d of main", tag, heads, mains)
			}
			checkNames(t, root, ids)
		})
	}
}

// checkNames makes sure that named ids exist and that controls have names.
func checkNames(t *testing.T, root *html.Node, ids map[string]bool) {
	t.Helper()
	labels := map[string]bool{}
	for n := range root.Descendants() {
		if id, ok := attr(n, "for"); ok && n.DataAtom == atom.Label {
			labels[id] = true
		}
	}
	for n := range root.Descendants() {
		for _, name := range []string{"for", "aria-labelledby", "aria-describedby", "aria-controls"} {
			value, _ := attr(n, name)
			for id := range strings.FieldsSeq(value) {
				if !ids[id] {
					t.Errorf("<%s %s=%q>: there is no such id", n.Data, name, id)
				}
			}
		}
		_, label := attr(n, "aria-label")
		_, labelled := attr(n, "aria-labelledby")
		named := label || labelled
		switch n.DataAtom {
		case atom.Input, atom.Select, atom.Textarea:
			id, _ := attr(n, "id")
			if !named && !labels[id] && !insideOf(n, atom.Label) && hidden(n) == nil {
				t.Errorf("<%s id=%q> has no label", n.Data, id)
			}
		case atom.Button, atom.A:
			if !named && strings.TrimSpace(textIn(n)) == "" {
				t.Errorf("a <%s> without a name", n.Data)
			}
		case atom.Nav, atom.Dialog:
			if !named {
				t.Errorf("a <%s> without a name", n.Data)
			}
		}
	}
}

func insideOf(n *html.Node, of atom.Atom) bool {
	for p := range n.Ancestors() {
		if p.DataAtom == of {
			return true
		}
	}
	return false
}

// hidden returns the element that hides n, which may be n itself, or nil.
func hidden(n *html.Node) *html.Node {
	for ; n != nil; n = n.Parent {
		if _, ok := attr(n, "hidden"); ok {
			return n
		}
	}
	return nil
}

func element(root *html.Node, of atom.Atom) *html.Node {
	for n := range root.Descendants() {
		if n.DataAtom == of {
			return n
		}
	}
	return nil
}

func textIn(root *html.Node) string {
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
	}
	return b.String()
}

// TestPageEscapes signs in with keys whose names are markup. They stay text.
func TestPageEscapes(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	count := func(path string, name string) (elements int, text string) {
		_, secret := f.Created(state.NewKey{Tier: state.Standard, Name: name})
		root := parsed(t, f.Get(path, "", apitest.WithCookie(f.SignIn(secret))).Content)
		for n := range root.Descendants() {
			if n.Type == html.ElementNode {
				elements++
				elements += len(n.Attr)
			}
		}
		return elements, textIn(root)
	}
	for _, path := range []string{"/", "/account"} {
		plain, _ := count(path, "Reader")
		for _, name := range []string{
			`<img src=x onerror=alert(1)>`, `</dd></dl></main><script>alert(1)</script>`, `" onmouseover="alert(1)`, `'><svg/onload=alert(1)>`,
			`{{.}}`, `&lt;b&gt;`, `<!--`, `</title><script>`,
		} {
			got, text := count(path, name)
			if got != plain {
				t.Errorf("%s for %q: %d elements and attributes, otherwise %d", path, name, got, plain)
			}
			if path == "/account" && !strings.Contains(text, name) {
				t.Errorf("the name %q is not there", name)
			}
		}
	}
}

// byID returns the element of an id, or nil.
func byID(root *html.Node, id string) *html.Node {
	for n := range root.Descendants() {
		if got, ok := attr(n, "id"); ok && got == id {
			return n
		}
	}
	return nil
}
