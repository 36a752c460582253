package phrase

import "testing"

// TestCell writes texts as cells that no spreadsheet runs, and reads them back.
func TestCell(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "Butter": "Butter", "=1+1": "'=1+1", "+1": "'+1", "-x": "'-x", "@SUM(A1)": "'@SUM(A1)",
		"\t=1": "'\t=1", "'s": "'s", "é": "é",
	} {
		if got := Cell(text); got != want || Text(got) != text {
			t.Errorf("%q: %q, read back as %q", text, got, Text(got))
		}
	}
}
