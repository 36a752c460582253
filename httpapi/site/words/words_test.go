package words

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/panel"
)

func TestWriting(t *testing.T) {
	t.Parallel()
	of := func(l *Language, currency string) *Language {
		about, err := panel.NewAbout(map[string]string{"currency": currency}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return l.Of(about)
	}
	clockOf := func(zone string) string {
		about, err := panel.NewAbout(map[string]string{"time_zone": zone}, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, city, _ := strings.Cut(French.Moment(time.Time{}, about.Calendar()), "heure ")
		return city
	}
	toronto := []string{"Toronto"}
	noon := time.Date(2026, time.November, 21, 17, 5, 0, 0, time.UTC)
	for _, c := range []struct{ what, en, fr, wantEn, wantFr string }{
		{"money", English.Money("319.20"), French.Money("319.20"), "$319.20", "319,20\u00a0$"},
		{"much money", English.Money("-1234567.5"), French.Money("-1234567.5"), "−$1,234,567.5", "−1\u00a0234\u00a0567,5\u00a0$"},
		{"euros", of(English, "EUR").Money("83.44"), of(French, "EUR").Money("83.44"), "€83.44", "83,44\u00a0€"},
		{"yen", of(English, "JPY").Money("1240"), of(French, "JPY").Money("1240"), "¥1,240", "1\u00a0240\u00a0¥"},
		{"a code", of(English, "CHF").Money("-83.44"), of(French, "CHF").Money("83.44"), "−CHF\u00a083.44", "83,44\u00a0CHF"},
		{"decimals", fmt.Sprint(English.Cents(), of(English, "JPY").Cents()), "", "2 0", ""},
		{"percent", English.Percent("0.3"), French.Percent("0.3"), "0.3%", "0,3\u00a0%"},
		{"rise", English.Change("0.3"), French.Change("0.3"), "+0.3%", "+0,3\u00a0%"},
		{"fall", English.Change("-12.0"), French.Change("-12.0"), "−12.0%", "−12,0\u00a0%"},
		{"no change", English.Change("-0.0"), French.Change("0.0"), "0.0%", "0,0\u00a0%"},
		{"level", English.Number("101.6"), French.Number("101.6"), "101.6", "101,6"},
		{"hundreds", English.Number(999), French.Number(999), "999", "999"},
		{"thousands", English.Number(1000), French.Number(1000), "1,000", "1\u00a0000"},
		{"day", English.Day(panel.DateOf(2026, time.November, 21)), French.Day(panel.DateOf(2026, time.November, 21)), "November 21, 2026", "21 novembre 2026"},
		{"first day", English.Day(panel.DateOf(2026, time.May, 1)), French.Day(panel.DateOf(2026, time.May, 1)), "May 1, 2026", "1er mai 2026"},
		{"instant", English.Moment(noon, panel.Calendar{}), French.Moment(noon, panel.Calendar{}), "Saturday, November 21, 2026, 12:05 Toronto time", "samedi 21 novembre 2026 à 12\u00a0h\u00a005, heure de Toronto"},
		{"hour", English.Moment(noon.Add(-5*time.Minute), panel.Calendar{}), French.Moment(noon.Add(-5*time.Minute), panel.Calendar{}), "Saturday, November 21, 2026, 12:00 Toronto time", "samedi 21 novembre 2026 à 12\u00a0h, heure de Toronto"},
		{"city", English.In(Places{Cities: toronto}), French.In(Places{Cities: toronto, Place: "Toronto"}), "in Toronto", "à Toronto"},
		{"province", English.In(Places{Place: "Ontario"}), French.In(Places{Place: "Ontario"}), "in Ontario", "(Ontario)"},
		{"its city", English.In(Places{Cities: toronto, Place: "Ontario"}), French.In(Places{Cities: toronto, Place: "Ontario"}), "in Ontario: Toronto", "Ontario (Toronto)"},
		{"regions", English.In(Places{Cities: make([]string, 2), Parts: "regions"}), French.In(Places{Cities: make([]string, 2), Parts: "regions"}), "in 2 regions", "dans 2 lieux"},
		{"cities", clockOf("Europe/Amsterdam"), clockOf("America/Halifax"), "d’Amsterdam", "d’Halifax"},
		{"more cities", clockOf("Asia/Hong_Kong"), clockOf("America/Montreal"), "de Hong Kong", "de Montréal"},
		{"one", English.T("{n} older ones are in the JSON.", 1), French.T("{n} older ones are in the JSON.", 1), "1 older one is in the JSON.", "1 diffusion plus ancienne figure dans le fichier JSON."},
		{"many", English.T("{n} older ones are in the JSON.", 1200), French.T("{n} older ones are in the JSON.", 1200), "1,200 older ones are in the JSON.", "1\u00a0200 diffusions plus anciennes figurent dans le fichier JSON."},
		{"markup", string(English.HTML("Source: {source}.", "<b> %d")), string(French.HTML("Source: {source}.", "<b> %d")), "Source: &lt;b&gt; %d.", "Source\u00a0: &lt;b&gt; %d."},
		{"no key", English.T("50% {of} it", 2), French.T("50% {of} it", 2), "50% {of} it", "50% {of} it"},
	} {
		if c.en != c.wantEn || c.fr != c.wantFr {
			t.Errorf("%s: %q and %q, want %q and %q", c.what, c.en, c.fr, c.wantEn, c.wantFr)
		}
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for english, fr := range map[string]string{"/": "/fr", "/shopper": "/fr/shopper", "/docs/api": "/fr/docs/api"} {
		if got := French.At(english); got != fr || English.At(english) != english {
			t.Errorf("%s in French: %s", english, got)
		}
		if l, path := Locate(fr); l != French || path != english {
			t.Errorf("%s is %s in %s", fr, path, l.Tag)
		}
	}
	for _, address := range []string{"/", "/fresh", "/docs/fr", "/FR/docs", ""} {
		if l, path := Locate(address); l != English || path != address {
			t.Errorf("%s is %s in %s", address, path, l.Tag)
		}
	}
	const markup = `<a href="/">a</a><a href="/docs/api#x">b</a><a href="/shopper?a=1">c</a><a href="/releases.json">d</a><a href="/openapi.json">e</a><a href="https://example.org/">f</a>`
	const want = `<a href="/fr">a</a><a href="/fr/docs/api#x">b</a><a href="/fr/shopper?a=1">c</a><a href="/releases.json">d</a><a href="/openapi.json">e</a><a href="https://example.org/">f</a>`
	if got := French.Links(markup); got != want {
		t.Errorf("links %s", got)
	}
}
