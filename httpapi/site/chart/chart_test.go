package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

var firstWeek = panel.Week(panel.DateOf(2016, time.October, 2))

// walks is a figure of random walks from 100, with bands on the first lines.
func walks(r *rand.Rand, lines, weeks int) *Figure {
	f := &Figure{
		Lang: words.English, Title: "Grocery price index: by city", Unit: "Index, week ending October 2, 2016 = 100", Base: firstWeek,
		Source: "Larder demonstration", Version: "release 12", Notice: panel.SyntheticNotice, Notes: []string{"Bands: 95% intervals over the choice of products; not over stores, and not seasons."},
	}
	for i := range lines {
		l := Line{Name: strings.Repeat("Saint-Hyacinthe, ", r.IntN(3)) + fmt.Sprint("Dairy ", i), Series: fmt.Sprintf("city%d.dairy", i)}
		v := 100.0
		for w := range weeks {
			p := Point{Week: firstWeek.Add(w), Value: level(v)}
			if i < MostBands {
				p.Low, p.High = level(v-1), level(v+1)
			}
			l.Points = append(l.Points, p)
			v *= math.Exp(r.NormFloat64() * 0.008)
		}
		f.Lines = append(f.Lines, l)
	}
	return f
}

func level(v float64) panel.Fixed { return panel.FixedOf(int64(math.Round(v * 10000))) }

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 18)) }

// box is the place of a text.
type box struct {
	text                     string
	left, top, right, bottom float64
}

// boxes returns the place of every text. Letters reach from their baseline up by less
// than their size, and down by less than a quarter of it.
func boxes(s *picture) (all []box) {
	for _, i := range s.items {
		if i.kind != textKind {
			continue
		}
		p, width := i.points[0], style{size: i.width, bold: i.bold}.measure(i.text)
		left := p.x - width*i.anchor
		all = append(all, box{i.text, left, p.y - i.width*0.75, left + width, p.y + i.width*0.22})
	}
	return all
}

func (a box) meets(b box) bool {
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

// screens have the least widths at which pages show the layouts.
var screens = map[float64]float64{360: 280, 700: 689, 1120: 1120, 1200: 1200}

// Whatever is drawn, no text covers another or leaves the picture, no line crosses one, and none is smaller than 12 pixels on the
// narrowest screen that shows it.
func TestTextsDoNotMeet(t *testing.T) {
	t.Parallel()
	r := newRand(1)
	sizes := append([]Size{Wide}, Layouts[:]...)
	for n := range 200 {
		f := walks(r, 1+r.IntN(MaxLines), 2+r.IntN(200))
		f.View, f.Base = table.View(r.IntN(5)), firstWeek.Add(r.IntN(len(f.Lines[0].Points)))
		for i := range f.Lines { // weeks without a value
			k := r.IntN(len(f.Lines[i].Points))
			f.Lines[i].Points[k].Value = panel.Fixed{}
		}
		if f.Lines[0].Strong = n%2 == 0; n%3 == 0 {
			f.Lang = words.French
		}
		if last := len(f.Lines) - 1; last > 0 { // a line that ends early
			f.Lines[last].Points = f.Lines[last].Points[:1+r.IntN(len(f.Lines[last].Points))]
		}
		size := sizes[n%len(sizes)]
		s, err := f.picture(size, f)
		if errors.Is(err, ErrEmpty) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		whole(t, n, s, size)
		for _, l := range f.Lines {
			if p := l.last(); p.Value.Valid && !slices.ContainsFunc(boxes(s), func(b box) bool { return strings.Contains(b.text, Number(f.Lang, f.View, p.Value)) }) {
				t.Errorf("%d: the last value of %s is not written", n, l.Name)
			}
		}
	}
}

// whole looks at the texts of the n-th picture.
func whole(t *testing.T, n int, s *picture, size Size) {
	t.Helper()
	for _, i := range s.items {
		if i.kind == textKind && i.width*min(1, screens[size.Width]/size.Width) < 12 {
			t.Errorf("%d: %q has %.1f pixels in a picture of %v", n, i.text, i.width, size)
		}
	}
	all := boxes(s)
	for i, a := range all {
		if a.left < -0.5 || a.right > s.Width+0.5 || a.top < 0 || a.bottom > s.Height {
			t.Errorf("%d: %q is outside of the picture: %+v", n, a.text, a)
		}
		for _, b := range all[i+1:] {
			if a.meets(b) {
				t.Errorf("%d: %q and %q overlap: %+v %+v", n, a.text, b.text, a, b)
			}
		}
		for _, i := range s.items {
			for k := 1; i.kind == lineKind && k < len(i.points); k++ {
				p, q := i.points[k-1], i.points[k]
				if a.meets(box{"", min(p.x, q.x), min(p.y, q.y), max(p.x, q.x), max(p.y, q.y)}) {
					t.Errorf("%d: a line from %v to %v crosses %q: %+v", n, p, q, a.text, a)
				}
			}
		}
	}
}

// A change has a row for each step, and each bar begins where the one before ends. The last one is the change.
func TestSteps(t *testing.T) {
	t.Parallel()
	r := newRand(6)
	for n := range 60 {
		f := walks(r, 1, 1)
		f.Lines, f.Base, f.Steps = nil, 0, &Steps{From: firstWeek, To: firstWeek.Add(1), Clear: n%2 == 0}
		f.Title = strings.Repeat("Meat and Saint-Hyacinthe cheese added ", 1+r.IntN(5))
		sum := panel.Fixed{Valid: true}
		for range r.IntN(14) {
			v := level(r.NormFloat64())
			f.Steps.Parts = append(f.Steps.Parts, Step{strings.Repeat("Meat of pigs, ", r.IntN(8)) + "fresh", "+12.3", v})
			sum.Units += v.Units
		}
		f.Steps.Parts = append(f.Steps.Parts, Step{"Change", "−1.2", sum})
		size := append([]Size{Wide}, Layouts[:]...)[n%4]
		s, err := f.picture(size, f)
		if err != nil {
			t.Fatal(err)
		}
		whole(t, n, s, size)
		at, bars, zero := 0.0, 0, s.Left+(s.Right-s.Left)*(-s.Low)/(s.High-s.Low)
		down := 0.0 // where the line from the bar before ends
		for _, i := range s.items {
			if i.kind == lineKind && i.points[0].x == i.points[1].x {
				down = i.points[1].y
			}
			if i.kind != areaKind {
				continue
			}
			if bars > 0 && math.Abs(down-i.points[0].y) > 0.01 {
				t.Errorf("%d: the line to step %d ends at %.1f, its bar begins at %.1f", n, bars, down, i.points[0].y)
			}
			want, row := f.Steps.Parts[bars].Value.Float64(), s.Rows[bars]
			if bars == len(f.Steps.Parts)-1 {
				at = 0
			}
			scale := (s.Right - s.Left) / (s.High - s.Low)
			left, right := zero+min(at, at+want)*scale, zero+max(at, at+want)*scale
			if math.Abs(i.points[0].x-left) > 0.01 || math.Abs(i.points[1].x-right) > 0.01 || left < s.Left-0.01 || right > s.Right+0.01 ||
				i.points[0].y < row.Top || i.points[2].y > row.Top+row.Height {
				t.Errorf("%d: step %d is drawn at %v, want %.1f to %.1f in %+v", n, bars, i.points, left, right, row)
			}
			at, bars = at+want, bars+1
		}
		if bars != len(f.Steps.Parts) || len(s.Rows) != bars {
			t.Errorf("%d: %d bars in %d rows of %d steps", n, bars, len(s.Rows), len(f.Steps.Parts))
		}
	}
}

// An SVG is well-formed, without a style attribute, and describes the lines digit for digit; a PNG
// has the size that is asked for.
func TestFormats(t *testing.T) {
	t.Parallel()
	f := walks(newRand(3), 6, 520)
	var x struct {
		Desc string `xml:"desc"`
	}
	want := ": " + f.Lines[5].last().Value.String() + " in the week ending "
	drawn, err := f.SVG(Wide)
	if err := errors.Join(err, xml.Unmarshal(drawn, &x)); err != nil || !strings.Contains(x.Desc, want) || bytes.Contains(drawn, []byte("style=")) {
		t.Errorf("%v; description %q lacks %q", err, x.Desc, want)
	}
	drawn, err = f.PNG(Wide)
	if c, err2 := png.DecodeConfig(bytes.NewReader(drawn)); errors.Join(err, err2) != nil || c.Width != 1200 || c.Height != 675 {
		t.Errorf("PNG of %d by %d pixels: %v, %v", c.Width, c.Height, err, err2)
	}
}

// Small multiples have one scale: equal values are at one height in all of them.
func TestSmall(t *testing.T) {
	t.Parallel()
	f := walks(newRand(4), 13, 60)
	f.Lines[2].Points = f.Lines[2].Points[:30]
	size := Size{300, 150, 14}
	pictures, err := f.Small(size)
	if err != nil || len(pictures) != 13 {
		t.Fatal(len(pictures), err)
	}
	var frame Frame
	for i, picture := range pictures {
		if !bytes.Contains(picture, []byte(`aria-hidden="true"`)) {
			t.Errorf("%d is read out: %.200s", i, picture)
		}
		one := *f
		one.Lines, one.Base = f.Lines[i:i+1], 0
		s, err := one.picture(size, f)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			frame = s.Frame
		}
		if !reflect.DeepEqual(s.Frame, frame) {
			t.Errorf("%d has another scale: %+v", i, s.Frame)
		}
		for _, b := range boxes(s) {
			if b.left < -0.5 || b.right > 300.5 || b.top < 0 || b.bottom > 150 {
				t.Errorf("%d: %q is outside of the picture: %+v", i, b.text, b)
			}
		}
	}
}

// A line is cut where a value is null and where a week is missing, which crosses mark; a week alone is a dot.
func TestGaps(t *testing.T) {
	t.Parallel()
	f := walks(newRand(5), 1, 12)
	p := f.Lines[0].Points
	p[3].Value = panel.Fixed{}
	f.Lines[0].Points = slices.Delete(p, 5, 7) // weeks 0 to 2, 4, 7 to 11
	s, err := f.picture(Wide, f)
	if err != nil {
		t.Fatal(err)
	}
	var pieces, dots, crosses []int
	for _, i := range s.items {
		switch {
		case i.series != "":
			pieces = append(pieces, len(i.points))
		case i.kind == lineKind && i.color < MaxLines:
			crosses = append(crosses, int(math.Round(((i.points[0].x+i.points[1].x)/2-s.Left)/(s.Right-s.Left)*11)))
		case i.kind == dotKind:
			dots = append(dots, int(math.Round((i.points[0].x-s.Left)/(s.Right-s.Left)*11)))
		}
	}
	if !slices.Equal(pieces, []int{3, 5}) || !slices.Equal(dots, []int{4, 11}) || !slices.Equal(crosses, []int{3, 3, 5, 5, 6, 6}) {
		t.Errorf("pieces of %v weeks, dots at weeks %v and crosses at weeks %v", pieces, dots, crosses)
	}
}

// A series that is asked for has its line, even without a row.
func TestSelection(t *testing.T) {
	t.Parallel()
	country, city := jevons.Cell{Level: jevons.National}, jevons.Cell{Level: jevons.City, City: "Halifax"}
	rows := []jevons.Row{{Week: firstWeek, Base: firstWeek, Cell: &country, Index: level(100)}}
	f, mixed, err := Selection{
		Table: &jevons.Table{Rows: rows, Options: jevons.Options{Base: firstWeek}}, Cells: []jevons.Cell{city, country}, Rows: rows,
		Names: table.NewNames(nil, nil, nil), Lang: words.English, About: &panel.About{},
	}.Figure()
	if err != nil || mixed || f.Name != "Grocery price index: All items, by place" || f.Title != "Grocery prices by place: a single value in the last week" || len(f.Lines) != 2 || f.Lines[0].Points != nil || len(f.Lines[1].Points) != 1 {
		t.Errorf("%+v, mixed %v, %v", f, mixed, err)
	}
}

// A series goes on while weeks were published lately, and has ended when none was for five.
func TestAllEnded(t *testing.T) {
	t.Parallel()
	country, last := jevons.Cell{Level: jevons.National}, firstWeek.Add(8)
	rows := []jevons.Row{{Week: firstWeek, Base: firstWeek, Cell: &country, Index: level(100)},
		{Week: last, Base: firstWeek, Cell: &country, Index: level(101)}}
	for weeks, want := range map[int]string{0: "+1.0% since October", 4: "+1.0% since October", 5: "+1.0% between October and November 2016"} {
		f, _, err := Selection{
			Table: &jevons.Table{Rows: rows, Options: jevons.Options{Base: firstWeek}}, Rows: rows, Over: last.Add(weeks),
			Names: table.NewNames(nil, nil, nil), Lang: words.English, About: &panel.About{},
		}.Figure()
		if err != nil || !strings.HasSuffix(f.Title, want) || strings.Contains(f.Notes[0], "the last week is") != (weeks == 5) {
			t.Errorf("after %d weeks: %v, %q, %q", weeks, err, f.Title, f.Notes)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	r := newRand(6)
	null := walks(r, 1, 3)
	for i := range null.Lines[0].Points {
		null.Lines[0].Points[i].Value = panel.Fixed{}
	}
	long := walks(r, 1, 3)
	long.Title = strings.Repeat("Grocery prices ", 15)
	for _, c := range []struct {
		f    *Figure
		size Size
		want error
	}{
		{&Figure{}, Wide, ErrEmpty}, {null, Wide, ErrEmpty}, {long, Wide, ErrLongTitle},
	} {
		if _, err := c.f.SVG(c.size); !errors.Is(err, c.want) {
			t.Errorf("got %v, want %v", err, c.want)
		}
	}
}
