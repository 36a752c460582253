package suggest

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	words := []string{"overall", "dairy", "produce_fruit", "produce_veg", "household"}
	for typed, want := range map[string]string{
		"":                       "",
		"Dairy":                  "dairy",
		"diary":                  "dairy",
		"produce":                "produce_fruit",
		"produce_fegs":           "produce_veg",
		"x":                      "",
		"meat":                   "",
		strings.Repeat("a", 61):  "",
		"over" + "all-the-world": "",
	} {
		if got := Nearest(typed, words); got != want {
			t.Errorf("%q: %q, not %q", typed, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"café", "cafe", 1},
		{"same", "same", 0}} {
		if got, back := Distance(c.a, c.b), Distance(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("%q, %q: %d and %d, not %d", c.a, c.b, got, back, c.want)
		}
	}
}
