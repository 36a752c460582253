package panel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/suggest"
)

// Annotation is an event that charts mark on its day.
type Annotation struct {
	Date   Date   `json:"date"`             // written as days since 1970-01-01 in JSON
	Series string `json:"series,omitempty"` // name of the only series that it belongs to; empty: all
	Text   string `json:"text"`
	TextFr string `json:"text_fr,omitempty"` // in French; empty: Text is shown
}

const maxAnnotation = 120

// Check returns an error for texts that a chart can't show. The error begins with the
// name of the column. It does not look up the series.
func (a *Annotation) Check() error {
	for _, x := range []struct{ name, text string }{{"text", a.Text}, {"text_fr", a.TextFr}} {
		if err := checkLine(x.text); err != nil {
			return fmt.Errorf("%s %w", x.name, err)
		}
		if n := utf8.RuneCountInString(x.text); n > maxAnnotation {
			return fmt.Errorf("%s has %d characters; a chart has room for %d", x.name, n, maxAnnotation)
		}
	}
	return nil
}

// CompareAnnotations orders annotations by date, then series.
func CompareAnnotations(a, b *Annotation) int {
	return cmp.Or(cmp.Compare(a.Date, b.Date), strings.Compare(a.Series, b.Series))
}

// national begins the name of a national series.
const national = "national"

// ParseSeries reads the name of a series: national.CATEGORY, CITY.CATEGORY or
// CITY.BANNER.CATEGORY, with the slug of a city, the key of a banner and a word of a list. It returns
// the city's display name and the banner's key, empty where the series has none. The
// error names the part that is unknown and the nearest known one.
func ParseSeries(name string, cities []basket.City, banners []string, list basket.Categories) (
	city, banner string, category basket.Category, err error,
) {
	at := strings.LastIndexByte(name, '.')
	if at <= 0 || at == len(name)-1 {
		return "", "", category, fmt.Errorf("%q is no name of a series; write national.CATEGORY, CITY.CATEGORY or "+
			"CITY.BANNER.CATEGORY, such as national.overall", clip(name))
	}
	place, word := name[:at], name[at+1:]
	if category, err = list.Parse(word); err != nil {
		return "", "", category, unknownPart("category", word, list.Words())
	}
	if place == national {
		return "", "", category, nil
	}
	known := []string{national}
	for _, c := range cities {
		known = append(known, c.Slug)
		if place == c.Slug {
			return c.Name, "", category, nil
		}
		if key, ok := strings.CutPrefix(place, c.Slug+"."); ok && slices.Contains(banners, key) {
			return c.Name, key, category, nil
		} else if ok {
			err = unknownPart("banner", key, banners)
		}
	}
	first, key, ok := strings.Cut(place, ".")
	switch {
	case err != nil:
	case ok && first == national:
		err = fmt.Errorf("%q has a banner but no city; write CITY.%s.%s", clip(name), clip(key), word)
	default:
		err = unknownPart("city", first, known)
	}
	return "", "", category, err
}

func unknownPart(what, part string, known []string) error {
	if best := suggest.Nearest(part, known); best != "" {
		return fmt.Errorf("there is no %s %q; did you mean %q?", what, clip(part), best)
	}
	return fmt.Errorf("there is no %s %q; known are %s", what, clip(part), strings.Join(known, ", "))
}

func clip(s string) string {
	const most = 60 // bytes
	if len(s) > most {
		s = s[:most] + "..."
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
