package panel_test

import (
	"encoding/json"
	"testing"

	"github.com/larder-index/larder/panel"
)

func TestAppendJSONText(t *testing.T) {
	for _, s := range []string{
		`a"b`, "a\\b", "<script>", "a & b", "Québec", "tab\t", "\x00", "\x7f", "line\u2028s", "\u2029", "bad \xff byte", "\x80", "🥚", "\xe2\x80",
	} {
		checkJSONText(t, s)
	}
}

func FuzzAppendJSONText(f *testing.F) {
	f.Add("Crème \"fraîche\" <35%>\u2028")
	f.Add("\xc3\x28")
	f.Fuzz(checkJSONText)
}

// checkJSONText holds a text against encoding/json.
func checkJSONText(t *testing.T, s string) {
	t.Helper()
	want := "null"
	if s != "" {
		quoted, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		want = string(quoted)
	}
	if got := string(panel.AppendJSONText([]byte("x"), s)); got != "x"+want {
		t.Errorf("%q is written %s, want %s", s, got[1:], want)
	}
}
