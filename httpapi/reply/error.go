package reply

import (
	"cmp"
	"fmt"
	"net/http"
	"time"

	"github.com/larder-index/larder/httpapi/wire"
)

// Error is a refusal: what a client is told, and when it may try again. Any
// other error is a fault of the server, which is logged and never shown.
type Error struct {
	wire.Refusal
	RetryAfter time.Duration // 0: not worth saying
	Limit      string        // that is used up, as metrics name it; or empty
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

// errBodyTimeout refuses a body that does not arrive in time.
var errBodyTimeout = Refuse("request_timeout", "the body took too long to arrive; send the request again")

// Refuse returns a refusal with a code and a sentence that says what to change.
func Refuse(code, message string) *Error {
	return &Error{Refusal: wire.Refusal{Code: code, Error: message}}
}

// Invalid refuses the value of a parameter. It lists what is accepted, if that
// is a list.
func Invalid(parameter string, accepted []string, format string, a ...any) *Error {
	e := Refuse("invalid_parameter", fmt.Sprintf(format, a...))
	e.Parameter, e.Accepted = parameter, accepted
	return e
}

// After says when the same request may succeed.
func (e *Error) After(d time.Duration) *Error {
	e.RetryAfter = d
	return e
}

// WithStatus gives the refusal another status than its code has. The licensed interface
// has a closed table of statuses, without 503.
func (e *Error) WithStatus(status int) *Error {
	e.fixed = status
	return e
}

// Error implements error.
func (e *Error) Error() string {
	return fmt.Sprintf("%d %s: %s", e.Status(), e.Code, e.Refusal.Error)
}

// Status returns the status of the response: 400 unless the table says another.
func (e *Error) Status() int {
	return cmp.Or(e.fixed, statusOf[e.Code], http.StatusBadRequest)
}

// WholeSeconds rounds a wait up to whole seconds, at least 1.
func WholeSeconds(d time.Duration) int64 {
	return max(1, int64((d+time.Second-1)/time.Second))
}
