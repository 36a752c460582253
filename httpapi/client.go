package httpapi

import (
	"net/http"
	"net/netip"
	"strings"
)

// client returns whom the requests of an address are counted for: an IPv4
// address, or the /64 that an IPv6 address is in, since a subscriber's line has
// a whole one. X-Forwarded-For is believed only as far as trusted proxies wrote
// it: from the right, the first address that is none of theirs.
func (s *Server) client(r *http.Request) netip.Prefix {
	remote, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Prefix{}
	}
	addr := remote.Addr().Unmap().WithZone("")
	if s.trusts(addr) {
		list := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		for i := len(list) - 1; i >= 0; i-- {
			hop, ok := parseHop(strings.TrimSpace(list[i]))
			if !ok {
				break // what stands left of it can't be believed
			}
			if addr = hop; !s.trusts(addr) {
				break
			}
		}
	}
	bits := addr.BitLen()
	if addr.Is6() {
		bits = 64
	}
	p, _ := addr.Prefix(bits)
	return p
}

// parseHop reads an address as proxies write it, with a port or without.
func parseHop(s string) (netip.Addr, bool) {
	if a, err := netip.ParseAddr(strings.Trim(s, "[]")); err == nil {
		return a.Unmap().WithZone(""), true
	}
	a, err := netip.ParseAddrPort(s)
	return a.Addr().Unmap().WithZone(""), err == nil
}

func (s *Server) trusts(a netip.Addr) bool {
	for _, p := range s.Trusted {
		if p.Contains(a) {
			return true
		}
	}
	return false
}
