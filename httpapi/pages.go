package httpapi

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/pages"
	"github.com/larder-index/larder/httpapi/state"
)

const (
	pathHome    = "/"
	pathAccount = "/account"

	htmlType = "text/html; charset=utf-8"
)

// dataPolicy is the Content-Security-Policy of all that is no page: should a
// browser take it for one, nothing in it runs or loads.
const dataPolicy = "default-src 'none'; frame-ancestors 'none'"

// addPages registers the pages that people look at, and what they load. Which
// page / and /account show, the session decides here, so that no page has to
// ask who is signed in before it shows anything.
func (s *Server) addPages() (err error) {
	if s.pages, err = pages.New(); err != nil {
		return err
	}
	if err := s.addPage("shopper", pages.View{Path: compare.ShopperPath}); err != nil {
		return err
	}
	if err := s.addDocuments(); err != nil {
		return err
	}
	s.add(&route{path: pathHome, page: true, methods: methodsGet, handle: s.sessionPage(pathHome, "welcome", "dashboard")})
	s.add(&route{path: pathAccount, page: true, methods: methodsGet, handle: s.sessionPage(pathAccount, "signin", "account")})
	s.addAssets()
	return nil
}

// addPage registers a page that is the same for everyone.
func (s *Server) addPage(template string, view pages.View) error {
	body, err := s.pages.Render(template, view)
	if err != nil {
		return err
	}
	d := newDocument(view.Path, htmlType, body)
	d.age, d.listed = "no-cache", true // its assets' addresses change with the release
	s.add(&route{path: view.Path, page: true, methods: methodsGet, handle: func(w http.ResponseWriter, r *http.Request) error {
		s.setPageHeaders(w.Header())
		return d.serve(w, r)
	}})
	return nil
}

// sessionPage answers with one template for strangers and another for a signed-in
// subscriber, whom its data describes.
func (s *Server) sessionPage(path, stranger, subscriber string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		session, err := s.session(r)
		if refused := (*apiError)(nil); err != nil && !errors.As(refusal(err), &refused) {
			return s.faultPage(w, r, err)
		}
		name, view := subscriber, pages.View{Path: path, Data: s.reader(session)}
		if err != nil {
			name, view.Data = stranger, s.offer()
		}
		body, err := s.pages.Render(name, view)
		if err != nil {
			return err
		}
		if path != pathHome {
			w.Header().Set("X-Robots-Tag", "noindex")
		}
		s.writePage(w, r, http.StatusOK, "Accept-Encoding, Cookie", body)
		return nil
	}
}

// reader is whom a page is made for, and which cities there are: of some of them
// nothing may be published.
type reader struct {
	signedIn
	Cities []string // of the snapshot that is served
}

func (s *Server) reader(session state.Session) reader {
	x := reader{signedIn: describe(session)}
	if served := s.Snapshots.Current(); served != nil {
		x.Cities = served.cityNames
	}
	return x
}

// offer is what strangers are told of the service.
type offer struct {
	BaseURL       string
	Items, Cities int // in the snapshot that is served; 0 while there is none
}

func (s *Server) offer() offer {
	x := offer{BaseURL: s.BaseURL}
	if served := s.Snapshots.Current(); served != nil {
		x.Cities = len(served.cities)
		for _, p := range served.products {
			if p.Active {
				x.Items++
			}
		}
	}
	return x
}

// writePage sends a page that was made for one request, and that nobody keeps.
func (s *Server) writePage(w http.ResponseWriter, r *http.Request, status int, vary string, body []byte) {
	h := w.Header()
	s.setPageHeaders(h)
	h.Set("Content-Type", htmlType)
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", vary)
	if packed, free := compress(h, r.Header, body); packed != nil {
		defer free()
		body = packed
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(body) //nolint:errcheck // the client is gone then
	}
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
