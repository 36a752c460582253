package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/site/figure"
	"github.com/larder-index/larder/httpapi/site/words"
)

// testFront looks at the page for strangers, also with scripts off: one picture, whose title is
// the sentence, above 300 px on a phone, and nothing too small for a finger.
func testFront(t *testing.T, b *browser) {
	f := serve(t, "")
	for _, l := range words.All {
		off := b.open(t, f.API.BaseURL)
		command(off, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		off.must(chromedp.Do(off.ctx, chromedp.Navigate(off.base+l.At("/"))))
		if text := get[string](off, `() => document.querySelector("#front .chart-box img").getBoundingClientRect().height > 200 ? document.querySelector("h1").innerText : ""`); !strings.Contains(text, "13 ") {
			t.Errorf("%s, scripts off: %q", l.Name, text)
		}
		x := b.open(t, f.API.BaseURL)
		x.visit(l.At("/"))
		x.there("#front .chart-box img")
		x.everywhere("front-" + l.Tag)
		command(x, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
		x.size(320, 700)
		x.fits("front at 320 px")
		x.size(390, 844)
		got := get[struct {
			Pictures, Top, Bottom, Height int
			Small                         []string
		}](x, `() => {
			const pictures = [...document.querySelectorAll("img")].filter((e) => e.alt.startsWith(document.querySelector("h1").textContent));
			const box = pictures[0].getBoundingClientRect();
			return {
				Pictures: document.querySelectorAll("img:not([hidden])").length, Top: Math.ceil(box.top), Bottom: Math.ceil(box.bottom), Height: document.documentElement.scrollHeight,
				Small: [...document.querySelectorAll("a, button")].filter((e) => e.checkVisibility() && !e.matches(".skip") && !e.closest("p:not(.row)"))
					.filter((e) => e.getBoundingClientRect().height < 44).map((e) => e.outerHTML.slice(0, 100)),
			};
		}`)
		if got.Pictures != 1 || got.Top > 300 || got.Bottom > 844 || got.Height >= 4500 || len(got.Small) > 0 {
			t.Errorf("%s: %+v", l.Name, got)
		}
	}
	x := b.open(t, serve(t, "", func(c *httpapi.Config) { c.Public = figure.PublicNone }).API.BaseURL)
	x.visit("/")
	x.there("#front h1")
	x.everywhere("front-none")
	if n := x.count("img"); n != 0 {
		t.Errorf("%d pictures, and no figure is public", n)
	}
}
