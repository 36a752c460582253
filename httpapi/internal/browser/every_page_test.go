package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// finding is a rule of axe-core that a page breaks.
type finding struct {
	Rule   string   `json:"rule"`
	Impact string   `json:"impact"`
	Help   string   `json:"help"`
	Nodes  []string `json:"nodes"`
}

func (f finding) String() string {
	return fmt.Sprintf("%s (%s): %s\n\t%s", f.Rule, f.Impact, f.Help, strings.Join(f.Nodes, "\n\t"))
}

// axe returns what axe-core finds: the rules of WCAG 2.2 AA and its best practices. Its
// script runs in a world of its own, where the page's policy and globals don't reach.
func (x *tab) axe() []finding {
	x.t.Helper()
	tree := command(x, cdppage.GetFrameTree, struct{}{})
	world := command(x, cdppage.CreateIsolatedWorld, cdppage.CreateIsolatedWorldParams{FrameID: tree.FrameTree.Frame.ID, WorldName: "axe"})
	inWorld := func(p *runtime.EvaluateParams) { p.ContextID = world.ExecutionContextID }
	ctx, cancel := context.WithTimeout(x.ctx, awhile)
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](x.b.axe+"\n;0", inWorld))
	x.must(err)
	found, err := chromedp.Run(ctx, chromedp.Evaluate[[]finding](`axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations.map((v) => ({
		rule: v.id, impact: v.impact ?? "", help: v.help,
		nodes: v.nodes.map((n) => n.target.join(" ") + ": " + n.html.slice(0, 200) + " " + (n.failureSummary ?? "").replace(/\s+/g, " ")),
	})))`, inWorld, chromedp.EvalAwaitPromise))
	x.must(err)
	return found
}

// view is a window and its colours.
type view struct {
	name          string
	width, height int64
	scheme        string
}

// views are how every page is looked at.
var views = []view{
	{"1280-light", 1280, 900, "light"},
	{"1280-dark", 1280, 900, "dark"},
	{"390-light", 390, 844, "light"},
	{"390-dark", 390, 844, "dark"},
}

// everyWidth is views from a phone to a wide screen.
var everyWidth = append(slices.Clone(views), view{"768-light", 768, 1024, "light"}, view{"768-dark", 768, 1024, "dark"}, view{"1920-light", 1920, 1080, "light"}, view{"1920-dark", 1920, 1080, "dark"})

// everywhere looks at the page in views of every width.
func (x *tab) everywhere(name string) {
	x.t.Helper()
	x.inspectIn(name, everyWidth...)
}

// inspect looks at the page in all views.
func (x *tab) inspect(name string) {
	x.t.Helper()
	x.inspectIn(name, views...)
}

// glance looks in two views, which differ in width and colours: at another state of a page
// that is inspected.
func (x *tab) glance(name string) {
	x.t.Helper()
	x.inspectIn(name, views[0], views[3])
}

// inspectIn fails the test if axe-core finds anything in a view of the page, or the page is
// wider than the window. It takes a picture of each view.
func (x *tab) inspectIn(name string, views ...view) {
	x.t.Helper()
	was := x.window
	if testing.Short() && len(views) > 2 {
		views = []view{views[0], views[3]}
	}
	for _, v := range views {
		x.size(v.width, v.height)
		x.look("", v.scheme)
		x.settle()
		x.fits(name + " " + v.name)
		x.shoot(name + "-" + v.name)
		if x.b.axe == "" {
			x.t.Log("axe-core is not installed: run make browser")
			continue
		}
		for _, f := range x.axe() {
			x.t.Errorf("%s %s: %s", name, v.name, f)
		}
	}
	x.size(was.Width, was.Height)
	x.look("", "light")
}

// fits fails the test if the page can be scrolled sideways.
func (x *tab) fits(name string) {
	x.t.Helper()
	wide := get[[]string](x, `() => {
		const width = document.documentElement.clientWidth;
		if (document.scrollingElement.scrollWidth <= width) return [];
		return [...document.body.querySelectorAll("*")].filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > width + 1)
			.map((e) => e.outerHTML.slice(0, 120)).slice(0, 5);
	}`)
	if len(wide) > 0 {
		x.t.Errorf("%s: wider than the window: %q", name, wide)
	}
}

// shoot takes a picture of the whole page, if pictures are wanted.
func (x *tab) shoot(name string) {
	x.t.Helper()
	if *screenshots == "" {
		return
	}
	ctx, cancel := context.WithTimeout(x.ctx, awhile)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	x.must(err)
	x.must(os.MkdirAll(*screenshots, 0o755))
	x.must(os.WriteFile(filepath.Join(*screenshots, name+".png"), picture, 0o644))
}

// testKeyboard presses Tab through every page: everything that can be operated gets
// the focus, visibly, in turn, and lets go of it. At 320 px nothing is too wide.
func testKeyboard(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	key := f.standardKey()
	list := apitest.List(t, "toronto", "1x2,9x0.5,12", "bigfathom", "nickelbasket", "northlarch")
	for _, c := range []struct {
		name, path, there string
		signedIn          bool
	}{
		{"front", "/", "#front", false},
		{"signin", "/account", "#signin:not([disabled])", false},
		{"shopper", "/shopper", "#shopper[data-state=ready]", false},
		{"shopper-result", apitest.PageURL("", list), "#recommendation", false},
		{"desk", "/?s=national.dairy&s=toronto.dairy&tab=chains", ".hand", true},
		{"figure", "/figure", ".hand", false},
		{"account", "/account", "#usage-words", true},
		{"methodology", "/methodology", "article.document", false},
		{"docs", "/docs/shopper", "article.document", false},
	} {
		x := b.open(t, f.API.BaseURL)
		if c.signedIn {
			x = f.signedIn(b, key)
		}
		x.visit(c.path)
		x.there(c.there)
		x.settle()
		x.size(320, 700)
		x.settle()
		x.fits(c.name + " at 320 px")
		x.shoot("narrow-" + c.name)
		x.size(1280, 900)
		x.settle()
		x.tabThrough(c.name)
	}
}

// tabThrough goes once around the page.
func (x *tab) tabThrough(name string) {
	x.t.Helper()
	// Of a group of radio buttons, Tab reaches one.
	want := get[int](x, `() => {
		const groups = new Set();
		window.tabbed = new Set();
		window.tabbable = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")].filter((e) => {
			if (!e.checkVisibility({ visibilityProperty: true }) || e.disabled || e.tabIndex < 0) return false;
			if (e.type !== "radio") return true;
			const is = groups.has(e.name); groups.add(e.name); return !is;
		});
		document.activeElement?.blur();
		return window.tabbable.length;
	}`)
	const step = `() => {
		const e = document.activeElement;
		if (!e || e === document.body) return "";
		if (e === window.lastTabbed && e.type === "date") return "inside"; // it has stops of its own
		window.lastTabbed = e;
		if (window.tabbed.has(e)) return "again";
		window.tabbed.add(e);
		const style = getComputedStyle(e), box = e.getBoundingClientRect();
		const ring = (s) => s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0;
		const seen = ring(style) || e.closest("label") && ring(getComputedStyle(e.closest("label"))) || style.boxShadow !== "none";
		const inside = box.bottom > 0 && box.top < innerHeight;
		return (seen ? "" : "no focus ring: ") + (inside ? "" : "out of sight: ") + e.outerHTML.slice(0, 100);
	}`
	for range want + 60 {
		x.keys(kb.Tab)
		got := get[string](x, step)
		if got == "" || got == "again" {
			break
		}
		if strings.HasPrefix(got, "no focus ring") || strings.Contains(got, "out of sight: ") {
			x.t.Errorf("%s: %s", name, got)
		}
	}
	for _, missed := range get[[]string](x, `() => window.tabbable.filter((e) => e.isConnected && e.checkVisibility({ visibilityProperty: true }) && !window.tabbed.has(e) &&
		!(e.type === "radio" && [...window.tabbed].some((o) => o.name === e.name))).map((e) => e.outerHTML.slice(0, 100))`) {
		x.t.Errorf("%s: Tab does not reach %s", name, missed)
	}
}
