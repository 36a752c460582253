package releaselog

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

// Context has what answers about a release need besides its rows.
type Context struct {
	Settings    map[string]string `json:"settings"`               // by key, such as source
	Cities      []string          `json:"cities"`                 // display names, in byte order
	Banners     []string          `json:"banners"`                // keys of the index banners, in byte order
	Pilot       *jevons.Table     `json:"-"`                      // the pilot series
	About       *panel.About      `json:"-"`                      // what the settings say
	Slugs       map[string]string `json:"slugs,omitempty"`        // of cities, by display name
	BannerNames map[string]string `json:"banner_names,omitempty"` // display names of the index banners, by key
	Products    []Product         `json:"products,omitempty"`     // the active ones, by category, then name
	Where       string            `json:"where,omitempty"`        // of About
	Categories  basket.Categories `json:"categories,omitempty"`

	// Of each row of Pilot the week, the level, the city, the banner, the category and the figures.
	PilotRows []json.RawMessage `json:"pilot"`

	content []byte // its JSON, as a release's hash is of
}

// Product is a product as a release had it.
type Product struct {
	ID           int64   `json:"id"`
	Name         string  `json:"name"`
	Category     string  `json:"category"`
	Subcategory  string  `json:"subcategory,omitempty"`
	StandardSize float64 `json:"standard_size"`
	Unit         string  `json:"unit"`
	Weight       float64 `json:"basket_weight"`
}

func contextOf(all *sqlite.Contents) *Context {
	about := all.Panel.About()
	x := &Context{
		Settings: all.Info.Settings, Cities: []string{}, Banners: []string{}, Slugs: map[string]string{},
		BannerNames: map[string]string{}, Pilot: jevons.Pilot(all.Panel),
		About: about, Where: about.Where, Categories: all.Panel.Categories(),
	}
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
	for _, p := range all.Panel.Products() {
		if p.Active {
			x.Products = append(x.Products,
				Product{p.ID, p.Name, p.Category, p.Subcategory, p.StandardSize, p.Unit.String(), p.Weight})
		}
	}
	slices.SortFunc(x.Products, func(a, b Product) int {
		return cmp.Or(cmp.Compare(a.Category, b.Category), cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	x.content = x.encode()
	return x
}

func (x *Context) hash() string { return fmt.Sprintf("%x", sha256.Sum256(x.content)) }

func (x *Context) encode() []byte {
	x.PilotRows = []json.RawMessage{}
	for i := range x.Pilot.Rows {
		r := &x.Pilot.Rows[i]
		x.PilotRows = append(x.PilotRows, append(appendRow(append(appendCell(nil, r.Week, r.Cell), ','), r), ']'))
	}
	return mustJSON(x)
}

// decodeContext reads what encode returns, deflated.
func decodeContext(stored []byte) (*Context, error) {
	content, err := inflate(stored)
	x := &Context{Pilot: &jevons.Table{}, content: content}
	if err := cmp.Or(err, json.Unmarshal(content, x)); err != nil {
		return nil, err
	}
	if x.About, err = panel.NewAbout(x.Settings, x.Categories); err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	x.About.Where = x.Where
	known := newLines(x.Categories)
	for _, row := range x.PilotRows {
		text, figures := cutLast(row[:len(row)-1])
		week, of, err := known.begin(text)
		if err != nil {
			return nil, err
		}
		r, err := readRow(figures, week, &of.cell)
		if err != nil || r == nil {
			return nil, cmp.Or(err, errors.New("a row of the pilot series is null"))
		}
		x.Pilot.Rows = append(x.Pilot.Rows, *r)
	}
	return x, nil
}
