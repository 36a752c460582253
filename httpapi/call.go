package httpapi

import (
	"context"
	"fmt"
	"net/http"
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

// call is one request of a route.
type call struct {
	*route
	w     http.ResponseWriter
	r     *http.Request
	now   time.Time // the request's instant
	payer *payer
	query reply.Params // the checked ones
	view               // what a logged answer is made of
}

// payer is whose limits a call counts against. The zero payer is a stranger.
type payer struct {
	key    state.Key
	auth   state.Auth
	use    *limit.Use // of the minute and the month of the key or its address, as the headers say
	counts bool       // against the month's quota
}

// view has the data that an answer is made of: the snapshot in service, or the release that as_of names.
// at is the instant of the answer.
type view struct {
	*prepared.Snapshot
	at time.Time
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
	if c.Snapshot == nil {
		return errNoSnapshot
	}
	return nil
}

func readParams(c *call) (err error) {
	c.query, err = reply.ReadParams(c.r.URL.RawQuery, c.params)
	return err
}

// readAsOf has the call answer from the release that the parameter as_of names: by its id, or
// as the newest one at an instant. The clock of the answer is that instant, or the one of
// the release. Without the parameter the call answers from what is in service.
func (s *Server) readAsOf(c *call) error {
	text := c.query.Value("as_of")
	if text == "" || c.Snapshot == nil {
		return nil
	}
	r, err := s.Snapshots.Releases.AsOf(c.now, c.Snapshot, "as_of", text)
	if err != nil {
		return err
	}
	if c.at, err = time.Parse(time.RFC3339, text); err != nil {
		c.at = r.At // the text is an id
	}
	if c.Snapshot, err = s.Snapshots.Releases.Past(c.Snapshot, r); err == nil {
		c.NameIn(c.w.Header())
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
	return c.tagged(reply.WeakTag([]byte(c.Tag()), []byte(reply.ProgramID()),
		strconv.AppendInt(nil, int64(s.ScanCap), 10),
		[]byte(c.name()), []byte(c.r.URL.RawQuery), fmt.Append(nil, days)))
}

func (c *call) tagged(tag string) error {
	c.w.Header().Set("ETag", tag)
	if reply.TagMatches(c.r.Header, tag) {
		return errNotModified
	}
	return nil
}

func (c *call) lastClosed() panel.Week { return c.LastClosed(c.at) }

func (c *call) today() panel.Date { return c.About().Calendar().DateIn(c.at) }

func (c *call) generatedAt() string { return c.now.UTC().Format(time.RFC3339) }

// notice says in a header that the prices are invented, where a body has no member for it.
func (c *call) notice() {
	if notice := c.Words.Notice(); notice != "" {
		c.w.Header().Set("X-Notice", notice)
	}
}

func (c *call) made() wire.Made {
	return wire.Made{GeneratedAt: c.generatedAt(), Snapshot: c.Hash, Release: c.Ref}
}
