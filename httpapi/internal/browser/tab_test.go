//go:build browser

package browser

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
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
	bytes       int64 // of the body, unpacked
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
	x := b.openQuietly(t, base)
	t.Cleanup(func() {
		x.check()
		if t.Failed() {
			x.shoot("failed-" + strings.ReplaceAll(t.Name(), "/", "-"))
		}
	})
	return x
}

// openQuietly opens a tab whose faults are only recorded.
func (b *browser) openQuietly(t testing.TB, base string) *tab {
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
		a := &asked{method: e.Request.Method, url: e.Request.URL, kind: e.Type, loader: e.LoaderID}
		x.asked, x.byID[e.RequestID] = append(x.asked, a), a
		if u, err := url.Parse(a.url); err != nil || u.Scheme != "data" && u.Scheme != "blob" && u.Scheme+"://"+u.Host != x.base {
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
	case *network.EventDataReceived:
		if a := x.byID[e.RequestID]; a != nil {
			a.bytes += e.DataLength
		}
	case *network.EventLoadingFinished:
		if a := x.byID[e.RequestID]; a != nil {
			a.done = true
		}
	case *network.EventLoadingFailed:
		if a := x.byID[e.RequestID]; a != nil {
			a.done = true
		}
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

// described is what an exception says of itself.
func described(d *runtime.ExceptionDetails) string {
	if d.Exception == nil {
		return ""
	}
	return d.Exception.Description
}
