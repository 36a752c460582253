package releaselog

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
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
	return x
}

// hash returns the SHA-256 of the context's JSON in hexadecimal.
func (x *Context) hash() string {
	sum := sha256.Sum256(x.encode())
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
func decodeContext(b []byte) (*Context, error) {
	type plain Context
	x := &Context{Pilot: &jevons.Table{}}
	var pilot struct {
		Pilot [][6]json.RawMessage `json:"pilot"`
	}
	for _, into := range []any{(*plain)(x), &pilot} {
		if err := json.Unmarshal(b, into); err != nil {
			return nil, err
		}
	}
	cells := map[jevons.Cell]*jevons.Cell{}
	for i, parts := range pilot.Pilot {
		var week, level string
		var cell jevons.Cell
		var figures [numFigures]*int64
		for k, into := range []any{&week, &level, &cell.City, &cell.Banner, &cell.Category, &figures} {
			if err := json.Unmarshal(parts[k], into); err != nil {
				return nil, fmt.Errorf("row %d of the pilot series: %w", i+1, err)
			}
		}
		row := jevons.Row{}
		var err error
		if row.Week, err = panel.ParseWeek(week); err != nil {
			return nil, fmt.Errorf("row %d of the pilot series: %w", i+1, err)
		}
		if cell.Level, err = jevons.ParseLevel(level); err != nil {
			return nil, fmt.Errorf("row %d of the pilot series: %w", i+1, err)
		}
		if cells[cell] == nil {
			cells[cell] = &cell
		}
		row.Cell = cells[cell]
		for k, n := range figures {
			if n != nil {
				setFigure(&row, k, panel.FixedOf(*n))
			} else {
				setFigure(&row, k, panel.Fixed{})
			}
		}
		x.Pilot.Rows = append(x.Pilot.Rows, row)
	}
	if !bytes.Equal(x.encode(), b) {
		return nil, fmt.Errorf("the context is not as it was written")
	}
	return x, nil
}
