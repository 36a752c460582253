package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/larder-index/larder/httpapi/internal/accept"
	"github.com/larder-index/larder/httpapi/pages"
)

// trouble is what somebody is told who wanted a page and gets none.
type trouble struct {
	Title, Message string
	RequestID      string // for a fault here; else empty
}

var notThere = trouble{
	Title:   "There is no such page",
	Message: "The address may be misspelt, or the page may have had another name. These are the pages there are:",
}

// missingPage answers a person's browser that asked for what is not there; false
// if it is a program that asks, which reads JSON.
func (s *Server) missingPage(w http.ResponseWriter, r *http.Request) bool {
	if !wantsPage(r) || slices.ContainsFunc(s.routes, func(x *route) bool { return x.takes(r.URL.Path) }) {
		return false
	}
	return s.troublePage(w, r, http.StatusNotFound, notThere) == nil
}

// faultPage answers who wanted a page that can't be made just now. The error is
// logged as any other; what is returned is left to answer.
func (s *Server) faultPage(w http.ResponseWriter, r *http.Request, err error) error {
	if !wantsPage(r) {
		return err
	}
	refused := s.asAPIError(r, err)
	return s.troublePage(w, r, refused.Status, trouble{
		Title:     "That did not work",
		Message:   "Something failed on this side, not on yours. Load the page again in a minute. Meanwhile, these may work:",
		RequestID: requestID(r),
	})
}

func (s *Server) troublePage(w http.ResponseWriter, r *http.Request, status int, x trouble) error {
	body, err := s.pages.Render("trouble", pages.View{Path: r.URL.Path, Data: x})
	if err != nil {
		return err
	}
	w.Header().Set("X-Robots-Tag", "noindex")
	s.writePage(w, r, status, "Accept, Accept-Encoding", body)
	return nil
}

// wantsPage says whether it is a browser that goes to an address: it would rather
// have HTML than JSON, which programs that take either get. Addresses for programs
// answer with JSON whoever asks.
func wantsPage(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	for _, prefix := range []string{"/api", "/account/", pathMCP, "/.well-known", pages.AssetPrefix} {
		if strings.HasPrefix(r.URL.Path, prefix) {
			return false
		}
	}
	return accept.Prefers(r.Header, htmlType, jsonType)
}
