package httpapi

import (
	"net/http"

	"github.com/larder-index/larder/httpapi/pages"
)

// addDocuments registers the documentation: a page for each document, and one
// that lists them.
func (s *Server) addDocuments() error {
	all := s.pages.Documents()
	if err := s.addPage("documents", pages.View{Path: pages.DocsPath, Data: all}); err != nil {
		return err
	}
	for _, d := range all {
		if err := s.addPage("document", pages.View{Path: d.Path, Data: d}); err != nil {
			return err
		}
		// Whoever takes all documents for alike finds the one that has an address
		// of its own.
		if alike := pages.DocsPath + "/" + d.Name; alike != d.Path {
			s.add(&route{path: alike, page: true, methods: methodsGet, handle: func(w http.ResponseWriter, r *http.Request) error {
				s.setPageHeaders(w.Header())
				w.Header().Set("Location", d.Path)
				w.WriteHeader(http.StatusPermanentRedirect)
				return nil
			}})
		}
	}
	return nil
}

// addAssets registers the styles and scripts. An address holds the hash of all
// of them and is good for ever; any other is an asset of another release.
func (s *Server) addAssets() {
	documents := map[string]*document{}
	for _, address := range s.pages.Assets() {
		a, _ := s.pages.Asset(address)
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
