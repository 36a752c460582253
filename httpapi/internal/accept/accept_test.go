package accept

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

const html = "text/html; charset=utf-8"

// TestMedia has the example of RFC 9110, section 12.5.1, first: the weights that
// its table gives.
func TestMedia(t *testing.T) {
	const example = "text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5"
	for _, c := range []struct {
		accept, offer string
		want          float64
	}{
		{example, "text/plain;format=flowed", 1},
		{example, "text/plain", 0.7},
		{example, "text/html", 0.3},
		{example, "image/jpeg", 0.5},
		{example, "text/plain;format=fixed", 0.4},
		{example, "text/html;level=3", 0.3},

		{"text/html", html, 1},
		{"TEXT/Html;Q=0.25", html, 0.25},
		{"text/html;q=0", html, 0},
		{"text/html;q=0.000, */*", html, 0},
		{"*/*, text/html;q=0", html, 0},
		{"text/*;q=0, */*", html, 0},
		{"*/*;q=0.5", html, 0.5},
		{"text/html;level=1", html, 0},
		{"text/html;charset=UTF-8;q=0.9, text/html;q=0.1", html, 0.9},
		{"text/html;charset=latin1", html, 0},
		{"text/html;q=0.2, text/html;q=0.6, text/html;q=0.4", html, 0.6},
		{`text/plain;title="a, text/html, b", image/*`, html, 0},
		{`text/plain;title="a\", text/html, b"`, html, 0},
		{`text/plain;title="a", text/html;q=0.5`, html, 0.5},
		{"text/html ; q=0.5 ,, ,image/png", html, 0.5},
		{"application/json", html, 0},
		{"text/htmlx, xtext/html, text", html, 0},
		{"", html, 0},
		{"*", html, 0},
		{"*/html", html, 0},

		{"text/html;q=.2", html, 0.2},
		{"text/html;q=1.000", html, 1},
		{"text/html;q=0.12345", html, 0.12345},
		{"text/html;q=1.001, */*;q=0.1", html, 0.1},
		{"text/html;q=-1, */*;q=0.1", html, 0.1},
		{"text/html;q=1e-1, */*;q=0.1", html, 0.1},
		{"text/html;q=NaN, */*;q=0.1", html, 0.1},
		{"text/html;q=, */*;q=0.1", html, 0.1},
		{"text/html;q=., */*;q=0.1", html, 0.1},
		{"text/html;q=0.5;q=1, */*;q=0.1", html, 0.1},
	} {
		if got := Media(http.Header{"Accept": {c.accept}}, c.offer); got != c.want {
			t.Errorf("%q: %s has weight %v, want %v", c.accept, c.offer, got, c.want)
		}
	}
	if got := Media(http.Header{}, html); got != 1 {
		t.Errorf("without Accept: %v", got)
	}
	if got := Media(http.Header{"Accept": {"image/png", "text/*;q=0.4"}}, html); got != 0.4 {
		t.Errorf("of two lines: %v", got)
	}
}

func TestPrefers(t *testing.T) {
	const json = "application/json"
	for header, want := range map[string][2]bool{ // HTML to JSON, JSON to HTML
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": {true, false},
		"text/html, */*":                    {true, false},
		"text/*":                            {true, false},
		"*/*":                               {false, false},
		"text/html, application/json":       {false, false},
		"text/html;q=0.9, application/json": {false, true},
		"text/html;q=0, */*":                {false, true},
		"application/json;q=0, */*;q=0.1":   {true, false},
		"text/html;q=0, application/*;q=0":  {false, false},
		"image/png":                         {false, false},
	} {
		h := http.Header{"Accept": {header}}
		if got := [2]bool{Prefers(h, html, json), Prefers(h, json, html)}; got != want {
			t.Errorf("%q: %v, want %v", header, got, want)
		}
	}
	if Prefers(http.Header{}, html, json) || Prefers(http.Header{}, json, html) {
		t.Error("without Accept there is no preference")
	}
}

func TestEncoding(t *testing.T) {
	for header, want := range map[string]float64{
		"gzip": 1, "GZip;Q=0.5": 0.5, "gzip ; q=0.25, br": 0.25, "br, *;q=0.3": 0.3, "gzip;q=0, *": 0, "*, gzip;q=0": 0, "*;q=0": 0,
		"br, x-gzip;q=0.7": 0.7, "x-gzip;q=0.7, gzip;q=0.2": 0.7, "": 0, "identity": 0, "gzipped": 0, "gzip;q=x, *;q=0.2": 0.2, "gzip;q": 0, "gzip;x=1": 0,
		"gzip;q=1.1": 0, "gzip;": 0,
	} {
		if got := Encoding(http.Header{"Accept-Encoding": {header}}, "gzip", "x-gzip"); got != want {
			t.Errorf("%q: %v, want %v", header, got, want)
		}
	}
	if got := Encoding(http.Header{}, "gzip"); got != 0 {
		t.Errorf("without the header: %v", got)
	}
}

// FuzzMedia holds a list against the same in another order and in other letters,
// and against itself with an entry more.
func FuzzMedia(f *testing.F) {
	for _, s := range []string{"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "*/*", `text/html;q=0.5;a="b,c"`, `a"`, "text/*;q=.5,", "text/html;charset=utf-8;q=0"} {
		f.Add(s)
	}
	of := func(lines ...string) float64 { return Media(http.Header{"Accept": lines}, html) }
	f.Fuzz(func(t *testing.T, s string) {
		weight := of(s)
		if !(weight >= 0 && weight <= 1) {
			t.Fatalf("%q: %v", s, weight)
		}
		list := slices.Collect(entries([]string{s}))
		if joined := strings.Join(list, ","); joined != s && joined+"," != s {
			t.Fatalf("%q is split into %q", s, list)
		}
		slices.Reverse(list)
		if got := of(list...); len(list) > 0 && got != weight {
			t.Fatalf("%q: %v; %q: %v", s, weight, list, got)
		}
		if got := of(s, "image/png;q=0.3"); got != weight {
			t.Fatalf("%q: %v, with another type %v", s, weight, got)
		}
		if got := of(s, html); got != 1 {
			t.Fatalf("%q and %s: %v", s, html, got)
		}
		if !strings.ContainsFunc(s, func(r rune) bool { return r > '~' }) {
			if got := of(strings.ToUpper(s)); got != weight {
				t.Fatalf("%q: %v, in capital letters %v", s, weight, got)
			}
		}
		if weight > 0 && !strings.Contains(strings.ToLower(s), "text/") && !strings.Contains(s, "*/*") {
			t.Fatalf("%q takes %s", s, html)
		}
	})
}
