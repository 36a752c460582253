package chart

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// png renders the scene, one unit of it a pixel.
func (s *scene) png() ([]byte, error) {
	c := &canvas{image: image.NewRGBA(image.Rect(0, 0, int(s.width), int(s.height)))}
	draw.Draw(c.image, c.image.Rect, image.NewUniform(palette[paper]), image.Point{}, draw.Src)
	for _, i := range s.items {
		c.paint(i)
	}
	b := &bytes.Buffer{}
	err := png.Encode(b, c.image)
	return b.Bytes(), err
}

// canvas is an image and the outline that is filled next.
type canvas struct {
	image   *image.RGBA
	outline vector.Rasterizer // of the part of the image from origin on
	origin  image.Point
}

func (c *canvas) paint(i item) {
	opacity := 1.0
	switch i.kind {
	case textKind:
		c.text(i)
		return
	case dotKind:
		c.begin(i.width, i.points...)
		c.pie(i.points[0], i.width, 0, 2*math.Pi)
	case areaKind:
		opacity = i.width
		c.begin(0, i.points...)
		c.polygon(i.points...)
	case lineKind:
		c.begin(i.width, i.points...)
		c.stroke(i.points, i.width/2)
	}
	ink := palette[i.color]
	src := image.NewUniform(color.NRGBA{ink.R, ink.G, ink.B, uint8(math.Round(opacity * 255))})
	c.outline.Draw(c.image, c.outline.Bounds().Add(c.origin), src, image.Point{})
}

// begin empties the outline. The next one reaches at most so far beyond the points.
func (c *canvas) begin(beyond float64, points ...point) {
	low, high := points[0], points[0]
	for _, p := range points {
		low = point{min(low.x, p.x), min(low.y, p.y)}
		high = point{max(high.x, p.x), max(high.y, p.y)}
	}
	box := image.Rect(int(low.x-beyond)-1, int(low.y-beyond)-1, int(high.x+beyond)+2, int(high.y+beyond)+2).Intersect(c.image.Rect)
	c.origin = box.Min
	c.outline.Reset(box.Dx(), box.Dy())
	c.outline.DrawOp = draw.Over
}

// on returns a point's coordinates in the outline.
func (c *canvas) on(p point) (x, y float32) {
	return float32(p.x - float64(c.origin.X)), float32(p.y - float64(c.origin.Y))
}

func (c *canvas) polygon(points ...point) {
	c.outline.MoveTo(c.on(points[0]))
	for _, p := range points[1:] {
		c.outline.LineTo(c.on(p))
	}
	c.outline.ClosePath()
}

// pie adds the part of a disc between two angles, from the smaller to the larger one.
func (c *canvas) pie(center point, radius, from, to float64) {
	n := 1 + int((to-from)*4)
	points := []point{center}
	for k := range n + 1 {
		sin, cos := math.Sincos(from + (to-from)*float64(k)/float64(n))
		points = append(points, point{center.x + radius*cos, center.y + radius*sin})
	}
	c.polygon(points...)
}

// stroke adds a line of twice the half width, with round ends and joins. All its parts turn
// the same way, and those of one join share edges, so that none is paler or darker.
func (c *canvas) stroke(points []point, half float64) {
	const quarter = math.Pi / 2
	var before float64
	for k, p := range points[1:] {
		from := points[k]
		angle := math.Atan2(p.y-from.y, p.x-from.x)
		if k == 0 {
			c.pie(from, half, angle+quarter, angle+3*quarter)
		} else if turn := math.Remainder(angle-before, 2*math.Pi); turn > 0 {
			c.pie(from, half, before-quarter, before-quarter+turn)
		} else {
			c.pie(from, half, before+quarter+turn, before+quarter)
		}
		sin, cos := math.Sincos(angle)
		x, y := half*sin, half*cos
		c.polygon(point{from.x + x, from.y - y}, point{p.x + x, p.y - y}, point{p.x - x, p.y + y}, point{from.x - x, from.y + y})
		before = angle
	}
	c.pie(points[len(points)-1], half, before-quarter, before+quarter)
}

func (c *canvas) text(i item) {
	st, p := style{size: i.width, bold: i.bold}, i.points[0]
	face, err := opentype.NewFace(st.font(), &opentype.FaceOptions{Size: i.width, DPI: 72})
	if err != nil {
		panic("chart: embedded font: " + err.Error())
	}
	left := p.x - st.measure(i.text)*float64(i.anchor)/2
	d := font.Drawer{Dst: c.image, Src: image.NewUniform(palette[i.color]), Face: face, Dot: fixed.Point26_6{X: fixed.Int26_6(left * 64), Y: fixed.Int26_6(p.y * 64)}}
	d.DrawString(i.text)
}
