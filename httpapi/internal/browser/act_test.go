package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// run calls a function of JavaScript, given as text, in the page and returns what
// it returns, or what its promise becomes. Neither the page's policy nor its trusted
// types concern the debugger.
func run[T any](x *tab, function string, args ...any) (T, error) {
	list, err := json.Marshal(args)
	x.must(err)
	ctx, cancel := context.WithTimeout(x.ctx, awhile+5*time.Second)
	defer cancel()
	if args == nil {
		list = []byte("[]")
	}
	return chromedp.Run(ctx, chromedp.Evaluate[T](fmt.Sprintf("(%s)(...%s)", function, list), chromedp.EvalAwaitPromise))
}

// get is run, where failing fails the test.
func get[T any](x *tab, function string, args ...any) T {
	x.t.Helper()
	v, err := run[T](x, function, args...)
	if err != nil {
		x.t.Fatalf("%s: %v", function, err)
	}
	return v
}

// visit opens an address of the server and waits for the page to have settled.
func (x *tab) visit(path string) {
	x.t.Helper()
	ctx, cancel := context.WithTimeout(x.ctx, awhile)
	defer cancel()
	x.must(chromedp.Do(ctx, chromedp.Navigate(x.base+path)))
	x.settle()
}

// reload loads the page again.
func (x *tab) reload() {
	x.t.Helper()
	ctx, cancel := context.WithTimeout(x.ctx, awhile)
	defer cancel()
	x.must(chromedp.Do(ctx, chromedp.Reload()))
	x.settle()
}

// settle waits until nothing is being loaded, and two frames were drawn since.
func (x *tab) settle() {
	x.t.Helper()
	for end := time.Now().Add(awhile); ; {
		get[bool](x, `async () => {
			for (let frame = 0; frame < 2; frame++) await new Promise((next) => { requestAnimationFrame(next); setTimeout(next, 100); });
			return true;
		}`)
		if !x.busy() {
			return
		}
		if time.Now().After(end) {
			x.t.Fatalf("the page goes on loading: %v", x.apiRequests())
		}
	}
}

// await waits until a function returns something that counts as true, and
// returns it. It is tried at every frame, also of a page that comes after this one.
func await[T any](x *tab, function string, args ...any) T {
	x.t.Helper()
	const wait = `async (ms, args) => {
		const end = document.timeline.currentTime + ms; // which tests don't put forward
		for (;;) {
			const value = (%s)(...args);
			if (value) return [value];
			if (document.timeline.currentTime > end) return [];
			await new Promise((next) => { requestAnimationFrame(next); setTimeout(next, 100); });
		}
	}`
	if args == nil {
		args = []any{}
	}
	var err error
	for end := time.Now().Add(awhile); time.Now().Before(end); {
		var got []T
		got, err = run[[]T](x, fmt.Sprintf(wait, function), time.Until(end).Milliseconds(), args)
		if err == nil && len(got) == 1 {
			return got[0]
		}
		if x.ctx.Err() != nil {
			break
		}
	}
	text, _ := run[string](x, `() => location.href + "\n" + document.body.innerText`)
	x.t.Fatalf("in vain: %s %v: %v\n%.3000s", function, args, err, text)
	panic("unreachable")
}

// text is the text of an element as it is shown, spaces joined.
func (x *tab) text(selector string) string {
	x.t.Helper()
	return strings.Join(strings.Fields(await[string](x, `(s) => document.querySelector(s)?.innerText ?? null`, selector)), " ")
}

// count is how many elements there are and are shown.
func (x *tab) count(selector string) int {
	x.t.Helper()
	return get[int](x, `(s) => [...document.querySelectorAll(s)].filter((e) => e.checkVisibility()).length`, selector)
}

// says waits for an element to be shown with a text in it, in whatever case.
func (x *tab) says(selector, part string) {
	x.t.Helper()
	await[bool](x, `(s, part) => [...document.querySelectorAll(s)].some((e) => e.checkVisibility() && e.innerText.replace(/\s+/g, " ").toLowerCase().includes(part.toLowerCase()))`, selector, part)
}

// size makes the window so many pixels wide and high.
func (x *tab) size(width, height int64) {
	x.t.Helper()
	x.window = emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1}
	command(x, emulation.SetDeviceMetricsOverride, x.window)
}

// look sets the medium, "" for the screen, and the colour scheme.
func (x *tab) look(medium, scheme string) {
	x.t.Helper()
	command(x, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: medium, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}},
	})
}

// point is where an element can be clicked: it waits until it is in sight, at rest,
// enabled and not covered.
func (x *tab) point(selector string) (at [2]float64) {
	x.t.Helper()
	return await[[2]float64](x, `(s) => {
		const e = document.querySelector(s);
		if (!e || !e.checkVisibility() || e.matches(":disabled")) return null;
		e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
		const box = e.getClientRects()[0];
		if (!box) return null;
		const x = box.x + box.width / 2, y = box.y + box.height / 2;
		const was = e.clickedAt; e.clickedAt = x + " " + y;
		const top = document.elementFromPoint(x, y);
		return was === e.clickedAt && top && (e.contains(top) || top.contains(e) && top.matches("label")) ? [x, y] : null;
	}`, selector)
}

// click clicks an element with the mouse.
func (x *tab) click(selector string) {
	x.t.Helper()
	at := x.point(selector)
	x.mouse(input.DispatchMouseEventTypeMouseMoved, at, 0)
	x.mouse(input.DispatchMouseEventTypeMousePressed, at, 1)
	x.mouse(input.DispatchMouseEventTypeMouseReleased, at, 1)
}

func (x *tab) mouse(kind input.DispatchMouseEventType, at [2]float64, clicks int64) {
	x.t.Helper()
	p := input.DispatchMouseEventParams{Type: kind, X: at[0], Y: at[1], ClickCount: clicks}
	if clicks > 0 {
		p.Button = input.MouseButtonLeft
	}
	command(x, input.DispatchMouseEvent, p)
}

// keys presses keys: letters, or those of package kb.
func (x *tab) keys(keys string, options ...chromedp.KeyOption) {
	x.t.Helper()
	ctx, cancel := context.WithTimeout(x.ctx, awhile)
	defer cancel()
	raw := func(key *input.DispatchKeyEventParams) {
		if key.Type == kb.KeyDown { // a keyboard's; a page that refuses it gets no character
			key.Type = kb.KeyRawDown
		}
	}
	x.must(chromedp.Do(ctx, chromedp.KeyEvent(keys, append(options, raw)...)))
}

// fill puts a text into a field by typing it, in place of what is there.
func (x *tab) fill(selector, text string) {
	x.t.Helper()
	x.click(selector)
	get[bool](x, `(s) => { document.querySelector(s).select(); return true; }`, selector)
	x.keys(kb.Delete + text)
}

// choose selects an option of a list by its value.
func (x *tab) choose(selector, value string) {
	x.t.Helper()
	await[bool](x, `(s, value) => {
		const list = document.querySelector(s);
		if (!list || ![...list.options].some((o) => o.value === value && !o.disabled)) return false;
		list.focus();
		list.value = value;
		list.dispatchEvent(new Event("input", { bubbles: true }));
		list.dispatchEvent(new Event("change", { bubbles: true }));
		return true;
	}`, selector, value)
}
