package panel

import (
	"cmp"
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"
	"golang.org/x/text/language"
)

// Setting is one setting of a panel. docs/snapshot.md lists the keys.
type Setting struct{ Key, Value string }

const maxSetting = 2000 // bytes

// settings are all keys, each with a check of its values and what it sets.
var settings = []struct {
	key   string
	check func(value string) error
	set   func(a *About, text string)
}{
	{"base_week", checkBaseWeek, func(a *About, text string) { a.BaseWeek, _ = ParseWeek(text) }},
	{"publisher", checkLine, func(a *About, text string) { a.Publisher = text }},
	{"contact", checkContact, func(a *About, text string) { a.Contact = text }},
	{"source", checkLine, func(a *About, text string) { a.Source = text }},
	{"licence", checkLine, func(a *About, text string) { a.Licence = text }},
	{"attribution", checkLine, func(a *About, text string) { a.Attribution = text }},
	{"coverage_note", checkLine, func(a *About, text string) { a.CoverageNote = text }},
	{"place", checkPlace, func(a *About, text string) { a.Place = text }},
	{"places", checkLine, func(a *About, text string) { a.Places = text }},
	{"weights_source", checkLine, func(a *About, text string) { a.WeightsSource = text }},
	{"weights_period", checkLine, func(a *About, text string) { a.WeightsPeriod = text }},
	{"upgrade_url", checkPage, func(a *About, text string) { a.UpgradeURL = text }},
	{"release_time", checkReleaseTime, func(a *About, text string) { a.ReleaseTime = text }},
	{"log_origin", checkOrigin, func(a *About, text string) { a.LogOrigin = text }},
	{"synthetic", checkFlag, func(a *About, text string) { a.Synthetic = text == "1" }},
	{"country", checkCountry, func(a *About, text string) { a.country = text }},
	{"currency", checkCurrency, func(a *About, text string) { a.currency = text }},
	{"time_zone", checkZone, func(a *About, text string) { a.calendar, _ = NewCalendar(text) }},
	{"language", checkLanguage, func(a *About, text string) { a.language = text }},
	{"bundled_words", checkFlag, func(a *About, text string) { a.OwnWords = text == "0" }},
}

// Check returns an error for an unknown key, or a value that its key can't have. The
// error begins with the name of the column.
func (s *Setting) Check() error {
	var known []string
	for _, x := range settings {
		if x.key == s.Key {
			if err := x.check(s.Value); err != nil {
				return fmt.Errorf("value: %s %w", s.Key, err)
			}
			return nil
		}
		known = append(known, x.key)
	}
	return fmt.Errorf("key: %q is unknown; known are %s", s.Key, strings.Join(known, ", "))
}

func checkBaseWeek(value string) error {
	week, err := ParseWeek(value)
	if err != nil {
		return fmt.Errorf("needs a Sunday written YYYY-MM-DD: %w", err)
	}
	if second := week.Date().Time(time.UTC).Unix(); second < firstSecond || second >= endSecond {
		return fmt.Errorf("%s is not in the years %d to %d", week, FirstYear, LastYear)
	}
	return nil
}

func checkLine(value string) error {
	if strings.ContainsFunc(value, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) }) {
		return errors.New("has a line break or another control character; write it in one line")
	}
	if len(value) > maxSetting {
		return fmt.Errorf("has %d bytes; at most %d are kept", len(value), maxSetting)
	}
	return nil
}

// maxPlace is how many characters of a place's name the title of a picture has room for.
const maxPlace = 50

func checkPlace(value string) error {
	if n := utf8.RuneCountInString(value); n > maxPlace {
		return fmt.Errorf("has %d characters; pictures show at most %d", n, maxPlace)
	}
	return checkLine(value)
}

func checkPage(value string) error {
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil {
		return fmt.Errorf("needs the address of a page, such as https://prices.example.org/plans, not %q", value)
	}
	return checkLine(value)
}

func checkContact(value string) error {
	if a, err := mail.ParseAddress(value); err == nil && a.Address == value {
		return checkLine(value)
	}
	if checkPage(value) != nil {
		return fmt.Errorf("needs an e-mail address, or the address of a page such as "+
			"https://prices.example.org/contact, not %q", value)
	}
	return nil
}

func checkReleaseTime(value string) error {
	if t, err := time.Parse("Mon 15:04", value); err != nil || !strings.HasSuffix(value, t.Format(" 15:04")) {
		return fmt.Errorf("needs a weekday and a time of day, such as Mon 08:30, not %q", value)
	}
	return nil
}

// checkOrigin takes what the name of a signed note may be.
func checkOrigin(value string) error {
	bad := func(r rune) bool { return unicode.IsSpace(r) || r == '+' }
	if value == "" || !utf8.ValidString(value) || strings.ContainsFunc(value, bad) {
		return fmt.Errorf("needs a name without spaces and plus, such as prices.example.org, not %q", value)
	}
	return checkLine(value)
}

func checkCountry(value string) error {
	r, err := language.ParseRegion(value)
	if err != nil || !r.IsCountry() || r.String() != value {
		return fmt.Errorf("needs a country of ISO 3166 in two capitals, such as CA, not %.20q", value)
	}
	return nil
}

func checkCurrency(value string) error {
	if unit, err := currency.ParseISO(value); err != nil || unit.String() != value {
		return fmt.Errorf("needs a currency of ISO 4217 in three capitals, such as CAD, not %.20q", value)
	}
	return nil
}

func checkZone(value string) error {
	_, err := NewCalendar(value)
	return err
}

// Languages are those in which pages are written.
var Languages = []string{"en", "fr"}

func checkLanguage(value string) error {
	if !slices.Contains(Languages, value) {
		return fmt.Errorf("needs a language of the pages, %s, not %.20q", strings.Join(Languages, " or "), value)
	}
	return nil
}

func checkFlag(value string) error {
	if value != "0" && value != "1" {
		return fmt.Errorf("needs 0 or 1, not %q", value)
	}
	return nil
}

// NextRelease returns the first planned release after an instant. Releases are planned once a
// week by the calendar, on Mondays at 08:30 without the setting, so they are seven days apart but for an
// hour twice a year. A ReleaseTime that Setting.Check refuses gives the zero time.
func (a *About) NextRelease(after time.Time) time.Time {
	text := cmp.Or(a.ReleaseTime, "Mon 08:30")
	if checkReleaseTime(text) != nil {
		return time.Time{}
	}
	weekday, clock, _ := strings.Cut(text, " ")
	at, _ := time.Parse("15:04", clock) // it was checked
	for day := a.calendar.DateIn(after); ; day++ {
		y, m, d := day.Time(time.UTC).Date()
		planned := time.Date(y, m, d, at.Hour(), at.Minute(), 0, 0, a.calendar.Zone())
		if strings.EqualFold(day.Time(time.UTC).Weekday().String()[:len("Mon")], weekday) && planned.After(after) {
			return planned.UTC()
		}
	}
}
