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

// Quarantine sets rows aside: those of a listing everywhere, those of a
// listing at one store, or a single one. Its key is the listing, the store (but
// for single rows), the observation and the rule.
type Quarantine struct {
	ID          int64 // number in its snapshot; 0: it has none
	Listing     int64 // id of the Listing
	Store       int64 // id of the Store; 0: at every store
	Observation int64 // id of the one row meant; 0: all of them
	Rule        QuarantineRule
	Reason      string    // the evidence; of entries that an operator changed also when and why
	FoundAt     time.Time // zero: unknown
	Released    bool      // an operator let it go: it sets nothing aside and is not derived again
}
