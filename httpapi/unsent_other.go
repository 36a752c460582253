//go:build !linux

package httpapi

import "net"

// limitUnsent does nothing where the system has no limit of this kind.
func limitUnsent(net.Conn) {}
