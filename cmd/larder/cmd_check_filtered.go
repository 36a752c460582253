package main

import (
	"encoding/csv"
	"io"
	"strconv"
	"time"
)

// printFilteredCSV writes every row that the gate filtered, oldest first, with
// its texts as they were scraped.
func (r *check) printFilteredCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write([]string{
		"observation_id", "observed_at", "product_id", "product", "banner", "city", "store_id", "retailer_product_id",
		"scraped_name", "package_size", "effective_price", "verdict", "rule", "quarantine_id", "reason",
	})
	for _, i := range r.filtered.Dropped {
		o, judgement := r.Rows.At(i), r.Rows.Judge(i)
		store := r.Panel.Stores()[r.stores[o.Store]]
		product := r.Panel.Products()[r.products[r.Panel.Listings()[r.listings[o.Listing]].ProductID]]
		entry := ""
		if judgement.Entry != nil {
			entry = strconv.FormatInt(judgement.Entry.ID, 10)
		}
		out.Write([]string{
			strconv.FormatInt(o.ID, 10), o.ObservedAt.Format(time.RFC3339Nano), strconv.Itoa(product.ID), product.Name,
			store.Banner, r.cities[store.City], strconv.FormatInt(o.Store, 10), strconv.FormatInt(o.Listing, 10),
			o.ScrapedName, o.PackageSize, o.Effective.String(), judgement.Verdict.String(), judgement.Rule(), entry, judgement.String(),
		})
	}
	out.Flush()
	return out.Error()
}
