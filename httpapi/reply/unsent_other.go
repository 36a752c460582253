//go:build !linux

package reply

import "net"

// LimitUnsent does nothing where the system has no limit of this kind.
func LimitUnsent(net.Conn) {}
