package record

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/larder-index/larder/panel"
)

// AppendText appends a JSON string. Unlike panel.AppendJSONText it writes the empty text as it is.
func AppendText(b []byte, s string) []byte {
	if s == "" {
		return append(b, `""`...)
	}
	return panel.AppendJSONText(b, s)
}

// appendObject appends a stored JSON object without the blanks in it. What is no JSON is null:
// an import stores nothing but JSON objects.
func appendObject(b []byte, text string) []byte {
	if !strings.ContainsAny(text, " \t\r\n") {
		return append(b, text...)
	}
	out := bytes.NewBuffer(b)
	if err := json.Compact(out, []byte(text)); err != nil {
		return append(b, "null"...)
	}
	return out.Bytes()
}
