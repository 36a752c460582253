package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/larder-index/larder/httpapi/limit"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/panel"
)

const apiVersion = "v1"

// call is one request of a route. Only calls that count against limits have what follows now.
type call struct {
	*route
	path string // the route's
	who  access // the route's, unless what is asked for decides
	w    http.ResponseWriter
	r    *http.Request
	now  time.Time // the request's instant

	key     state.Key
	auth    state.Auth
	counts  bool        // against the month's quota
	use     *limit.Use  // of the minute and the month of the key or its address, as the headers say
	person  bool        // asks for a page, and is to get one also for a refusal
	hold    *limit.Hold // what the answer takes until its client has it
	query   reply.Params
	served  *prepared.Snapshot // one snapshot for the whole response
	vintage *prepared.Snapshot // it, or the index of the release that as_of names
	at      time.Time          // the instant that the answer is of: the request's, or that of as_of
	file    *os.File           // the answer, if it is a file
}

// bare ends a call whose response has this status and no body.
type bare int

func (b bare) Error() string { return http.StatusText(int(b)) }

// errNotModified ends a call whose client has the response already.
var errNotModified = bare(http.StatusNotModified)

func (c *call) redirect(status int, to string) error {
	c.w.Header().Set("Location", to)
	c.w.WriteHeader(status)
	return nil
}

// whole returns a context for the short work on the state. It does not end when the
// client stops sending: that client may still read the answer.
func (c *call) whole() context.Context { return context.WithoutCancel(c.r.Context()) }

// needSnapshot fails when no snapshot is loaded. Handlers call it after validating
// parameters that do not depend on the snapshot, so a bad parameter is 400 even
// without data.
func (c *call) needSnapshot() error {
	if c.served == nil {
		return errNoSnapshot
	}
	return nil
}

// asOf has the call answer from the release that the parameter as_of names: by its id, or
// as the newest one at an instant. The clock of the answer is that instant, or the one of
// the release. Without the parameter the call answers from what is in service.
func (s *Server) asOf(c *call) error {
	text := c.query.Value("as_of")
	if text == "" || c.served == nil {
		return nil
	}
	r, err := s.Snapshots.Releases.AsOf(c.now, c.served, "as_of", text)
	if err != nil {
		return err
	}
	if c.at, err = time.Parse(time.RFC3339, text); err != nil {
		c.at = r.At // the text is an id
	}
	err = c.hold.WithoutTurn(c.r.Context(), func() (err error) { // others are answered while an old vintage is made
		c.vintage, err = s.Snapshots.Releases.Past(c.served, r)
		return err
	})
	if err == nil {
		c.vintage.NameIn(c.w.Header())
	}
	return err
}

// begin ends the checks of a call: its parameters are valid. It sets the ETag and
// fails with errNotModified for a client that has the response. The tag depends on the
// snapshot and its release, the program, the address and the days that the query comes to.
// It is weak, since generated_at and the encoding may differ.
func (s *Server) begin(c *call, days ...panel.Date) error {
	if err := c.needSnapshot(); err != nil {
		return err
	}
	return c.tagged(reply.WeakTag([]byte(c.vintage.Tag()), []byte(reply.ProgramID()), strconv.AppendInt(nil, int64(s.ScanCap), 10),
		[]byte(c.path), []byte(c.r.URL.RawQuery), fmt.Append(nil, days)))
}

func (c *call) tagged(tag string) error {
	c.w.Header().Set("ETag", tag)
	if reply.TagMatches(c.r.Header, tag) {
		return errNotModified
	}
	return nil
}

func (c *call) lastClosed() panel.Week { return c.vintage.LastClosed(c.at) }

func (c *call) today() panel.Date { return panel.DateIn(c.at, panel.Toronto) }

func (c *call) generatedAt() string { return c.now.UTC().Format(time.RFC3339) }

// notice says in a header that the prices are invented, where a body has no member for it.
func (c *call) notice() {
	if notice := c.vintage.Words.Notice(); notice != "" {
		c.w.Header().Set("X-Notice", notice)
	}
}

func (c *call) made() wire.Made {
	return wire.Made{GeneratedAt: c.generatedAt(), Snapshot: c.vintage.Hash, Release: c.vintage.Ref}
}
