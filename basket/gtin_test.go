package basket

import (
	"strings"
	"testing"
)

// The numbers are examples of GS1 (General Specifications, and its calculator of check digits), of Wikipedia's pages
// on GTIN and EAN-8, and made from those.
func TestParseGTIN(t *testing.T) {
	for _, x := range []struct {
		text, want string
		restricted bool
	}{
		{"4006381333931", "04006381333931", false},
		{"4006 3813-33931", "04006381333931", false},
		{"10614141000415", "10614141000415", false},
		{"036000291452", "00036000291452", false},
		{"36000291452", "00036000291452", false}, // a spreadsheet's
		{"0000036000291452", "it has 16 digits", false},
		{"4006381333932", "its check digit is 2, but the others make it 1", false},
		{"4.00638E+12", "it has more than digits", false},
		{"4011", "it has 4 digits", false},
		{"00000000", "it is nothing but zeros", false},
		{"2001234567893", "02001234567893", true}, // weighed in the shop
		{"0212345678909", "00212345678909", true},
		{"0412345678903", "00412345678903", true},
		{"9812345678902", "09812345678902", true},
		{"20123451", "00000020123451", true},
		{"01234565", "00000001234565", true},
	} {
		got, err := ParseGTIN(x.text)
		if err != nil {
			if got != "" || !strings.Contains(err.Error(), x.want) {
				t.Errorf("%q: %v, not %q", x.text, err, x.want)
			}
			continue
		}
		if string(got) != x.want || got.Restricted() != x.restricted {
			t.Errorf("%q: %s, restricted %v; not %s, %v", x.text, got, got.Restricted(), x.want, x.restricted)
		}
	}
}

// FuzzParseGTIN: what is read has 14 digits, reads back as itself, and no other last digit makes it whole.
func FuzzParseGTIN(f *testing.F) {
	f.Add("4006381333931")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := ParseGTIN(text)
		if err != nil {
			return
		}
		if again, err := ParseGTIN(string(g)); err != nil || again != g || len(g) != 14 {
			t.Fatalf("%q: %q, then %q, %v", text, g, again, err)
		}
		other := string(g[:13]) + string('0'+(g[13]-'0'+1)%10)
		if _, err := ParseGTIN(other); err == nil {
			t.Fatalf("%q and %q are both whole", g, other)
		}
	})
}
