package browser

import (
	"bytes"
	"context"
	"fmt"
	"image/color"
	"image/png"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// testFigure looks at figures in both languages, and at one in frames of another site: the
// embedded page draws there, whole at any width that the markup gives it.
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
	x.there(`a[target=_blank][href*="/figure?s=national.overall"] .chart-box`)
	x.visit("/figure" + query)
	code := x.text("#embed-code")

	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!DOCTYPE html><html lang="en"><title>An article</title><link rel="icon" href="data:,"><body>`)
		for _, width := range []int{280, 320, 500, 700, 740, 1000, 1200} {
			fmt.Fprintf(w, `<div style="width: %dpx">%s</div>`, width, strings.Replace(code, ` loading="lazy"`, "", 1))
		}
	}))
	defer host.Close()
	other := b.open(t, host.URL)
	other.guests = f.API.BaseURL
	other.size(1280, 900)
	other.visit("/")
	other.settle()
	tree := command(other, cdppage.GetFrameTree, struct{}{})
	if len(tree.FrameTree.ChildFrames) != 7 {
		t.Fatalf("%d frames", len(tree.FrameTree.ChildFrames))
	}
	for i, frame := range tree.FrameTree.ChildFrames {
		if frame.Frame.UnreachableURL != "" {
			t.Errorf("the frame is refused: %s", frame.Frame.UnreachableURL)
		}
		world := command(other, cdppage.CreateIsolatedWorld, cdppage.CreateIsolatedWorldParams{FrameID: frame.Frame.ID, WorldName: "look"})
		ctx, cancel := context.WithTimeout(other.ctx, awhile)
		drawn, err := chromedp.Run(ctx, chromedp.Evaluate[string](`(async () => {
			const img = document.querySelector("picture img"), root = document.documentElement;
			await img.decode();
			const box = img.getBoundingClientRect(), scale = Math.min(box.width / img.naturalWidth, box.height / img.naturalHeight);
			const layout = Number(new URL(img.currentSrc).searchParams.get("width")), text = { 360: 15.5, 700: 13, 1120: 14 }[layout];
			const faults = [];
			if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) faults.push("it scrolls");
			if (box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight) faults.push("the picture is cut");
			if (scale * text < 12) faults.push("text of " + scale * text + " px");
			return faults.map((fault) => innerWidth + " by " + innerHeight + ": " + fault).join();
		})()`, func(p *runtime.EvaluateParams) { p.ContextID = world.ExecutionContextID }, chromedp.EvalAwaitPromise))
		cancel()
		other.must(err)
		if drawn != "" {
			t.Errorf("frame %d: %s", i, drawn)
		}
	}
	other.shoot("embedded-elsewhere")
}

// testPictures looks at pages of random series: of a figure, of a subscriber, and of a change. Each is in one of five
// widths, in light or in dark, in one of two languages, with or without its script; the first ones are so in every width
// in light and in dark. The page shows a picture on the ground of its colours, large enough for its smallest text to
// have 12 pixels. Nothing meets something else or is cut, also in a reader's font that is wider than the one that
// texts were measured in.
func testPictures(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	v := f.Snapshots.Current()
	rows, err := v.V2()
	if err != nil {
		t.Fatal(err)
	}
	r, many, thorough := rand.New(rand.NewPCG(1, 38)), *selections, 3
	if testing.Short() {
		many, thorough = 3, 1
	}
	key := f.standardKey()
	on, off := f.signedIn(b, key), f.signedIn(b, key)
	off.withoutScript()
	widths, schemes := []int64{320, 390, 768, 1280, 1920}, []string{"light", "dark"}
	for n := range many {
		lang, x := []string{"en", "fr"}[r.IntN(2)], on
		if r.IntN(3) == 0 {
			x = off
		}
		cells := map[string]bool{}
		for range 1 + r.IntN(8) {
			cells[v.Names().Name(*rows.Rows[r.IntN(len(rows.Rows))].Cell)] = true
		}
		names := slices.Sorted(maps.Keys(cells))
		query := fmt.Sprintf("view=%s&s=%s", []string{"index", "4w", "cost", "since&since=2026-09-06"}[r.IntN(4)], strings.Join(names, "&s="))
		page := "/figure?lang=" + lang + "&" + query
		switch r.IntN(4) {
		case 0:
			page = map[string]string{"en": "/?", "fr": "/fr?"}[lang] + query
		case 1:
			page = fmt.Sprintf("/why?lang=%s&s=%s&week=%s", lang, names[0], v.LastClosed(apitest.Now).Add(-r.IntN(10)))
		}
		if status := f.Get("/figure.csv?"+query, key).StatusCode; status != http.StatusOK {
			continue // a series that is younger than the week that it is compared with
		}
		if status := f.Get(page, key).StatusCode; strings.HasPrefix(page, "/why") && status != http.StatusOK {
			continue // a week that the series lacks
		}
		x.visit(page)
		if x.count(".chart-box img") == 0 {
			continue // the first week of a series
		}
		layouts := map[string]bool{}
		if n < thorough {
			for _, width := range widths {
				for _, scheme := range schemes {
					layouts[x.pictureIn(page, width, scheme)] = true
				}
			}
		} else {
			layouts[x.pictureIn(page, widths[r.IntN(len(widths))], schemes[r.IntN(2)])] = true
		}
		for address := range layouts {
			on.visit(address)
			for _, fault := range get[[]string](on, pictureFaults) {
				t.Errorf("%s: %s", address, fault)
			}
		}
	}
	on.look("", "light")
}

// grounds are the colours of pictures' grounds.
var grounds = map[string]color.Color{"light": color.NRGBA{0xff, 0xff, 0xff, 0xff}, "dark": color.NRGBA{0x1b, 0x21, 0x22, 0xff}}

// pictureIn looks at a page and its picture in a window, and returns the address of the picture.
func (x *tab) pictureIn(page string, width int64, scheme string) string {
	x.t.Helper()
	x.size(width, 900)
	x.look("", scheme)
	x.fits(page)
	shown := get[struct {
		Address     string
		Scale, X, Y float64
	}](x, `async () => {
		const img = document.querySelector(".chart-box img");
		const fits = () => [...document.querySelectorAll(".chart-box source")].find(({ media }) => matchMedia(media).matches)?.srcset ?? img.getAttribute("src");
		while (!img.currentSrc.endsWith(fits())) await new Promise((next) => requestAnimationFrame(next));
		await img.decode();
		await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
		const box = img.getBoundingClientRect();
		return { address: img.currentSrc.slice(location.origin.length), scale: box.width / img.naturalWidth, x: box.left + scrollX + 3, y: box.top + scrollY + 3 };
	}`)
	address, _ := url.Parse(shown.Address)
	if px := shown.Scale * map[string]float64{"360": 15.5, "700": 13, "1120": 14}[address.Query().Get("width")]; px < 12 {
		x.t.Errorf("%s at %d px: text has %.1f px", page, width, px)
	}
	shot := command(x, cdppage.CaptureScreenshot, cdppage.CaptureScreenshotParams{CaptureBeyondViewport: new(true), Clip: &cdppage.Viewport{X: shown.X, Y: shown.Y, Width: 2, Height: 2, Scale: 1}})
	if ground, err := png.Decode(bytes.NewReader(shot.Data)); err != nil || color.NRGBAModel.Convert(ground.At(0, 0)) != grounds[scheme] {
		x.t.Errorf("%s, %s: the ground is %v (%v)", page, scheme, ground.At(0, 0), err)
	}
	if x.count(".hand") > 0 { // a tip at either end
		at := get[[2][2]float64](x, `() => { const hand = document.querySelector(".hand"); hand.scrollIntoView({ block: "center", behavior: "instant" }); const box = hand.getBoundingClientRect(); return [0.02, 0.97].map((part) => [box.left + box.width * part, box.top + box.height / 2]); }`)
		for _, end := range at {
			x.mouse(input.DispatchMouseEventTypeMouseMoved, end, 0)
			if fault := get[string](x, `() => { const tip = document.querySelector(".tip"), box = tip.getBoundingClientRect(); return tip.hidden || box.left < 0 || box.right > innerWidth ? tip.outerHTML : ""; }`); fault != "" {
				x.t.Errorf("%s at %d px: the tip is cut: %s", page, width, fault)
			}
		}
		x.mouse(input.DispatchMouseEventTypeMouseMoved, [2]float64{1, 1}, 0)
	}
	for _, fault := range get[[]string](x, pageFaults) {
		x.t.Errorf("%s at %d px, %s: %s", page, width, scheme, fault)
	}
	return shown.Address
}

// pageFaults finds texts of a page that are small, cut, or met by another.
const pageFaults = `() => {
	const faults = [], boxes = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let text = walk.nextNode(); text; text = walk.nextNode()) {
		const e = text.parentElement;
		if (text.data.trim() === "" || !e.checkVisibility({ visibilityProperty: true }) || e.closest(".sr, .skip, noscript, option, [hidden]")) continue;
		const range = document.createRange();
		range.selectNodeContents(text);
		for (const box of range.getClientRects()) boxes.push({ text: text.data.trim(), e, box });
		if (parseFloat(getComputedStyle(e).fontSize) < 12) faults.push("small: " + text.data);
		for (let outer = e; outer !== document.body; outer = outer.parentElement) {
			const { overflowX, overflowY } = getComputedStyle(outer);
			if ((overflowX === "hidden" || overflowY === "hidden") && (outer.scrollWidth > outer.clientWidth + 1 || outer.scrollHeight > outer.clientHeight + 1)) faults.push("cut: " + text.data);
		}
	}
	boxes.sort((a, b) => a.box.top - b.box.top);
	for (const [i, { text, box, e }] of boxes.entries()) {
		for (const other of boxes.slice(i + 1)) {
			if (other.box.top > box.bottom - 3) break;
			if (other.box.left < box.right - 2 && box.left < other.box.right - 2 && !e.closest(".tip") && !other.e.closest(".tip") && !e.closest(".scroll") === !other.e.closest(".scroll")) faults.push(text + " meets " + other.text);
		}
	}
	return faults.slice(0, 5);
}`

// pictureFaults finds texts of a picture that are small, outside, or met by another, in a wider font.
const pictureFaults = `() => {
	const svg = document.documentElement, faults = [];
	svg.setAttribute("font-family", "DejaVu Sans");
	const texts = [...svg.querySelectorAll("text")].map((e) => ({ text: e.textContent, size: Number(e.getAttribute("font-size")), box: e.getBBox() }));
	for (const [i, { text, size, box }] of texts.entries()) {
		const base = box.y + box.height, least = { 360: 15.5, 700: 13, 1120: 14 }[svg.viewBox.baseVal.width];
		if (size < least) faults.push("small: " + text);
		if (box.x < -1 || box.x + box.width > svg.viewBox.baseVal.width + 1 || base > svg.viewBox.baseVal.height + 1) faults.push("outside: " + text);
		for (const other of texts.slice(i + 1)) {
			const meets = (a, b, across, along) => a[across] + 1 < b[across] + b[along] && b[across] + 1 < a[across] + a[along];
			const low = (o) => ({ y: o.box.y + o.box.height * 0.3, height: o.box.height * 0.45 });
			if (meets(box, other.box, "x", "width") && meets(low({ box }), low(other), "y", "height")) faults.push(text + " meets " + other.text);
		}
	}
	return faults.slice(0, 5);
}`
