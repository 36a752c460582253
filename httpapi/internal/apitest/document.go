package apitest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/state"
)

// OpenAPI is the document of a server at https://larder.example, made strict: its schemas
// allow only members that they name.
var OpenAPI = sync.OnceValue(func() *openapi3.T { return strict(published()) })

// strict has schemas that allow only members that they name.
func strict(text []byte) *openapi3.T {
	doc, err := openapi3.NewLoader().LoadFromData(text)
	must(err)
	must(doc.WalkSchemas(func(at string, s *openapi3.SchemaRef) error {
		if strings.HasPrefix(at, "/components/schemas") && len(s.Value.Properties) > 0 && s.Value.AdditionalProperties == (openapi3.AdditionalProperties{}) {
			s.Value.AdditionalProperties = openapi3.BoolSchema{Has: new(bool)}
		}
		return nil
	}))
	return doc
}

// Published is the document that subscribers get.
func Published() *openapi3.T {
	doc, err := openapi3.NewLoader().LoadFromData(published())
	must(err)
	return doc
}

var published = sync.OnceValue(func() []byte {
	now := func() time.Time { return Now }
	db, err := state.Open(context.Background(), filepath.Join(dir(), "document.db"), state.Options{Now: now, Serve: true})
	must(err)
	defer db.Close()
	s, err := httpapi.New(httpapi.Config{
		Now: now, Snapshots: prepared.NewSnapshots("", now), State: db, BaseURL: "https://larder.example", Log: slog.New(slog.DiscardHandler),
	})
	must(err)
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	return w.Body.Bytes()
})

// Methods are the methods of a documented address, as the header Allow lists them.
func Methods(path string) (list []string) {
	for _, m := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
		if OpenAPI().Paths.Value(path).GetOperation(m) == nil {
			continue
		}
		if list = append(list, m); m == "GET" {
			list = append(list, "HEAD")
		}
	}
	return list
}

// formats are checked beside those that the validator knows.
var formats = []openapi3.SchemaValidationOption{openapi3.EnableFormatValidation(),
	openapi3.WithStringFormatValidator("uri", openapi3.NewRegexpFormatValidator(`^[a-z]+:`))}

// Validate checks a JSON value against a schema.
func Validate(schema *openapi3.SchemaRef, v any) error { return schema.Value.VisitJSON(v, formats...) }

// validRows are schemas with the hashes of rows that were validated. Tests get most rows
// hundreds of times.
var validRows sync.Map

// validateText checks the text of a JSON body against a schema.
func validateText(schema *openapi3.SchemaRef, body []byte) error {
	var members map[string]json.RawMessage
	for name, list := range schema.Value.Properties {
		if list.Value.Items == nil || list.Value.Items.Ref == "" || json.Unmarshal(body, &members) != nil || !bytes.HasPrefix(members[name], []byte("[")) {
			continue
		}
		var rows []json.RawMessage
		if err := json.Unmarshal(members[name], &rows); err != nil {
			return err
		}
		if most := list.Value.MaxItems; most != nil && uint64(len(rows)) > *most {
			return fmt.Errorf("%s has %d rows; documented are %d at most", name, len(rows), *most)
		}
		for i, row := range rows {
			key := [2]any{list.Value.Items.Value, sha256.Sum256(row)}
			if _, known := validRows.Load(key); known {
				continue
			}
			if err := validateJSON(list.Value.Items, row); err != nil {
				return fmt.Errorf("%s[%d]: %s: %w", name, i, row, err)
			}
			validRows.Store(key, true)
		}
		members[name] = json.RawMessage("[]")
		var err error
		if body, err = json.Marshal(members); err != nil {
			return err
		}
		break
	}
	return validateJSON(schema, body)
}

func validateJSON(schema *openapi3.SchemaRef, text []byte) error {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	return Validate(schema, v)
}
