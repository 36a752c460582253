package browser

import (
	"testing"
)

// testDocuments looks at the pages that are read, and copies every block of code.
func testDocuments(t *testing.T, b *browser) {
	f := serve(t, "")
	x := b.open(t, f.API.BaseURL)
	x.visit("/methodology")
	x.there("article.document")
	x.everywhere("methodology")
	x.visit("/docs/api")
	x.there("article.document")
	x.everywhere("docs-api")
	x.visit("/docs")
	x.there(".documents")
	x.everywhere("docs")
	paths := get[[]string](x, `() => [...document.querySelectorAll(".documents a")].map((e) => e.pathname)`)
	if len(paths) < 5 {
		t.Fatalf("documents %q", paths)
	}
	blocks := 0
	for _, path := range paths {
		x.visit(path)
		x.there("article.document")
		if found := get[[]string](x, `() => [...document.querySelectorAll("article a[href^='#'], nav.toc a")].filter((e) => !document.getElementById(decodeURIComponent(e.hash.slice(1)))).map((e) => e.href)`); len(found) > 0 {
			t.Errorf("%s: links lead nowhere: %q", path, found)
		}
		blocks += x.copies(path)
		x.size(390, 844)
		x.settle()
		x.fits(path)
		x.size(1280, 900)
	}
	if blocks < 50 {
		t.Errorf("%d blocks of code", blocks)
	}
	x.refused("/nosuchpage", "404")
	x.visit("/nosuchpage")
	x.there("#trouble")
	x.glance("missing")
}

// copies presses every button that copies code and returns how many there are. What it
// copies must be the code: of commands with their output, the commands.
func (x *tab) copies(path string) int {
	x.t.Helper()
	wrong := get[[]string](x, `async () => {
		let got = null;
		navigator.clipboard.writeText = async (text) => { got = text; };
		const wrong = [];
		for (const pre of document.querySelectorAll("pre")) {
			got = null;
			pre.closest(".code").querySelector("button.copy").click();
			await null;
			const code = pre.textContent, lines = code.split("\n");
			const commands = lines.filter((line) => line.startsWith("$ ")).map((line) => line.slice(2) + "\n").join("");
			if (got !== (pre.querySelector(".language-console") ? commands : code)) wrong.push(got + " instead of " + code);
		}
		return wrong;
	}`)
	for _, pair := range wrong {
		x.t.Errorf("%s: a button copies %s", path, pair)
	}
	return get[int](x, `() => document.querySelectorAll("pre").length`)
}
