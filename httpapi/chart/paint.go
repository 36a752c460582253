package chart

import (
	"bytes"
	"image/color"
	"image/png"
	"math"
	"time"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// png renders the scene, one point of the canvas a pixel.
func (s *scene) png() ([]byte, error) {
	c := vgimg.NewWith(vgimg.UseWH(vg.Length(s.width), vg.Length(s.height)), vgimg.UseDPI(72), vgimg.UseBackgroundColor(palette[paper]))
	s.paint(c)
	b := &bytes.Buffer{}
	err := png.Encode(b, c.Image())
	return b.Bytes(), err
}

// paint draws the scene on a canvas, whose origin is at the bottom.
func (s *scene) paint(c vg.Canvas) {
	at := func(p point) vg.Point { return vg.Point{X: vg.Length(p.x), Y: vg.Length(s.height - p.y)} }
	for _, i := range s.items {
		c.SetColor(palette[i.color])
		var path vg.Path
		for k, p := range i.points {
			if k == 0 {
				path.Move(at(p))
			} else {
				path.Line(at(p))
			}
		}
		switch i.kind {
		case textKind:
			f := face(i.width, i.bold)
			p := at(i.points[0])
			p.X -= f.Width(i.text) * font.Length(i.anchor) / 2
			c.FillString(f, p, i.text)
		case dotKind:
			path = nil
			path.Arc(at(i.points[0]), vg.Length(i.width), 0, 2*math.Pi)
			c.Fill(path)
		case areaKind:
			path.Close()
			o := palette[i.color]
			c.SetColor(color.NRGBA{o.R, o.G, o.B, uint8(math.Round(i.width * 255))})
			c.Fill(path)
		case lineKind:
			c.SetLineWidth(vg.Length(i.width))
			c.Stroke(path)
		}
	}
}

// pdfScale is the size of a pixel in points.
const pdfScale = 0.6

// pdf renders the scene with the fonts' own letters embedded. The document is dated
// by its last week, so that two are equal.
func (s *scene) pdf() ([]byte, error) {
	d := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: s.width * pdfScale, Ht: s.height * pdfScale}})
	d.SetCatalogSort(true)
	d.SetCreationDate(s.frame.last.Time(time.UTC))
	d.SetModificationDate(s.frame.last.Time(time.UTC))
	d.SetTitle(s.title, true)
	d.SetLang(s.lang)
	d.SetMargins(0, 0, 0)
	d.SetAutoPageBreak(false, 0)
	d.AddUTF8FontFromBytes("Liberation", "", liberationsansregular.TTF)
	d.AddUTF8FontFromBytes("Liberation", "B", liberationsansbold.TTF)
	d.AddPage()
	d.SetLineCapStyle("round")
	d.SetLineJoinStyle("round")
	for _, i := range s.items {
		c := palette[i.color]
		d.SetFillColor(int(c.R), int(c.G), int(c.B))
		d.SetDrawColor(int(c.R), int(c.G), int(c.B))
		d.SetTextColor(int(c.R), int(c.G), int(c.B))
		points := make([]fpdf.PointType, len(i.points))
		for k, p := range i.points {
			points[k] = fpdf.PointType{X: p.x * pdfScale, Y: p.y * pdfScale}
		}
		switch i.kind {
		case textKind:
			weight := ""
			if i.bold {
				weight = "B"
			}
			d.SetFont("Liberation", weight, i.width*pdfScale)
			d.Text(points[0].X-d.GetStringWidth(i.text)*float64(i.anchor)/2, points[0].Y, i.text)
		case dotKind:
			d.Circle(points[0].X, points[0].Y, i.width*pdfScale, "F")
		case areaKind:
			d.SetAlpha(i.width, "Normal")
			d.Polygon(points, "F")
			d.SetAlpha(1, "Normal")
		case lineKind:
			d.SetLineWidth(i.width * pdfScale)
			d.MoveTo(points[0].X, points[0].Y)
			for _, p := range points[1:] {
				d.LineTo(p.X, p.Y)
			}
			d.DrawPath("D")
		}
	}
	b := &bytes.Buffer{}
	err := d.Output(b)
	return b.Bytes(), err
}
