package httpapi

import "testing"

func TestOriginOf(t *testing.T) {
	for address, want := range map[string]string{
		"https://prices.example.org":      "https://prices.example.org",
		"https://prices.example.org/":     "https://prices.example.org",
		"https://Prices.Example.ORG:443/": "https://prices.example.org",
		"http://localhost:80":             "http://localhost",
		"http://localhost:443":            "http://localhost:443",
		"http://127.0.0.1:8080":           "http://127.0.0.1:8080",
		"https://[2001:DB8::1]:443":       "https://[2001:db8::1]",
		"https://a:":                      "https://a",
		"prices.example.org":              "",
		"ftp://prices.example.org":        "",
		"https://":                        "",
		"https://:443":                    "",
		"https://u:p@prices.example.org":  "",
		"https://prices.example.org/x":    "",
		"https://prices.example.org?x=1":  "",
		"https://prices.example.org#x":    "",
		"http://a b":                      "",
	} {
		got, err := originOf(address)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("originOf(%q) = %q, %v; want %q", address, got, err, want)
		}
	}
}
