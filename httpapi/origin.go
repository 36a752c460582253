package httpapi

import (
	"errors"
	"net/url"
	"strings"
)

// ErrBaseURL is returned by New for a BaseURL that is none.
var ErrBaseURL = errors.New("httpapi: BaseURL is not an address such as https://prices.example.org")

// originOf returns the origin of the service's address, in the form in which
// browsers send it: small letters, and no port that the scheme has anyway.
func originOf(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return "", ErrBaseURL
	}
	standard := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	if standard == "" {
		return "", ErrBaseURL
	}
	host := strings.ToLower(u.Host)
	if u.Port() == standard {
		host = strings.TrimSuffix(host, ":"+standard)
	}
	return u.Scheme + "://" + strings.TrimSuffix(host, ":"), nil
}
