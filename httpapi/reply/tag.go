package reply

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
)

// WeakTag returns the ETag of what the parts are.
func WeakTag(parts ...[]byte) string {
	sum := sha256.Sum256(bytes.Join(parts, []byte{'\n'}))
	return `W/"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
}

// TagMatches reports whether If-None-Match names a tag, by the weak comparison.
func TagMatches(h http.Header, tag string) bool {
	for _, list := range h.Values("If-None-Match") {
		for have := range strings.SplitSeq(list, ",") {
			have = strings.TrimSpace(have)
			if have == "*" || strings.TrimPrefix(have, "W/") == strings.TrimPrefix(tag, "W/") {
				return true
			}
		}
	}
	return false
}

// ProgramID tells one program from another: what they make of a snapshot may differ. Two
// programs that were built of the same commit, or of none, have the same one.
var ProgramID = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo() // nil for a program without modules
	sum := sha256.Sum256([]byte(info.String()))
	return hex.EncodeToString(sum[:6])
})
