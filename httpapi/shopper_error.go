package httpapi

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/larder-index/larder/compare"
)

// shopperRefusal is a refusal in the form that the comparison has: another one
// than elsewhere, and without the request's id, which is in the header.
type shopperRefusal struct {
	Error struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	CatalogURL string `json:"catalogUrl"`
}

// shopperBody returns a refusal as JSON in that form.
func (e *apiError) shopperBody(base string) []byte {
	x := shopperRefusal{CatalogURL: base + compare.CatalogPath}
	x.Error.Code, x.Error.Message = e.Code, e.Message
	b, err := json.Marshal(&x)
	if err != nil {
		panic("httpapi: " + err.Error()) // texts have a JSON form
	}
	return append(b, '\n')
}

var (
	errNoData = &apiError{
		Status: http.StatusServiceUnavailable, Code: "data_unavailable", RetryAfter: 30 * time.Second,
		Message: "there are no verified prices to compare at the moment; try again later",
	}
	errOverloaded = &apiError{
		Status: http.StatusServiceUnavailable, Code: "overloaded", RetryAfter: time.Second,
		Message: "too many comparisons are being made at the moment; try again in a second",
	}
)

// badRequest refuses what was sent.
func badRequest(code, message string) *apiError {
	return &apiError{Status: http.StatusBadRequest, Code: code, Message: message}
}

// refusedList turns what package compare says of a request into what its sender
// is told. Package compare has no other errors.
func refusedList(err error) error {
	fault, ok := errors.AsType[*compare.Error](err)
	if !ok {
		panic(err)
	}
	return badRequest(string(fault.Code), fault.Path+": "+fault.Message)
}
