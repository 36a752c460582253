package reply

import (
	"net"

	"golang.org/x/sys/unix"
)

// LimitUnsent lets the kernel keep some 64 KiB that were not sent yet of a
// connection, rather than megabytes: a client that takes a response slowly is then
// seen to take it. A connection that can't be limited works all the same.
func LimitUnsent(c net.Conn) {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		return
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return
	}
	raw.Control(func(fd uintptr) { //nolint:errcheck // see above
		unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_NOTSENT_LOWAT, 64<<10) //nolint:errcheck // see above
	})
}
