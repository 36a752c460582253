package chart

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// png renders the picture, one unit of it a pixel.
func (p *picture) png() ([]byte, error) {
	canvas := image.NewRGBA(image.Rect(0, 0, int(p.Width), int(p.Height)))
	draw.Draw(canvas, canvas.Rect, image.NewUniform(paper.rgb()), image.Point{}, draw.Src)
	for _, i := range p.items {
		ink := i.color.rgb()
		switch at := i.points[0]; i.kind {
		case textKind:
			st := style{size: i.width, bold: i.bold}
			left := at.x - st.measure(i.text)*i.anchor
			d := font.Drawer{Dst: canvas, Src: image.NewUniform(ink), Face: face(i.bold, i.width)}
			d.Dot = fixed.Point26_6{X: fixed.Int26_6(left * 64), Y: fixed.Int26_6(at.y * 64)}
			d.DrawString(i.text)
		case dotKind:
			fill(canvas, ink, disc(at, i.width))
		case areaKind:
			fill(canvas, color.NRGBA{ink.R, ink.G, ink.B, uint8(math.Round(i.width * 255))}, i.points)
		case lineKind:
			fill(canvas, ink, stroke(i.points, i.width/2)...)
		}
	}
	b := &bytes.Buffer{}
	err := png.Encode(b, canvas)
	return b.Bytes(), err
}

func fill(canvas *image.RGBA, c color.Color, polygons ...[]point) {
	low, high := polygons[0][0], polygons[0][0]
	for _, polygon := range polygons {
		for _, p := range polygon {
			low = point{min(low.x, p.x), min(low.y, p.y)}
			high = point{max(high.x, p.x), max(high.y, p.y)}
		}
	}
	box := image.Rect(int(low.x), int(low.y), int(high.x)+1, int(high.y)+1).Intersect(canvas.Rect)
	outline := vector.NewRasterizer(box.Dx(), box.Dy())
	for _, polygon := range polygons {
		for k, p := range polygon {
			x, y := float32(p.x-float64(box.Min.X)), float32(p.y-float64(box.Min.Y))
			if k == 0 {
				outline.MoveTo(x, y)
			} else {
				outline.LineTo(x, y)
			}
		}
		outline.ClosePath()
	}
	outline.Draw(canvas, box, image.NewUniform(c), image.Point{})
}

func disc(center point, radius float64) (outline []point) {
	const corners = 32
	for k := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / corners)
		outline = append(outline, point{center.x + radius*cos, center.y + radius*sin})
	}
	return outline
}

// stroke returns the pieces of a line of twice the half width, and the wedges at its joins.
// All turn the same way, and a wedge shares the edges of the pieces, so that none is paler or
// darker.
func stroke(points []point, half float64) (pieces [][]point) {
	var before point // the normal of the last piece
	for k, p := range points[1:] {
		from := points[k]
		length := math.Hypot(p.x-from.x, p.y-from.y)
		n := point{(from.y - p.y) / length * half, (p.x - from.x) / length * half}
		pieces = append(pieces, []point{{from.x - n.x, from.y - n.y}, {p.x - n.x, p.y - n.y}, {p.x + n.x, p.y + n.y},
			{from.x + n.x, from.y + n.y}})
		a, b := point{-before.x, -before.y}, point{-n.x, -n.y}
		if before.x*n.y < before.y*n.x {
			a, b = n, before
		}
		pieces = append(pieces, []point{from, {from.x + a.x, from.y + a.y}, {from.x + b.x, from.y + b.y}})
		before = n
	}
	return pieces
}
