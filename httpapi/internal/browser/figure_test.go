package browser

import (
	"bytes"
	"context"
	"fmt"
	"image/color"
	"image/png"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

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

// testPictures looks at figures of random series. At five widths, in light and in dark, the page shows a picture on the
// ground of its colours, large enough for its smallest text to have 12 pixels. In a reader's font that is wider than
// the one that texts were measured in, none meets another or leaves the picture.
func testPictures(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	v := f.Snapshots.Current()
	rows, err := v.V2()
	if err != nil {
		t.Fatal(err)
	}
	r, many := rand.New(rand.NewPCG(1, 38)), 40
	if testing.Short() {
		many = 3
	}
	x := f.signedIn(b, f.standardKey())
	for range many {
		query := fmt.Sprintf("lang=%s&view=%s", []string{"en", "fr"}[r.IntN(2)], []string{"index", "4w", "cost", "since&since=2026-09-06"}[r.IntN(4)])
		cells := map[string]bool{}
		for range 1 + r.IntN(8) {
			cells[v.Names().Name(*rows.Rows[r.IntN(len(rows.Rows))].Cell)] = true
		}
		for name := range cells {
			query += "&s=" + name
		}
		if status := f.Get("/figure.csv?"+query, f.standardKey()).StatusCode; status != http.StatusOK {
			continue // a series that is younger than the week that it is compared with
		}
		x.visit("/figure?" + query)
		layouts := map[string]bool{}
		for _, width := range []int64{320, 390, 768, 1280, 1920} {
			for scheme, paper := range map[string]color.Color{"light": color.NRGBA{0xff, 0xff, 0xff, 0xff}, "dark": color.NRGBA{0x1b, 0x21, 0x22, 0xff}} {
				x.size(width, 900)
				x.look("", scheme)
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
				layouts[shown.Address] = true
				address, _ := url.Parse(shown.Address)
				if px := shown.Scale * map[string]float64{"360": 15.5, "700": 13, "1120": 14}[address.Query().Get("width")]; px < 12 {
					t.Errorf("%s at %d px: text has %.1f px", query, width, px)
				}
				shot := command(x, cdppage.CaptureScreenshot, cdppage.CaptureScreenshotParams{CaptureBeyondViewport: new(true), Clip: &cdppage.Viewport{X: shown.X, Y: shown.Y, Width: 2, Height: 2, Scale: 1}})
				if ground, err := png.Decode(bytes.NewReader(shot.Data)); err != nil || color.NRGBAModel.Convert(ground.At(0, 0)) != paper {
					t.Errorf("%s, %s: the ground is %v (%v)", query, scheme, ground.At(0, 0), err)
				}
			}
		}
		for address := range layouts {
			x.visit(address)
			for _, fault := range get[[]string](x, `() => {
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
			}`) {
				t.Errorf("%s: %s", address, fault)
			}
		}
	}
	x.look("", "light")
}
