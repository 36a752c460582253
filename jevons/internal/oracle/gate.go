package oracle

import (
	"cmp"
	"math/big"
	"slices"
	"time"

	"github.com/larder-index/larder/basket"
)

// The verdicts of the quality gate on one observation.
const (
	Pass       = "pass"
	Identity   = "identity"
	Quarantine = "quarantine"
)

// Seen holds the parts of one observation that the gate looks at.
type Seen struct {
	Title string   // as scraped; "" is none
	Size  string   // as scraped; "" is none
	Price *big.Rat // the effective price, exactly
}

// GateData is a panel with what the gate needs besides.
type GateData struct {
	Data    *Data
	Unit    map[int64]basket.Unit // by product
	PerKg   map[int64]bool        // by product
	Specs   map[int64]Spec        // by product
	Seen    map[int64]Seen        // by observation; every one has an id of its own
	Entries []Entry               // the quarantine table before derivation
}

// Verdict is the gate's judgement of one observation.
type Verdict struct {
	Verdict string // Pass, Identity or Quarantine
	Rule    string // of the entry that sets the row aside; "" if none does
	Failure string // how the row fails identity; "" if it does not
}

// Judgement holds the verdicts on a panel.
type Judgement struct {
	Verdicts map[int64]Verdict // by observation
	Derived  []Entry           // by rule, then listing, store and observation
}

// Excluded lists the observations that do not pass.
func (j *Judgement) Excluded() map[int64]bool {
	excluded := map[int64]bool{}
	for id, v := range j.Verdicts {
		if v.Verdict != Pass {
			excluded[id] = true
		}
	}
	return excluded
}

// gateRow is one observation with all that the rules ask about it.
type gateRow struct {
	id         int64
	s          series
	product    int64
	banner     string
	city       string // slug
	at         time.Time
	day, week  string // in Toronto; the week's Sunday
	price      *big.Rat
	failure    string // of identity; "" is none
	active     bool   // store, listing and product are
	indexStore bool   // the store's banner is an index banner
	perKg      bool
}

// Gate judges every observation of a panel. Section 8: identity is judged "per
// row"; the quarantine entries are "listed by the operator or derived", and a
// row "that fails both counts once, as quarantine". Where section 8 is silent:
//
//   - A size by weight ("per kg", "/lb") states no package: it passes the size
//     part of identity.
//   - Rule 1 counts all rows of active stores, listings and products, those
//     that an operator set aside too.
//   - A store-level wrong_product entry is not derived for a listing that gets a
//     banner-wide one, or for which an operator released or confirmed one.
//   - A banner-wide wrong_product entry is not derived for a listing that has a
//     released one at a store: its stores are judged one by one.
//   - Rules 2 and 3 look only at rows that identity, the operator's entries in
//     force and rule 1 leave, and "4 or more" counts these. A series whose entry an
//     operator has released is not caught.
//   - Rule 2's median of the product is over rows of all its listings at active
//     stores of index banners. The series may be at any active store.
//   - Entries that were derived before play no part.
//   - Rows of inactive stores, listings or products take no part in
//     derivation. They have verdicts as others do: by identity, and by every
//     entry that names them, a derived banner-wide one included.
//   - An entry for one row is at that row's store, whether it says so or not.
//   - A row that several entries name has the first of their rules in the order
//     listed, wrong_product, wrong_basis, wrong_basis_row, wrong_scale_row,
//     corrected.
//   - A row that an entry corrected sets aside takes no part in derivation: its
//     correction is there in its place.
//   - Rule 4 looks at the rows that rules 2 and 3 leave, without those for which
//     rule 3 derives an entry now.
func Gate(d *GateData) *Judgement {
	rows := gateRows(d, newLookup(d.Data))
	existing := withStores(d.Entries, rows)
	derived := derivedEntries(rows, existing)

	j := &Judgement{Verdicts: map[int64]Verdict{}, Derived: derived}
	decided := slices.DeleteFunc(existing, func(e Entry) bool { return !e.decided() })
	table := byListing(decided, derived)
	for _, r := range rows {
		v := Verdict{Verdict: Pass, Failure: r.failure}
		if r.failure != "" {
			v.Verdict = Identity
		}
		if rule := setAside(r, table); rule != "" {
			v.Verdict, v.Rule = Quarantine, rule
		}
		j.Verdicts[r.id] = v
	}
	return j
}

func gateRows(d *GateData, l *lookup) []gateRow {
	type judged struct {
		product     int64
		title, size string
	}
	failures := map[judged]string{} // titles and sizes repeat week after week
	var rows []gateRow
	for _, o := range d.Data.Observations {
		listing, store, seen := l.listings[o.ListingID], l.stores[o.StoreID], d.Seen[o.ID]
		product := l.products[listing.ProductID]
		at := must(time.Parse(time.RFC3339, o.ObservedAt)).In(toronto)
		r := gateRow{
			id:         o.ID,
			s:          series{o.ListingID, o.StoreID},
			product:    product.ID,
			banner:     listing.Banner,
			city:       store.City,
			at:         at,
			day:        at.Format(dateLayout),
			week:       at.AddDate(0, 0, (7-int(at.Weekday()))%7).Format(dateLayout),
			price:      seen.Price,
			active:     store.Active && listing.Active && product.Active,
			indexStore: l.banners[store.Banner].InIndex,
			perKg:      d.PerKg[product.ID],
		}
		if spec, ok := d.Specs[product.ID]; ok { // "a product without a spec [...] passes"
			k := judged{product.ID, seen.Title, seen.Size}
			if _, known := failures[k]; !known {
				failures[k] = spec.failure(seen.Title, seen.Size, d.Unit[product.ID])
			}
			r.failure = failures[k]
		}
		rows = append(rows, r)
	}
	slices.SortFunc(rows, func(a, b gateRow) int { return cmp.Compare(a.id, b.id) })
	return rows
}
