package panel

import "time"

// ShrinkEvent is one recorded change of a listing to a smaller pack. Its grade
// is not part of it: grades are derived when they are asked for.
type ShrinkEvent struct {
	ID                 int64
	Listing            int64   // id of the Listing
	OldPackageSize     string  // as scraped
	NewPackageSize     string  // as scraped
	OldSize            float64 // in SizeUnit; 0: unknown
	NewSize            float64 // in SizeUnit; 0: unknown
	SizeUnit           string  // empty: unknown
	PctSizeChange      Fixed
	OldUnitPrice       float64 // 0: unknown
	NewUnitPrice       float64 // 0: unknown
	PctUnitPriceChange Fixed
	ShelfPrice         Price // at the change; 0: unknown
	DetectedAt         time.Time
	Observations       []int64 // ids of the rows that show it; empty: not recorded
}
