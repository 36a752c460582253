package browser

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// testPaper prints pages from a dark screen and from one with forced colours: paper is white, pictures have dark
// lines on it, and no text is as light as on the screen.
func testPaper(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	list := apitest.List(t, "toronto", "1x2,9x0.5,12", "bigfathom", "nickelbasket", "northlarch")
	x := b.open(t, f.API.BaseURL)
	x.size(1400, 900)
	for path, there := range map[string]string{"/": "#front .chart-box img", "/figure?s=national.overall&s=national.dairy": "#values", apitest.PageURL("", list): "#recommendation", "/methodology": "article"} {
		x.visit("/docs")
		x.visit(path)
		x.there(there)
		for _, forced := range []string{"none", "active"} {
			command(x, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print", Features: []*emulation.MediaFeature{
				{Name: "prefers-color-scheme", Value: "dark"}, {Name: "forced-colors", Value: forced}, {Name: "prefers-reduced-motion", Value: "reduce"},
			}})
			x.settle()
			x.shoot("paper-" + there + forced)
			got := get[[]string](x, `() => {
				const light = (color) => { const [r, g, b] = color.match(/[\d.]+/g).map(Number); return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255; };
				const faults = [];
				for (const img of document.querySelectorAll(".chart-box img")) if (!img.complete || img.naturalWidth !== 700 || 13 * img.clientWidth / 700 < 10.6) faults.push("no picture with a type of 8 points: " + img.currentSrc + " " + img.clientWidth);
				const root = getComputedStyle(document.documentElement), name = (n) => root.getPropertyValue(n).trim();
				if (name("--paper") !== "#fff" || name("--ink") !== "#000") faults.push("paper " + name("--paper") + ", ink " + name("--ink"));
				for (const e of document.querySelectorAll("main *")) {
					const of = e instanceof SVGElement && e.localName === "text" ? getComputedStyle(e).fill : getComputedStyle(e).color;
					if (e.checkVisibility() && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim() !== "") && light(of) > 0.45) faults.push(of + " " + e.outerHTML.slice(0, 90));
				}
				return faults.slice(0, 5);
			}`)
			if strings.HasPrefix(path, "/figure") {
				got = append(got, x.onPaper()...)
			}
			for _, fault := range got {
				t.Errorf("%s, forced colours %s: %s", path, forced, fault)
			}
		}
		x.look("", "light")
	}
}

// onPaper returns what the picture lacks: a white ground, and the colours on it of the axis, of the two lines and of
// their names.
func (x *tab) onPaper() (faults []string) {
	x.t.Helper()
	at := get[cdppage.Viewport](x, `() => { const box = document.querySelector(".chart-box img").getBoundingClientRect(); return { x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height, scale: 1 }; }`)
	shot := command(x, cdppage.CaptureScreenshot, cdppage.CaptureScreenshotParams{CaptureBeyondViewport: new(true), Clip: &at})
	drawn, err := png.Decode(bytes.NewReader(shot.Data))
	x.must(err)
	seen := map[color.NRGBA]int{}
	for i := range drawn.Bounds().Dx() * drawn.Bounds().Dy() {
		seen[color.NRGBAModel.Convert(drawn.At(i%drawn.Bounds().Dx(), i/drawn.Bounds().Dx())).(color.NRGBA)]++
	}
	for name, c := range map[string]color.NRGBA{"ground": {0xff, 0xff, 0xff, 0xff}, "axis": {0x59, 0x64, 0x5d, 0xff}, "headline": {0x2a, 0x2f, 0x2c, 0xff}, "dairy": {0x14, 0x79, 0xa3, 0xff}} {
		if seen[c] < 30 {
			faults = append(faults, fmt.Sprint("no ", name, " of ", c))
		}
	}
	return faults
}

// testWhole looks for prices that a line break cuts.
func testWhole(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	list := apitest.List(t, "toronto", "1x2,2,3,7x0.5,9x0.5,12")
	x := b.open(t, f.API.BaseURL)
	for _, path := range []string{"/", "/fr", apitest.PageURL("", list), "/fr" + apitest.PageURL("", list)} {
		x.visit("/docs")
		x.visit(path)
		x.there("#front .c-line, #recommendation")
		get[bool](x, `() => { for (const fold of document.querySelectorAll("details")) fold.open = true; return true; }`)
		for _, width := range []int64{320, 390, 794, 1280} {
			for _, medium := range []string{"", "print"} {
				x.size(width, 900)
				x.look(medium, "light")
				x.settle()
				x.shoot(fmt.Sprint("whole-", len(path), "-", width, medium))
				for _, fault := range get[[]string](x, `() => {
					const faults = [], texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
					for (let n = texts.nextNode(); n; n = texts.nextNode()) {
						if (!n.parentElement.checkVisibility()) continue;
						for (const found of n.data.matchAll(/(?:\$[\d,]*\d\.\d\d|[\d\u00a0]*\d,\d\d\u00a0\$)(?:\/\w+)?/gu)) {
							const part = document.createRange();
							part.setStart(n, found.index);
							part.setEnd(n, found.index + found[0].length);
							if (new Set([...part.getClientRects()].map((box) => Math.round(box.top))).size > 1) faults.push("cut: " + found[0] + " in " + n.parentElement.outerHTML.slice(0, 90));
						}
					}
					return faults.slice(0, 5);
				}`) {
					t.Errorf("%s at %d px %s: %s", path, width, medium, fault)
				}
			}
		}
		x.look("", "light")
	}
}
