package jevons_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

// says fails for lines that docs/methodology.md lacks.
func says(t *testing.T, lines ...string) {
	t.Helper()
	text, err := os.ReadFile("../docs/methodology.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if !strings.Contains(string(text), line) {
			t.Errorf("docs/methodology.md does not say %q", line)
		}
	}
}

// demoPanel is that of the demo snapshot through 2026-11-20.
func demoPanel(t *testing.T) *panel.Panel {
	t.Helper()
	data, err := synth.Generate(synth.Config{Through: panel.DateOf(2026, time.November, 20)})
	if err != nil {
		t.Fatal(err)
	}
	p, err := data.Panel()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestMethodologyQuality(t *testing.T) {
	table := withQuality(t, sixProducts(t))
	week := panel.DefaultBaseWeek.Add(1)
	for _, c := range []basket.Category{basket.Dairy, basket.Meat, basket.Overall} {
		r := table.Find(week, jevons.Cell{Level: jevons.National, Category: c})
		q := r.Extra.Quality
		se, interval := "null", "null"
		if q.SE.Valid {
			se, interval = q.SE.String(), fmt.Sprintf("%s to %s", q.Low, q.High)
		}
		says(t, fmt.Sprintf("| %s | %s | %s | %s | %d |", c, r.Index, se, interval, q.DF))
	}
}
