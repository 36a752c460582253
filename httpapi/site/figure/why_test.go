package figure

import (
	"testing"

	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// TestSentence has parts whose names do not fit into a title.
func TestSentence(t *testing.T) {
	const long = "Organic free-range eggs of a small farm, brown, large, dozen"
	part := func(name, points string, units int64) whyPart {
		return whyPart{said: name, Points: points, Exact: panel.Fixed{Units: units, Valid: true}}
	}
	eggs, meat, milk := part(long, "+0.9", 9000), part("meat", "+0.4", 4000), part("milk", "−0.2", -2000)
	fall := part(long, "−0.9", -9000)
	for _, c := range []struct {
		parts   []whyPart
		unclear bool
		want    string
	}{
		{nil, false, "Nothing in it moved it by a tenth of a point"},
		{[]whyPart{meat, milk}, false, "Meat added 0.4 points; milk took 0.2 off"},
		{[]whyPart{meat, milk}, true, "No clear change: meat added 0.4 points; milk took 0.2 off"},
		{[]whyPart{eggs, milk}, false, "Organic free-range eggs of a small farm, brown, lar… added 0.9 points"},
		{[]whyPart{eggs, milk}, true, "No clear change: Organic free-range eggs of a small… added 0.9 points"},
		{[]whyPart{meat, fall}, false, "Organic free-range eggs of a small farm, brown… took 0.9 points off"},
	} {
		m := &Why{view: view{Query: &Query{lang: words.English}}}
		if c.unclear {
			m.low, m.high = panel.FixedOf(-1), panel.FixedOf(1)
		}
		if !jevons.Unclear(m.low, m.high) == c.unclear {
			t.Fatal("the interval is not what the case asks for")
		}
		if got := m.sentence(c.parts); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
