//go:build browser

package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
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

// inspect looks at the page as it stands in all views: axe-core must have no
// finding that is serious, and nothing be wider than the window. It takes a picture
// of each.
func (x *tab) inspect(name string) {
	x.t.Helper()
	x.inspectIn(name, views...)
}

// glance does so in two views, which differ in both ways: for what is but another
// state of a page that is inspected.
func (x *tab) glance(name string) {
	x.t.Helper()
	x.inspectIn(name, views[0], views[3])
}

func (x *tab) inspectIn(name string, views ...view) {
	x.t.Helper()
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
			if f.Impact == "serious" || f.Impact == "critical" {
				x.t.Errorf("%s %s: %s", name, v.name, f)
			} else {
				x.t.Logf("%s %s: %s", name, v.name, f)
			}
		}
	}
	x.size(1280, 900)
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
