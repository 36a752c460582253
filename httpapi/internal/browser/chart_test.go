package browser

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp/kb"
	gocmp "github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// charts are figures of every kind, on all pages, in windows of every width.
var charts = []struct {
	address string
	width   int64
}{
	{"/figure?s=national.overall", 320},
	{"/figure?s=national.dairy&s=national.meat", 1280},
	{"/figure?s=national.overall&view=4w", 768},
	{"/figure?s=national.pantry&view=since&since=2026-08-02", 390},
	{"/figure?s=national.overall&s=toronto.overall&s=vancouver.overall&s=halifax.overall&view=cost", 1920},
	{"/figure?s=toronto.dairy", 1280},
	{"/figure?s=national.frozen&from=2026-09-01&to=2026-11-01", 390},
	{"/figure?s=national.bakery&s=national.overall&lang=fr", 768},
	{"/", 1280},
	{"/?s=toronto.overall&s=national.overall&tab=cities", 390},
	{"/#front", 390}, // for strangers
}

// mark is a place of a drawn line on the screen.
type mark struct {
	series, week string
	at           [2]float64
}

var drawnLine = regexp.MustCompile(`<path[^>]* data-series="([^"]+)"[^>]* d="M([^"Z]+)"`)

// marks returns the places of the published values of each line, read off the picture itself, and their weeks as the
// API has them.
func (x *tab) marks(f *server, key, address string) (all []mark) {
	x.t.Helper()
	_, query, _ := strings.Cut(address, "?")
	values, _ := url.ParseQuery(query)
	values.Del("tab")
	var body struct {
		Series []struct {
			Name string
			Rows []map[string]any
		}
	}
	f.fetch(http.MethodGet, "/figure.json?"+values.Encode(), "", &body, withKey(key))
	got := get[struct {
		Text             string
		Left, Top, Scale float64
	}](x, `async () => {
		const image = document.querySelector(".chart-box img");
		image.scrollIntoView({ block: "center", behavior: "instant" });
		const text = await (await fetch(image.currentSrc)).text(), box = image.getBoundingClientRect();
		return { text, left: box.x, top: box.y, scale: image.clientWidth / Number(text.match(/viewBox="0 0 ([\d.]+)/)[1]) };
	}`)
	drawn := map[string][][2]float64{}
	for _, found := range drawnLine.FindAllStringSubmatch(got.Text, -1) {
		for place := range strings.SplitSeq(found[2], "L") {
			var px, py float64
			_, err := fmt.Sscan(place, &px, &py)
			x.must(err)
			drawn[found[1]] = append(drawn[found[1]], [2]float64{got.Left + px*got.Scale, got.Top + py*got.Scale})
		}
	}
	for _, series := range body.Series {
		var weeks []string
		for _, row := range series.Rows {
			for name, value := range row {
				if value != nil && name != "date" && !strings.HasPrefix(name, "ci95") {
					weeks = append(weeks, row["date"].(string))
				}
			}
		}
		if len(weeks) < 5 || len(weeks) != len(drawn[series.Name]) {
			x.t.Fatalf("%s: %d weeks of %s, and %d are drawn", address, len(weeks), series.Name, len(drawn[series.Name]))
		}
		for i, week := range weeks {
			all = append(all, mark{series.Name, week, drawn[series.Name][i]})
		}
	}
	return all
}

// testChart leads from 66 points of 11 charts to the page that takes each apart, by mouse, by finger and by key.
func testChart(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	key := f.standardKey()
	x := f.signedIn(b, key)
	for _, c := range charts {
		if strings.HasSuffix(c.address, "#front") {
			x = b.open(t, f.API.BaseURL)
		}
		x.size(c.width, 900)
		x.visit(c.address)
		x.there(".hand")
		// What would be opened is noted, and this page stays.
		get[bool](x, `() => { window.led = ""; navigation.addEventListener("navigate", (event) => { if (event.destination.url.includes("/why?")) { window.led = event.destination.url; event.preventDefault(); } }); return true; }`)
		all := x.marks(f, key, c.address)
		led := func(how string, want mark) {
			t.Helper()
			to := await[string](x, `() => { const to = window.led; window.led = ""; return to; }`)
			u, err := url.Parse(to)
			x.must(err)
			if q := u.Query(); q.Get("s") != want.series || q.Get("week") != want.week {
				t.Errorf("%s: %s leads to %s, want %v", c.address, how, to, want)
			}
		}
		for i := range 6 {
			m := all[(5*i+i*i)%len(all)]
			switch i % 3 {
			case 0:
				x.mouse(input.DispatchMouseEventTypeMouseMoved, m.at, 0)
				x.mouse(input.DispatchMouseEventTypeMousePressed, m.at, 1)
				x.mouse(input.DispatchMouseEventTypeMouseReleased, m.at, 1)
				led("a click", m)
			case 1:
				x.touch(m.at)
				if tip := x.text(".tip strong"); tip != x.texts(fmt.Sprintf("#values tr:has([datetime=%q]) th", m.week))[0] {
					t.Errorf("%s: touched %v, the tip is of %s", c.address, m, tip)
				}
				if shown, want := x.texts(".tip b"), x.texts(fmt.Sprintf("#values tr:has([datetime=%q]) td", m.week)); !slices.Equal(slices.Sorted(slices.Values(shown)), slices.Sorted(slices.Values(want))) {
					t.Errorf("%s: the tip of %v has %q, and the table %q", c.address, m, shown, want)
				}
				if early := get[string](x, `() => window.led`); early != "" {
					t.Errorf("%s: the first touch leads to %s", c.address, early)
				}
				x.touch(m.at)
				led("a second touch", m)
			case 2:
				get[bool](x, `() => { document.querySelector(".hand").focus(); return true; }`)
				x.keys(kb.Home)
				first := slices.IndexFunc(all, func(o mark) bool { return o.series == all[0].series && o.week == m.week })
				for range first {
					x.keys(kb.ArrowRight)
				}
				x.keys(kb.Enter)
				led("Enter", all[first])
			}
		}
	}
	x.visit("/figure")
	x.click(".hand")
	x.there("#why")
}

// touch touches a place with a finger.
func (x *tab) touch(at [2]float64) {
	x.t.Helper()
	command(x, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
	command(x, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: at[0], Y: at[1]}}})
	command(x, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}})
}

// testControls chooses figures by links, forms and dragging. Each has an address that says all, by which a page
// without a script shows the same; what was used keeps the focus, the new title is read out, and Back leads back.
func testControls(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	key := f.standardKey()
	x, off := f.signedIn(b, key), f.signedIn(b, key)
	off.withoutScript()
	for _, page := range []string{"/", "/figure?s=national.overall"} {
		x.visit(page)
		x.there(".hand")
		x.forget()
		all := x.marks(f, key, page)
		shown := func(x *tab) string {
			return strings.Join(x.texts("main h1, main .chip, main caption, main th, main td, main option:checked"), "\n") + get[string](x, `() => document.querySelector(".chart-box img").src`)
		}
		steps := []struct {
			act  func()
			want string // ends the address
		}{
			{func() { x.press("#unit-3") }, "?s=national.overall&view=4w"},
			{func() { x.choose("#place", "toronto"); x.choose("#category", "meat"); x.press("#add-series") }, "?s=national.overall&s=toronto.meat&view=4w"},
			{func() { x.press("#remove-0") }, "?s=toronto.meat&view=4w"},
			{func() { x.press("#unit-0") }, "?s=toronto.meat"},
			{func() {
				x.point(".hand")
				at := x.marks(f, key, "/figure?s=toronto.meat")
				x.mouse(input.DispatchMouseEventTypeMouseMoved, at[12].at, 0)
				x.mouse(input.DispatchMouseEventTypeMousePressed, at[12].at, 1)
				x.mouse(input.DispatchMouseEventTypeMouseMoved, at[8].at, 1)
				x.mouse(input.DispatchMouseEventTypeMouseMoved, at[4].at, 1)
				x.mouse(input.DispatchMouseEventTypeMouseReleased, at[4].at, 1)
			}, "?s=toronto.meat&from=" + all[4].week + "&to=" + all[12].week},
			{func() { x.press("#period-0") }, "?s=toronto.meat&from=" + all[len(all)-13].week},
		}
		var addresses, looks []string
		for _, step := range steps {
			was := x.address()
			step.act()
			await[bool](x, `(was) => location.href !== was && !document.querySelector("#main[aria-busy]")`, was)
			if got := strings.TrimPrefix(x.address(), f.API.BaseURL); !strings.HasSuffix(got, step.want) {
				t.Errorf("the address is %s, want %s", got, step.want)
			}
			x.says("p[aria-live]", x.text("h1"))
			x.settle()
			addresses, looks = append(addresses, strings.TrimPrefix(x.address(), f.API.BaseURL)), append(looks, shown(x))
		}
		for _, a := range x.requests() {
			if a.kind == network.ResourceTypeDocument {
				t.Errorf("%s is another page", a.url)
			}
		}
		for i := len(steps) - 1; i >= 0; i-- {
			off.visit(addresses[i])
			if diff := gocmp.Diff(looks[i], shown(off)); diff != "" {
				t.Errorf("%s without a script (-with +without):\n%s", addresses[i], diff)
			}
			if diff := gocmp.Diff(looks[i], shown(x)); diff != "" {
				t.Errorf("after Back, at %s:\n%s", addresses[i], diff)
			}
			if i > 0 {
				get[bool](x, `() => { history.back(); return true; }`)
				await[bool](x, `(address) => location.href.endsWith(address) && !document.querySelector("#main[aria-busy]")`, addresses[i-1])
				x.settle()
			}
		}
	}
}

// press presses Enter on an element, which keeps the focus if it is still there.
func (x *tab) press(selector string) {
	x.t.Helper()
	await[bool](x, `(s) => { document.querySelector(s)?.focus(); return document.activeElement?.matches(s); }`, selector)
	x.keys(kb.Enter)
	await[bool](x, `(s) => document.activeElement.matches(document.querySelector(s) ? s : "main")`, selector)
}

// testWeight looks at what a first visit transfers, and at a phone: everything is large enough for a finger.
func testWeight(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	for path, most := range map[string]int{"/": 120_000, "/figure": 60_000} {
		x := b.open(t, f.API.BaseURL)
		if path == "/" {
			x = f.signedIn(b, f.standardKey())
		}
		x.size(390, 844)
		x.visit(path)
		x.there(".hand")
		if got := get[int](x, `() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce((sum, e) => sum + e.transferSize, 0)`); got > most || got < 5000 {
			t.Errorf("%s transfers %d bytes, at most %d may be", path, got, most)
		}
		if small := get[[]string](x, `() => [...document.querySelectorAll("main :is(button, select, summary, input, .chip, .chip a)")].filter((e) => e.checkVisibility() && !e.matches("span:has(a)"))
			.filter((e) => { const b = (e.closest("label") ?? e).getBoundingClientRect(); return b.height < 43.9 || b.width < 43.9; }).map((e) => e.outerHTML.slice(0, 90))`); len(small) > 0 {
			t.Errorf("%s: too small for a finger: %q", path, small)
		}
	}
}
