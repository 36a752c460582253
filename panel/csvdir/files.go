package csvdir

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/record"
)

// The files of a panel directory. A row refers only to rows of earlier files.
// docs/snapshot.md lists their columns.
var (
	Settings = &Table[panel.Setting]{
		name: "settings", optional: true, columns: record.Settings,
		compare: func(a, b *panel.Setting) int { return strings.Compare(a.Key, b.Key) },
	}
	Categories = &Table[basket.NamedCategory]{
		name: "categories", optional: true, columns: record.Categories,
		check:   func(c *basket.NamedCategory, _ func(string) string) error { return basket.Categories{*c}.Validate() },
		compare: func(_, _ *basket.NamedCategory) int { return 0 }, // they are in their order
	}
	Products = &Table[basket.Product]{
		name: "products", columns: record.Products,
		check:   func(p *basket.Product, _ func(string) string) error { return p.Validate() },
		compare: func(a, b *basket.Product) int { return cmp.Compare(a.ID, b.ID) },
	}
	Cities = &Table[basket.City]{
		name: "cities", columns: record.Cities,
		check:   func(c *basket.City, _ func(string) string) error { return c.Validate() },
		compare: func(a, b *basket.City) int { return strings.Compare(a.Slug, b.Slug) },
	}
	Banners = &Table[basket.Banner]{
		name: "banners", columns: record.Banners,
		check:   func(b *basket.Banner, _ func(string) string) error { return b.Validate() },
		compare: func(a, b *basket.Banner) int { return strings.Compare(a.Key, b.Key) },
	}
	Stores = &Table[panel.Store]{
		name: "stores", columns: record.Stores,
		compare: func(a, b *panel.Store) int { return cmp.Compare(a.ID, b.ID) },
	}
	Listings = &Table[panel.Listing]{
		name: "retailer_products", columns: record.Listings,
		compare: func(a, b *panel.Listing) int { return cmp.Compare(a.ID, b.ID) },
	}
	Observations = &Table[panel.Observation]{
		name: "observations", columns: append(slices.Clone(record.Observations), record.ShelfPrice),
		check: checkObservation,
		compare: func(a, b *panel.Observation) int {
			return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Listing, b.Listing),
				cmp.Compare(a.Store, b.Store), a.ObservedAt.Compare(b.ObservedAt))
		},
	}
	Specs = &Table[basket.Spec]{
		name: "product_specs", optional: true, columns: record.Specs, check: checkSpec,
		compare: func(a, b *basket.Spec) int { return cmp.Compare(a.ProductID, b.ProductID) },
	}
	QuarantineEntries = &Table[panel.Quarantine]{
		name: "quarantine", optional: true, columns: record.Quarantine,
		compare: (*panel.Quarantine).Compare,
	}
	ShrinkEvents = &Table[panel.ShrinkEvent]{
		name: "shrink_events", optional: true, columns: record.ShrinkEvents,
		compare: func(a, b *panel.ShrinkEvent) int { return cmp.Compare(a.ID, b.ID) },
	}
	Pilot = &Table[panel.PilotRow]{
		name: "index_v1", optional: true, columns: record.Pilot, check: checkPilot,
		compare: func(a, b *panel.PilotRow) int {
			var order basket.Categories // that of the pilot series
			return cmp.Or(cmp.Compare(a.Date, b.Date), strings.Compare(a.City, b.City),
				strings.Compare(a.Banner, b.Banner), order.Of(a.Category).Compare(order.Of(b.Category)))
		},
	}
	Words = &Table[basket.Word]{
		name: "words", optional: true, columns: record.Words,
		check:   func(w *basket.Word, _ func(string) string) error { return w.Validate() },
		compare: panel.CompareWords,
	}
	Matches = &Table[panel.Match]{
		name: "matches", optional: true, columns: record.Matches,
		check:   func(m *panel.Match, _ func(string) string) error { return m.Check() },
		compare: panel.CompareMatches,
	}
)

// table is a Table of any records.
type table interface {
	FileName() string
	required() bool
	checkHeader(header []string) error
}

var tables = []table{
	Settings, Categories, Products, Cities, Banners, Stores, Listings, Observations,
	Specs, QuarantineEntries, ShrinkEvents, Pilot, Words, Matches,
}

func checkObservation(o *panel.Observation, _ func(string) string) error {
	switch {
	case o.Effective != 0 && o.Shelf != 0:
		return errors.New("shelf_price: effective_price is there too; a row has one of them")
	case o.Effective == 0 && o.Shelf == 0:
		return errors.New("effective_price is empty; it needs a price above 0, or the row a shelf_price")
	}
	return nil
}

func checkSpec(s *basket.Spec, _ func(string) string) error {
	if s.MaxSize > 0 && s.MinSize > s.MaxSize {
		return fmt.Errorf("min_size %v is above max_size %v", s.MinSize, s.MaxSize)
	}
	return nil
}

var errLevel = errors.New("level, city and banner disagree: national has neither, city a city, banner both")

func checkPilot(r *panel.PilotRow, cell func(column string) string) error {
	switch level := cell("level"); level {
	case "national", "city", "banner":
		if level != r.Level() || r.Banner != "" && r.City == "" {
			return errLevel
		}
	default:
		return fmt.Errorf("level: %s is not one of national, city, banner", record.Quote(level))
	}
	if r.IndexValue.Units <= 0 {
		return fmt.Errorf("index_value: %s is not above 0", r.IndexValue)
	}
	return nil
}
