package httpapi

import (
	"net/http"
	"net/netip"
	"testing"
)

func TestClient(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:ff::/48")}
	for _, c := range []struct {
		name      string
		remote    string
		forwarded []string
		want      string
	}{
		{"IPv4", "203.0.113.7:4711", nil, "203.0.113.7/32"},
		{"IPv6: its /64", "[2001:db8:1:2:3:4:5:6]:4711", nil, "2001:db8:1:2::/64"},
		{"IPv6 with a zone", "[fe80::1%eth0]:4711", nil, "fe80::/64"},
		{"IPv4 mapped into IPv6", "[::ffff:203.0.113.7]:4711", nil, "203.0.113.7/32"},
		{"no proxy is trusted here", "203.0.113.7:4711", []string{"198.51.100.1"}, "203.0.113.7/32"},
		{"a trusted proxy", "10.0.0.1:4711", []string{"198.51.100.1"}, "198.51.100.1/32"},
		{"a trusted proxy, mapped", "[::ffff:10.0.0.1]:4711", []string{"198.51.100.1"}, "198.51.100.1/32"},
		{"a trusted proxy over IPv6", "[2001:db8:ff::1]:4711", []string{"2001:db8:9:9:9::1"}, "2001:db8:9:9::/64"},
		{"forwarded, mapped", "10.0.0.1:4711", []string{"::ffff:198.51.100.1"}, "198.51.100.1/32"},
		{"forwarded with a port", "10.0.0.1:4711", []string{"198.51.100.1:555"}, "198.51.100.1/32"},
		{"forwarded with brackets and port", "10.0.0.1:4711", []string{"[2001:db8:9:9::1]:555"}, "2001:db8:9:9::/64"},
		{"forwarded with brackets", "10.0.0.1:4711", []string{"[2001:db8:9:9::1]"}, "2001:db8:9:9::/64"},
		{"two proxies", "10.0.0.1:4711", []string{"198.51.100.1, 10.0.0.2"}, "198.51.100.1/32"},
		{"two headers", "10.0.0.1:4711", []string{"198.51.100.1", "10.0.0.2"}, "198.51.100.1/32"},
		{"spoofed: what the client wrote itself stands left", "10.0.0.1:4711", []string{"192.0.2.9, 198.51.100.1"}, "198.51.100.1/32"},
		{"spoofed as a proxy", "10.0.0.1:4711", []string{"192.0.2.9, 10.9.9.9, 198.51.100.1, 10.0.0.2"}, "198.51.100.1/32"},
		{"spoofed in a header of its own", "10.0.0.1:4711", []string{"192.0.2.9", "198.51.100.1"}, "198.51.100.1/32"},
		{"garbage from the client", "10.0.0.1:4711", []string{"<script>, 198.51.100.1"}, "198.51.100.1/32"},
		{"garbage from the proxy: the proxy itself", "10.0.0.1:4711", []string{"198.51.100.1, unknown"}, "10.0.0.1/32"},
		{"garbage before an inner proxy: that one", "10.0.0.1:4711", []string{"198.51.100.1, _hidden, 10.0.0.2"}, "10.0.0.2/32"},
		{"an empty header", "10.0.0.1:4711", []string{""}, "10.0.0.1/32"},
		{"no header", "10.0.0.1:4711", nil, "10.0.0.1/32"},
		{"proxies only", "10.0.0.1:4711", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3/32"},
		{"a remote that is no address", "@", nil, "invalid Prefix"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &Server{Config: Config{Trusted: trusted}}
			r := &http.Request{RemoteAddr: c.remote, Header: http.Header{"X-Forwarded-For": c.forwarded}}
			if got := s.client(r).String(); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// A client behind a trusted proxy has its own bucket, and can't get a new one
// with a header of its own; one in the same /64 shares it.
func TestClientBuckets(t *testing.T) {
	f := serveDemo(t, func(c *Config) {
		c.PublicPerMinute = 3
		c.Trusted = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	})
	for _, c := range []struct {
		forwarded string
		want      int
	}{
		{"198.51.100.1", 401}, {"192.0.2.1, 198.51.100.1", 401}, {"192.0.2.2, 198.51.100.1", 401}, {"192.0.2.3, 198.51.100.1", 429},
		{"198.51.100.2", 401},
		{"2001:db8:1:2::1", 401}, {"2001:db8:1:2::2", 401}, {"2001:db8:1:2:9::", 401}, {"2001:db8:1:2::4", 429}, {"2001:db8:1:3::4", 401},
	} {
		if got := f.get("/api/public/index", "", header("X-Forwarded-For", c.forwarded)).StatusCode; got != c.want {
			t.Errorf("%s: %d, want %d", c.forwarded, got, c.want)
		}
	}
}
