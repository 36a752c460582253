package chart

import (
	_ "embed"
	"fmt"
	"image/color"
	"regexp"
	"strings"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
)

// item is one mark or text. It has the class of its colour and of its kind. Later items
// cover earlier ones.
type item struct {
	kind   kind
	color  hue
	points []point // the path of a line or an area; the place of a dot or a text
	width  float64 // of a line; the radius of a dot; the size of a text; the opacity of an area
	text   string
	bold   bool
	anchor float64
	series string
}

// point is a place in pixels, from the top left corner.
type point struct{ x, y float64 }

type kind int

const (
	lineKind kind = iota
	areaKind
	dotKind
	textKind
)

// The anchor of a text is the share of its width before its place.
const start, middle, end = 0.0, 0.5, 1.0

// hue is the colour of a mark by its use: a line of the palette, or one of those below.
type hue int

const (
	paper hue = iota + MaxLines
	ink
	muted
	grid
	axis
	warning
	numHues
)

//go:embed chart.css
var styleSheet string

// palettes are the colours of the style sheet, in light and in dark, in the order of the hues.
var palettes = func() (all [2][numHues]string) {
	for i, m := range regexp.MustCompile(`#[0-9a-f]{6}`).FindAllString(styleSheet, 2*int(numHues)) {
		all[i/int(numHues)][i%int(numHues)] = m
	}
	return all
}()

// rgb returns the colour on white paper.
func (h hue) rgb() (c color.RGBA) {
	must(fmt.Sscanf(palettes[0][h], "#%02x%02x%02x", &c.R, &c.G, &c.B))
	c.A = 0xff
	return c
}

type style struct {
	color hue
	size  float64
	bold  bool
}

// The fonts of the pictures, by weight. Arial and Helvetica have the same widths.
var fonts = map[bool]*opentype.Font{false: must(opentype.Parse(liberationsansregular.TTF)),
	true: must(opentype.Parse(liberationsansbold.TTF))}

// em is the size of the fonts in their own units.
const em = 2048

// must returns x. The fonts are embedded.
func must[T any](x T, err error) T {
	if err != nil {
		panic("chart: embedded font: " + err.Error())
	}
	return x
}

func face(bold bool, size float64) font.Face {
	return must(opentype.NewFace(fonts[bold], &opentype.FaceOptions{Size: size, DPI: 72}))
}

func (st style) measure(text string) float64 {
	ruler := face(st.bold, em/64) // 1/64 pixel is a unit of the font
	return float64(font.MeasureString(ruler, text)) * (st.size / em)
}

func (st style) leading() float64 { return st.size * 1.25 }

// wrap breaks a text at spaces into lines that are no wider than the given width. It
// shortens a longer word.
func (st style) wrap(text string, width float64) (lines []string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' }) {
		if n := len(lines) - 1; n >= 0 && st.measure(lines[n]+" "+word) <= width {
			lines[n] += " " + word
		} else {
			lines = append(lines, st.clip(word, width))
		}
	}
	return lines
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
