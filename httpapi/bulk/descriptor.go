package bulk

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/panel/record"
)

// Names of the files that describe the others.
const (
	Descriptor = "datapackage.json" // a Data Package, version 2
	Sums       = "SHA256SUMS"       // read by sha256sum --check
)

// Sum is the length and the SHA-256 sum of a file.
type Sum struct {
	File  string
	Bytes int64
	Hex   string
}

type dataPackage struct {
	Profile      string     `json:"$schema"`
	Name         string     `json:"name"`
	Title        string     `json:"title"`
	Description  string     `json:"description"`
	Version      string     `json:"version"`
	Created      string     `json:"created"`
	Licenses     []titled   `json:"licenses"`
	Contributors []titled   `json:"contributors,omitempty"`
	Sources      []titled   `json:"sources"`
	Snapshot     string     `json:"larder:snapshot"`
	Gate         string     `json:"larder:gateVersion"`
	Method       string     `json:"larder:methodVersion"`
	Resources    []resource `json:"resources"`
}

type titled struct {
	Name  string   `json:"name,omitempty"`
	Title string   `json:"title"`
	Roles []string `json:"roles,omitempty"`
}

type resource struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Path        string `json:"path"`
	Title       string `json:"title"`
	Format      string `json:"format"`
	MediaType   string `json:"mediatype"`
	Compression string `json:"compression,omitempty"`
	Encoding    string `json:"encoding,omitempty"`
	Bytes       int64  `json:"bytes"`
	Hash        string `json:"hash"`
	Schema      schema `json:"schema"`
}

type schema struct {
	Fields      []schemaField `json:"fields"`
	PrimaryKey  []string      `json:"primaryKey,omitempty"`
	UniqueKeys  [][]string    `json:"uniqueKeys,omitempty"`
	ForeignKeys []foreignKey  `json:"foreignKeys,omitempty"`
}

type schemaField struct {
	Name        string          `json:"name"`
	Type        string          `json:"type"`
	Constraints map[string]bool `json:"constraints,omitempty"`
}

type foreignKey struct {
	Fields    []string `json:"fields"`
	Reference struct {
		Resource string   `json:"resource"`
		Fields   []string `json:"fields"`
	} `json:"reference"`
}

var typeNames = map[record.Type]string{
	record.Text: "string", record.JSON: "string", record.Whole: "integer", record.Float: "number", record.Decimal: "number",
	record.Flag: "boolean", record.Date: "date", record.Time: "datetime",
}

// schema describes the columns to readers of a Data Package. A primary key may have no null: a
// key with one is a unique key. A table refers to another one's file of the same suffix.
func (t *Table) schema(suffix string) (x schema) {
	x.PrimaryKey = t.Key
	for _, c := range t.Columns {
		f := schemaField{Name: c.Name, Type: typeNames[c.Type]}
		if c.Required {
			f.Constraints = map[string]bool{"required": true}
		} else if slices.Contains(t.Key, c.Name) {
			x.PrimaryKey, x.UniqueKeys = nil, [][]string{t.Key}
		}
		x.Fields = append(x.Fields, f)
		if to := t.Refers[c.Name]; to != "" {
			key := foreignKey{Fields: []string{c.Name}}
			key.Reference.Resource, key.Reference.Fields = to+suffix, []string{"id"}
			x.ForeignKeys = append(x.ForeignKeys, key)
		}
	}
	return x
}

// writeDescriptor writes the Data Package of the files of all tables in one format after the other.
func (s *Set) writeDescriptor(w io.Writer, sums []Sum) error {
	about, words := s.About, s.About.Words
	p := dataPackage{
		Profile: "https://datapackage.org/profiles/2.0/datapackage.json", Name: "larder-" + about.Release, Title: words.SourceLabel(),
		Description: strings.TrimSpace("Release " + about.Release + ". " + words.Notice()), Version: about.Release, Created: about.Created.UTC().Format(time.RFC3339),
		Licenses: []titled{{Name: "LicenseRef-publisher", Title: words.Terms()}}, Sources: []titled{{Title: words.SourceLabel()}},
		Snapshot: about.Snapshot, Gate: about.Gate, Method: about.Method,
	}
	if words.Publisher != "" {
		p.Contributors = []titled{{Title: words.Publisher, Roles: []string{"publisher"}}}
	}
	for _, sum := range sums {
		name, format, _ := strings.Cut(sum.File, ".")
		t := &s.Tables[slices.IndexFunc(s.Tables, func(t Table) bool { return t.Name == name })]
		suffix := "-" + strings.TrimSuffix(format, ".gz")
		r := resource{
			Name: name + suffix, Type: "table", Path: sum.File, Title: words.Label(t.Title), Format: "parquet", MediaType: MediaType(sum.File),
			Bytes: sum.Bytes, Hash: "sha256:" + sum.Hex, Schema: t.schema(suffix),
		}
		if Format(format) == CSV {
			r.Format, r.MediaType, r.Compression, r.Encoding = "csv", "text/csv", "gz", "utf-8"
		}
		p.Resources = append(p.Resources, r)
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(p)
}

// writeSums writes the sums as sha256sum does.
func writeSums(w io.Writer, sums []Sum) error {
	for _, s := range sums {
		if _, err := fmt.Fprintf(w, "%s  %s\n", s.Hex, s.File); err != nil {
			return err
		}
	}
	return nil
}

// MediaType returns the media type of a file.
func MediaType(file string) string {
	switch _, format, _ := strings.Cut(file, "."); {
	case format == string(Parquet):
		return "application/vnd.apache.parquet"
	case format == string(CSV):
		return "application/gzip"
	case file == Descriptor:
		return "application/vnd.datapackage+json; charset=utf-8"
	}
	return "text/plain; charset=utf-8"
}
