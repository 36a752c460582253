package figure

import (
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/site/chart"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// TestSentence has parts whose names do not fit into a title, in both languages.
func TestSentence(t *testing.T) {
	const long = "Organic free-range eggs of a small farm, brown, large, dozen"
	type parts map[string]int64 // by name, in ten-thousandths of a point
	for _, c := range []struct {
		parts   parts
		unclear bool
		en, fr  string
	}{
		{nil, false, "Nothing in it moved it by a tenth of a point", "Aucune contribution n’atteint 0,1 point"},
		{nil, true, "No clear change: nothing in it moved it by a tenth of a point", "Pas de variation concluante; aucune contribution n’atteint 0,1 point"},
		{parts{"meat": 4000, "milk": -2000}, false, "Meat added 0.4 points; milk took 0.2 off", "Contributions : meat +0,4 pt, milk −0,2 pt"},
		{parts{"meat": 4000, "milk": -2000}, true, "No clear change: meat added 0.4 points; milk took 0.2 off", "Pas de variation concluante; contribution : meat +0,4 pt"},
		{parts{"produits laitiers": 8000}, true, "No clear change: produits laitiers added 0.8 points", "Pas de variation concluante; contribution : produits laitiers +0,8 pt"},
		{parts{long: 9000, "milk": -2000}, false, "Organic free-range eggs of a small farm, brown, lar… added 0.9 points", "Contribution : Organic free-range eggs of a small farm, brow… +0,9 pt"},
		{parts{long: 9000, "milk": -2000}, true, "No clear change: Organic free-range eggs of a small… added 0.9 points", "Pas de variation concluante; contribution : Organic free-ran… +0,9 pt"},
		{parts{long: -9000, "meat": 4000}, false, "Organic free-range eggs of a small farm, brown… took 0.9 points off", "Contribution : Organic free-range eggs of a small farm, brow… −0,9 pt"},
	} {
		for l, want := range map[*words.Language]string{words.English: c.en, words.French: c.fr} {
			m := &Why{view: view{Query: &Query{lang: l}}}
			if c.unclear {
				m.low, m.high = panel.FixedOf(-1), panel.FixedOf(1)
			}
			if !jevons.Unclear(m.low, m.high) == c.unclear {
				t.Fatal("the interval is not what the case asks for")
			}
			var list []whyPart
			for name, units := range c.parts {
				exact := panel.Fixed{Units: units, Valid: true}
				list = append(list, whyPart{said: name, Points: m.signed(exact), Exact: exact})
			}
			if got := strings.ReplaceAll(m.sentence(list), "\u00a0", " "); got != want || !chart.IsTitle(got) {
				t.Errorf("%q, want %q", got, want)
			}
		}
	}
}
