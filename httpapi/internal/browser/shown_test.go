//go:build browser

package browser

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What the page says to people, made from the API's numbers. Data attributes don't
// tell whether a number is in its place, or has its sign.

// rounded writes an amount, without its sign, to a decimal. It is the double that
// is rounded, halves up, as the page has no other number.
func rounded(t testing.TB, n json.Number) string {
	t.Helper()
	if n == "" {
		return "–"
	}
	v, err := json.Number(strings.TrimPrefix(n.String(), "-")).Float64()
	if err != nil {
		t.Fatal(err)
	}
	return new(big.Rat).SetFloat64(v).FloatString(1)
}

// signedText is a change with so many digits of its amount. Zero has no sign, and the
// minus is U+2212.
func signedText(change json.Number, digits string) string {
	switch {
	case change == "":
		return "–"
	case strings.Trim(digits, "0.") == "":
		return digits + "%"
	case strings.HasPrefix(change.String(), "-"):
		return "\u2212" + digits + "%"
	}
	return "+" + digits + "%"
}

// exactText is a change digit for digit.
func exactText(change json.Number) string {
	return signedText(change, strings.TrimPrefix(change.String(), "-"))
}

// arrowText is the arrow of a change as far as a decimal shows it, or level.
func arrowText(t testing.TB, change json.Number, level string) string {
	t.Helper()
	switch {
	case rounded(t, change) == "0.0":
		return level
	case strings.HasPrefix(change.String(), "-"):
		return "▼ "
	}
	return "▲ "
}

// movedText is a change to a decimal, behind its arrow.
func movedText(t testing.TB, change json.Number, level string) string {
	t.Helper()
	if change == "" {
		return "–"
	}
	return arrowText(t, change, level) + signedText(change, rounded(t, change))
}

// hold reports whether an interval contains a value.
func (e ends) hold(t testing.TB, value float64) bool {
	t.Helper()
	if e.Low == "" {
		return false
	}
	low, err1 := e.Low.Float64()
	high, err2 := e.High.Float64()
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	return low <= value && value <= high
}

// text writes the ends of a level's interval to a decimal.
func (e ends) text(t testing.TB) string {
	t.Helper()
	if e.Low == "" {
		return "too few products for an interval"
	}
	return rounded(t, e.Low) + " to " + rounded(t, e.High)
}

// weekText is a change in a week to a decimal, if it is clear.
func (r shownRow) clearText(t testing.TB) string {
	t.Helper()
	if r.Change.hold(t, 0) {
		return "no clear change"
	}
	return signedText(r.WoW, rounded(t, r.WoW))
}

func (r shownRow) pricedText() string { return fmt.Sprintf("%s of %s", r.Items, r.TotalItems) }

func weekText(t testing.TB, week string) string {
	t.Helper()
	day, err := time.Parse(time.DateOnly, week)
	if err != nil {
		t.Fatal(err)
	}
	return day.Format("January 2, 2006")
}

// absentText says why a series has no row of a week.
func (d *dashboard) absentText(series, week string) string {
	if strings.HasSuffix(series, ".overall") && week < weeksOf(d.all[series])[0] {
		return "– before its first week"
	}
	return "– not published: too few matched products"
}

// readoutText is the text about a series in the week under the pointer, in index levels.
func (d *dashboard) readoutText(series, week string) string {
	r, ok := d.all[series][week]
	if !ok {
		return d.absentText(series, week)
	}
	interval := r.Quality.text(d.t)
	if r.Quality.Low != "" {
		interval = "95%: " + interval
	}
	return fmt.Sprintf("%s %s 1 week %s 4 weeks %s %s matched", rounded(d.t, r.IndexValue), interval, r.clearText(d.t), signedText(r.MoM, rounded(d.t, r.MoM)), r.pricedText())
}

// texts are the texts of elements as they are shown, spaces joined.
func (x *tab) texts(selector string) []string {
	x.t.Helper()
	return get[[]string](x, `(s) => [...document.querySelectorAll(s)].map((e) => e.innerText.trim().replace(/\s+/g, " "))`, selector)
}

// reads compares texts with what they should be. One of them at least must tell of
// a fall, as a page that loses every minus is wrong only there.
func (x *tab) reads(name string, want, got any) {
	x.t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		x.t.Errorf("%s (-API +page):\n%s", name, diff)
	}
	if all := fmt.Sprint(want); !strings.Contains(all, "\u2212") && !strings.Contains(all, "▼") {
		x.t.Errorf("%s: nothing falls: %s", name, all)
	}
}

// headlineReads compares the words of the headline.
func (d *dashboard) headlineReads(r shownRow) {
	d.t.Helper()
	fact := func(change json.Number) string {
		if change == "" {
			return "–"
		}
		return arrowText(d.t, change, "■ ") + rounded(d.t, change) + "%"
	}
	week := fact(r.WoW)
	if r.Change.hold(d.t, 0) {
		week = "No clear change"
	}
	interval := fmt.Sprintf("95%% interval %s to %s", signedText(r.Change.Low, rounded(d.t, r.Change.Low)), signedText(r.Change.High, rounded(d.t, r.Change.High)))
	small := d.texts("#headline dd.small")
	_, shown, _ := strings.Cut(small[0], "; ")
	want := []string{rounded(d.t, r.IndexValue), week, fact(r.MoM), r.pricedText(), "$" + r.Cost.String(), interval}
	d.reads("headline", want, append(append(d.texts("#headline .big"), d.texts("#headline dd.fact")...), shown))
	level := "95% interval " + r.Quality.text(d.t) + map[bool]string{true: ": no clear change since the base week."}[r.Quality.hold(d.t, 100)]
	if got := d.text("#headline-interval"); !strings.HasPrefix(got, level) {
		d.t.Errorf("the level's interval is put as %q, want %q", got, level)
	}
	words := strings.Join(small, "; ")
	for _, change := range []json.Number{r.WoW, r.MoM} {
		if change == r.WoW && r.Change.hold(d.t, 0) {
			continue
		}
		where := map[string]string{"▲ ": "up ", "▼ ": "down "}[arrowText(d.t, change, "")]
		if change != "" && where != "" && !strings.Contains(words, where+rounded(d.t, change)+"%") {
			d.t.Errorf("a change of %s is put as %q", change, words)
		}
	}
}

// multiplesRead compares the numbers of the categories of the newest week.
func (d *dashboard) multiplesRead(categories []string, week string) {
	d.t.Helper()
	var want []string
	for _, series := range categories {
		r, ok := d.all[series][week]
		if !ok {
			want = append(want, "– not published")
			continue
		}
		want = append(want, fmt.Sprintf("%s %s in a week", rounded(d.t, r.IndexValue), movedText(d.t, r.WoW, "■ ")))
	}
	d.reads("categories", want, d.texts("#multiples .multiple-numbers"))
	for i, foot := range d.texts("#multiples .multiple-foot") {
		r, ok := d.all[categories[i]][week]
		if unclear := strings.Contains(foot, ": no clear change since"); ok && (!strings.Contains(foot, r.Quality.text(d.t)) || unclear != r.Quality.hold(d.t, 100)) {
			d.t.Errorf("%s, at %v: %q", categories[i], r.Quality, foot)
		}
	}
}

// tableReads compares every cell of the chart's table, the newest week first.
func (d *dashboard) tableReads(shown []string) {
	d.t.Helper()
	var want [][]string
	for _, week := range slices.Backward(weeksOf(d.all["national.overall"])) {
		row := []string{weekText(d.t, week)}
		for _, series := range shown {
			r, ok := d.all[series][week]
			if !ok {
				row = append(row, d.absentText(series, week))
				continue
			}
			interval := r.Quality.text(d.t)
			if r.Quality.Low != "" {
				interval = fmt.Sprintf("%s to %s", r.Quality.Low, r.Quality.High)
			}
			row = append(row, r.IndexValue.String(), interval, exactText(r.WoW), exactText(r.MoM), r.Cost.String(), r.pricedText())
		}
		want = append(want, row)
	}
	got := get[[][]string](d.tab, `() => [...document.querySelectorAll("#chart-table tbody tr")].map((r) => [...r.cells].map((e) => e.innerText.trim().replace(/\s+/g, " ")))`)
	d.reads("table", want, got)
}
