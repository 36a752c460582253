//go:build browser

package browser

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/figure"
	"github.com/larder-index/larder/httpapi/lang"
)

// testFront looks at the page for strangers, also with scripts off: one picture, whose title is
// the sentence, above 300 px on a phone, and nothing too small for a finger.
func testFront(t *testing.T, b *browser) {
	f := serve(t, "")
	for _, l := range lang.All {
		off := b.open(t, f.API.BaseURL)
		command(off, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		off.must(chromedp.Do(off.ctx, chromedp.Navigate(off.base+l.At("/"))))
		if text := get[string](off, `() => document.querySelector("#front svg[role=img]").getBoundingClientRect().height > 200 ? document.querySelector("h1").innerText : ""`); !strings.Contains(text, "2026") {
			t.Errorf("%s, scripts off: %q", l.Name, text)
		}
		x := b.open(t, f.API.BaseURL)
		x.visit(l.At("/"))
		x.there("#front svg[role=img]")
		x.everywhere("front-" + l.Tag)
		command(x, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
		x.size(320, 700)
		x.fits("front at 320 px")
		x.size(390, 844)
		got := get[struct {
			Pictures, Top, Bottom, Height int
			Small                         []string
		}](x, `() => {
			const pictures = [...document.querySelectorAll("svg[role=img]")].filter((e) => e.querySelector("title").textContent === document.querySelector("h1").textContent);
			const box = pictures[0].getBoundingClientRect();
			return {
				Pictures: document.querySelectorAll("svg[role=img]").length, Top: Math.ceil(box.top), Bottom: Math.ceil(box.bottom), Height: document.documentElement.scrollHeight,
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
	if n := x.count("svg[role=img]"); n != 0 {
		t.Errorf("%d pictures, and no figure is public", n)
	}
}

// slow4G is the slow 4G of Lighthouse: 1.6 Mbit/s, and 150 ms to an answer.
var slow4G = &network.Conditions{Latency: 150, DownloadThroughput: 200_000, UploadThroughput: 94_000}

// TestFrontSpeed opens the page for strangers on a slow phone with a processor four times
// slower, and nothing cached. No other test runs beside it. A machine that is busy may need
// another try.
func TestFrontSpeed(t *testing.T) {
	b, f := startBrowser(t), serve(t, "")
	f.Get("/", "") // the first reader of a week waits for the page to be made
	best := math.Inf(1)
	for try := 0; try < 10 && best >= 1000; try++ {
		t.Run(fmt.Sprint(try), func(t *testing.T) { best = min(best, firstPaint(b.open(t, f.API.BaseURL))) })
	}
	if best >= 1000 {
		t.Errorf("the largest paint is after %.0f ms", best)
	}
}

// firstPaint opens the page for strangers and returns after how many milliseconds its largest
// part is painted.
func firstPaint(x *tab) float64 {
	x.size(390, 844)
	command(x, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: `
		window.paint = 0; window.shift = 0;
		new PerformanceObserver((list) => { for (const e of list.getEntries()) window.paint = e.startTime; }).observe({ type: "largest-contentful-paint", buffered: true });
		new PerformanceObserver((list) => { for (const e of list.getEntries()) window.shift += e.value; }).observe({ type: "layout-shift", buffered: true });`})
	command(x, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 4})
	command(x, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{slow4G}})
	x.visit("/")
	got := await[struct{ Paint, Shift, Bytes float64 }](x, `() => window.paint > 0 && {
		Paint: window.paint, Shift: window.shift,
		Bytes: [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce((sum, e) => sum + e.transferSize, 0),
	}`)
	n := len(x.requests())
	x.t.Logf("largest paint after %.0f ms, shift %.4f, %.0f bytes in %d requests", got.Paint, got.Shift, got.Bytes, n)
	if got.Shift >= 0.02 || n > 8 || got.Bytes > 150_000 {
		x.t.Errorf("shift %v, %d requests, %.0f bytes", got.Shift, n, got.Bytes)
	}
	return got.Paint
}
