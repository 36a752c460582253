package accept

import (
	"net/http"
	"testing"
)

func TestMedia(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]float64{
		"text/*;q=0.3, text/html;q=0.7, */*;q=0.5": 0.7, "TEXT/Html;Q=0.25": 0.25, "*/*, text/html;q=0": 0, "text/*;q=0, */*": 0, "*/*;q=0.5": 0.5,
		"text/html;q=0.2, text/html;q=0.6, text/html;q=0.4": 0.6, "text/html ; q=0.5 ,, ,image/png": 0.5,
		"application/json": 0, "text/htmlx, xtext/html, text": 0, "": 0, "*": 0, "*/html": 0,
		"text/html;q=.2": 0.2, "text/html;q=1.001, */*;q=0.1": 0.1, "text/html;q=-1, */*;q=0.1": 0.1, "text/html;q=NaN, */*;q=0.1": 0.1, "text/html;q=0.5;q=1, */*;q=0.1": 0.1,
	} {
		if got, _ := media(http.Header{"Accept": {header}}, "text/html"); got != want {
			t.Errorf("%q: weight %v, want %v", header, got, want)
		}
	}
	none, _ := media(http.Header{}, "text/html")
	if two, _ := media(http.Header{"Accept": {"image/png", "text/*;q=0.4"}}, "text/html"); none != 1 || two != 0.4 {
		t.Error("no header, or two")
	}
}

func TestPrefers(t *testing.T) {
	t.Parallel()
	const html, json = "text/html", "application/json"
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

func TestGzip(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]bool{
		"gzip": true, "GZip;Q=0.5": true, "gzip ; q=0.25, br": true, "br, *;q=0.3": true, "gzip;q=0, *": false, "*, gzip;q=0": false, "*;q=0": false,
		"br, x-gzip;q=0.7": true, "": false, "identity": false, "gzipped": false, "gzip;q=x, *;q=0.2": true, "gzip;q=1.1": false,
	} {
		if got := Gzip(http.Header{"Accept-Encoding": {header}}); got != want {
			t.Errorf("%q: %v", header, got)
		}
	}
	if Gzip(http.Header{}) {
		t.Error("without the header")
	}
}
