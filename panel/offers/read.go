package offers

import (
	"context"
	"encoding/csv"
	"io"
	"os"

	"github.com/larder-index/larder/panel"
)

// Read streams the offers of files in the mapping's form to each; an error of each ends it.
// The offer is each's only until it returns. A bad row goes to Options.Reject and reading
// goes on.
func Read(ctx context.Context, files []string, o Options, each func(*Offer) error) (Report, error) {
	r := Report{Format: "plain", Reasons: map[string]int64{}, Skipped: map[string]int64{}}
	for _, name := range files {
		r.Files++
		f, err := os.Open(name)
		if err != nil {
			return r, err
		}
		defer f.Close()
		c := csv.NewReader(f)
		header, err := c.Read()
		if err != nil {
			return r, err
		}
		for {
			cells, err := c.Read()
			if err == io.EOF {
				break
			}
			if err != nil {
				return r, err
			}
			if err := ctx.Err(); err != nil {
				return r, err
			}
			r.Rows++
			offer := Offer{File: name}
			offer.Line, _ = c.FieldPos(0)
			reason := ""
			for i, cell := range cells {
				switch header[i] {
				case "chain":
					offer.Chain = cell
				case "shop":
					offer.Shop = cell
				case "city":
					offer.City = cell
				case "sku":
					offer.SKU = cell
				case "gtin":
					offer.GTIN = cell
				case "title":
					offer.Title = cell
				case "brand":
					offer.Brand = cell
				case "size":
					offer.Size = cell
				case "category":
					offer.Category = cell
				case "price":
					if offer.Price, err = panel.ParsePrice(cell); err != nil {
						reason = "price"
					}
				case "date":
					day, err := panel.ParseDate(cell)
					if err != nil {
						reason = "date"
					}
					offer.At = day.Time(o.Calendar.Zone()).Add(12 * 3600e9)
				}
			}
			if reason != "" {
				r.Rejected++
				r.Reasons[reason]++
				if o.Reject != nil {
					o.Reject(&Reject{File: name, Line: offer.Line, Column: reason, Reason: reason})
				}
				continue
			}
			r.Offers++
			if err := each(&offer); err != nil {
				return r, err
			}
		}
	}
	return r, nil
}
