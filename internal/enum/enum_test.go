package enum

import "testing"

type day uint8

var days = New("day", day(1), "mon", "tue")

func TestWords(t *testing.T) {
	for _, d := range days.Values() {
		text, err := days.MarshalText(d)
		var back day
		if err != nil || days.UnmarshalText(&back, text) != nil || back != d || days.String(d) != string(text) {
			t.Errorf("%d: %s, %d, %v", d, text, back, err)
		}
	}
	for _, d := range []day{0, 3, 255} {
		if text, err := days.MarshalText(d); err == nil {
			t.Errorf("%d is %q", d, text)
		}
	}
	if got := days.String(7); got != "day(7)" {
		t.Errorf("an unknown value is %q", got)
	}
	d := day(2)
	if err := days.UnmarshalText(&d, []byte("Mon")); err == nil || err.Error() != `unknown day "Mon"; use one of mon, tue` || d != 2 {
		t.Errorf("an unknown word: %v, %v", d, err)
	}
}
