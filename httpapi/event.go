package httpapi

import (
	"strconv"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/shrink"
)

// AppendEvent appends a recorded shrinkage as the JSON object that
// /api/v1/shrinkflation lists in "events", its members in the document's order.
// The event's listing, product and banner are m, p and n. The grade is derived
// here, by shrink.Grade.
//
// Percent changes and the shelf price have as many decimals as they need, at
// most four; unit prices are written as short as they read back. What is not
// known is null, but for the two package sizes, which are always texts.
func AppendEvent(b []byte, e *panel.ShrinkEvent, m *panel.Listing, p *basket.Product, n *basket.Banner) []byte {
	confidence, flag := shrink.Grade(e)
	b = strconv.AppendInt(append(b, `{"id":`...), e.ID, 10)
	b = appendString(append(b, `,"old_package_size":`...), e.OldPackageSize)
	b = appendString(append(b, `,"new_package_size":`...), e.NewPackageSize)
	b = appendFloat(append(b, `,"old_size_numeric":`...), e.OldSize)
	b = appendFloat(append(b, `,"new_size_numeric":`...), e.NewSize)
	b = appendText(append(b, `,"size_unit":`...), e.SizeUnit)
	b = e.PctSizeChange.Append(append(b, `,"pct_size_change":`...), 0)
	b = appendFloat(append(b, `,"old_unit_price":`...), e.OldUnitPrice)
	b = appendFloat(append(b, `,"new_unit_price":`...), e.NewUnitPrice)
	b = e.PctUnitPriceChange.Append(append(b, `,"pct_unit_price_change":`...), 0)
	shelf := panel.Fixed{Units: int64(e.ShelfPrice), Valid: e.ShelfPrice != 0}
	b = shelf.Append(append(b, `,"shelf_price_at_change":`...), 0)
	b = e.DetectedAt.UTC().AppendFormat(append(b, `,"detected_at":"`...), time.RFC3339Nano)
	b = append(append(b, `","confidence":"`...), confidence.String()...)
	b = append(append(b, `","flag":"`...), flag.String()...)
	b = appendString(append(b, `","retailer_products":{"retailer":`...), n.Retailer)
	b = appendString(append(b, `,"banner":`...), n.Key)
	b = appendString(append(b, `,"retailer_name":`...), m.Name)
	b = appendText(append(b, `,"brand":`...), m.Brand)
	b = strconv.AppendInt(append(b, `,"products":{"id":`...), int64(p.ID), 10)
	b = appendString(append(b, `,"name":`...), p.Name)
	b = appendString(append(b, `,"category":`...), p.Category.String())
	return append(b, "}}}"...)
}

// appendString appends a JSON string, the empty one too.
func appendString(b []byte, s string) []byte {
	if s == "" {
		return append(b, `""`...)
	}
	return appendText(b, s)
}

// appendFloat appends a number above 0; 0 is null.
func appendFloat(b []byte, v float64) []byte {
	if v == 0 {
		return append(b, "null"...)
	}
	return strconv.AppendFloat(b, v, 'f', -1, 64)
}
