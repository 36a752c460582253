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
	if s == "" {
		return append(b, "null"...)
	}
	ascii := true
	for _, c := range []byte(s) {
		if c < ' ' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return escapeJSON(b, s)
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	if !ascii && (!utf8.ValidString(s) || strings.ContainsAny(s, "\u2028\u2029")) {
		return escapeJSON(b, s)
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

func escapeJSON(b []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // a string always has a JSON form
	return append(b, quoted...)
}
