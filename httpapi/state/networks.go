package state

import (
	"net/netip"
	"strings"
)

// Networks lists the networks that a key may be used from, in CIDR with commas between.
// The empty list means anywhere. Make one with NetworksOf.
type Networks string

// NetworksOf returns the list of some networks.
func NetworksOf(all []netip.Prefix) Networks {
	var list []string
	for _, p := range all {
		list = append(list, p.String())
	}
	return Networks(strings.Join(list, ","))
}

// Allow reports whether an address is in one of the networks.
func (n Networks) Allow(a netip.Addr) bool {
	if n == "" {
		return true
	}
	for s := range strings.SplitSeq(string(n), ",") {
		if p, err := netip.ParsePrefix(s); err == nil && p.Contains(a) {
			return true
		}
	}
	return false
}
