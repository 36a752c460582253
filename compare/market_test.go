package compare_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/compare/internal/oracle"
	"github.com/larder-index/larder/panel"
)

// noon is the instant of the tests that make their own market: 17:00 UTC of
// 2026-11-20, a day on which the calendars of Toronto and UTC agree.
var noon = time.Date(2026, 11, 20, 17, 0, 0, 0, time.UTC)

const today = "2026-11-20"

// market is a small panel in the making: Canada's basket and cities, and the
// chains, stores, listings and rows that a test adds.
type market struct {
	t testing.TB
	oracle.World
}

func newMarket(t testing.TB) *market {
	canada := basket.Canada()
	return &market{t, oracle.World{Products: canada.Products, Cities: canada.Cities}}
}

// chain adds a chain that takes part in comparisons.
func (m *market) chain(key string, edit ...func(*basket.Banner)) {
	b := basket.Banner{Key: key, Name: "The " + key, Retailer: key, InShopper: true}
	for _, f := range edit {
		f(&b)
	}
	m.Banners = append(m.Banners, b)
}

// store adds a store and returns its id. Its chain is added when it is new.
func (m *market) store(chain, city string, edit ...func(*panel.Store)) int64 {
	if !slices.ContainsFunc(m.Banners, func(b basket.Banner) bool { return b.Key == chain }) {
		m.chain(chain)
	}
	s := panel.Store{ID: int64(len(m.Stores) + 1), Banner: chain, City: city, Active: true, LocationCertain: true}
	for _, f := range edit {
		f(&s)
	}
	m.Stores = append(m.Stores, s)
	return s.ID
}

// list adds a listing of an item and returns its id.
func (m *market) list(chain string, item int64, edit ...func(*panel.Listing)) int64 {
	x := panel.Listing{ID: int64(len(m.Listings) + 1), ProductID: item, Banner: chain, Name: "listing", Active: true}
	for _, f := range edit {
		f(&x)
	}
	m.Listings = append(m.Listings, x)
	return x.ID
}

// row adds an observation of the day before noon and returns its id.
func (m *market) row(listing, store int64, price panel.Price, edit ...func(*panel.Observation)) int64 {
	o := panel.Observation{
		ID: int64(len(m.Observations) + 1), Listing: listing, Store: store, Effective: price, Regular: price,
		ObservedAt: noon.AddDate(0, 0, -1), InStock: panel.Yes,
	}
	for _, f := range edit {
		f(&o)
	}
	m.Observations = append(m.Observations, o)
	return o.ID
}

// sells adds a row to the first listing of an item of a chain at its first store
// in Halifax, and adds those when there are none.
func (m *market) sells(chain string, item int64, price panel.Price, edit ...func(*panel.Observation)) {
	store := slices.IndexFunc(m.Stores, func(s panel.Store) bool { return s.Banner == chain && s.City == "halifax" })
	if store < 0 {
		store = int(m.store(chain, "halifax")) - 1
	}
	listing := slices.IndexFunc(m.Listings, func(x panel.Listing) bool { return x.Banner == chain && x.ProductID == item })
	if listing < 0 {
		listing = int(m.list(chain, item)) - 1
	}
	m.row(int64(listing+1), int64(store+1), price, edit...)
}

func (m *market) projection() *compare.Projection { return compare.NewProjection(m.Build()) }

// compare evaluates a list in Halifax at noon.
func (m *market) compare(items string) *compare.Result {
	m.t.Helper()
	list, err := compare.ParseItems(items)
	if err != nil {
		m.t.Fatal(err)
	}
	return mustEvaluate(m.t, m.projection(), compare.Request{City: "halifax", Items: list}, noon)
}

func mustEvaluate(t testing.TB, pr *compare.Projection, req compare.Request, now time.Time) *compare.Result {
	t.Helper()
	res, err := compare.Evaluate(pr, req, now)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// shop returns what a result says of a chain.
func shop(t testing.TB, res *compare.Result, key string) compare.Store {
	t.Helper()
	i := slices.IndexFunc(res.Stores, func(s compare.Store) bool { return s.Key == key })
	if i < 0 {
		t.Fatalf("no chain %q among %d", key, len(res.Stores))
	}
	return res.Stores[i]
}

// outcome tells a chain's total, or why it lacks items: "12.50", "stale_price".
func outcome(t testing.TB, res *compare.Result, key string) string {
	t.Helper()
	s := shop(t, res, key)
	if s.Total.Valid {
		return s.Total.String()
	}
	var text string
	for _, x := range res.Exclusions {
		if x.StoreKey == key {
			text += x.Reason.String()
		}
	}
	return text
}

// The edits of rows that tests are made of.
type edit = func(*panel.Observation)

func seen(at time.Time) edit { return func(o *panel.Observation) { o.ObservedAt = at } }

func size(text string) edit { return func(o *panel.Observation) { o.PackageSize = text } }

func regular(p panel.Price) edit { return func(o *panel.Observation) { o.Regular = p } }

// sale puts a row on sale until a day; an empty one is unknown.
func sale(until string) edit {
	return func(o *panel.Observation) {
		o.OnSale, o.Sale = true, o.Effective
		if until != "" {
			o.SaleEndsOn = day(until)
		}
	}
}

func condition(c panel.SaleCondition) edit {
	return func(o *panel.Observation) { o.SaleCondition = c }
}

func day(text string) panel.Date {
	d, err := panel.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return d
}

// asJSON writes a value as encoding/json does without HTML escapes.
func asJSON(t testing.TB, v any) string {
	t.Helper()
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

func dollars(format string, a ...any) panel.Price {
	p, err := panel.ParsePrice(fmt.Sprintf(format, a...))
	if err != nil {
		panic(err)
	}
	return p
}
