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
