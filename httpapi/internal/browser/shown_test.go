package browser

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"
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
	if se, err := e.SE.Float64(); err == nil && se == 0 {
		return "no interval: all products moved alike"
	}
	if e.Low == "" {
		return "too few products for an interval"
	}
	return rounded(t, e.Low) + " to " + rounded(t, e.High)
}

// weekText is a change in a week to a decimal, if it is clear.
func (r shownRow) clearText(t testing.TB) string {
	t.Helper()
	if r.Change.hold(t, 0) {
		return "a rise or a fall"
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
