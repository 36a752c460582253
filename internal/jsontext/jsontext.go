// Package jsontext writes strings as encoding/json does. It copies a string that needs no
// escapes, which is most of the work of a page of rows.
package jsontext

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Append appends a string.
func Append(b []byte, s string) []byte {
	if strings.ContainsFunc(s, escaped) {
		quoted, _ := json.Marshal(s) // a string always has a JSON form
		return append(b, quoted...)
	}
	return append(append(append(b, '"'), s...), '"')
}

func escaped(r rune) bool {
	switch r {
	case '"', '\\', '<', '>', '&', '\u2028', '\u2029', utf8.RuneError: // the last is of bytes that are no UTF-8, too
		return true
	}
	return r < ' '
}

// AppendOrNull appends a string; the empty one is null.
func AppendOrNull(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return Append(b, s)
}
