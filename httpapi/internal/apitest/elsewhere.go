package apitest

import (
	"context"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/jevons/release/folder"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

// elsewhere are the cities of Elsewhere by those of the synthetic panel.
var elsewhere = map[string]basket.City{
	"vancouver": {Slug: "muenchen", Name: "München", Province: "BY"},
	"montreal":  {Slug: "hamburg", Name: "Hamburg", Province: "HH"},
	"toronto":   {Slug: "berlin", Name: "Berlin", Province: "BE"},
}

// ownCategories are the categories of Elsewhere by those of the synthetic panel.
var ownCategories = map[string]string{
	"dairy": "frisch", "produce_fruit": "frisch", "produce_veg": "frisch", "meat": "fleisch", "bakery": "brot",
	"pantry": "vorrat", "frozen": "vorrat", "beverages": "vorrat", "household": "haushalt",
}

// Elsewhere is the panel of a publisher in Germany, and its snapshot: three cities, prices in euros, Berlin's clock, five
// categories, and ids of products up to 700. Its shops and prices are invented, and it says so.
var Elsewhere = sync.OnceValues(func() (*Market, string) {
	d, err := synth.Generate(synth.Config{Through: panel.Calendar{}.DateIn(Now)})
	must(err)
	d.Pilot = nil
	stores := map[int64]bool{}
	d.Stores = slices.DeleteFunc(slices.Clone(d.Stores), func(s panel.Store) bool { return elsewhere[s.City].Slug == "" })
	for i := range d.Stores {
		d.Stores[i].City, stores[d.Stores[i].ID] = elsewhere[d.Stores[i].City].Slug, true
	}
	m := market(d, func(o *panel.Observation) bool { return stores[o.Store] })
	m.Settings = nil
	for _, x := range [][2]string{
		{"country", "DE"}, {"currency", "EUR"}, {"time_zone", "Europe/Berlin"}, {"place", "Deutschland"}, {"synthetic", "1"},
		{"publisher", "Beispielverlag (erfunden)"}, {"source", "Erfundene Preise"}, {"contact", "post@example.org"},
	} {
		m.Settings = append(m.Settings, panel.Setting{Key: x[0], Value: x[1]})
	}
	m.Cities = nil
	for _, c := range elsewhere {
		m.Cities = append(m.Cities, c)
	}
	m.Banners = slices.Clone(d.Banners)
	for i := range m.Banners {
		m.Banners[i].Retailer = strings.TrimSuffix(m.Banners[i].Retailer, " Canada")
	}
	m.Categories = basket.Categories{{Slug: "frisch", Name: "Fresh food", NameFr: "Frais"}, {Slug: "fleisch", Name: "Meat", NameFr: "Viande"},
		{Slug: "brot", Name: "Bread", NameFr: "Pain"}, {Slug: "vorrat", Name: "Cupboard", NameFr: "Réserve"}, {Slug: "haushalt", Name: "Home", NameFr: "Maison"}}
	const apart = 14 // ids of products
	m.Products, m.Listings, m.Specs = slices.Clone(d.Products), slices.Clone(d.Listings), slices.Clone(d.Specs)
	for i := range m.Products {
		m.Products[i].ID *= apart
		m.Products[i].Category = ownCategories[m.Products[i].Category]
	}
	for i := range m.Listings {
		m.Listings[i].ProductID *= apart
	}
	for i := range m.Specs {
		m.Specs[i].ProductID *= apart
	}
	path := filepath.Join(dir(), "elsewhere")
	must(m.Write(path))
	return m, importFolder(path)
})

var elsewhereReleased = sync.OnceValue(func() *prepared.Snapshots {
	_, db := Elsewhere()
	return released("elsewhere-released", db)
})

// elsewherePublished is the folder of that release.
var elsewherePublished = sync.OnceValue(func() string {
	elsewhereReleased()
	files, site := filepath.Join(dir(), "elsewhere-released"), filepath.Join(dir(), "elsewhere-site")
	_, err := folder.Publish(context.Background(), site, filepath.Join(files, "live.db"), filepath.Join(files, "releases.db"))
	must(err)
	return site
})

// ServeElsewhere starts a server on the snapshot of Elsewhere, which was released at Now. It checks responses against
// the OpenAPI document that the server itself gives.
func ServeElsewhere(t testing.TB, change ...func(*httpapi.Config)) *Server {
	t.Helper()
	change = append(change, func(c *httpapi.Config) { c.Publish = elsewherePublished() })
	f := start(t, "", change, func(func() time.Time) *prepared.Snapshots { return elsewhereReleased() })
	r, err := http.Get(f.HTTP.URL + "/openapi.json")
	must(err)
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	must(err)
	f.Document = strict(text)
	return f
}
