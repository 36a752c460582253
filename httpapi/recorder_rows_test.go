package httpapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// validateText holds the text of a JSON body against a schema. Of a list of rows
// a row that was held against its schema before, to the letter, is not looked at
// again: the tests get most rows hundreds of times.
func (d *apiDocument) validateText(schema any, body []byte) error {
	name, list := d.rowsOf(schema)
	var members map[string]json.RawMessage
	if list != nil && json.Unmarshal(body, &members) == nil && bytes.HasPrefix(members[name], []byte("[")) {
		var rows []json.RawMessage
		if err := json.Unmarshal(members[name], &rows); err != nil {
			return err
		}
		if most, ok := list["maxItems"].(json.Number); ok {
			if n, err := most.Int64(); err != nil || int64(len(rows)) > n {
				return fmt.Errorf("%s has %d rows; documented are %s at most", name, len(rows), most)
			}
		}
		if err := d.validateRows(list["items"], name, rows); err != nil {
			return err
		}
		members[name] = json.RawMessage("[]")
		var err error
		if body, err = json.Marshal(members); err != nil {
			return err
		}
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return d.validate(schema, v)
}

// rowsOf returns the one member of a body that is a list of rows with a schema
// of their own, and the schema of the list; nil if it has none.
func (d *apiDocument) rowsOf(schema any) (name string, list map[string]any) {
	if ref, ok := d.at(schema, "$ref").(string); ok {
		schema = d.pointer(ref)
	}
	properties, _ := d.at(schema, "properties").(map[string]any)
	for key, property := range properties {
		x, _ := property.(map[string]any)
		if items, ok := x["items"].(map[string]any); ok && items["$ref"] != nil {
			name, list = key, x
		}
	}
	return name, list
}

func (d *apiDocument) validateRows(schema any, name string, rows []json.RawMessage) error {
	ref, _ := d.at(schema, "$ref").(string)
	for i, row := range rows {
		sum := sha256.Sum256(row)
		key := ref + string(sum[:])
		if _, known := d.rows.Load(key); known {
			continue
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(row))
		if err != nil {
			return err
		}
		if err := d.validate(schema, v); err != nil {
			return fmt.Errorf("%s[%d]: %s: %w", name, i, row, err)
		}
		d.rows.Store(key, true)
	}
	return nil
}
