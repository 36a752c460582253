package fold

import "testing"

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "",
		"2 % MILK":           "2 % milk",
		"Bœuf haché, ŒUFS":   "boeuf hache, oeufs",
		"Crème brûle\u0301e": "creme brulee", // one accent in a character of its own
		"co\u00adop":         "coop",
		"Straße":             "strasse",
		"\xe9t\xe9":          "\uFFFDt\uFFFD",
		"İ K":                "i k",
	} {
		if got := Text(text); got != want || Text(got) != got {
			t.Errorf("%q: %q, then %q, not %q", text, got, Text(got), want)
		}
	}
}
