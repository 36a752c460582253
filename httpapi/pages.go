package httpapi

import (
	"errors"
	"net/http"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/pages"
)

const (
	pathHome    = "/"
	pathAccount = "/account"

	htmlType = "text/html; charset=utf-8"
)

// addPages registers the pages that people look at, and what they load. Which
// page / and /account show, the session decides here, so that no page has to
// ask who is signed in before it shows anything.
func (s *Server) addPages() error {
	set, err := pages.New()
	if err != nil {
		return err
	}
	shopper, err := set.Render("shopper", pages.View{Path: compare.ShopperPath})
	if err != nil {
		return err
	}
	s.addPage(compare.ShopperPath, shopper)
	s.add(&route{path: pathHome, page: true, methods: methodsGet, handle: s.sessionPage(set, pathHome, "welcome", "dashboard")})
	s.add(&route{path: pathAccount, page: true, methods: methodsGet, handle: s.sessionPage(set, pathAccount, "signin", "account")})
	s.addAssets(set)
	return nil
}

// addPage registers a page that is the same for everyone.
func (s *Server) addPage(path string, body []byte) {
	d := newDocument(path, htmlType, body)
	d.age, d.listed = "no-cache", true // its assets' addresses change with the release
	s.add(&route{path: path, page: true, methods: methodsGet, handle: func(w http.ResponseWriter, r *http.Request) error {
		s.setPageHeaders(w.Header())
		return d.serve(w, r)
	}})
}

// sessionPage answers with one template for strangers and another for a signed-in
// subscriber, whose state.Session is its data.
func (s *Server) sessionPage(set *pages.Set, path, stranger, subscriber string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		session, err := s.session(r)
		name, view := subscriber, pages.View{Path: path, Data: describe(session)}
		if refused := (*apiError)(nil); err != nil {
			if !errors.As(refusal(err), &refused) {
				return err
			}
			name, view.Data = stranger, nil
		}
		body, err := set.Render(name, view)
		if err != nil {
			return err
		}
		s.setPageHeaders(w.Header())
		d := document{contentType: htmlType, body: body, age: "no-store", listed: path == pathHome}
		return d.serve(w, r)
	}
}

// addAssets registers the styles and scripts. An address holds the hash of all
// of them and is good for ever; any other is an asset of another release.
func (s *Server) addAssets(set *pages.Set) {
	documents := map[string]*document{}
	for _, address := range set.Assets() {
		a, _ := set.Asset(address)
		d := newDocument(address, a.Type, a.Body)
		d.age = "public, max-age=31536000, immutable"
		documents[address] = d
	}
	s.add(&route{path: pages.AssetPrefix, under: true, page: true, methods: methodsGet, handle: func(w http.ResponseWriter, r *http.Request) error {
		d := documents[r.URL.Path]
		if d == nil {
			return &apiError{
				Status: http.StatusNotFound, Code: "not_found",
				Message: "there is no such file in this release; load the page again",
			}
		}
		s.setPageHeaders(w.Header())
		return d.serve(w, r)
	}})
}

// setPageHeaders has browsers keep other sites out of a page, and the page from
// whatever it does not need.
func (s *Server) setPageHeaders(h http.Header) {
	h.Set("Content-Security-Policy", pages.Policy)
	h.Set("Referrer-Policy", "no-referrer") // nor does a link tell where it was
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
	if s.secure() {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}
