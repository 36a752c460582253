//go:build browser

package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/pages"
)

// testHarness visits a page with every fault that the tests look for: what can't
// find them can't miss them either.
func testHarness(t *testing.T, b *browser) {
	const body = `<!DOCTYPE html><html><head><title>Faults</title></head><body>
<p id="grey" style="color: #fff">Inline</p><script>window.inline = 1</script>
<img src="http://elsewhere.example/x.png"><a href="/x"></a><div role="button">x</div>
<p id="wide">Wide</p><p>%s</p>
<script src="/faults.js"></script></body></html>`
	const script = `console.warn("careful", 1);
document.getElementById("wide").style.width = "3000px";
document.getElementById("grey").style.color = "#eee";
try { document.body.insertAdjacentHTML("beforeend", "<b>no</b>"); } catch {}
fetch("/gone");
throw new Error("thrown");`
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", pages.Policy)
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, body, strings.Repeat("x", 1000))
	})
	mux.HandleFunc("/faults.js", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, script) })
	server := httptest.NewServer(mux)
	defer server.Close()

	x := b.openQuietly(t, server.URL)
	x.visit("/")
	faults := strings.Join(x.faults(), "\n")
	for _, want := range []string{
		`console.warning: "careful"`, "exception: Uncaught Error: thrown", "another host: http://elsewhere.example/x.png",
		"policy: kInlineViolation: script-src-elem", "policy: kInlineViolation: style-src-attr", "policy: kTrustedTypesSinkViolation",
		"policy: kURLViolation: img-src", "status of 404 (Not Found) " + server.URL + "/gone",
	} {
		if !strings.Contains(faults, want) {
			t.Errorf("not noticed: %s", want)
		}
	}
	if t.Failed() {
		t.Log(faults)
	}
	if got := x.apiRequests(); !slices.Equal(got, []string{"GET /gone"}) {
		t.Errorf("requests of scripts: %v", got)
	}
	if got, want := x.weight(), int64(len(body)-len("%s")+1000+len(script)); got < want {
		t.Errorf("weight %d, want %d at least", got, want)
	}
	wide := get[int](x, `() => document.scrollingElement.scrollWidth - document.documentElement.clientWidth`)
	if wide < 1000 {
		t.Errorf("the page is only %d px too wide", wide)
	}
	if b.axe == "" {
		t.Skip("axe-core is not installed: run make browser")
	}
	var rules []string
	for _, f := range x.axe() {
		rules = append(rules, f.Rule)
	}
	for _, want := range []string{"html-has-lang", "image-alt", "link-name", "color-contrast"} {
		if !slices.Contains(rules, want) {
			t.Errorf("axe-core does not find %s, only %v", want, rules)
		}
	}
}
