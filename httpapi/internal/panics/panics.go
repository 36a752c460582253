// Package panics describes a panic for the log: the type of its value and the functions
// under way. It leaves out the value and the arguments, which may hold parts of a shopper's
// list.
package panics

import (
	"fmt"
	"log/slog"
	"runtime"
	"strings"
)

// Attrs returns what a log may hold of a panic. It is called in the function
// that recovered p.
func Attrs(p any) []slog.Attr {
	const skipped = 3 // runtime.Callers, Attrs, and the function that recovers
	var counters [64]uintptr
	frames := runtime.CallersFrames(counters[:runtime.Callers(skipped, counters[:])])
	var stack strings.Builder
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		fmt.Fprintf(&stack, "%s %s:%d\n", f.Function, f.File, f.Line)
	}
	return []slog.Attr{slog.String("panic", fmt.Sprintf("a %T, which is not shown", p)),
		slog.String("stack", stack.String())}
}
