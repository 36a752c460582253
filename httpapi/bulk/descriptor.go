package bulk

import (
	"crypto/sha256"
	"encoding/hex"
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

// SumOf reads a file and returns its sum.
func SumOf(name string, r io.Reader) (Sum, error) {
	h := sha256.New()
	n, err := io.Copy(h, r)
	return Sum{name, n, hex.EncodeToString(h.Sum(nil))}, err
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

type dataPackage struct {
	Profile      string        `json:"$schema"`
	Name         string        `json:"name"`
	Title        string        `json:"title"`
	Description  string        `json:"description"`
	Version      string        `json:"version"`
	Created      string        `json:"created"`
	Licenses     []license     `json:"licenses"`
	Contributors []contributor `json:"contributors,omitempty"`
	Sources      []source      `json:"sources"`
	Snapshot     string        `json:"larder:snapshot"`
	Gate         string        `json:"larder:gateVersion"`
	Method       string        `json:"larder:methodVersion"`
	Resources    []resource    `json:"resources"`
}

type license struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

type contributor struct {
	Title string   `json:"title"`
	Roles []string `json:"roles"`
}

type source struct {
	Title string `json:"title"`
}

type resource struct {
	Name        string  `json:"name"`
	Type        string  `json:"type"`
	Path        string  `json:"path"`
	Title       string  `json:"title"`
	Format      string  `json:"format"`
	MediaType   string  `json:"mediatype"`
	Compression string  `json:"compression,omitempty"`
	Encoding    string  `json:"encoding,omitempty"`
	Bytes       int64   `json:"bytes"`
	Hash        string  `json:"hash"`
	Schema      *schema `json:"schema"`
}

type schema struct {
	Fields      []schemaField `json:"fields"`
	PrimaryKey  []string      `json:"primaryKey,omitempty"`
	UniqueKeys  [][]string    `json:"uniqueKeys,omitempty"`
	ForeignKeys []foreignKey  `json:"foreignKeys,omitempty"`
}

type schemaField struct {
	Name        string       `json:"name"`
	Type        string       `json:"type"`
	Constraints *constraints `json:"constraints,omitempty"`
}

type constraints struct {
	Required bool `json:"required"`
}

type foreignKey struct {
	Fields    []string  `json:"fields"`
	Reference reference `json:"reference"`
}

type reference struct {
	Resource string   `json:"resource"`
	Fields   []string `json:"fields"`
}

var typeNames = map[record.Type]string{
	record.Text: "string", record.JSON: "string", record.Whole: "integer", record.Float: "number", record.Decimal: "number",
	record.Flag: "boolean", record.Date: "date", record.Time: "datetime",
}

// schema implements Table. A primary key may have no null: a key with one is a unique key.
func (t *Rows[T]) schema() *schema {
	x := &schema{}
	nullable := false
	for _, c := range t.Columns {
		f := schemaField{Name: c.Name, Type: typeNames[c.Type]}
		if c.Required {
			f.Constraints = &constraints{true}
		} else if slices.Contains(t.Key, c.Name) {
			nullable = true
		}
		x.Fields = append(x.Fields, f)
		if to := t.Refers[c.Name]; to != "" {
			x.ForeignKeys = append(x.ForeignKeys, foreignKey{[]string{c.Name}, reference{to, []string{"id"}}})
		}
	}
	if nullable {
		x.UniqueKeys = [][]string{t.Key}
	} else {
		x.PrimaryKey = t.Key
	}
	return x
}

// writeDescriptor writes the Data Package of files, which are of the tables. A table refers to
// another one's file of the same format.
func writeDescriptor(w io.Writer, about *About, tables []Table, sums []Sum) error {
	words := about.Words
	p := dataPackage{
		Profile: "https://datapackage.org/profiles/2.0/datapackage.json", Name: "larder-" + about.Release, Title: words.SourceLabel(),
		Description: strings.TrimSpace("Release " + about.Release + ". " + words.Notice()), Version: about.Release, Created: about.Created.UTC().Format(time.RFC3339),
		Licenses: []license{{"LicenseRef-publisher", words.Terms()}}, Sources: []source{{words.SourceLabel()}},
		Snapshot: about.Snapshot, Gate: about.Gate, Method: about.Method,
	}
	if words.Publisher != "" {
		p.Contributors = []contributor{{words.Publisher, []string{"publisher"}}}
	}
	for _, sum := range sums {
		name, format, _ := strings.Cut(sum.File, ".")
		i := slices.IndexFunc(tables, func(t Table) bool { return t.Named() == name })
		suffix := "-" + strings.TrimSuffix(format, ".gz")
		r := resource{
			Name: name + suffix, Type: "table", Path: sum.File, Title: words.Label(tables[i].title()), Format: "parquet", MediaType: MediaType(sum.File),
			Bytes: sum.Bytes, Hash: "sha256:" + sum.Hex, Schema: tables[i].schema(),
		}
		if Format(format) == CSV {
			r.Format, r.MediaType, r.Compression, r.Encoding = "csv", "text/csv", "gz", "utf-8"
		}
		for k := range r.Schema.ForeignKeys {
			r.Schema.ForeignKeys[k].Reference.Resource += suffix
		}
		p.Resources = append(p.Resources, r)
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(p)
}

// MediaType returns the media type of a file.
func MediaType(file string) string {
	_, format, _ := strings.Cut(file, ".")
	switch {
	case format == string(Parquet):
		return "application/vnd.apache.parquet"
	case format == string(CSV):
		return "application/gzip"
	case file == Descriptor:
		return "application/vnd.datapackage+json; charset=utf-8"
	}
	return "text/plain; charset=utf-8"
}
