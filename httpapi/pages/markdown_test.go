package pages

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/httpapi/lang"
)

// read makes a page of Markdown.
func read(t *testing.T, source string) Document {
	t.Helper()
	d := Document{Lang: lang.English}
	if err := d.read([]byte(source), nil, onePicture); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestSlug has ids that GitHub gives headings of such texts.
func TestSlug(t *testing.T) {
	for heading, want := range map[string]string{
		"The quality gate":          "the-quality-gate",
		"GET /api/public/index":     "get-apipublicindex",
		"Bill, and forget":          "bill-and-forget",
		"What it does - and why":    "what-it-does---and-why",
		"snake_case":                "snake_case",
		"Épicerie à Québec":         "épicerie-à-québec",
		"A.B (2020): what's “new”?": "ab-2020-whats-new",
	} {
		if got := slug(heading); got != want {
			t.Errorf("%q: %q, want %q", heading, got, want)
		}
	}
}

func TestHeadings(t *testing.T) {
	d := read(t, "# The `index`\n\n## Limits\n\n### A *small* part\n\n## Limits\n\n#### Too small\n\n## Limits\n")
	want := []heading{{2, "limits", "Limits"}, {3, "a-small-part", "A small part"}, {2, "limits-1", "Limits"}, {2, "limits-2", "Limits"}}
	if diff := cmp.Diff(want, d.Contents); diff != "" {
		t.Error(diff)
	}
	if d.Title != "The index" || !strings.Contains(string(d.Body), `<h1 id="the-index">The <code>index</code></h1>`) {
		t.Errorf("%q\n%s", d.Title, d.Body)
	}
}

// TestHarmless writes what could be more than text.
func TestHarmless(t *testing.T) {
	d := read(t, strings.Join([]string{
		"# t", "## <img src=x onerror=alert(1)>", "<script>alert(1)</script>", "a <b onclick=alert(1)>b</b>", "<javascript:alert(1)>",
		"`<i>`", "## <i>x</i> {#id onclick=alert(1)}", "| <u>a</u> |\n|---|\n| <s>b</s> |", "    <pre>",
	}, "\n\n"))
	for _, taboo := range []string{"<img", "<script", "<b ", "<i>", "<u>", "<s>", `href="javascript`, "<pre><pre", `onclick="`, "style="} {
		if strings.Contains(string(d.Body), taboo) {
			t.Errorf("%s is in\n%s", taboo, d.Body)
		}
	}
}

// TestNamedLinks calls documents by their titles, since visitors have no files.
func TestNamedLinks(t *testing.T) {
	body := string(read(t, "# T\n\nSee [sizes.md](sizes.md#what-is-read), [this](sizes.md), [`sizes.md`](sizes.md) and [nosuch.md](https://elsewhere.example).\n").Body)
	for _, want := range []string{
		`<a href="/docs/sizes#what-is-read">“Package sizes”</a>`, `<a href="/docs/sizes">this</a>`, `<a href="/docs/sizes">“Package sizes”</a> and`,
		`<a href="https://elsewhere.example">nosuch.md</a>`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%s is not in\n%s", want, body)
		}
	}
}

// TestFrames puts what may be wide into frames, each with a name of its own.
func TestFrames(t *testing.T) {
	d := read(t, "# T\n\n## A \"b\"\n\n| x | n | |\n|---|---:|---|\n| 2026-11-20 | 1 | y |\n\n| | |\n|---|---|\n| long enough to be broken | 2 |\n\n```sh\nls\n```\n\n* one\n\n      two\n")
	body := string(d.Body)
	var labels []string
	for _, part := range strings.Split(body, `<div class="scroll" role="`)[1:] {
		role, rest, _ := strings.Cut(part, `" tabindex="0" aria-label="`)
		label, _, _ := strings.Cut(rest, `"`)
		labels = append(labels, role+" "+label)
	}
	want := []string{"region A &#34;b&#34;: table", "region A &#34;b&#34;: table 2", "group A &#34;b&#34;: code", "group A &#34;b&#34;: code 2"}
	if !slices.Equal(labels, want) {
		t.Errorf("%q, want %q", labels, want)
	}
	for part, n := range map[string]int{
		"</div>": 6, "<table>": 2, "<thead>": 1, `scope="col"`: 2, "<th ": 2, "<td></td>": 1, "<tbody>": 2, "</tbody>": 2, `align="right"`: 2, `<td class="short">2026-11-20</td>`: 1, "<td>long enough": 1,
		"<pre><code": 2, "style=": 0,
	} {
		if got := strings.Count(body, part); got != n {
			t.Errorf("%s: %d times, want %d, in\n%s", part, got, n, body)
		}
	}
}

// TestCode has blocks of code in several languages. Those with nothing between them are
// alternatives, but not two of one language.
func TestCode(t *testing.T) {
	fence := func(language, code string) string { return "```" + language + "\n" + code + "\n```\n" }
	body := string(read(t, "# T\n\n"+fence("sh", "export A=1")+"\n"+fence("sh", "echo \"a\"")+"\nNext.\n\n"+
		fence("sh", "curl x # c")+fence("python", "x = None")+fence("go", "var x = 1")+"\nText.\n\n"+fence("json", `{"a": 1}`)+"\n"+fence("nosuch", "a < b")+
		"\nAnd.\n\n"+fence("console", "$ echo a\na")).Body)
	for part, n := range map[string]int{
		`<div class="tabs">`: 1, `<p class="tab-name">curl</p>`: 1, `<p class="tab-name">Python</p>`: 1, `<p class="tab-name">Go</p>`: 1, `class="tab-name"`: 3,
		`<div class="code">`: 8, `aria-label="T: Python"`: 1, `aria-label="T: code 4"`: 1, `aria-label="T: code 5"`: 1,
		`<code class="language-sh">`: 3, "a &lt; b": 1, "style=": 0,
	} {
		if got := strings.Count(body, part); got != n {
			t.Errorf("%s: %d times, want %d, in\n%s", part, got, n, body)
		}
	}
	if open, end := strings.Count(body, "<div"), strings.Count(body, "</div>"); open != end {
		t.Errorf("%d of <div, %d of </div>", open, end)
	}
}

// TestPicture has the size of its file, and text for those who can't see it.
func TestPicture(t *testing.T) {
	body := string(read(t, "# T\n\n![A *line* that rises](a.svg)\n").Body)
	if want := `<img src="/assets/x/docs/a.svg" alt="A line that rises" width="30" height="20">`; !strings.Contains(body, want) {
		t.Errorf("no %s in\n%s", want, body)
	}
}
