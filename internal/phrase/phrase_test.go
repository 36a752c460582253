package phrase

import "testing"

func Test(t *testing.T) {
	if got := Count(1, "row") + ", " + Count(0, "row"); got != "1 row, 0 rows" {
		t.Error(got)
	}
	if got := Or(nil) + Or([]string{"a"}) + Or([]string{"b", "c", "d"}); got != "ab, c or d" {
		t.Error(got)
	}
}
