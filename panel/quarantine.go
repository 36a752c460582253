package panel

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/larder-index/larder/internal/enum"
)

// QuarantineRule says why an entry quarantines rows.
type QuarantineRule uint8

// The rules. An operator lists and corrects; import derives the others.
const (
	Listed QuarantineRule = iota
	WrongProduct
	WrongBasis
	WrongBasisRow
	WrongScaleRow
	Corrected // the row has a correction, which takes its place
)

// QuarantineRules holds the names of the rules in files.
var QuarantineRules = [...]string{
	"listed", "wrong_product", "wrong_basis", "wrong_basis_row", "wrong_scale_row", "corrected",
}

var quarantineRules = enum.New("QuarantineRule", Listed, QuarantineRules[:]...)

// String returns the rule's name in files.
func (r QuarantineRule) String() string { return quarantineRules.String(r) }

// Quarantine is an entry that quarantines the rows that fit every member that is given. An
// entry for one row gives the listing, and may give the row's store.
type Quarantine struct {
	ID          int64  // number in its snapshot; 0: it has none
	Listing     int64  // id of the Listing; 0: every listing
	Store       int64  // id of the Store; 0: every store
	Observation int64  // id of the one row meant; 0: all of them
	City        string // slug of the stores' city; empty: every city
	Banner      string // key; empty: every banner
	Product     int64  // id of the listings' product; 0: every product
	From, To    Date   // first and last day of the rows by the panel's calendar; 0: no end
	Rule        QuarantineRule
	Reason      string    // the evidence; of entries that an operator changed also when and why
	FoundAt     time.Time // zero: unknown
	Released    bool      // it quarantines nothing: an operator lifted it, or import withdrew it
	WithdrawnAt time.Time // when import withdrew it, since it no longer follows from the rows; else zero
	ConfirmedAt time.Time // when an operator made a derived entry the operator's own; else zero
}

// Derived reports whether import made the entry and no operator has decided on it: import derives it
// anew, and withdraws it when it no longer follows.
func (q *Quarantine) Derived() bool {
	decided := q.Released && q.WithdrawnAt.IsZero() || !q.ConfirmedAt.IsZero()
	return q.Rule != Listed && q.Rule != Corrected && !decided
}

// Key returns the members that tell entries apart: those that choose rows, and
// the rule. An entry for one row has no store in its key, since a row is at one
// store anyway.
func (q *Quarantine) Key() Quarantine {
	key := *q
	key.ID, key.Reason, key.Released = 0, "", false
	key.FoundAt, key.WithdrawnAt, key.ConfirmedAt = time.Time{}, time.Time{}, time.Time{}
	if q.Observation != 0 {
		key.Store = 0
	}
	return key
}

// Compare orders entries by what they choose, then by rule.
func (q *Quarantine) Compare(p *Quarantine) int {
	return cmp.Or(cmp.Compare(q.Listing, p.Listing), cmp.Compare(q.Store, p.Store),
		cmp.Compare(q.Observation, p.Observation), strings.Compare(q.City, p.City), strings.Compare(q.Banner, p.Banner),
		cmp.Compare(q.Product, p.Product), cmp.Compare(q.From, p.From), cmp.Compare(q.To, p.To),
		cmp.Compare(q.Rule, p.Rule))
}

// Check reports an entry that fits no row, or that would quarantine every row. The error
// says what to change.
func (q *Quarantine) Check() error {
	chooses := q.City != "" || q.Banner != "" || q.Product != 0 || q.From != 0 || q.To != 0
	switch {
	case q.Observation != 0 && (q.Listing == 0 || chooses):
		return errors.New("an entry for one observation names its listing, may name its store, and nothing else")
	case q.Rule != Listed && (q.Listing == 0 || chooses):
		return fmt.Errorf("a %s entry is for a listing, for it at one store, or for one of its rows", q.Rule)
	case !chooses && q.Listing == 0 && q.Store == 0:
		return errors.New("it would set every row aside; name a listing, product, banner, store, city or day")
	case (q.Rule == Listed || q.Rule == Corrected) && !(q.WithdrawnAt.IsZero() && q.ConfirmedAt.IsZero()):
		return fmt.Errorf("a %s entry is an operator's: import never withdraws it, and nobody needs to confirm it",
			q.Rule)
	case q.Released && !q.ConfirmedAt.IsZero():
		return errors.New("an entry that an operator confirmed is neither lifted nor withdrawn")
	case q.From != 0 && q.To != 0 && q.From > q.To:
		return fmt.Errorf("from %s is after to %s", q.From, q.To)
	}
	return nil
}

// Covers reports whether the entry chooses rows of a listing.
func (q *Quarantine) Covers(m *Listing) bool {
	return (q.Listing == 0 || q.Listing == m.ID) && (q.Product == 0 || q.Product == m.ProductID) &&
		(q.Banner == "" || q.Banner == m.Banner)
}

// Names returns a function that reports whether the entry is about a row of a listing that it
// covers, by the row's store and its moment in Unix nanoseconds.
func (q *Quarantine) Names(c Calendar, stores []Store) func(store, at int64) bool {
	from, until, inCity := int64(math.MinInt64), int64(math.MaxInt64), map[int64]bool{}
	for _, s := range stores {
		if q.City != "" && s.City == q.City {
			inCity[s.ID] = true
		}
	}
	if q.From != 0 {
		from = c.Start(q.From).UnixNano()
	}
	if q.To != 0 {
		until = c.Start(q.To + 1).UnixNano()
	}
	return func(store, at int64) bool {
		return (q.Store == 0 || q.Store == store) && (q.City == "" || inCity[store]) && from <= at && at < until
	}
}

// compareWidth puts entries for every store first, then those for a city, then those
// for a store, and each of these in the order of rules. The order in which
// entries were added does not decide which of several is named.
func (q *Quarantine) compareWidth(p *Quarantine) int {
	width := func(e *Quarantine) int {
		switch {
		case e.Store != 0:
			return 2
		case e.City != "":
			return 1
		}
		return 0
	}
	return cmp.Or(width(q)-width(p), cmp.Compare(q.Rule, p.Rule), q.Compare(p))
}
