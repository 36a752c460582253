package httpapi_test

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// parsed reads a page as a browser does.
func parsed(t testing.TB, body []byte) *html.Node {
	t.Helper()
	root := must(html.Parse(bytes.NewReader(body)))
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

func element(root *html.Node, of atom.Atom) *html.Node {
	for n := range root.Descendants() {
		if n.DataAtom == of {
			return n
		}
	}
	return nil
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
		return elements, textOf(root)
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

// textOf returns all text below a node.
func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
