package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
)

// Error names the operation and the file of an error, and how to mend it.
type Error struct {
	Op, Path string
	Err      error
	Hint     string // may be ""
}

// Fail returns an Error.
func Fail(op, path string, err error, hint string) error {
	return &Error{Op: op, Path: path, Err: err, Hint: hint}
}

// Error returns all parts in one line.
func (e *Error) Error() string {
	s := fmt.Sprintf("%s %s: %v", e.Op, e.Path, e.Err)
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// Unwrap returns the error without operation, file and hint.
func (e *Error) Unwrap() error { return e.Err }

// Bare drops the path from an error. It is for messages that name the file
// already.
func Bare(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
