package release

import (
	"cmp"
	"slices"
	"strings"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/check"
)

// RowChange says how a row of prices changed from one snapshot to the next. A row is visible if it is
// shown (see check.Shown) and the gate passes it.
type RowChange string

// The changes.
const (
	RowAdded    RowChange = "added"     // it is visible, and was not in the snapshot before
	RowLetGo    RowChange = "let_go"    // it was there and not visible, and now is
	RowRestated RowChange = "restated"  // it was and is visible, and says something else under the same id
	RowSetAside RowChange = "set_aside" // it was visible, and is no more
	RowUnseen   RowChange = "unseen"    // it says something else, or came, and is or was not visible
)

// RowChanges are rows that changed in the same way for the same reason. Rule names the rule of the
// gate or of check.Shown by which the rows are not visible. Of rows that are let go it is the one by
// which they were not. Other rules are new_row, correction, reference, other_values and gone.
type RowChanges struct {
	Change RowChange
	Rule   string
	Reason string  // in words
	IDs    []int64 // ascending
}

// wordsOf has the reasons of the rules that are not the gate's.
var wordsOf = map[string]string{
	"new_row":          "the snapshot before did not have it",
	"correction":       "it takes the place of a row that was corrected",
	"reference":        "its product, listing, banner or city has other words or another weight",
	"other_values":     "the snapshot has another row under this id",
	"gone":             "the snapshot does not have it any more",
	"inactive_listing": "its listing is inactive",
	"inactive_product": "its product is inactive",
	"inactive_store":   "its store is inactive",
	"hidden_banner":    "its banner is neither in the index nor verified",
	"not_approved":     "it is of a verified banner and was not approved",
}

// firstCorrection is the lowest id of a row that took the place of a corrected one.
const firstCorrection = 1 << 52

// DiffRows returns the rows of prices that changed, by change, rule and reason. Without an old snapshot
// (nil) every visible row of next is added. Rows are the same if their ids are. A row may change in
// two ways: it says something else unseen, and is set aside or let go.
func DiffRows(old, next *Snapshot) (changes []RowChanges) {
	if old == nil {
		old = &Snapshot{Panel: next.Panel, Rows: &panel.Rows{}}
	}
	type kind struct {
		change       RowChange
		rule, reason string
	}
	found := map[kind][]int64{}
	note := func(id int64, change RowChange, rule, reason string) {
		k := kind{change, rule, cmp.Or(reason, wordsOf[rule])}
		found[k] = append(found[k], id)
	}
	a, b := newPriceRows(old), newPriceRows(next)
	listings, stores := changed(a.listings, b.listings), changed(a.stores, b.stores)
	pair := func(x, y int) {
		before, after, was, is := a.rows.At(x), b.rows.At(y), a.Passes(x), b.Passes(y)
		before.Verdict, after.Verdict = 0, 0
		restated := RowRestated
		if !was || !is {
			restated = RowUnseen
		}
		switch {
		case before != after:
			note(after.ID, restated, "other_values", "")
		case listings[after.Listing] || stores[after.Store]:
			note(after.ID, restated, "reference", "")
		}
		switch {
		case was && !is:
			rule, reason, _ := b.why(y)
			note(after.ID, RowSetAside, rule, reason)
		case is && !was:
			rule, reason, entry := a.why(x)
			if entry != nil { // an entry that was lifted says when and why
				reason = cmp.Or(b.reasons[entry.Key()], reason)
			}
			note(after.ID, RowLetGo, rule, reason)
		}
	}
	byID := func(a *panel.Rows, x int, b *panel.Rows, y int) int { return cmp.Compare(a.ID(x), b.ID(y)) }
	mergeRows(a.rows, b.rows, byID, func(x, y int) {
		switch {
		case y < 0:
			if a.Passes(x) {
				note(a.rows.ID(x), RowSetAside, "gone", "")
			}
		case x >= 0:
			pair(x, y)
		case !b.Passes(y): // a row that was gone by then may have had the id
			note(b.rows.ID(y), RowUnseen, "new_row", "")
		case b.rows.ID(y) >= firstCorrection:
			note(b.rows.ID(y), RowAdded, "correction", "")
		default:
			note(b.rows.ID(y), RowAdded, "new_row", "")
		}
	})
	for k, ids := range found {
		changes = append(changes, RowChanges{k.change, k.rule, k.reason, ids})
	}
	slices.SortFunc(changes, func(x, y RowChanges) int {
		return cmp.Or(cmp.Compare(x.Change, y.Change), strings.Compare(x.Rule, y.Rule), strings.Compare(x.Reason, y.Reason))
	})
	return changes
}

// priceRows are the rows of a snapshot with what they show of their listings and stores.
type priceRows struct {
	*check.Shown
	rows     *panel.Rows
	listings map[int64]shownListing
	stores   map[int64][2]string         // name and province of the city
	reasons  map[panel.Quarantine]string // by the key of the entry
}

// shownListing is what a row of prices shows of its listing.
type shownListing struct {
	name, sku, brand, banner, retailer, product, category, subcategory string
	verified                                                           bool
	storeBrand                                                         panel.Tri
	id                                                                 int64 // of the product
	weight                                                             float64
}

func newPriceRows(s *Snapshot) *priceRows {
	all := check.Listings(s.Panel)
	x := &priceRows{check.NewShown(s.Panel, s.Rows, all), s.Rows, map[int64]shownListing{}, map[int64][2]string{}, map[panel.Quarantine]string{}}
	for id, l := range all {
		p, b := l.Product, l.Banner
		x.listings[id] = shownListing{
			l.Name, l.SKU, l.Brand, b.Key, b.Retailer, p.Name, p.Category.String(), p.Subcategory, b.Verified, l.IsStoreBrand, p.ID, p.Weight,
		}
	}
	cities := map[string][2]string{}
	for _, c := range s.Panel.Cities() {
		cities[c.Slug] = [2]string{c.Name, c.Province}
	}
	for _, st := range s.Panel.Stores() {
		x.stores[st.ID] = cities[st.City]
	}
	for i := range s.Quarantine {
		x.reasons[s.Quarantine[i].Key()] = s.Quarantine[i].Reason
	}
	return x
}

// why returns the rule by which a row is not visible, its reason unless wordsOf has it, and the entry
// that sets the row aside, if that is why.
func (x *priceRows) why(i int) (rule, reason string, entry *panel.Quarantine) {
	if rule := x.Hidden(i); rule != "" {
		return rule, "", nil
	}
	j := x.rows.Judge(i)
	if j.Entry != nil {
		return j.Rule(), j.Entry.Reason, j.Entry
	}
	return j.Rule(), j.String(), nil
}
