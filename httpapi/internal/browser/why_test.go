package browser

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// opened waits for the dialog to show a week of a series, whose published change it names.
func (d *dashboard) opened(series, week string) {
	d.t.Helper()
	query := url.Values{"s": {series}, "week": {week}}.Encode()
	await[bool](d.tab, `(query) => document.querySelector("#why-dialog[open] #why") !== null && document.getElementById("why-alone").search === "?" + query`, query)
	change := strings.NewReplacer("-", "\u2212", "+", "").Replace(d.all[series][week].WoW.String())
	if got := d.text("#why-dialog h2 span"); strings.TrimPrefix(got, "+") != change+"%" {
		d.t.Errorf("%s, week %s: the dialog says %s, want %s", series, week, got, change)
	}
	if rows := d.count("#why-dialog tbody tr"); rows < 6 {
		d.t.Errorf("%s, week %s: %d rows", series, week, rows)
	}
}

// closed waits until there is no dialog, and an element has the focus again.
func (d *dashboard) closed(focused string) {
	d.t.Helper()
	await[bool](d.tab, `(s) => !document.querySelector("#why-dialog[open]") && document.activeElement?.matches(s)`, focused)
}

// testWhy opens weeks of the chart by click, key, finger and link.
func testWhy(t *testing.T, b *browser) {
	d := openDashboard(t, b, "/?s=national.overall")
	weeks := weeksOf(d.all["national.overall"])
	newest, before := weeks[len(weeks)-1], weeks[len(weeks)-2]
	d.click("#plot")
	shown := await[string](d.tab, `() => document.querySelector("#why-dialog[open] #why") && document.getElementById("chart-readout").dataset.week`)
	d.opened("national.overall", shown)
	d.keys(kb.Escape)
	d.closed("#plot")
	d.keys(kb.End)
	d.keys(kb.ArrowLeft)
	d.keys(kb.Enter)
	d.opened("national.overall", before)
	d.everywhere("why-dialog")
	// A category leads on, in the dialog.
	d.click(`#why-dialog a[href*="national.meat"]`)
	d.opened("national.meat", before)
	d.click("#why-close")
	d.closed("#plot")
	d.add("toronto.dairy")
	d.drawn()
	d.click(`#chosen li[data-series="toronto.dairy"] .readout-why`)
	d.opened("toronto.dairy", before)
	d.keys(kb.Escape)
	d.closed(".readout-why")

	// The pages: of a subscriber, and of a stranger.
	d.visit("/why?s=toronto.overall&week=" + newest)
	d.there("#why table")
	d.everywhere("why")
	d.tabThrough("why")
	x := b.open(t, d.f.API.BaseURL)
	x.visit("/figure")
	x.click(fmt.Sprintf(`#values a[href*=%q]`, newest))
	x.there("#why table")
	x.size(320, 700)
	x.fits("why at 320 px")
	x.glance("why-stranger")
}
