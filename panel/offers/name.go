package offers

import (
	"fmt"
	"path"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/larder-index/larder/panel"
)

// fromName takes what patterns find in the name of a file, or else in its whole path. The
// first pattern that finds a field says it.
func (m *Mapping) fromName(file string, o *Offer) (day panel.Date, err error) {
	file = strings.TrimSuffix(file, ".gz")
	for _, p := range m.names {
		found := p.FindStringSubmatch(path.Base(file))
		if found == nil {
			found = p.FindStringSubmatch(file)
		}
		date := map[string]string{}
		for i, text := range found {
			group := p.SubexpNames()[i]
			if set := texts[group]; set == nil {
				date[group] = text
			} else if field := set(o); *field == "" {
				*field = strings.TrimSpace(strings.ReplaceAll(text, "_", " "))
			}
		}
		if year := date["year"]; day == 0 && year != "" {
			text := fmt.Sprintf("20%s-%02s-%02s", year[len(year)-2:], date["month"], date["day"])
			if day, err = panel.ParseDate(text); err != nil {
				return 0, err
			}
		}
	}
	return day, nil
}

// noon returns noon of a day.
func noon(day panel.Date, c panel.Calendar) time.Time {
	year, month, d := day.Time(time.UTC).Date()
	return time.Date(year, month, d, 12, 0, 0, 0, c.Zone())
}

// fold makes the headings of one column alike that differ in case, accents, spaces or signs.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return r
	}, norm.NFD.String(strings.ReplaceAll(strings.ToLower(s), "đ", "d")))
}
