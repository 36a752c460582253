package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"strconv"
)

// svg renders the scene. It has no style attribute, which a page's policy forbids: the
// colours of a file are attributes, and those of an inline picture are classes. A
// script finds the plot's edges, weeks and values on the group "c-plot".
func (s *scene) svg(form Form) []byte {
	b, role := &bytes.Buffer{}, `role="img"`
	if form == Silent {
		role = `aria-hidden="true"`
	}
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" class="chart" %s lang="%s" viewBox="0 0 %s %s"`, role, s.lang, num(s.width), num(s.height))
	if form == File {
		fmt.Fprintf(b, ` width="%s" height="%s"`, num(s.width), num(s.height))
	}
	b.WriteString(` font-family="Liberation Sans, Arimo, Arial, Helvetica, sans-serif">`)
	if form != Silent {
		b.WriteString("<title>")
		escape(b, s.title)
		b.WriteString("</title><desc>")
		escape(b, s.desc)
		b.WriteString("</desc>\n")
	}
	if form == File {
		fmt.Fprintf(b, `<rect width="100%%" height="100%%" fill="%s"/>`+"\n", hex(palette[paper]))
	}
	f := s.frame
	fmt.Fprintf(b, `<g class="c-plot" stroke-linejoin="round" stroke-linecap="round" data-left="%s" data-top="%s" data-right="%s" data-bottom="%s" data-first="%s" data-last="%s" data-low="%s" data-high="%s">`+"\n",
		num(f.left), num(f.top), num(f.right), num(f.bottom), f.first, f.last, num(f.span.low), num(f.span.high))
	for _, i := range s.items {
		i.svg(b, form)
	}
	b.WriteString("</g></svg>\n")
	return b.Bytes()
}

func (i item) svg(b *bytes.Buffer, form Form) {
	p := i.points[0]
	color := func(attribute string) {
		if form == File {
			fmt.Fprintf(b, ` %s="%s"`, attribute, hex(palette[i.color]))
		}
	}
	class := hueClasses[i.color]
	if k := kindClasses[i.kind]; k != "" {
		class = k + " " + class
	}
	switch i.kind {
	case textKind:
		fmt.Fprintf(b, `<text class="%s" x="%s" y="%s" font-size="%s"`, class, num(p.x), num(p.y), num(i.width))
		if i.anchor != start {
			fmt.Fprintf(b, ` text-anchor="%s"`, [...]string{middle: "middle", end: "end"}[i.anchor])
		}
		if i.bold {
			b.WriteString(` font-weight="bold"`)
		}
		color("fill")
		b.WriteByte('>')
		escape(b, i.text)
		b.WriteString("</text>\n")
	case dotKind:
		fmt.Fprintf(b, `<circle class="%s" cx="%s" cy="%s" r="%s"`, class, num(p.x), num(p.y), num(i.width))
		color("fill")
		b.WriteString("/>\n")
	default:
		fmt.Fprintf(b, `<path class="%s"`, class)
		if i.series != "" {
			b.WriteString(` data-series="`)
			escape(b, i.series)
			b.WriteByte('"')
		}
		if i.kind == areaKind {
			color("fill")
			fmt.Fprintf(b, ` fill-opacity="%s" d="`, num(i.width))
		} else {
			color("stroke")
			fmt.Fprintf(b, ` fill="none" stroke-width="%s" d="`, num(i.width))
		}
		for k, p := range i.points {
			b.WriteByte("ML"[min(k, 1)])
			b.WriteString(num(p.x))
			b.WriteByte(' ')
			b.WriteString(num(p.y))
		}
		if i.kind == areaKind {
			b.WriteByte('Z')
		}
		b.WriteString("\"/>\n")
	}
}

func escape(b *bytes.Buffer, text string) { _ = xml.EscapeText(b, []byte(text)) } // a Buffer takes all

// num writes a number with at most two decimals.
func num(v float64) string {
	b := strconv.AppendFloat(nil, v, 'f', 2, 64)
	b = bytes.TrimRight(b, "0")
	return string(bytes.TrimSuffix(b, []byte(".")))
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
