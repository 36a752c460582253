//go:build browser

package browser

import (
	"context"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

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
	x.must(chromedp.Do(ctx, chromedp.KeyEvent(keys, options...)))
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
