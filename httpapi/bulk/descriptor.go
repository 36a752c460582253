package bulk

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/record"
)

// Names of the files that describe the others.
const (
	Descriptor = "datapackage.json" // a Data Package, version 2
	Sums       = "SHA256SUMS"       // read by sha256sum --check
)

// mediaTypes are the media types of files by the ends of their names.
var mediaTypes = map[string]string{
	".parquet": "application/vnd.apache.parquet", ".gz": "application/gzip",
	".json": "application/vnd.datapackage+json; charset=utf-8", "": "text/plain; charset=utf-8",
}

// object is a JSON object: names and values in turn.
type object []any

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, x := range o {
		if i > 0 {
			b = append(b, ",:"[i%2])
		}
		b = reply.AppendPlainJSON(b, x)
	}
	return append(b, '}'), nil
}

var typeNames = map[record.Type]string{
	record.Text: "string", record.JSON: "string", record.Whole: "integer", record.Float: "number", record.Decimal: "number",
	record.Flag: "boolean", record.Date: "date", record.Time: "datetime",
}

// schema describes the columns to readers of a Data Package. A primary key may have no null: a
// key with one is a unique key. A table refers to another one's file of the same suffix.
func (t *Table) schema(suffix string) object {
	var fields, foreign []object
	key := object{"primaryKey", t.Key}
	for _, c := range t.Columns {
		f := object{"name", c.Name, "type", typeNames[c.Type]}
		if c.Required {
			f = append(f, "constraints", object{"required", true})
		} else if slices.Contains(t.Key, c.Name) {
			key = object{"uniqueKeys", [][]string{t.Key}}
		}
		fields = append(fields, f)
		if to := t.Refers[c.Name]; to != "" {
			reference := object{"resource", to + suffix, "fields", []string{"id"}}
			foreign = append(foreign, object{"fields", []string{c.Name}, "reference", reference})
		}
	}
	x := append(object{"fields", fields}, key...)
	if foreign != nil {
		x = append(x, "foreignKeys", foreign)
	}
	return x
}

// resource describes the table's file in a format to readers of a Data Package.
func (t *Table) resource(about *About, format Format, size int64, sum string) object {
	kind, media := "parquet", mediaTypes[".parquet"]
	if format == CSV {
		kind, media = "csv", "text/csv"
	}
	r := object{
		"name", t.Name + "-" + kind, "type", "table", "path", t.file(format), "title", about.Words.Label(t.Title),
		"format", kind, "mediatype", media,
	}
	if format == CSV {
		r = append(r, "compression", "gz", "encoding", "utf-8")
	}
	return append(r, "bytes", size, "hash", "sha256:"+sum, "schema", t.schema("-"+kind))
}

// writeDescriptor writes the Data Package of files.
func (a *About) writeDescriptor(w io.Writer, resources []object) error {
	words := a.Words
	p := object{
		"$schema", "https://datapackage.org/profiles/2.0/datapackage.json", "name", "larder-" + a.Release, "title", words.SourceLabel(),
		"description", strings.TrimSpace("Release " + a.Release + ". " + words.Notice()), "version", a.Release,
		"created", a.Created.UTC().Format(time.RFC3339), "licenses", []object{{"name", "LicenseRef-publisher", "title", words.Terms()}},
	}
	if words.Publisher != "" {
		p = append(p, "contributors", []object{{"title", words.Publisher, "roles", []string{"publisher"}}})
	}
	p = append(p, "sources", []object{{"title", words.SourceLabel()}},
		"larder:snapshot", a.Snapshot, "larder:gateVersion", panel.GateVersion, "larder:methodVersion", jevons.MethodVersion, "resources", resources)
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(p)
}
