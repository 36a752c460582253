package httpapi

import (
	_ "embed"
	"strings"
)

//go:embed openapi/llms.txt
var llmsText string

//go:embed openapi/api-catalog.json
var apiCatalog string

// documentAge is the Cache-Control of documents: an hour, so that a new release is
// known soon.
const documentAge = "public, max-age=3600"

// discoveryRoutes returns the documents by which programs find their way. Search
// engines are asked not to list them.
func (s *Server) discoveryRoutes() []*route {
	row := func(path, contentType string, body []byte, headers ...string) *route {
		d := newDocument(contentType, body, append(headers, "Cache-Control", documentAge, "X-Robots-Tag", "noindex")...)
		return &route{"GET", path, access{}, nil, func(c *call) error { return d.serve(c.w, c.r) }}
	}
	return []*route{
		row(pathOpenAPI, jsonType, s.openAPI()),
		row("/llms.txt", "text/plain; charset=utf-8", s.fillMarks(llmsText)),
		// The type is that of RFC 9727.
		row("/.well-known/api-catalog", `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`,
			s.fillMarks(apiCatalog), "Link", `</.well-known/api-catalog>; rel="api-catalog"`),
	}
}

// fillMarks replaces the marks in an embedded document by what only the server
// knows: its address, its cookie, and texts that responses have too.
func (s *Server) fillMarks(text string) []byte {
	return []byte(strings.NewReplacer(
		"{base_url}", s.BaseURL, "{cookie}", s.sessionCookie(), "{note}", note, "{license}", license,
	).Replace(text))
}
