package offers

import (
	"time"

	"github.com/larder-index/larder/panel"
)

// Offer is the price of a good at a shop on a day, as a file has it.
type Offer struct {
	File               string // for messages; a file in an archive is "archive.zip/folder/file.csv"
	Line               int
	Chain, Shop, City  string      // Shop "": the chain has one price for all its shops
	SKU, GTIN          string      // as written, trimmed, in UTF-8; so are the texts below
	Title, Brand, Size string      // Size: of the pack that Price is for, such as "500 g"
	Category           string      // code or name of the office
	Price              panel.Price // at the till, for this pack
	Regular            panel.Price // price without the promotion; 0: not said
	OnSale             bool
	MultiBuy           bool      // the price holds only for several packs, as in 2/$7.00
	At                 time.Time // of the price; noon where the file has days only
}

// Options are what the files do not say themselves.
type Options struct {
	Mapping  *Mapping         // nil: [Detect] finds it
	Calendar panel.Calendar   // that the files' days are of
	Currency string           // of the prices, ISO 4217; "": CAD
	Reject   func(r *Reject)  // gets every row that is refused; may be nil
	Progress func(rows int64) // is called now and then; may be nil
}

// Reject is a row that is refused, or a whole file (Line 0).
type Reject struct {
	File   string
	Line   int
	Column string // as the file heads it; "": the row as a whole
	Reason string
	Text   string // the cell, or the start of the row
}

// Report counts what became of the rows: Rows = Offers + Rejected + the sum of Skipped.
type Report struct {
	Format   string // name of the mapping
	Files    int
	Rows     int64
	Offers   int64
	Rejected int64
	Reasons  map[string]int64 // rejected rows by reason
	Skipped  map[string]int64 // rows that hold no offer by reason, such as "header repeated"
}
