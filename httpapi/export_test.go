package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"

	"github.com/larder-index/larder/httpapi/limit"
	"github.com/larder-index/larder/httpapi/site/pages"
)

// Route holds the members of a route that tests read. Page is set for pages and for
// what pages load, and Under for the latter alone.
type Route struct {
	Path                                       string
	Methods, Params                            []string
	Page, Under, Licensed, Public, SessionOnly bool
}

// Routes returns one route for each path, in the order of the table.
func (s *Server) Routes() (list []Route) {
	for i, x := range s.routes {
		if i > 0 && s.routes[i-1].path == x.path {
			continue
		}
		under := strings.HasSuffix(x.path, "*file")
		list = append(list, Route{
			x.name(), strings.Split(methodsOf(x.path, s.routes), ", "), x.params,
			x.who.by == withBrowser, under, x.who.tier != 0, x.who.by == withEither, x.who.by == withSession,
		})
	}
	return list
}

// Pages returns the pages.
func (s *Server) Pages() *pages.Set { return s.pages }

// HoldFor takes room for responses of a key on their way, until release is called;
// of all the room for the key 0.
func (s *Server) HoldFor(key int64) (release func()) {
	room := limit.MaxHeld
	if key != 0 {
		room = limit.MaxHeld / limit.ShareOf
	}
	who := limit.Reader{Key: key}
	s.room.Take(who, room) //nolint:errcheck // the first one fits
	return func() { s.room.Give(who, room) }
}

// TakeTurns takes all turns to make responses, until free is called.
func (s *Server) TakeTurns() (free func()) {
	s.making.Acquire(context.Background(), limit.MaxMaking) //nolint:errcheck // no context ends
	return func() { s.making.Release(limit.MaxMaking) }
}

// Idle says what is held of turns, of memory and of places of comparisons.
func (s *Server) Idle() error {
	if !s.making.TryAcquire(limit.MaxMaking) {
		return errors.New("turns are held")
	}
	defer s.making.Release(limit.MaxMaking)
	if n := len(s.comparing); n != 0 {
		return fmt.Errorf("%d places of comparisons are held", n)
	}
	if n := s.room.Held(); n != 0 {
		return fmt.Errorf("%d bytes are held", n)
	}
	return nil
}

// CompareAll takes all places of comparisons; release gives n of them back.
func (s *Server) CompareAll() (release func(n int)) {
	for range cap(s.comparing) {
		s.comparing <- struct{}{}
	}
	return func(n int) {
		for range n {
			<-s.comparing
		}
	}
}

// BeforeIndex has /api/v1/index call f before it makes its answer.
func (s *Server) BeforeIndex(f func()) {
	for _, x := range s.routes {
		if x.path == "/api/v1/index" {
			x.handle = s.licensed(func(c *call, b []byte) ([]byte, error) { f(); return s.index("", indexRows)(c, b) })
		}
	}
}

// ClientOf is the client that a request is counted for.
func ClientOf(trusted []netip.Prefix, r *http.Request) netip.Prefix {
	return (&Server{Config: Config{Trusted: trusted}}).client(r).Client
}
