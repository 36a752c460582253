package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// apiError is a refusal as a reader sees it. What the reader can't help, such
// as a fault of the disk, is logged and never shown.
type apiError struct {
	Status     int           `json:"-"`
	Message    string        `json:"error"`
	Code       string        `json:"code"`
	RequestID  string        `json:"requestId"`
	Parameter  string        `json:"parameter,omitempty"`
	Accepted   []string      `json:"accepted,omitempty"`
	Upgrade    string        `json:"upgrade_url,omitempty"`
	Required   string        `json:"required_tier,omitempty"`
	Current    string        `json:"current_tier,omitempty"`
	RetryAfter time.Duration `json:"-"` // 0: not worth saying
}

func (e *apiError) Error() string { return fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Message) }

// invalid refuses the value of a parameter.
func invalid(parameter string, accepted []string, format string, a ...any) *apiError {
	return &apiError{
		Status: http.StatusBadRequest, Code: "invalid_parameter", Parameter: parameter, Accepted: accepted,
		Message: fmt.Sprintf(format, a...),
	}
}

// errInternal is all that a reader learns of a fault here.
var errInternal = &apiError{
	Status: http.StatusInternalServerError, Code: "internal_error",
	Message: "something failed on this side; try again after a pause, longer each time",
}

// asAPIError returns the refusal that an error is. Any other error is logged
// and becomes errInternal.
func (s *Server) asAPIError(r *http.Request, err error) *apiError {
	var refused *apiError
	if !errors.As(err, &refused) {
		s.Log.LogAttrs(r.Context(), levelOf(err), "request failed", requestAttrs(r, err)...)
		refused = errInternal
	}
	return refused
}

// fail answers with a refusal.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	refused := s.asAPIError(r, err)
	body := refused.body(requestID(r))
	if underShopper(r) {
		body = refused.shopperBody(s.BaseURL)
	}
	refused.setHeaders(w.Header())
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(refused.Status)
	if r.Method != http.MethodHead {
		w.Write(body) //nolint:errcheck // the client is gone then
	}
}

func (e *apiError) setHeaders(h http.Header) {
	h.Set("Content-Type", jsonType)
	h.Set("Cache-Control", "no-store")
	h.Del("ETag")
	h.Del("Content-Encoding") // of a body that is not sent after all
	if e.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="larder"`)
	}
	if e.RetryAfter > 0 {
		h.Set("Retry-After", strconv.FormatInt(wholeSeconds(e.RetryAfter), 10))
	}
}

// body returns the refusal as JSON, with the id of the request.
func (e *apiError) body(requestID string) []byte {
	x := *e
	x.RequestID = requestID
	b, err := json.Marshal(&x)
	if err != nil {
		panic("httpapi: " + err.Error()) // texts and lists of texts have a JSON form
	}
	return append(b, '\n')
}

// wholeSeconds rounds a wait up, to 1 at least.
func wholeSeconds(d time.Duration) int64 {
	return max(1, int64((d+time.Second-1)/time.Second))
}

const jsonType = "application/json; charset=utf-8"
