package main

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/shrink"
)

// shrinkage is a graded event with the listing that it is of.
type shrinkage struct {
	*panel.ShrinkEvent
	listed
	day        panel.Date // of its detection, in Toronto
	confidence shrink.Confidence
	flag       shrink.Flag
}

func printEvents(w io.Writer, format string, events []shrinkage) error {
	switch format {
	case "json":
		return printEventsJSON(w, events)
	case "csv":
		return printEventsCSV(w, events)
	}
	return printEventsTable(w, events)
}

func printEventsJSON(w io.Writer, events []shrinkage) error {
	out := bufio.NewWriter(w)
	out.WriteByte('[')
	var line []byte
	for i, x := range events {
		line = line[:0]
		if i > 0 {
			line = append(line, ',')
		}
		out.Write(httpapi.AppendEvent(append(line, '\n'), x.ShrinkEvent, x.listing, x.product, x.banner))
	}
	out.WriteString("\n]\n")
	return out.Flush()
}

// printEventsCSV writes the same members as the JSON; an empty cell is null.
func printEventsCSV(w io.Writer, events []shrinkage) error {
	out := csv.NewWriter(w)
	out.Write([]string{
		"id", "old_package_size", "new_package_size", "old_size_numeric", "new_size_numeric", "size_unit",
		"pct_size_change", "old_unit_price", "new_unit_price", "pct_unit_price_change", "shelf_price_at_change",
		"detected_at", "confidence", "flag", "retailer", "banner", "retailer_name", "brand",
		"product_id", "product", "category",
	})
	for _, x := range events {
		out.Write([]string{
			fmt.Sprint(x.ID), x.OldPackageSize, x.NewPackageSize, number(x.OldSize), number(x.NewSize), x.SizeUnit,
			x.PctSizeChange.String(), number(x.OldUnitPrice), number(x.NewUnitPrice), x.PctUnitPriceChange.String(), x.ShelfPrice.String(),
			x.DetectedAt.UTC().Format(time.RFC3339Nano), x.confidence.String(), x.flag.String(), x.banner.Retailer, x.banner.Key, x.listing.Name, x.listing.Brand,
			fmt.Sprint(x.product.ID), x.product.Name, x.product.Category.String(),
		})
	}
	out.Flush()
	return out.Error()
}

func printEventsTable(w io.Writer, events []shrinkage) error {
	cells := make([][]string, len(events))
	for i, x := range events {
		cells[i] = []string{
			x.day.String(), x.confidence.String(), x.flag.String(), x.banner.Key, x.product.Name, x.listing.Name,
			orDash(x.OldPackageSize), orDash(x.NewPackageSize), orDash(x.PctSizeChange.String()),
			orDash(x.PctUnitPriceChange.String()), orDash(x.ShelfPrice.String()),
		}
	}
	return printColumns(w, []column{
		left("detected"), left("grade"), left("flag"), left("banner"), left("product"), left("listing"),
		left("old pack"), left("new pack"), right("size %"), right("unit price %"), right("shelf $"),
	}, cells)
}

// number writes a number above 0; 0 is null.
func number(v float64) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
