package reply

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"
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

// ProgramID tells one program from another: what they make of a snapshot may
// differ. New asks for it first, while the program's file is surely its own.
var ProgramID = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return rand.Text()
	}
	f, err := os.Open(path)
	if err != nil {
		return rand.Text()
	}
	defer f.Close()
	sum := xxhash.New()
	if _, err := io.Copy(sum, f); err != nil {
		return rand.Text()
	}
	return strconv.FormatUint(sum.Sum64(), 36)
})
