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
	ID           int     `json:"id"`
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
// and prices have at most four decimals; prices are in dollars, unit
// prices in dollars a unit.
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
			ID       int    `json:"id"`
			Name     string `json:"name"`
			Category string `json:"category"`
		} `json:"products"`
	} `json:"retailer_products"`
}

// Price is one row of /api/v1/prices: a price of a product at a store, as collected.
// Prices are in dollars, on the product's basis: its standard size, or one kilogram.
type Price struct {
	ID        int64     `json:"id"`
	ListingID int64     `json:"retailer_product_id"`
	StoreID   int64     `json:"store_id"`
	Regular   Number    `json:"regular_price"` // advisory
	Sale      Number    `json:"sale_price"`    // advisory
	Effective Number    `json:"effective_price"`
	UnitPrice Number    `json:"unit_price"`
	Package   Text      `json:"package_size"` // as the shop writes it
	InStock   *bool     `json:"in_stock"`
	OnSale    bool      `json:"is_on_sale"`
	Title     Text      `json:"scraped_name"` // as the shop writes it
	At        time.Time `json:"observed_at"`

	// Only on rows of a verified banner. With assumed_equal the regular price is no
	// evidence of an earlier price.
	RegularSource string    `json:"regular_price_source,omitempty"`
	Promo         *struct { // of the package, in dollars, not per kilogram
		Package    Number `json:"packagePrice,omitempty"`
		PackageWas Number `json:"packageWasPrice,omitempty"`
		NoDiscount bool   `json:"regularPriceBasisUnavailable,omitempty"` // compute no discount
	} `json:"promo_detail,omitempty"`

	Listing struct {
		ProductID  int          `json:"product_id"`
		Retailer   string       `json:"retailer"`
		Banner     string       `json:"banner"`
		SKU        Text         `json:"retailer_sku"`
		Name       string       `json:"retailer_name"`
		Brand      Text         `json:"brand"`
		StoreBrand *bool        `json:"is_store_brand"`
		Product    PriceProduct `json:"products"`
	} `json:"retailer_products"`
	Store struct {
		City     string `json:"city"`
		Province string `json:"province"`
	} `json:"stores"`

	// Only with changed_since. Of a row that is set aside, nothing but these and ID is known.
	Change  string `json:"change,omitempty"`  // added, let_go, restated or set_aside
	Release string `json:"release,omitempty"` // id of that of the last change
	Rule    string `json:"rule,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

// PriceProduct is the product that a price is of.
type PriceProduct struct {
	ID           int     `json:"id"`
	Name         string  `json:"name"`
	Category     string  `json:"category"`
	Subcategory  Text    `json:"subcategory"`
	BasketWeight float64 `json:"basket_weight"`
}
