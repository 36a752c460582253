package figure

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/larder-index/larder/httpapi/site/chart"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/panel"
)

// sentence says what of a list moved the series most each way, as far as it is a tenth of a point. If that is too
// long for a title, the smaller part goes, then the end of the name.
func (m *Why) sentence(list []whyPart) string {
	var up, down whyPart
	for _, p := range list {
		switch none := m.signed(panel.FixedOf(0)); {
		case p.said == "" || p.Points == none || m.signed(p.Exact) == none:
		case p.Exact.Units < 0:
			down = p
		case up.said == "":
			up = p
		}
	}
	most := up
	if -down.Exact.Units > up.Exact.Units {
		most = down
	}
	text := m.moved(most)
	if up.said != "" && down.said != "" {
		text = m.lang.T(words.Key("{up} added {more} points; {down} took {less} off"), up.said,
			strings.TrimLeft(up.Points, "+"), down.said, strings.TrimLeft(down.Points, "−"))
		if !chart.IsTitle(m.sure(text)) {
			text = m.moved(most)
		}
	}
	for name := []rune(most.said); !chart.IsTitle(m.sure(text)) && len(name) > 0; text = m.moved(most) {
		name = name[:len(name)-1]
		most.said = strings.TrimRight(string(name), " ,") + "…"
	}
	return m.sure(text)
}

// moved says what a part did.
func (m *Why) moved(p whyPart) string {
	switch {
	case p.said == "":
		return m.lang.T(words.Key("nothing in it moved it by a tenth of a point"))
	case p.Exact.Units < 0:
		return m.lang.T(words.Key("{down} took {less} points off"), p.said, strings.TrimLeft(p.Points, "−"))
	}
	return m.lang.T(words.Key("{up} added {more} points"), p.said, strings.TrimLeft(p.Points, "+"))
}

// sure makes a title of what is said of a change, which may be unclear.
func (m *Why) sure(text string) string {
	if m.unclear() {
		text = m.lang.T(words.Key("no clear change: {sentence}"), text)
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
