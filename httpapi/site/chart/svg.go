package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

// dark are the rules of a file for dark screens. Its light colours are attributes, which all programs read.
var dark = func() string {
	rules := "@media screen and (prefers-color-scheme: dark) {"
	for h := range numHues {
		rules += "." + class(h) + "{color:" + palettes[1][h] + "}"
	}
	return rules + "text,.c-dot,.c-band{fill:currentColor}.c-line{stroke:currentColor}}"
}()

// svg renders the picture. It has no style attribute, which a page's policy forbids: the
// colours of a picture among others are those of the page's classes. A text is as wide as it was measured, in
// whatever font.
func (p *picture) svg() ([]byte, error) {
	b, role, hidden := &bytes.Buffer{}, "img", ""
	if p.small {
		role, hidden = "", "true"
	}
	width, height := num(p.Width), num(p.Height)
	open(b, "svg", "xmlns", "http://www.w3.org/2000/svg", "class", "chart", "role", role, "aria-hidden", hidden,
		"lang", p.Lang.Tag[:2], "viewBox", "0 0 "+width+" "+height, "width", width, "height", height,
		"font-family", "Liberation Sans, Arimo, Arial, Helvetica, sans-serif")
	b.WriteByte('>')
	if !p.small {
		fmt.Fprintf(b, "<title>%s</title><desc>%s</desc>\n", escape(p.Title), escape(p.Description()))
		b.WriteString("<style>" + dark + "</style>\n")
		open(b, "rect", "class", "c-dot "+class(paper), "width", "100%", "height", "100%", "fill", palettes[0][paper])
		b.WriteString("/>\n")
	}
	open(b, "g", "stroke-linejoin", "round", "stroke-linecap", "round")
	b.WriteString(">\n")
	for _, i := range p.items {
		p.mark(b, i)
	}
	b.WriteString("</g></svg>\n")
	return b.Bytes(), nil
}

func (p *picture) mark(b *bytes.Buffer, i item) {
	at, class := i.points[0], strings.TrimSpace([...]string{"c-line", "c-band", "c-dot", ""}[i.kind]+" "+class(i.color))
	var path strings.Builder
	for k, at := range i.points {
		path.WriteString("ML"[min(k, 1):][:1] + num(at.x) + " " + num(at.y))
	}
	switch i.kind {
	case textKind:
		weight, anchor := "", map[float64]string{middle: "middle", end: "end"}[i.anchor]
		long := style{size: i.width, bold: i.bold}.measure(i.text)
		if i.bold {
			weight = "bold"
		}
		open(b, "text", "class", class, "x", num(at.x), "y", num(at.y), "font-size", num(i.width),
			"text-anchor", anchor, "font-weight", weight, "fill", palettes[0][i.color], "textLength", num(long),
			"lengthAdjust", "spacingAndGlyphs")
		b.WriteString(">" + escape(i.text) + "</text>\n")
		return
	case dotKind:
		open(b, "circle", "class", class, "cx", num(at.x), "cy", num(at.y), "r", num(i.width),
			"fill", palettes[0][i.color])
	case areaKind:
		open(b, "path", "class", class, "fill", palettes[0][i.color], "fill-opacity", num(i.width),
			"d", path.String()+"Z")
	case lineKind:
		open(b, "path", "class", class, "data-series", i.series, "stroke", palettes[0][i.color], "fill", "none",
			"stroke-width", num(i.width), "d", path.String())
	}
	b.WriteString("/>\n")
}

func class(h hue) string {
	if h < MaxLines {
		return "c-s" + strconv.Itoa(int(h))
	}
	return [...]string{"c-paper", "c-ink", "c-muted", "c-grid", "c-axis", "c-warning"}[h-paper]
}

// open writes the beginning of an element, with those of its attributes that are not empty.
func open(b *bytes.Buffer, name string, attributes ...string) {
	b.WriteString("<" + name)
	for i := 0; i < len(attributes); i += 2 {
		if value := attributes[i+1]; value != "" {
			b.WriteString(" " + attributes[i] + `="` + escape(value) + `"`)
		}
	}
}

func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder takes all
	return b.String()
}

func num(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(v, 'f', 2, 64), "0"), ".")
}
