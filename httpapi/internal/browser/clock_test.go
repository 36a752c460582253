//go:build browser

package browser

import (
	"fmt"
	"time"

	cdppage "github.com/chromedp/cdproto/page"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// clockScript has pages read a clock that starts where the server's does, and that
// tests put forward.
const clockScript = `(() => {
	const RealDate = Date, now = performance.now.bind(performance), shift = %d - Date.now();
	let ahead = %d;
	window.Date = class Date extends RealDate {
		constructor(...args) { if (args.length > 0) super(...args); else super(Date.now()); }
		static now() { return RealDate.now() + shift + ahead; }
	};
	performance.now = () => now() + ahead;
	const origin = performance.timeOrigin + shift + ahead;
	Object.defineProperty(performance, "timeOrigin", { get: () => origin });
	window.putForward = (ms) => { ahead += ms; };
})()`

// setClock sets the clock of the pages that are opened from now on.
func (x *tab) setClock() {
	x.t.Helper()
	if x.clocks != "" {
		command(x, cdppage.RemoveScriptToEvaluateOnNewDocument, cdppage.RemoveScriptToEvaluateOnNewDocumentParams{Identifier: x.clocks})
	}
	script := fmt.Sprintf(clockScript, apitest.Now.UnixMilli(), x.ahead.Milliseconds())
	x.clocks = command(x, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: script}).Identifier
}

// later puts the clock forward, so that no test waits for a countdown or a session's
// end.
func (x *tab) later(by time.Duration) {
	x.t.Helper()
	x.ahead += by
	x.setClock()
	get[bool](x, `(ms) => { window.putForward(ms); return true; }`, by.Milliseconds())
}
