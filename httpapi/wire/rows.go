package wire

import "time"

// Products is the body of /api/v1/products.
type Products struct {
	Meta     ProductsMeta `json:"meta"`
	Products []Product    `json:"products"`
}

// ProductsMeta is meta of /api/v1/products.
type ProductsMeta struct {
	Source      string `json:"source"`
	Version     string `json:"version"`
	Endpoint    string `json:"endpoint"`
	Count       int    `json:"count"`
	GeneratedAt string `json:"generated_at"`
}

// Product is one tracked product.
type Product struct {
	ID           int64   `json:"id"`
	Name         string  `json:"name"`
	Category     string  `json:"category"`
	Subcategory  Text    `json:"subcategory"`
	StandardSize float64 `json:"standard_size"` // in units of Unit
	Unit         string  `json:"unit"`
	BasketWeight float64 `json:"basket_weight"`
}

// Shrinkflation is the body of /api/v1/shrinkflation.
type Shrinkflation struct {
	Meta   ShrinkflationMeta `json:"meta"`
	Events []Event           `json:"events"`
}

// ShrinkflationMeta is meta of /api/v1/shrinkflation.
type ShrinkflationMeta struct {
	Meta
	TotalMatched int `json:"total_matched"`
	Made
	ScanTruncated bool `json:"scan_truncated,omitempty"`
}

// Event is one recorded shrinkage of a package, with its grade. Percent changes
// and prices have at most four decimals; prices are in the currency of the
// publication, unit prices in that a unit.
type Event struct {
	ID                 int64     `json:"id"`
	OldPackageSize     string    `json:"old_package_size"`
	NewPackageSize     string    `json:"new_package_size"`
	OldSize            Number    `json:"old_size_numeric"`
	NewSize            Number    `json:"new_size_numeric"`
	SizeUnit           Text      `json:"size_unit"`
	PctSizeChange      Number    `json:"pct_size_change"`
	OldUnitPrice       Number    `json:"old_unit_price"`
	NewUnitPrice       Number    `json:"new_unit_price"`
	PctUnitPriceChange Number    `json:"pct_unit_price_change"`
	ShelfPrice         Number    `json:"shelf_price_at_change"`
	DetectedAt         time.Time `json:"detected_at"`
	Confidence         string    `json:"confidence"`
	Flag               string    `json:"flag"`
	Listing            struct {
		Retailer string `json:"retailer"`
		Banner   string `json:"banner"`
		Name     string `json:"retailer_name"`
		Brand    Text   `json:"brand"`
		Product  struct {
			ID       int64  `json:"id"`
			Name     string `json:"name"`
			Category string `json:"category"`
		} `json:"products"`
	} `json:"retailer_products"`
}
