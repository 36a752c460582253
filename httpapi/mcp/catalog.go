package mcp

import (
	"encoding/json"
	"weak"

	"github.com/larder-index/larder/compare"
)

// catalog is the answer of the tool catalog, made once for a projection. It
// keeps no projection in memory that nobody else needs.
type catalog struct {
	of   weak.Pointer[compare.Projection]
	text string
	body []byte
}

// catalogOf returns the answer for a projection.
func (s *Server) catalogOf(pr *compare.Projection) (*catalog, error) {
	of := weak.Make(pr)
	if c := s.catalog.Load(); c != nil && c.of == of {
		return c, nil
	}
	listed := compare.Catalog(pr)
	body, err := json.Marshal(listed)
	if err != nil {
		return nil, err
	}
	c := &catalog{of, catalogText(listed), body}
	s.catalog.Store(c)
	return c, nil
}
