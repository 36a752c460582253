package httpapi

import (
	"strconv"

	"github.com/larder-index/larder/internal/jsonstring"
)

// appendText appends a JSON string; the empty text is null.
func appendText(b []byte, s string) []byte { return jsonstring.Append(b, s) }

// appendString appends a JSON string, the empty one too.
func appendString(b []byte, s string) []byte {
	if s == "" {
		return append(b, `""`...)
	}
	return appendText(b, s)
}

// appendFloat appends a number above 0; 0 is null.
func appendFloat(b []byte, v float64) []byte {
	if v == 0 {
		return append(b, "null"...)
	}
	return strconv.AppendFloat(b, v, 'f', -1, 64)
}
