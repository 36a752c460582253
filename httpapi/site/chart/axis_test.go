package chart

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Ticks are weeks, months, quarters or years, by the length of the period.
func TestDayTicks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		weeks int
		width float64
		want  string // first, second and last tick
	}{
		{1, 900, "Jul 19/2026"},
		{5, 900, "Jul 19/2026 Jul 26 Aug 16"},
		{5, 160, "Jul 19/2026 Aug 2 Aug 16"},
		{3, 40, "Aug 2/2026"},
		{18, 900, "Aug/2026 Sep Nov"},
		{52, 900, "Aug/2026 Sep Jul"},
		{52, 300, "Oct/2026 Jan/2027 Jul"},
		{110, 900, "Oct/2026 Jan/2027 Jul"},
		{300, 900, "Jan/2027 Jul Jan/2032"},
		{2000, 900, "2030 2035 2060"},
	} {
		p := &picture{Figure: &Figure{Lang: words.English}, text: 20, Frame: Frame{Right: c.width, Scale: Scale{First: panel.DateOf(2026, time.July, 19)}}}
		p.Last = p.First + panel.Date(7*(c.weeks-1))
		ticks := p.dayTicks()
		var got []string
		for i, k := range ticks {
			if i > 1 && i < len(ticks)-1 {
				continue
			}
			if k.second != "" {
				k.text += "/" + k.second
			}
			got = append(got, k.text)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%d weeks in %v pixels: %s, want %s", c.weeks, c.width, text, c.want)
		}
	}
}

// Values have round ticks, with 100 among them when it is in view.
func TestValueTicks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		low, high float64
		most      int
		want      string
	}{
		{99.1, 103.2, 7, "100 101 102 103"},
		{99.61, 100.33, 8, "99.7 99.8 99.9 100.0 100.1 100.2 100.3"},
		{80, 131, 6, "80 90 100 110 120 130"},
		{80, 131, 3, "80 100 120"},
		{0.3, 9, 5, "2 4 6 8"},
	} {
		var got []string
		p := &picture{Figure: &Figure{Lang: words.English}, Frame: Frame{Scale: Scale{Low: c.low, High: c.high}}}
		for _, k := range p.valueTicks(c.most) {
			got = append(got, k.text)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%v to %v: %s, want %s", c.low, c.high, text, c.want)
		}
	}
}

// The value that says that nothing changed is on the axis of changes and of levels. A cost has none.
func TestUnchangedIsShown(t *testing.T) {
	t.Parallel()
	for view, want := range map[table.View]bool{table.ViewIndex: true, table.ViewYoY: true, table.ViewSince: true, table.ViewFourWeeks: true, table.ViewCost: false} {
		f := walks(newRand(2), 3, 80)
		f.View = view
		same := 100.0
		for i := range f.Lines {
			for k := range f.Lines[i].Points { // far above
				p := &f.Lines[i].Points[k]
				p.Value.Units, p.Low.Units, p.High.Units = p.Value.Units+900000, p.Low.Units+900000, p.High.Units+900000
			}
		}
		if view != table.ViewIndex {
			same = 0
		}
		p, err := f.picture(Layouts[1], f)
		if err != nil {
			t.Fatal(err)
		}
		line := slices.ContainsFunc(p.items, func(i item) bool {
			return i.kind == lineKind && i.color == axis && i.points[0] == point{p.Left, p.y(same)} && i.points[1] == point{p.Right, p.y(same)}
		})
		if shown := p.Low < same && same < p.High && line; shown != want {
			t.Errorf("%v: from %v to %v, line %v", view, p.Low, p.High, line)
		}
	}
}

// The colours of lines and texts have enough contrast on white, and in pages in light and
// in dark; pages have the same light colours as files; colour-blind readers can tell any
// two lines apart.
func TestPalette(t *testing.T) {
	t.Parallel()
	found := regexp.MustCompile(`--([a-z0-9-]+): #[0-9a-f]{6}`).FindAllStringSubmatch(styleSheet, -1)
	if len(found) != 2*int(numHues) {
		t.Fatalf("chart.css has %d colours", len(found))
	}
	for i, m := range found {
		if want := append(strings.Fields("c0 c1 c2 c3 c4 c5 c6 c7 c8 c9"), "surface", "ink", "muted", "line", "line-strong", "warn-ink")[i%int(numHues)]; m[1] != want {
			t.Errorf("colour %d is --%s, want --%s", i, m[1], want)
		}
	}
	for i, grounds := range [][]string{{"#ffffff", "#f8f6f0"}, {"#121617", "#1b2122"}} { // of style.css
		var set [][3]float64
		for h := range numHues {
			set = append(set, linear(t, palettes[i][h]))
		}
		for k, c := range set {
			if h := hue(k); h == paper || h == grid || h == axis {
				continue
			}
			for _, ground := range grounds {
				if x := contrast(c, linear(t, ground)); x < 4.5 {
					t.Errorf("set %d: colour %d has a contrast of %.2f with %s", i, k, x, ground)
				}
			}
			for j, d := range set[:min(k, MaxLines)] {
				for name, eye := range eyes {
					if k >= MaxLines {
						break // texts are told apart by their place
					}
					if x := distance(see(eye, c), see(eye, d)); x < 0.07 {
						t.Errorf("set %d: colours %d and %d are %.3f apart for %s", i, j, k, x, name)
					}
				}
			}
		}
	}
}

// eyes are how people see colours: the matrices of Machado, Oliveira and Fernandes (2009)
// for the complete deficiencies, on linear RGB.
var eyes = map[string][9]float64{
	"most people":  {1, 0, 0, 0, 1, 0, 0, 0, 1},
	"protanopes":   {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
	"deuteranopes": {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
	"tritanopes":   {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
}

func see(eye [9]float64, c [3]float64) (out [3]float64) {
	for i := range out {
		out[i] = min(1, max(0, eye[3*i]*c[0]+eye[3*i+1]*c[1]+eye[3*i+2]*c[2]))
	}
	return out
}

func linear(t *testing.T, hex string) (c [3]float64) {
	t.Helper()
	for i := range c {
		v := float64(strings.IndexByte("0123456789abcdef", hex[1+2*i])*16+strings.IndexByte("0123456789abcdef", hex[2+2*i])) / 255
		if c[i] = v / 12.92; v > 0.04045 {
			c[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return c
}

func contrast(a, b [3]float64) float64 {
	light := func(c [3]float64) float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] + 0.05 }
	return max(light(a), light(b)) / min(light(a), light(b))
}

// distance is the distance of two colours in OKLab.
func distance(a, b [3]float64) float64 {
	lab := func(c [3]float64) [3]float64 {
		l := math.Cbrt(0.4122214708*c[0] + 0.5363325363*c[1] + 0.0514459929*c[2])
		m := math.Cbrt(0.2119034982*c[0] + 0.6806995451*c[1] + 0.1073969566*c[2])
		s := math.Cbrt(0.0883024619*c[0] + 0.2817188376*c[1] + 0.6299787005*c[2])
		return [3]float64{0.2104542553*l + 0.793617785*m - 0.0040720468*s, 1.9779984951*l - 2.428592205*m + 0.4505937099*s, 0.0259040371*l + 0.7827717662*m - 0.808675766*s}
	}
	x, y := lab(a), lab(b)
	return math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2])
}
