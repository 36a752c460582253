package panel

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// AppendJSONText appends s as encoding/json writes a string; the empty string is
// null. It copies a string that needs no escapes, which is most of the work
// of a page of rows.
func AppendJSONText(b []byte, s string) []byte {
	escaped := func(r rune) bool {
		switch r {
		case '"', '\\', '<', '>', '&', '\u2028', '\u2029', utf8.RuneError: // the last is of bytes that are no UTF-8, too
			return true
		}
		return r < ' '
	}
	switch {
	case s == "":
		return append(b, "null"...)
	case strings.ContainsFunc(s, escaped):
		quoted, _ := json.Marshal(s) // a string always has a JSON form
		return append(b, quoted...)
	}
	return append(append(append(b, '"'), s...), '"')
}
