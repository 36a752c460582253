package panel

import (
	"fmt"
	"time"
)

// QuarantineRule says why an entry was set aside.
type QuarantineRule uint8

// The rules. Listed is the operator's own entry, the others are derived.
const (
	Listed QuarantineRule = iota
	WrongProduct
	WrongBasis
	WrongBasisRow
)

// QuarantineRules holds the names of the rules in files.
var QuarantineRules = [...]string{"listed", "wrong_product", "wrong_basis", "wrong_basis_row"}

// String returns the rule's name in files.
func (r QuarantineRule) String() string {
	if int(r) < len(QuarantineRules) {
		return QuarantineRules[r]
	}
	return fmt.Sprintf("QuarantineRule(%d)", uint8(r))
}

// Quarantine sets rows aside: those of a mapping everywhere, those of a
// mapping at one store, or a single one. Its key is the mapping, the store, the
// observation and the rule.
type Quarantine struct {
	Mapping     int64 // id of the Mapping
	Store       int64 // id of the Store; 0: at every store
	Observation int64 // id of the one row meant; 0: all of them
	Rule        QuarantineRule
	Reason      string
	FoundAt     time.Time // zero: unknown
	Released    bool      // an operator let it go: it sets nothing aside and is not derived again
}

// ShrinkEvent is one recorded change of a listing to a smaller pack. Its grade
// is not part of it: grades are derived when they are asked for.
type ShrinkEvent struct {
	ID                 int64
	Mapping            int64   // id of the Mapping
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
