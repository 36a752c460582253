package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// testFigure looks at figures in both languages, and at one in frames of another site: the
// embedded page draws there, and the figure's own page is refused.
func testFigure(t *testing.T, b *browser) {
	f := serve(t, "")
	const query = "?s=national.overall&s=national.dairy&s=national.meat&view=since&since=2026-07-19"
	for _, lang := range []string{"", "&lang=fr"} {
		x := b.open(t, f.API.BaseURL)
		x.visit("/figure" + query + lang)
		x.everywhere("figure" + lang)
		x.size(320, 700)
		x.fits("a figure at 320 px")
		if n := x.count("#values tbody tr"); n != 18 {
			t.Errorf("%d weeks in the table", n)
		}
	}
	x := b.open(t, f.API.BaseURL)
	x.visit("/embed/figure" + query)
	x.everywhere("embedded")

	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!DOCTYPE html><html lang="en"><title>An article</title><link rel="icon" href="data:,"><body>`)
		for _, width := range []int{320, 700} {
			fmt.Fprintf(w, `<iframe src="%s/embed/figure%s" title="figure" width="%d" height="480"></iframe>`, f.API.BaseURL, strings.ReplaceAll(query, "&", "&amp;"), width)
		}
	}))
	defer host.Close()
	other := b.open(t, host.URL)
	other.guests = f.API.BaseURL
	other.visit("/")
	other.settle()
	tree := command(other, cdppage.GetFrameTree, struct{}{})
	if len(tree.FrameTree.ChildFrames) != 2 {
		t.Fatalf("%d frames", len(tree.FrameTree.ChildFrames))
	}
	for i, frame := range tree.FrameTree.ChildFrames {
		if frame.Frame.UnreachableURL != "" {
			t.Errorf("the frame is refused: %s", frame.Frame.UnreachableURL)
		}
		world := command(other, cdppage.CreateIsolatedWorld, cdppage.CreateIsolatedWorldParams{FrameID: frame.Frame.ID, WorldName: "look"})
		ctx, cancel := context.WithTimeout(other.ctx, awhile)
		drawn, err := chromedp.Run(ctx, chromedp.Evaluate[string](`[...document.querySelectorAll("svg[role=img]")].filter((e) => e.getBoundingClientRect().height > 250).length + " " +
			(document.documentElement.scrollWidth <= innerWidth) + " " + (document.documentElement.scrollHeight <= innerHeight)`, func(p *runtime.EvaluateParams) { p.ContextID = world.ExecutionContextID }))
		cancel()
		other.must(err)
		if drawn != "1 true true" {
			t.Errorf("frame %d: one picture, as wide as the frame, as high: %s", i, drawn)
		}
	}
	other.shoot("embedded-elsewhere")
}
