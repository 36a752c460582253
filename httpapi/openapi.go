package httpapi

import (
	"bytes"
	"embed"
	"encoding/json"
	"io/fs"
	"path"
	"strings"
)

// openapiFiles are the parts of the OpenAPI document: its head, the paths, and
// the components, by kind. Of examples a file holds one each, named for it: a
// response of the demo snapshot.
//
//go:embed openapi/document.json openapi/components.json openapi/components_shopper.json openapi/paths openapi/schemas openapi/examples
var openapiFiles embed.FS

// openapiDocument is the OpenAPI document with its parts as they are written.
type openapiDocument struct {
	OpenAPI      string                     `json:"openapi"`
	Info         json.RawMessage            `json:"info"`
	Servers      []openapiServer            `json:"servers"`
	Tags         json.RawMessage            `json:"tags"`
	Paths        map[string]json.RawMessage `json:"paths"`
	Components   openapiComponents          `json:"components"`
	ExternalDocs json.RawMessage            `json:"externalDocs"`
}

type openapiServer struct {
	URL string `json:"url"`
}

type openapiComponents struct {
	SecuritySchemes map[string]json.RawMessage `json:"securitySchemes"`
	Parameters      map[string]json.RawMessage `json:"parameters"`
	Headers         map[string]json.RawMessage `json:"headers"`
	Responses       map[string]json.RawMessage `json:"responses"`
	Schemas         map[string]json.RawMessage `json:"schemas"`
	Examples        map[string]openapiExample  `json:"examples"`
}

type openapiExample struct {
	Value json.RawMessage `json:"value"`
}

// openAPI puts the OpenAPI document together. It panics where a part is
// missing or no JSON, which tests would find: the parts are embedded.
func (s *Server) openAPI() []byte {
	doc := &openapiDocument{Servers: []openapiServer{{URL: s.BaseURL}}, Paths: map[string]json.RawMessage{}}
	readPart("openapi/document.json", doc)
	readPart("openapi/components.json", &doc.Components)
	readPart("openapi/components_shopper.json", &doc.Components)
	eachPart("openapi/paths", func(name string) { readPart(name, &doc.Paths) })
	doc.Components.Schemas = map[string]json.RawMessage{}
	eachPart("openapi/schemas", func(name string) { readPart(name, &doc.Components.Schemas) })
	doc.Components.Examples = map[string]openapiExample{}
	eachPart("openapi/examples", func(name string) {
		var value json.RawMessage
		readPart(name, &value)
		doc.Components.Examples[strings.TrimSuffix(path.Base(name), ".json")] = openapiExample{value}
	})
	var text, indented bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	mustOpenAPI(e.Encode(doc))
	mustOpenAPI(json.Indent(&indented, text.Bytes(), "", " "))
	return s.fillMarks(indented.String())
}

// readPart reads an embedded file. Into a map it adds.
func readPart(name string, v any) {
	b, err := openapiFiles.ReadFile(name)
	mustOpenAPI(err)
	mustOpenAPI(json.Unmarshal(b, v))
}

func eachPart(dir string, f func(name string)) {
	files, err := fs.ReadDir(openapiFiles, dir)
	mustOpenAPI(err)
	for _, x := range files {
		f(path.Join(dir, x.Name()))
	}
}

func mustOpenAPI(err error) {
	if err != nil {
		panic("httpapi: the OpenAPI document: " + err.Error())
	}
}
