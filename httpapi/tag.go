package httpapi

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/larder-index/larder/panel"
)

// errNotModified ends a call whose client has the response already.
var errNotModified = errors.New("not modified")

// checkTag gives the response a tag, made from all that it depends on: the
// snapshot, the address, and the day in Toronto, which decides the defaults and
// which weeks have closed. It is a weak one, because generated_at and the
// encoding may differ.
func (c *call) checkTag() error {
	day := panel.DateIn(c.now, panel.Toronto).String()
	sum := sha256.Sum256([]byte(c.served.Info.Hash + "\n" + buildVersion() + "\n" + strconv.Itoa(c.scanCap) + "\n" + c.path + "\n" + c.r.URL.RawQuery + "\n" + day))
	tag := `W/"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
	c.w.Header().Set("ETag", tag)
	if tagMatches(c.r.Header, tag) {
		return errNotModified
	}
	return nil
}

// tagMatches reports whether If-None-Match names a tag, by the weak comparison.
func tagMatches(h http.Header, tag string) bool {
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
