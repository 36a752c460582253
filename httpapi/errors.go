package httpapi

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/internal/accept"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/site/pages"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/httpapi/wire"
)

var (
	errInternal = reply.Refuse("internal_error",
		"something failed on this side; try again after a pause, longer each time")
	errNoToken = reply.Refuse("unauthorized",
		`a key is needed: send it as the header "Authorization: Bearer <key>"`)
	errNoKeyOrUser = reply.Refuse("unauthorized", "a key or a signed-in subscriber is needed: send the key as the "+
		`header "Authorization: Bearer <key>", or sign in on the account page; figures of the national headline `+
		"and categories need none where the publisher runs larder serve with --public national")
	errUnknownKey = reply.Refuse("unauthorized",
		"the key is not known; a lost key is rotated on the account page, never recovered")
	errNoSession = reply.Refuse("unauthorized",
		"nobody is signed in, or the session has ended: sign in on the account page")
	errSessionOnly = reply.Refuse("unauthorized",
		"this address is for a signed-in subscriber and takes no key: leave the Authorization header out; keys are "+
			"for /api/")
	errDisabled  = reply.Refuse("key_disabled", "the key is disabled; ask the publisher")
	errExpired   = reply.Refuse("key_expired", "the key has expired; renew the licence with the publisher")
	errCrossSite = reply.Refuse("cross_site",
		"the request comes from another site's page; only pages of this site may make it")
	errNoState = reply.Refuse("state_unavailable",
		"the server can't reach its records at the moment, and answers nothing that it can't check and count; try "+
			"again in some seconds").After(5 * time.Second)
	errNoSnapshot = reply.Refuse("internal_error",
		"there is no verified snapshot to serve at the moment; try again later").After(30 * time.Second)
	errNoLog = reply.Refuse("not_found",
		"this server publishes without a release log: it has no releases, revisions or calendar")
	errNothingReleased = reply.Refuse("data_unavailable",
		"no released snapshot is in service at the moment; try again later").After(30 * time.Second)
	errNoData = reply.Refuse("data_unavailable",
		"there are no verified prices to compare at the moment; try again later").After(30 * time.Second)
	errComparing = reply.Refuse("overloaded",
		"too many comparisons are being made at the moment; try again in a second").After(time.Second)
	errRange = reply.Refuse("range_not_satisfiable",
		"the range is not in the file, or not well-formed; a good one is bytes=0-65535")
	errAssetMissing = reply.Refuse("not_found", "there is no such file in this release; load the page again")
)

// keyRefusals has the answer to each reason for which the state refuses a key or a session.
var keyRefusals = []struct {
	is      error
	refused *reply.Error
}{
	{state.ErrUnknownKey, errUnknownKey}, {state.ErrNoSession, errNoSession}, {state.ErrKeyDisabled, errDisabled},
	{state.ErrKeyExpired, errExpired},
}

// told returns the refusal behind an error; nil for a fault of the server.
func (s *Server) told(err error) *reply.Error {
	if refused, ok := errors.AsType[*reply.Error](err); ok {
		return refused
	}
	if fault, ok := errors.AsType[*compare.Error](err); ok {
		return reply.Refuse(fault.Code, fault.Faults())
	}
	if spent, ok := errors.AsType[*state.QuotaError](err); ok {
		text := fmt.Sprintf("the key's %s quota is used up; the next month begins at %s", spent.Month,
			spent.Resets.Format(time.RFC3339))
		e := reply.Refuse("quota_exceeded", text).After(spent.Resets.Sub(s.Now()))
		e.Limit = limitMonth
		return e
	}
	for _, x := range keyRefusals {
		if errors.Is(err, x.is) {
			return x.refused
		}
	}
	return nil
}

// refusal is told for any error that is answered. A fault is logged and becomes errInternal. That
// the state was replaced or can't be reached is logged once, and not for each request.
func (s *Server) refusal(r *http.Request, err error) *reply.Error {
	refused := s.told(err)
	switch {
	case refused != nil && refused.Limit != "":
		s.metrics.limited.WithLabelValues(refused.Limit).Inc()
		return refused
	case refused != nil:
		return refused
	case errors.Is(err, state.ErrReplaced):
		s.noteState(r.Context(), err)
	case errors.Is(err, state.ErrUnavailable):
		s.noteState(r.Context(), err)
		return errNoState
	default:
		s.note(r, levelOf(err), "request failed", err)
	}
	return errInternal
}

// fail answers a call with the refusal that err is.
func (s *Server) fail(c *call, err error) {
	status, body := s.outcome(c, err)
	reply.Respond(c.w, c.r, status, c.w.Header().Get("Content-Type"), body)
}

func (s *Server) outcome(c *call, err error) (status int, body []byte) {
	c.payer.giveBack()
	if status, ok := errors.AsType[bare](err); ok {
		return int(status), nil
	}
	refused := s.refusal(c.r, err)
	if c.who.by >= withKey && refused.Status() == http.StatusServiceUnavailable {
		closed := *refused // the licensed interface has no 503
		refused = closed.WithStatus(http.StatusInternalServerError)
	}
	body = s.refusalBody(c.w.Header(), c.r, refused)
	if c.who.by == withBrowser && wantsPage(c.r) {
		body = s.refusedPage(c, refused, body)
	}
	return refused.Status(), body
}

// refusalBody returns the body of a refusal and sets its headers. Under the
// comparison the body has a shape of its own.
func (s *Server) refusalBody(h http.Header, r *http.Request, e *reply.Error) []byte {
	h.Set("Content-Type", reply.JSONType)
	h.Set("Cache-Control", "no-store")
	h.Del("ETag") // of the answer that is not sent
	h.Del("X-Notice")
	h.Del("Content-Encoding")
	if e != errRange {
		h.Del("Accept-Ranges")
		h.Del("Content-Range")
	}
	if e.Status() == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="larder"`)
	}
	if e.RetryAfter > 0 {
		h.Set("Retry-After", strconv.FormatInt(reply.WholeSeconds(e.RetryAfter), 10))
	}
	refusal := e.Refusal
	refusal.RequestID = requestID(r)
	var body any = refusal
	if s.underShopper(r) {
		shopper := wire.ShopperRefusal{CatalogURL: s.BaseURL + compare.CatalogPath}
		shopper.Error.Code, shopper.Error.Message = e.Code, s.Snapshots.Current().InExample(e.Refusal.Error)
		body = shopper
	}
	b, _ := reply.AppendJSON(nil, body) // texts have a JSON form
	return b
}

type trouble struct {
	Title, Message string
	Parameter      string // that is refused; or empty
	Detail         string // what programs are told, in English, or else the values that are accepted; or empty
	RequestID      string // for a fault of the server; else empty
}

// reasons tell people by its code why a page is refused, in the language of the page.
var reasons = map[string]string{
	"body_too_large": words.Key("That is too long for the server."),
	"cross_site": words.Key("The server took this for a request of another site's page, and refused it. Open this " +
		"page at its own address, and try there."),
	"data_unavailable":  words.Key("The server has no prices at the moment."),
	"invalid_parameter": words.Key("The address can't be used as it is. Check “{parameter}”."),
	"key_disabled":      words.Key("This key is disabled. Ask the publisher why."),
	"key_expired":       words.Key("This key has expired. Ask the publisher to renew the licence."),
	"network_refused": words.Key("This key is for networks of its subscriber, and you are in none of them. Sign in " +
		"from there, or ask the publisher."),
	"not_found":         words.Key("Nothing is published for these series, this unit and these weeks. Choose others."),
	"not_public":        words.Key("Only a figure that needs no key can be embedded. Link to this one instead."),
	"overloaded":        words.Key("The server is busy. Try again in some seconds."),
	"quota_exceeded":    words.Key("The key's quota of this month is used up."),
	"rate_limited":      words.Key("Too many requests in a minute."),
	"store_unavailable": words.Key("A chain of the list has no store in this city."),
	"tier_required":     words.Key("This needs a key of a higher tier."),
	"unauthorized": words.Key(
		`This figure is for subscribers: <a href="/account">sign in</a>, then load it again.`),
}

// refusedPage returns the page that a person gets in place of a refusal, and sets its headers. If
// it can't be made, it is the refusal for programs.
func (s *Server) refusedPage(c *call, refused *reply.Error, body []byte) []byte {
	h, status := c.w.Header(), refused.Status()
	about := s.Snapshots.Current().About()
	languages := words.Of(about)
	l, path := words.Locate(c.r.URL.Path, languages...)
	vary, x := "Accept, Accept-Encoding", trouble{Title: words.Key("That did not work")}
	x.Parameter = cmp.Or(refused.Parameter, "?")
	x.Message = reasons[refused.Code]
	if x.Message == "" && status < http.StatusInternalServerError {
		x.Message = words.Key("What was sent can't be used. Open the page anew, and try again.")
	}
	x.Message = cmp.Or(x.Message, words.Key("Something failed on this side, not on yours. Load the page "+
		"again in a minute. Meanwhile, these may work:"))
	switch figure := len(c.params) > 0; {
	case figure:
		x.Title = words.Key("This figure can't be shown")
		path, vary = "", vary+", Authorization, Cookie"
		if slices.Contains(c.r.URL.Query()["lang"], languages[1].Code) {
			l = languages[1]
		}
		x.Detail = strings.Join(refused.Accepted, ", ")
		if l.Code == words.English.Code && status != http.StatusUnauthorized {
			x.Detail = refused.Refusal.Error
		}
	case status == http.StatusNotFound:
		path, x.Title = "", words.Key("There is no such page")
		x.Message = words.Key("The address may be misspelt, or the page may have had another name. These are the " +
			"pages there are:")
	}
	if status == http.StatusInternalServerError || reasons[refused.Code] == "" {
		x.RequestID = requestID(c.r)
	}
	page, err := s.pages.Render("trouble", pages.View{Lang: l, Path: path, About: about, Data: x})
	if err != nil {
		return body
	}
	s.setPersonal(h, reply.HTMLType, pages.Policy)
	h.Set("Vary", vary)
	return page
}

// wantsPage reports whether a person's browser asks: it would rather have HTML than
// JSON. A program that takes either gets JSON, and so does everybody at an address
// for programs, however it is spelt.
func wantsPage(r *http.Request) bool {
	address := strings.ToLower(path.Clean("/" + r.URL.Path))
	if strings.HasSuffix(r.URL.Path, "/") {
		address += "/"
	}
	program := slices.ContainsFunc([]string{"/api", "/account/", pathMCP, "/.well-known", pages.AssetPrefix},
		func(prefix string) bool { return strings.HasPrefix(address, prefix) })
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	return !program && (reads || strings.HasSuffix(address, compare.ShopperPath)) &&
		accept.Prefers(r.Header, "text/html", "application/json")
}
