package jsontext

import (
	"encoding/json"
	"testing"
)

func TestAppend(t *testing.T) {
	for _, s := range []string{
		"", `a"b`, "a\\b", "<script>", "a & b", "Québec", "tab\t", "\x00", "\x7f", "line\u2028s", "\u2029",
		"bad \xff byte", "\x80", "🥚", "\xe2\x80",
	} {
		checkText(t, s)
	}
	if got := string(AppendOrNull(AppendOrNull(nil, ""), "&")); got != `null"\u0026"` {
		t.Error(got)
	}
}

func FuzzAppend(f *testing.F) {
	f.Add("Crème \"fraîche\" <35%>\u2028")
	f.Add("\xc3\x28")
	f.Fuzz(checkText)
}

// checkText holds a text against encoding/json.
func checkText(t *testing.T, s string) {
	t.Helper()
	want, err := json.Marshal(s)
	if got := string(Append([]byte("x"), s)); err != nil || got != "x"+string(want) {
		t.Errorf("%q is written %s, want %s (%v)", s, got[1:], want, err)
	}
}
