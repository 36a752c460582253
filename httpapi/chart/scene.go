package chart

import (
	"cmp"
	"strings"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// scene is a picture before it is rendered: marks and texts in pixels, from the top
// left corner. Later items cover earlier ones.
type scene struct {
	width, height float64
	title, desc   string
	lang          string
	items         []item
	frame         frame
}

// item is one mark or text. It has the class of its colour and of its kind.
type item struct {
	kind   kind
	color  hue
	points []point // the path of a line or an area; the place of a dot or a text
	width  float64 // of a line; the radius of a dot; the size of a text; the opacity of an area
	text   string
	bold   bool
	anchor anchor
	series string
}

type point struct{ x, y float64 }

type kind int

const (
	lineKind kind = iota
	areaKind
	dotKind
	textKind
)

var kindClasses = [...]string{"c-line", "c-band", "c-dot", ""}

// anchor is the part of a text that is at its place.
type anchor int

const (
	start anchor = iota
	middle
	end
)

func (s *scene) add(i item) { s.items = append(s.items, i) }

func (s *scene) line(color hue, width float64, points ...point) {
	s.add(item{kind: lineKind, color: color, width: width, points: points})
}

// write puts a text on the baseline at p.
func (s *scene) write(style style, p point, anchor anchor, text string) {
	s.add(item{kind: textKind, color: style.color, width: style.size, bold: style.bold, points: []point{p}, anchor: anchor, text: text})
}

// style is the look of a text.
type style struct {
	color hue
	size  float64
	bold  bool
}

// leading is the distance of two lines of text, as a share of the text's size.
const leading = 1.25

// The fonts of the pictures. Arial and Helvetica have the same widths.
var regularFont, boldFont = parse(liberationsansregular.TTF), parse(liberationsansbold.TTF)

func parse(ttf []byte) *sfnt.Font {
	f, err := sfnt.Parse(ttf)
	if err != nil {
		panic("chart: embedded font: " + err.Error())
	}
	return f
}

func (st style) font() *sfnt.Font {
	if st.bold {
		return boldFont
	}
	return regularFont
}

// measure returns the width of a text in pixels.
func (st style) measure(text string) float64 {
	var buf sfnt.Buffer
	var width fixed.Int26_6 // in units of the font
	var before sfnt.GlyphIndex
	f := st.font()
	em := fixed.Int26_6(f.UnitsPerEm())
	for i, r := range text {
		glyph, err := f.GlyphIndex(&buf, r)
		if i > 0 {
			kern, _ := f.Kern(&buf, before, glyph, em, font.HintingNone) // 0 for a pair that has none
			width += kern
		}
		advance, err2 := f.GlyphAdvance(&buf, glyph, em, font.HintingNone)
		if err := cmp.Or(err, err2); err != nil {
			panic("chart: embedded font: " + err.Error())
		}
		width += advance
		before = glyph
	}
	return float64(width) * (st.size / float64(em))
}

func (st style) leading() float64 { return st.size * leading }

// wrap breaks a text into lines that are no wider than the given width, at spaces
// or, in a longer word, anywhere.
func (st style) wrap(text string, width float64) (lines []string) {
	if text == "" {
		return nil
	}
	for st.measure(text) > width {
		end, space := 0, 0
		for i, r := range text {
			if i > 0 && st.measure(text[:i]) > width {
				break
			}
			if end = i; r == ' ' {
				space = i
			}
		}
		if end = cmp.Or(space, end); end == 0 {
			return append(lines, text)
		}
		lines, text = append(lines, text[:end]), strings.TrimLeft(text[end:], " ")
	}
	return append(lines, text)
}

// clip shortens a text to the width, in its middle: names differ at either end.
func (st style) clip(text string, width float64) string {
	runes := []rune(text)
	short := text
	for n := len(runes) - 1; n > 1 && st.measure(short) > width; n-- {
		short = string(runes[:(n+1)/2]) + "…" + string(runes[len(runes)-n/2:])
	}
	return short
}
