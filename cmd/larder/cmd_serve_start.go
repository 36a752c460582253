package main

import (
	"context"
	"fmt"
	"net/netip"
	"strings"

	"github.com/larder-index/larder/httpapi/state"
)

// parseNetworks reads the value of --trusted-proxies: networks or single
// addresses between commas.
func parseNetworks(list string) ([]netip.Prefix, error) {
	var all []netip.Prefix
	for item := range strings.SplitSeq(list, ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		p, err := netip.ParsePrefix(item)
		if addr, aerr := netip.ParseAddr(item); aerr == nil {
			p, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		if err != nil {
			return nil, usagef("--trusted-proxies: %q is no network such as 10.0.0.0/8, and no address", item)
		}
		if p != p.Masked() {
			return nil, usagef("--trusted-proxies: %s is an address inside a network; the network is %s", p, p.Masked())
		}
		if p.Addr().Is4In6() {
			const mapped = 96 // bits before the IPv4 address
			if p.Bits() < mapped {
				return nil, usagef("--trusted-proxies: %s is no network of IPv4 addresses; write it as 10.0.0.0/8", p)
			}
			p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-mapped)
		}
		all = append(all, p)
	}
	return all, nil
}

// greet says where the server is.
func (a *app) greet(public, admin string, f serveFlags) error {
	_, err := fmt.Fprintf(a.stdout, "Larder serves %s at %s/ (health and metrics: %s)\nstate: %s; larder keys create makes a key\n",
		f.db, public, admin, f.state)
	return err
}

// greetDemo makes a key of each tier and prints what to do with them.
func (a *app) greetDemo(ctx context.Context, db *state.DB, public, admin string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Larder serves made-up prices at %s/ (health and metrics: %s)\n\nKeys, good until it ends:\n", public, admin)
	var standard string
	for _, tier := range state.Tiers() {
		_, secret, err := db.CreateKey(ctx, state.NewKey{Name: "Demo " + tier.String(), Tier: tier})
		if err != nil {
			return err
		}
		if tier == state.Standard {
			standard = secret
		}
		fmt.Fprintf(&b, "  %-12s  %s\n", tier, secret)
	}
	fmt.Fprintf(&b, "\nTry one:\n  curl -H 'Authorization: Bearer %s' '%s/api/v1/index?level=national&category=overall'\n\n", standard, public)
	_, err := a.stdout.Write([]byte(b.String()))
	return err
}
