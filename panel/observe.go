package panel

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Observe adds one observation. The index uses it when its store, listing and
// product are active, its banner is an index banner and its verdict is Pass.
// Others are counted (see Counts) and not kept.
func (b *Builder) Observe(o *Observation) error {
	if err := b.ready(); err != nil {
		return err
	}
	b.observed++
	m, s, week, err := b.locate(o)
	if err != nil {
		return &RecordError{"observation", b.observed - 1, describe(o), err}
	}
	listing, store := &b.listingRef[m], &b.storeRef[s]
	b.counts.Observations++
	switch out := b.leftOut(listing, store); {
	case out != nil:
		*out++
	case o.Verdict == Quarantined:
		b.counts.Quarantined++
	case o.Verdict == FailsIdentity:
		b.counts.FailsIdentity++
	default:
		b.counts.Used++
		b.prices.add(cell{b.slotOf(listing, m, s, store.ordinal), week, o.Effective})
	}
	return nil
}

// leftOut returns the count of prices that the index leaves out because of their
// listing or store, and nil if it uses them.
func (b *Builder) leftOut(listing *listingRef, store *storeRef) *int {
	switch {
	case !store.active:
		return &b.counts.InactiveStore
	case !listing.active:
		return &b.counts.RetiredListing
	case !b.products[listing.product].Active:
		return &b.counts.InactiveProduct
	case !b.banners[listing.banner].InIndex:
		return &b.counts.OutsideIndex
	}
	return nil
}

// locate returns the places of the observation's listing and store, and its
// week. The error lists everything that is wrong with it.
func (b *Builder) locate(o *Observation) (m, s int32, week Week, err error) {
	m, mok := b.listingAt.get(o.Listing)
	s, sok := b.storeAt.get(o.Store)
	week, wok := b.calendar.weekOf(o.ObservedAt)
	bad := o.Check()
	if bad == nil && mok && sok && wok && b.listingRef[m].banner == b.storeRef[s].banner {
		return m, s, week, nil
	}
	var errs []error
	if !mok {
		errs = append(errs, unknown("listing", strconv.FormatInt(o.Listing, 10)))
	}
	if !sok {
		errs = append(errs, unknown("store", strconv.FormatInt(o.Store, 10)))
	}
	if mok && sok && b.listingRef[m].banner != b.storeRef[s].banner {
		errs = append(errs, fmt.Errorf("listing %d is of banner %q, store %d of banner %q",
			o.Listing, b.listings[m].Banner, o.Store, b.stores[s].Banner))
	}
	return 0, 0, 0, errors.Join(append(errs, bad)...)
}

// slotOf returns the slot of listing m at store s, and makes a new one at their
// first price.
func (b *Builder) slotOf(ref *listingRef, m, s, ordinal int32) int32 {
	if n := int(ordinal) + 1; n > len(ref.slots) {
		ref.slots = append(ref.slots, make([]int32, n-len(ref.slots))...)
	}
	at := &ref.slots[ordinal]
	if *at == 0 {
		b.slots = append(b.slots, slot{m, s})
		*at = int32(len(b.slots))
	}
	return *at - 1
}

func describe(o *Observation) string {
	var sb strings.Builder
	if o.ID != 0 {
		fmt.Fprintf(&sb, "%d, ", o.ID)
	}
	fmt.Fprintf(&sb, "listing %d at store %d", o.Listing, o.Store)
	return sb.String()
}

func unknown(kind, id string) error {
	return fmt.Errorf("%s %s is unknown; add it first", kind, id)
}

// idTable maps ids above 0 to places in a list; its zero value is empty. Readers of
// rows look up two ids for every one, so small ids, the usual ones, are looked up
// in a slice.
type idTable struct {
	dense  []int32 // 1 + place, by id
	sparse map[int64]int32
}

const maxDense = 1 << 20

var (
	errID      = errors.New("the id is not above 0")
	errTakenID = errors.New("the id is taken")
)

// check reports why id can't be added.
func (t *idTable) check(id int64) error {
	if id <= 0 {
		return errID
	}
	if _, taken := t.get(id); taken {
		return errTakenID
	}
	return nil
}

// get returns the place of an id, and false for an unknown id.
func (t *idTable) get(id int64) (int32, bool) {
	if uint64(id) < uint64(len(t.dense)) {
		place := t.dense[id] - 1
		return place, place >= 0
	}
	place, ok := t.sparse[id]
	return place, ok
}

// set gives an id its place.
func (t *idTable) set(id int64, place int32) {
	if id < maxDense {
		if n := int(id) + 1; n > len(t.dense) {
			t.dense = append(t.dense, make([]int32, n-len(t.dense))...)
		}
		t.dense[id] = place + 1
		return
	}
	if t.sparse == nil {
		t.sparse = map[int64]int32{}
	}
	t.sparse[id] = place
}
