package mcp

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
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

// callers lists the functions under way, without their arguments.
func callers() string {
	const skipped = 3 // runtime.Callers, callers, and the function that recovers
	var counters [64]uintptr
	frames := runtime.CallersFrames(counters[:runtime.Callers(skipped, counters[:])])
	var text strings.Builder
	for {
		f, more := frames.Next()
		fmt.Fprintf(&text, "%s %s:%d\n", f.Function, f.File, f.Line)
		if !more {
			return text.String()
		}
	}
}
