package mcp

import (
	"errors"
	"time"

	"github.com/larder-index/larder/compare"
)

var (
	errInternal = &Refusal{
		Code: "internal_error", RetryAfter: 10 * time.Second,
		Message: "something failed on the server's side",
	}
	errNoSnapshot = &Refusal{
		Code: "data_unavailable", RetryAfter: 30 * time.Second,
		Message: "there is no verified snapshot of prices at the moment",
	}
	errOverloaded = &Refusal{
		Code: "overloaded", RetryAfter: time.Second,
		Message: "too many comparisons are being made at the moment",
	}
)

// asRefusal returns what an agent may be told of an error.
func asRefusal(err error) (*Refusal, bool) {
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r, true
	}
	if e, ok := errors.AsType[*compare.Error](err); ok {
		return refusalOf(e), true
	}
	return nil, false
}
