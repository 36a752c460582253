package remote

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// maxRedirects is how often one fetch is sent elsewhere.
const maxRedirects = 5

// IsAddress reports whether a text is an address, and no path of a file.
func IsAddress(text string) bool { return strings.Contains(text, "://") }

// parseAddress reads an address. The error does not repeat it, since it may hold a password.
func parseAddress(text string, insecure bool) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Fragment != "" {
		return nil, errors.New("it is not an address such as https://files.example.org/larder.db")
	}
	return u, checkScheme(u, insecure)
}

// checkScheme fails for plain http to another machine, unless insecure allows it.
func checkScheme(u *url.URL, insecure bool) error {
	switch {
	case u.Scheme == "https", u.Scheme == "http" && (insecure || isLoopback(u.Hostname())):
		return nil
	case u.Scheme == "http":
		return fmt.Errorf("%s is plain http, which anybody on the way can change; use https, or allow it by --insecure-http", nameOf(u))
	}
	return fmt.Errorf("%s: addresses begin with https://", nameOf(u))
}

// NameOf returns an address without its user, password and query. Other texts stay as they are.
func NameOf(text string) string {
	u, err := url.Parse(text)
	if err != nil || !IsAddress(text) {
		return text
	}
	return nameOf(u)
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

func nameOf(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// redirect returns the check of redirects. Nothing leads from https to http, and no address is
// told to another server.
func redirect(insecure bool) func(*http.Request, []*http.Request) error {
	return func(next *http.Request, before []*http.Request) error {
		next.Header.Del("Referer") // it has the query of the address before
		if len(before) > maxRedirects {
			return fmt.Errorf("it redirects more than %d times", maxRedirects)
		}
		if before[0].URL.Scheme == "https" && next.URL.Scheme != "https" && !insecure {
			return errors.New("it redirects from https to " + nameOf(next.URL))
		}
		return checkScheme(next.URL, insecure)
	}
}

// withoutAddress drops the address from an error of net/http.
func withoutAddress(err error) error {
	if x, ok := errors.AsType[*url.Error](err); ok {
		err = x.Err
	}
	for _, repeated := range []string{"Location header", "malformed MIME header"} { // with an address
		if strings.Contains(err.Error(), repeated) {
			return errors.New("the headers of its answer can't be read")
		}
	}
	return err
}
