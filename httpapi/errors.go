package httpapi

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/httpapi/wire"
)

// apiError is a refusal: what a client is told, and when it may try again. Any
// other error is a fault of the server, which is logged and never shown.
type apiError struct {
	wire.Refusal
	retryAfter time.Duration // 0: not worth saying
	fixed      int           // the status; 0: that of the code
}

// statusOf has the status of every code that is not 400.
var statusOf = map[string]int{
	"unauthorized":           http.StatusUnauthorized,
	"tier_required":          http.StatusPaymentRequired,
	"key_disabled":           http.StatusForbidden,
	"key_expired":            http.StatusForbidden,
	"network_refused":        http.StatusForbidden,
	"cross_site":             http.StatusForbidden,
	"not_public":             http.StatusForbidden,
	"not_found":              http.StatusNotFound,
	"method_not_allowed":     http.StatusMethodNotAllowed,
	"request_timeout":        http.StatusRequestTimeout,
	"overlap_running":        http.StatusConflict,
	"range_not_satisfiable":  http.StatusRequestedRangeNotSatisfiable,
	"body_too_large":         http.StatusRequestEntityTooLarge,
	"unsupported_media_type": http.StatusUnsupportedMediaType,
	"rate_limited":           http.StatusTooManyRequests,
	"too_many_in_flight":     http.StatusTooManyRequests,
	"quota_exceeded":         http.StatusTooManyRequests,
	"internal_error":         http.StatusInternalServerError,
	"overloaded":             http.StatusServiceUnavailable,
	"data_unavailable":       http.StatusServiceUnavailable,
	"state_unavailable":      http.StatusServiceUnavailable,
}

var (
	errInternal        = refuse("internal_error", "something failed on this side; try again after a pause, longer each time")
	errNoToken         = refuse("unauthorized", `a key is needed: send it as the header "Authorization: Bearer <key>"`)
	errNoKeyOrUser     = refuse("unauthorized", `a key or a signed-in subscriber is needed: send the key as the header "Authorization: Bearer <key>", or sign in on the account page`)
	errUnknownKey      = refuse("unauthorized", "the key is not known; a lost key is rotated on the account page, never recovered")
	errNoSession       = refuse("unauthorized", "nobody is signed in, or the session has ended: sign in on the account page")
	errSessionOnly     = refuse("unauthorized", "this address is for a signed-in subscriber and takes no key: leave the Authorization header out; keys are for /api/")
	errDisabled        = refuse("key_disabled", "the key is disabled; ask the publisher")
	errExpired         = refuse("key_expired", "the key has expired; renew the licence with the publisher")
	errCrossSite       = refuse("cross_site", "the request comes from another site's page; only pages of this site may make it")
	errNoState         = refuse("state_unavailable", "the server can't reach its records at the moment, and answers nothing that it can't check and count; try again in some seconds").after(5 * time.Second)
	errNoSnapshot      = refuse("internal_error", "there is no verified snapshot to serve at the moment; try again later").after(30 * time.Second)
	errNoLog           = refuse("not_found", "this server publishes without a release log: it has no releases, revisions or calendar")
	errNothingReleased = refuse("data_unavailable", "no released snapshot is in service at the moment; try again later").after(30 * time.Second)
	errNoData          = refuse("data_unavailable", "there are no verified prices to compare at the moment; try again later").after(30 * time.Second)
	errKeyInFlight     = refuse("too_many_in_flight", "the key has asked for much that it has not received yet; receive it, then try again").after(5 * time.Second)
	errInFlight        = refuse("overloaded", "too much that was asked for has not been received yet; try again in some seconds").after(5 * time.Second).as(http.StatusInternalServerError)
	errComparing       = refuse("overloaded", "too many comparisons are being made at the moment; try again in a second").after(time.Second)
	errScrapes         = refuse("overloaded", "the metrics are being read too many times at once; try again in a second").after(time.Second)
	errBodyTimeout     = refuse("request_timeout", "the body took too long to arrive; send the request again")
	errRange           = refuse("range_not_satisfiable", "the range is not in the file, or not well-formed; a good one is bytes=0-65535")
	errNotMade         = refuse("data_unavailable", "the file can't be made at the moment; try again later").after(30 * time.Second)
	errAssetMissing    = refuse("not_found", "there is no such file in this release; load the page again")
)

// refuse returns a refusal with a code and a sentence that says what to change.
func refuse(code, message string) *apiError {
	return &apiError{Refusal: wire.Refusal{Code: code, Error: message}}
}

// invalid refuses the value of a parameter. It lists what is accepted, if that
// is a list.
func invalid(parameter string, accepted []string, format string, a ...any) *apiError {
	e := refuse("invalid_parameter", fmt.Sprintf(format, a...))
	e.Parameter, e.Accepted = parameter, accepted
	return e
}

// after says when the same request may succeed.
func (e *apiError) after(d time.Duration) *apiError {
	e.retryAfter = d
	return e
}

// as gives the refusal another status than its code has. The licensed interface
// has a closed table of statuses, without 503.
func (e *apiError) as(status int) *apiError {
	e.fixed = status
	return e
}

// Error implements error.
func (e *apiError) Error() string {
	return fmt.Sprintf("%d %s: %s", e.status(), e.Code, e.Refusal.Error)
}

func (e *apiError) status() int {
	return cmp.Or(e.fixed, statusOf[e.Code], http.StatusBadRequest)
}

// refusal turns an error into the refusal that the client gets. An error that is no
// refusal is logged and becomes errInternal. A state that was replaced or can't be reached is
// logged once, and not for each request.
func (s *Server) refusal(r *http.Request, err error) *apiError {
	if refused, ok := errors.AsType[*apiError](err); ok {
		return refused
	}
	if refused := keyRefusal(err); refused != nil {
		return refused
	}
	if fault, ok := errors.AsType[*compare.Error](err); ok {
		return refuse(string(fault.Code), fault.Path+": "+fault.Message)
	}
	if spent, ok := errors.AsType[*state.QuotaError](err); ok {
		return quotaExceeded(spent, s.Now())
	}
	if errors.Is(err, state.ErrReplaced) {
		s.noteState(r.Context(), err)
		return errInternal
	}
	if errors.Is(err, state.ErrUnavailable) {
		s.noteState(r.Context(), err)
		return errNoState
	}
	s.Log.LogAttrs(r.Context(), levelOf(err), "request failed", requestAttrs(r, err)...)
	return errInternal
}

// keyRefusal returns what the client is told if the state refuses its key or
// session; nil for any other error.
func keyRefusal(err error) *apiError {
	switch {
	case errors.Is(err, state.ErrUnknownKey):
		return errUnknownKey
	case errors.Is(err, state.ErrNoSession):
		return errNoSession
	case errors.Is(err, state.ErrKeyDisabled):
		return errDisabled
	case errors.Is(err, state.ErrKeyExpired):
		return errExpired
	}
	return nil
}

// fail answers with the refusal that err is.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	refused := s.refusal(r, err)
	send(w, r, refused.status(), [][]byte{s.refusalBody(w.Header(), r, refused)})
}

// refusalBody returns the body of a refusal and sets its headers. Under the
// comparison the body has a shape of its own.
func (s *Server) refusalBody(h http.Header, r *http.Request, e *apiError) []byte {
	h.Set("Content-Type", jsonType)
	h.Set("Cache-Control", "no-store")
	h.Del("ETag") // of the answer that is not sent
	h.Del("Content-Encoding")
	if e.status() == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="larder"`)
	}
	if e.retryAfter > 0 {
		h.Set("Retry-After", strconv.FormatInt(wholeSeconds(e.retryAfter), 10))
	}
	var body any
	if underShopper(r) {
		body = wire.ShopperRefusal{Error: wire.ShopperError{Code: e.Code, Message: e.Refusal.Error}, CatalogURL: s.BaseURL + compare.CatalogPath}
	} else {
		refusal := e.Refusal
		refusal.RequestID = requestID(r)
		body = refusal
	}
	b, err := json.Marshal(body)
	if err != nil {
		panic("httpapi: " + err.Error()) // texts have a JSON form
	}
	return append(b, '\n')
}

// wholeSeconds rounds a wait up to whole seconds, at least 1.
func wholeSeconds(d time.Duration) int64 {
	return max(1, int64((d+time.Second-1)/time.Second))
}
