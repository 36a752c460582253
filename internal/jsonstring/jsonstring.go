// Package jsonstring writes JSON strings.
package jsonstring

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Append appends s as encoding/json writes a string; the empty string is
// null. It copies a string that needs no escapes, which is most of the work
// of a page of rows.
func Append(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	ascii := true
	for _, c := range []byte(s) {
		if c < ' ' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return escape(b, s)
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	if !ascii && (!utf8.ValidString(s) || strings.ContainsAny(s, "\u2028\u2029")) {
		return escape(b, s)
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

func escape(b []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // a string always has a JSON form
	return append(b, quoted...)
}
