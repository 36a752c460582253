package oracle

import (
	"compress/gzip"
	"encoding/csv"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/larder-index/larder/basket"
)

// Read reads a panel directory: CSV files, plain or gzipped. It judges the
// observations, and returns the panel with those that do not pass excluded. It
// panics on a directory that is not a valid panel. Observations without an id
// get the next ids above the largest below those of corrections, in the order of
// the file.
func Read(dir string) (*Data, *Judgement) {
	d := &GateData{
		Data: &Data{BaseWeek: DefaultBaseWeek},
		Unit: map[int64]basket.Unit{}, PerKg: map[int64]bool{}, Specs: map[int64]Spec{}, Seen: map[int64]Seen{},
	}
	for _, r := range file(dir, "settings") {
		if r["key"] == "base_week" {
			d.Data.BaseWeek = r["value"]
		}
	}
	for _, r := range file(dir, "products") {
		id := r.id("id")
		d.Data.Products = append(d.Data.Products, Product{id, r["category"], r["subcategory"], r.number("basket_weight"), r["active"] == "1"})
		d.Unit[id] = must(basket.ParseUnit(r["unit"]))
		d.PerKg[id] = must(basket.ParseSoldBy(r["sold_by"])) == basket.ByKilogram
	}
	for _, r := range file(dir, "cities") {
		d.Data.Cities = append(d.Data.Cities, City{r["slug"], r["name"]})
	}
	for _, r := range file(dir, "banners") {
		d.Data.Banners = append(d.Data.Banners, Banner{r["key"], r["in_index"] == "1", r["verified"] == "1"})
	}
	for _, r := range file(dir, "stores") {
		d.Data.Stores = append(d.Data.Stores, Store{r.id("id"), r["banner"], r["city"], r["active"] == "1"})
	}
	for _, r := range file(dir, "retailer_products") {
		d.Data.Listings = append(d.Data.Listings, Listing{r.id("id"), r.id("product_id"), r["banner"], r["brand"], r["active"] == "1"})
	}
	for _, r := range file(dir, "product_specs") {
		d.Specs[r.id("product_id")] = r.spec()
	}
	for _, r := range file(dir, "quarantine") {
		e := Entry{
			Listing: r.id("retailer_product_id"), Store: r.id("store_id"), Observation: r.id("observation_id"),
			City: r["city"], Banner: r["banner"], Product: r.id("product_id"), From: r["from"], To: r["to"], Rule: r["rule"],
			Released: r["released"] == "1", Withdrawn: r["withdrawn_at"] != "", Confirmed: r["confirmed_at"] != "",
		}
		if e.Rule == "" {
			e.Rule = Listed
		}
		d.Entries = append(d.Entries, e)
	}
	rows, last := file(dir, "observations"), int64(0)
	for _, r := range rows {
		if id := r.id("id"); id < 1<<52 {
			last = max(last, id)
		}
	}
	for _, r := range rows {
		o := Observation{
			ID: r.id("id"), ListingID: r.id("retailer_product_id"), StoreID: r.id("store_id"),
			EffectivePrice: r.number("effective_price"), ObservedAt: r["observed_at"],
			OnSale: r["is_on_sale"] == "1", RegularSource: r["regular_price_source"], PromoDetail: r["promo_detail"],
		}
		if r["regular_price"] != "" {
			o.RegularPrice = r.number("regular_price")
		}
		if o.ID == 0 {
			last++
			o.ID = last
		}
		d.Data.Observations = append(d.Data.Observations, o)
		d.Seen[o.ID] = Seen{r["scraped_name"], r["package_size"], decimal(r["effective_price"])}
	}
	j := Gate(d)
	d.Data.Excluded = j.Excluded()
	return d.Data, j
}

// record is one row of a file, by column.
type record map[string]string

// id returns a whole number; an empty cell is 0.
func (r record) id(column string) int64 {
	if r[column] == "" {
		return 0
	}
	return must(strconv.ParseInt(r[column], 10, 64))
}

func (r record) number(column string) float64 { return must(strconv.ParseFloat(r[column], 64)) }

// spec reads "require (terms; | between alternatives, & between groups), forbid
// (terms, |), min_size, max_size"; empty cells ask for nothing.
func (r record) spec() Spec {
	var s Spec
	if r["require"] != "" {
		for group := range strings.SplitSeq(r["require"], "&") {
			s.Require = append(s.Require, strings.Split(group, "|"))
		}
	}
	if r["forbid"] != "" {
		s.Forbid = strings.Split(r["forbid"], "|")
	}
	s.Min, s.Max = r.bound("min_size"), r.bound("max_size")
	return s
}

// bound returns nil for an empty cell, and for 0, which no package holds.
func (r record) bound(column string) *big.Rat {
	if r[column] == "" || decimal(r[column]).Sign() == 0 {
		return nil
	}
	return decimal(r[column])
}

// file returns the rows of NAME.csv or NAME.csv.gz, or nothing when neither is
// there.
func file(dir, name string) (all []record) {
	path := filepath.Join(dir, name+".csv")
	f, err := os.Open(path)
	var in io.Reader = f
	if err != nil {
		if f, err = os.Open(path + ".gz"); err != nil {
			return nil
		}
		in = must(gzip.NewReader(f))
	}
	defer f.Close()
	rows := must(csv.NewReader(in).ReadAll())
	for _, cells := range rows[1:] {
		r := record{}
		for i, column := range rows[0] {
			r[column] = cells[i]
		}
		all = append(all, r)
	}
	return all
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
