// Package offers reads the prices of goods from files as others publish them.
//
// A [Mapping] says which column of a file holds what; it is data. Those of some publications
// are bundled, and [Detect] tells by a file's header which of them it is. [Read] then streams
// an [Offer] for each row, from tables with any usual delimiter and arrays of JSON, in UTF-8,
// UTF-16 or an older encoding, in folders, gz, and zip within zip.
//
// A row is read as it is written, or refused by file and line with a reason: nothing is lost,
// and nothing is guessed. So a price of two readings, in another currency, or without a size
// that it is for is refused. So is a row with a cell too many, or with a quote that has no
// end. [WriteDir] decides what an offer is a price of, and makes a panel directory.
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
	InStock            panel.Tri
	MultiBuy           bool      // the price holds only for several packs, as in 2/$7.00
	At                 time.Time // of the price; noon where the file has days only
}

// Options are what the files do not say themselves.
type Options struct {
	Mapping  *Mapping        // nil: [Detect] finds it
	Calendar panel.Calendar  // that the files' days are of
	Currency string          // of the publication, ISO 4217; "": CAD
	Reject   func(r *Reject) // gets every row and file that is refused; may be nil
}

// Reject is a row that is refused, or a file that is refused from a line on.
type Reject struct {
	File   string
	Line   int    // in an array of JSON the number of the item; 0: the whole file
	Column string // as the file heads it; "": the row as a whole
	Reason string // goes on from "the cell" or "the row", such as "is empty"
	Text   string // of the cell, or the start of the row
}

// Report counts what became of the rows, those of joined tables and before headers too:
// Rows + Carried = Offers + Rejected + the sum of Skipped.
type Report struct {
	Format   string // name of the mapping
	Files    int    // that hold offers
	Refused  int    // files that were refused, or from a line on
	Rows     int64
	Offers   int64
	Carried  int64 // offers of the days between two changes of a price
	Rejected int64
	Reasons  map[string]int64 // rejected rows by field and reason
	Skipped  map[string]int64 // rows that hold no offer by reason, such as "header repeated"
	Dropped  map[string]int64 // regular prices that offers go without, by reason
}
