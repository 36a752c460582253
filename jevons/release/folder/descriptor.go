package folder

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/panel/record"
)

// object is a JSON object: names and values in turn.
type object []any

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, x := range o {
		if i > 0 {
			b = append(b, ",:"[i%2])
		}
		text, err := json.Marshal(x)
		if err != nil {
			return nil, err
		}
		b = append(b, text...)
	}
	return append(b, '}'), nil
}

var typeNames = [...]string{
	record.Text: "string", record.JSON: "string", record.Whole: "integer", record.Float: "number",
	record.Decimal: "number", record.Flag: "boolean", record.Date: "date", record.Time: "datetime",
}

// schema describes the columns to readers of a Data Package. A primary key may have no null: a
// key with one is a unique key. A table refers to another one's file of the same suffix.
func (t *sheet) schema(suffix string) object {
	var fields, foreign []object
	key := object{"primaryKey", t.key}
	for _, c := range t.fields {
		f := object{"name", c.name, "type", typeNames[c.kind]}
		if c.required {
			f = append(f, "constraints", object{"required", true})
		} else if slices.Contains(t.key, c.name) {
			key = object{"uniqueKeys", [][]string{t.key}}
		}
		fields = append(fields, f)
		if to := t.refers[c.name]; to != "" {
			reference := object{"resource", to + suffix, "fields", []string{"id"}}
			foreign = append(foreign, object{"fields", []string{c.name}, "reference", reference})
		}
	}
	x := append(object{"fields", fields}, key...)
	if foreign != nil {
		x = append(x, "foreignKeys", foreign)
	}
	return x
}

// resource describes the table's file of a kind, csv or parquet, to readers of a Data Package.
func (t *sheet) resource(a *about, kind string, size int64, sum string) object {
	file, media := t.name+".parquet", "application/vnd.apache.parquet"
	if kind == "csv" {
		file, media = t.name+".csv.gz", "text/csv"
	}
	r := object{
		"name", t.name + "-" + kind, "type", "table", "path", file, "title", a.words.Label(t.title),
		"format", kind, "mediatype", media,
	}
	if kind == "csv" {
		r = append(r, "compression", "gz", "encoding", "utf-8")
	}
	return append(r, "bytes", size, "hash", "sha256:"+sum, "schema", t.schema("-"+kind))
}

// descriptor returns the Data Package of files.
func (a *about) descriptor(resources []object) []byte {
	words, id := a.words, a.ID()
	p := object{
		"$schema", "https://datapackage.org/profiles/2.0/datapackage.json", "name", "larder-" + id,
		"title", words.SourceLabel(), "description", strings.TrimSpace("Release " + id + ". " + words.Notice()),
		"version", id, "created", a.At.Format(time.RFC3339),
		"licenses", []object{{"name", "LicenseRef-publisher", "title", words.Terms()}},
	}
	if words.Publisher != "" {
		p = append(p, "contributors", []object{{"title", words.Publisher, "roles", []string{"publisher"}}})
	}
	p = append(p, "sources", []object{{"title", words.SourceLabel()}}, "larder:snapshot", a.Snapshot,
		"larder:gateVersion", a.Gate, "larder:methodVersion", a.Method, "resources", resources)
	text, _ := json.MarshalIndent(p, "", "  ") // texts and numbers only
	return append(text, '\n')
}
