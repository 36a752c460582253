package httpapi

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// crowd keeps some descriptors free of readers' connections, for files and for operators. When there are
// too many connections, the one that has been idle longest is closed.
type crowd struct {
	most int

	mu   sync.Mutex
	open int
	idle list.List // of net.Conn
	at   map[net.Conn]*list.Element
}

const manyFiles = 1 << 20 // more than connections there will be

// newCrowd leaves 128 of the process's descriptors free, or half of them.
func newCrowd(files uint64) *crowd {
	return &crowd{most: int(files - min(128, files/2)), at: map[net.Conn]*list.Element{}}
}

// note is the ConnState of an http.Server.
func (c *crowd) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x, ok := c.at[conn]; ok {
		c.idle.Remove(x)
		delete(c.at, conn)
	}
	switch state {
	case http.StateNew:
		c.open++
		c.at[conn] = c.idle.PushBack(conn)
	case http.StateIdle:
		c.at[conn] = c.idle.PushBack(conn)
	case http.StateClosed, http.StateHijacked:
		c.open--
	}
	if first := c.idle.Front(); c.open > c.most && first != nil {
		first.Value.(net.Conn).Close() //nolint:errcheck // it is a reader's
	}
}
