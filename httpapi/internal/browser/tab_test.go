package browser

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// awhile is how long a page may take to do what is awaited of it. Nothing waits
// that long but on a machine that is overloaded, or in vain.
const awhile = 20 * time.Second

// tab is a page in a browser context of its own: no cookie, nothing cached. What
// it does is recorded, and must be free of faults when its test ends.
type tab struct {
	t    testing.TB
	ctx  context.Context
	b    *browser
	base string // the address of the server, such as "http://127.0.0.1:4321"

	guests string // the address of frames of another server; or empty

	window emulation.SetDeviceMetricsOverrideParams // as size set it

	mu       sync.Mutex
	said     []string // what the browser complains of
	expected []*expectation
	asked    []*asked
	dialogs  chan string // the kinds of dialogs that opened

	ahead  time.Duration // of the server's first reading of its clock
	clocks cdppage.ScriptIdentifier
	byID   map[network.RequestID]*asked
}

// asked is a request of the page's.
type asked struct {
	method, url string
	kind        network.ResourceType
	loader      cdp.LoaderID // the document that asked
	status      int64
	done        bool
}

// path is the address without the server's.
func (a *asked) path() string {
	u, err := url.Parse(a.url)
	if err != nil {
		return a.url
	}
	return u.RequestURI()
}

// api says whether a script asked, and not the page itself.
func (a *asked) api() bool {
	return a.kind == network.ResourceTypeFetch || a.kind == network.ResourceTypeXHR
}

type expectation struct {
	*regexp.Regexp
	seen bool
}

// open opens a tab. Its faults fail the test, except those that expect names.
func (b *browser) open(t testing.TB, base string) *tab {
	t.Helper()
	x := &tab{t: t, b: b, base: base, byID: map[network.RequestID]*asked{}, dialogs: make(chan string, 8)}
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext(), chromedp.WithListener(x.record))
	t.Cleanup(cancel)
	x.ctx = ctx
	x.must(chromedp.Do(ctx))
	command(x, audits.Enable, cdp.Empty{})
	command(x, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	x.size(1280, 900)
	x.setClock()
	t.Cleanup(func() {
		x.check()
		if t.Failed() {
			x.shoot("failed-" + strings.ReplaceAll(t.Name(), "/", "-"))
		}
	})
	return x
}

// command sends a command of the protocol.
func command[P, R any](x *tab, c cdp.Command[P, R], params P) R {
	x.t.Helper()
	ctx, cancel := context.WithTimeout(x.ctx, awhile)
	defer cancel()
	r, err := chromedp.Call(ctx, c, params)
	x.must(err)
	return r
}

func (x *tab) must(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
}

// record notes what happens. The browser's events come before the answer to
// whatever is asked after them.
func (x *tab) record(event any) {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		var text strings.Builder
		for _, a := range e.Args {
			fmt.Fprintf(&text, " %s%s", a.Value, a.Description)
		}
		x.complain("console.%s:%s", e.Type, &text)
	case *runtime.EventExceptionThrown:
		x.complain("exception: %s %s", e.ExceptionDetails.Text, described(e.ExceptionDetails))
	case *log.EventEntryAdded:
		x.complain("%s %s: %s %s", e.Entry.Source, e.Entry.Level, e.Entry.Text, e.Entry.URL)
	case *audits.EventIssueAdded:
		x.complainOfIssue(e.Issue)
	case *network.EventRequestWillBeSent:
		x.finish(e.RequestID) // it was redirected
		a := &asked{method: e.Request.Method, url: e.Request.URL, kind: e.Type, loader: e.LoaderID}
		x.asked, x.byID[e.RequestID] = append(x.asked, a), a
		if u, err := url.Parse(a.url); err != nil || u.Scheme != "data" && u.Scheme != "blob" && u.Scheme+"://"+u.Host != x.base && u.Scheme+"://"+u.Host != x.guests {
			x.complain("another host: %s", a.url)
		}
	case *cdppage.EventJavascriptDialogOpening:
		x.dialogs <- e.Type.String()
	case *cdppage.EventFrameNavigated:
		for _, a := range x.asked {
			a.done = a.done || a.loader != e.Frame.LoaderID // nobody waits for it now
		}
	case *network.EventResponseReceived:
		if a := x.byID[e.RequestID]; a != nil {
			a.status = e.Response.Status
		}
	case *network.EventLoadingFinished:
		x.finish(e.RequestID)
	case *network.EventLoadingFailed:
		x.finish(e.RequestID)
	}
}

func (x *tab) finish(id network.RequestID) {
	if a := x.byID[id]; a != nil {
		a.done = true
	}
}

// complain notes a fault, unless it is expected.
func (x *tab) complain(format string, a ...any) {
	text := fmt.Sprintf(format, a...)
	for _, e := range x.expected {
		if e.MatchString(text) {
			e.seen = true
			return
		}
	}
	x.said = append(x.said, text)
}

// described returns the description of an exception.
func described(d *runtime.ExceptionDetails) string {
	if d.Exception == nil {
		return ""
	}
	return d.Exception.Description
}

// expect lets pass the faults that a regular expression matches. One must occur.
func (x *tab) expect(pattern string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.expected = append(x.expected, &expectation{Regexp: regexp.MustCompile(pattern)})
}

// refused expects what the browser says of an answer that is no success.
func (x *tab) refused(path, status string) {
	x.expect(`^network error: Failed to load resource: the server responded with a status of ` + status + ` .*` + regexp.QuoteMeta(path))
}

// complainOfIssue notes what DevTools lists as an issue: violations of the
// policy, quirks mode, faults of forms, what is deprecated.
func (x *tab) complainOfIssue(issue *audits.InspectorIssue) {
	d := issue.Details
	switch {
	case d == nil:
		x.complain("issue: %s", issue.Code)
	case d.ContentSecurityPolicyIssueDetails != nil:
		v := d.ContentSecurityPolicyIssueDetails
		x.complain("policy: %s: %s %s", v.ContentSecurityPolicyViolationType, v.ViolatedDirective, v.BlockedURL)
	case d.GenericIssueDetails != nil:
		v := d.GenericIssueDetails
		x.complain("issue: %s: %s, node %d", issue.Code, v.ErrorType, v.ViolatingNodeID)
	default:
		x.complain("issue: %s", issue.Code)
	}
}

// faults returns what the browser complained of so far.
func (x *tab) faults() []string {
	// The answer comes after all that was to be told before it.
	command(x, audits.CheckFormsIssues, cdp.Empty{})
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.said)
}

// check fails the test for each fault, and for each that was expected in vain.
func (x *tab) check() {
	x.t.Helper()
	for _, fault := range x.faults() {
		x.t.Errorf("%s", fault)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, e := range x.expected {
		if !e.seen {
			x.t.Errorf("the browser never said %s", e)
		}
	}
}

// requests returns what the page asked for since the last call of forget.
func (x *tab) requests() []asked {
	x.mu.Lock()
	defer x.mu.Unlock()
	var list []asked
	for _, a := range x.asked {
		list = append(list, *a)
	}
	return list
}

// apiRequests returns those of scripts, as "GET /path".
func (x *tab) apiRequests() []string {
	var list []string
	for _, a := range x.requests() {
		if a.api() {
			list = append(list, a.method+" "+a.path())
		}
	}
	return list
}

// forget forgets the requests so far.
func (x *tab) forget() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.asked = nil
}

// busy says whether a request is under way.
func (x *tab) busy() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.ContainsFunc(x.asked, func(a *asked) bool { return !a.done })
}

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
