package panel_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/larder-index/larder/panel"
)

// TestMass has rows at and below each bound: a fifth of all rows, of 30; all rows of a banner, of 8.
func TestMass(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ rows, want string }{ // banner, rule, how many
		{"a fits 80 a wrong_scale_row 20", "wrong_scale_row sets aside 20 of 100 rows (20%)"},
		{"a fits 81 a wrong_scale_row 19", ""},
		{"a fits 23 a wrong_scale_row 6", ""}, // of 29 rows
		{"a fits 24 a wrong_scale_row 6", "wrong_scale_row sets aside 6 of 30 rows (20%)"},
		{"a fits 100 b wrong_basis 7 b lacks_term 1", "none of 8 rows of b passes; wrong_basis sets 7 of them aside"},
		{"a fits 100 b wrong_basis 7", ""},
		{"a fits 100 b wrong_basis 8 b fits 1", ""},
		{"a listed 50 b corrected 50", ""},
		{"a wrong_basis 40 b lacks_term 50 c fits 10", "lacks_term sets aside 50 of 100 rows (50%)\nwrong_basis sets aside 40 of 100 rows (40%)"},
	} {
		var m panel.Mass
		words := strings.Fields(x.rows)
		for i := 0; i < len(words); i += 3 {
			n := 0
			if _, err := fmt.Sscan(words[i+2], &n); err != nil {
				t.Fatal(err)
			}
			m.Add(words[i], words[i+1], n)
		}
		var got []string
		for _, a := range m.Found() {
			got = append(got, a.String())
		}
		if text := strings.Join(got, "\n"); text != x.want {
			t.Errorf("%s: %q, want %q", x.rows, text, x.want)
		}
	}
}
