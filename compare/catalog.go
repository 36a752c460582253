package compare

import "github.com/larder-index/larder/basket"

// CatalogBody is the catalog in its published form: the names that a request may
// use, and the rules of comparisons. It has no prices.
type CatalogBody struct {
	Version       string         `json:"version"`
	Currency      string         `json:"currency"`
	Note          string         `json:"note,omitempty"` // that the prices are invented
	Cities        []basket.City  `json:"cities"`         // by name
	Items         []CatalogItem  `json:"items"`          // by id
	QuantityUnits []quantityUnit `json:"quantityUnits"`  // of Items
	Chains        []CatalogChain `json:"chains"`         // by key
	Rules         rules          `json:"rules"`
}

// CatalogItem is a product that a request may name.
type CatalogItem struct {
	ID           int64    `json:"id"`
	Name         string   `json:"name"`
	NameFr       string   `json:"nameFr,omitempty"`
	Aliases      []string `json:"aliases,omitempty"`
	Category     string   `json:"category"`
	QuantityUnit string   `json:"quantityUnit"` // package or kg
	MinQuantity  Quantity `json:"minQuantity"`
	MaxQuantity  Quantity `json:"maxQuantity"`
	QuantityStep Quantity `json:"quantityStep"`
	StandardSize float64  `json:"standardSize"` // in Unit; prices are normalized to it
	Unit         string   `json:"unit"`         // g, mL or unit
}

// quantityUnit is the unit of a quantity.
type quantityUnit struct {
	Key         string `json:"key"`
	Description string `json:"description"`
}

// CatalogChain is a chain of comparisons.
type CatalogChain struct {
	Key  string `json:"key"`
	Name string `json:"name"`
}

// rules are the thresholds in force.
type rules struct {
	MaxItems              int   `json:"maxItems"`
	MaxStores             int   `json:"maxStores"`
	MaxBodyBytes          int   `json:"maxBodyBytes"`
	MaxItemsCharacters    int   `json:"maxItemsCharacters"`
	MaxPriceAgeDays       int   `json:"maxPriceAgeDays"`       // calendar days in UTC, the bound included
	MinCompleteChains     int   `json:"minCompleteChains"`     // for a recommendation
	CloseCallPercent      int   `json:"closeCallPercent"`      // of the lowest total, the bound included
	CloseCallMinimum      Money `json:"closeCallMinimumCad"`   // however low the lowest total is
	SizeTolerancePercent  int   `json:"sizeTolerancePercent"`  // of the standard size, the bound included
	MaxRegularToEffective int   `json:"maxRegularToEffective"` // of a regular price, except at verified chains
}

// AppendJSON appends the catalog as JSON, with the names of InCurrency.
func (c *CatalogBody) AppendJSON(b []byte) []byte { return appendJSON(b, c, c.Currency) }

// Catalog returns the catalog of a projection's panel: its cities, the active
// products and the banners with the shopper flag.
func Catalog(pr *Projection) *CatalogBody {
	if pr == nil || pr.panel == nil {
		pr = NewProjection(nil, nil)
	}
	c := &CatalogBody{
		Version: version, Currency: pr.panel.About().Currency(), Note: pr.panel.About().Notice(),
		Cities: []basket.City{}, Items: []CatalogItem{}, Chains: []CatalogChain{},
		QuantityUnits: []quantityUnit{
			{"package", "whole packages of the standard size, or of the size nearest to it that a chain sells"},
			{"kg", "kilograms"},
		},
		Rules: rules{
			MaxItems: MaxItems, MaxStores: pr.maxStores(), MaxBodyBytes: MaxBody, MaxItemsCharacters: maxItemsLength,
			MaxPriceAgeDays: MaxPriceAgeDays, MinCompleteChains: minCompleteChains,
			CloseCallPercent: closeCallPercent, CloseCallMinimum: pr.money(closeCallCents),
			SizeTolerancePercent: sizeTolerancePercent, MaxRegularToEffective: 4, // the rule is panel's
		},
	}
	for i := range pr.cities {
		c.Cities = append(c.Cities, pr.cities[i].City)
	}
	for i := range pr.items {
		it := &pr.items[i]
		if !it.Active {
			continue
		}
		c.Items = append(c.Items, CatalogItem{
			ID: it.ID, Name: it.Name, NameFr: it.NameFr, Aliases: it.Aliases, Category: it.Category,
			QuantityUnit: it.SoldBy.String(),
			MinQuantity:  it.rule.Min, MaxQuantity: it.rule.Max, QuantityStep: it.rule.Step,
			StandardSize: it.StandardSize, Unit: it.Unit.String(),
		})
	}
	for _, b := range pr.chains {
		c.Chains = append(c.Chains, CatalogChain{b.Key, b.Name})
	}
	return c
}

// ChainsIn returns the chains with a store in a city, by key; nil for an unknown city.
func (pr *Projection) ChainsIn(slug string) []CatalogChain {
	if pr == nil || pr.cityAt[slug] == nil {
		return nil
	}
	in := pr.cityAt[slug]
	chains := []CatalogChain{}
	for _, c := range in.chains {
		chains = append(chains, CatalogChain{c.Key, c.Name})
	}
	return chains
}
