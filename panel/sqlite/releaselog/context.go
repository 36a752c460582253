package releaselog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

// Context has what answers about a release need besides its rows.
type Context struct {
	Settings map[string]string `json:"settings"` // by key, such as panel.KeySource
	Cities   []string          `json:"cities"`   // display names, in byte order
	Banners  []string          `json:"banners"`  // keys of the index banners, in byte order
	Pilot    *jevons.Table     `json:"-"`        // the pilot series

	// What figures show besides. Contexts of earlier versions lack them.
	Slugs       map[string]string  `json:"slugs,omitempty"`        // of cities, by display name
	BannerNames map[string]string  `json:"banner_names,omitempty"` // display names of the index banners, by key
	Annotations []panel.Annotation `json:"annotations,omitempty"`

	content []byte // its JSON, as a release's hash is of
}

// contextOf returns the context of answers from a snapshot.
func contextOf(all *sqlite.Contents) *Context {
	x := &Context{
		Settings: map[string]string{}, Cities: []string{}, Banners: []string{}, Pilot: jevons.Pilot(all.Panel),
		Slugs: map[string]string{}, BannerNames: map[string]string{}, Annotations: all.Panel.Annotations(),
	}
	maps.Copy(x.Settings, all.Info.Settings)
	for _, c := range all.Panel.Cities() {
		x.Cities = append(x.Cities, c.Name)
		x.Slugs[c.Name] = c.Slug
	}
	for _, b := range all.Panel.Banners() {
		if b.InIndex {
			x.Banners = append(x.Banners, b.Key)
			x.BannerNames[b.Key] = b.Name
		}
	}
	x.content = x.encode()
	return x
}

// hash returns the SHA-256 of the context's JSON in hexadecimal.
func (x *Context) hash() string {
	sum := sha256.Sum256(x.content)
	return hex.EncodeToString(sum[:])
}

// encode returns the context as JSON. The member pilot has one array for each row:
// the week, the level, the city, the banner, the category and the row's figures.
func (x *Context) encode() []byte {
	type plain Context
	b, err := json.Marshal((*plain)(x))
	if err != nil {
		panic("releaselog: " + err.Error()) // texts always have a JSON form
	}
	b = append(b[:len(b)-1], `,"pilot":[`...)
	for i := range x.Pilot.Rows {
		r := &x.Pilot.Rows[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendRow(append(appendCell(b, r.Week, r.Cell), ','), r), ']')
	}
	return append(b, "]}"...)
}

// decodeContext reads what encode returns.
func decodeContext(content []byte) (*Context, error) {
	type plain Context
	x := struct {
		plain
		Pilot []json.RawMessage `json:"pilot"`
	}{}
	if err := json.Unmarshal(content, &x); err != nil {
		return nil, err
	}
	x.plain.Pilot, x.plain.content = &jevons.Table{}, content
	lines := newLineReader()
	for _, row := range x.Pilot {
		text, figures := cutLast(row[:len(row)-1])
		week, cell, err := lines.cell(text)
		if err != nil {
			return nil, err
		}
		r, err := readRow(figures, week, cell)
		if err != nil || r == nil {
			return nil, errLine
		}
		x.plain.Pilot.Rows = append(x.plain.Pilot.Rows, *r)
	}
	return (*Context)(&x.plain), nil
}
