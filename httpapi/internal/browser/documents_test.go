//go:build browser

package browser

import (
	"testing"
)

// testDocuments looks at the pages that are read.
func testDocuments(t *testing.T, b *browser) {
	f := serve(t, "")
	x := b.open(t, f.API.BaseURL)
	x.visit("/methodology")
	x.there("article.document")
	x.inspect("methodology")
	x.visit("/docs")
	x.there(".documents")
	x.glance("docs")
	paths := get[[]string](x, `() => [...document.querySelectorAll(".documents a")].map((e) => e.pathname)`)
	if len(paths) < 5 {
		t.Fatalf("documents %q", paths)
	}
	for _, path := range paths {
		x.visit(path)
		x.there("article.document")
		broken := get[[]string](x, `() => [...document.querySelectorAll("article a[href^='#'], nav.toc a")].filter((e) => !document.getElementById(decodeURIComponent(e.hash.slice(1)))).map((e) => e.href)`)
		if len(broken) > 0 {
			t.Errorf("%s: links lead nowhere: %q", path, broken)
		}
		x.size(390, 844)
		x.settle()
		x.fits(path)
		x.size(1280, 900)
	}
	x.refused("/nosuchpage", "404")
	x.visit("/nosuchpage")
	x.there("#trouble")
	x.glance("missing")
}
