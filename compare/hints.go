package compare

import (
	"cmp"
	"math"
	"slices"
)

// Hints name rivals and changes of a list that a shopper may look at beside the verdict. No status
// depends on them.
type Hints struct {
	NearCompleteRival *Rival        `json:"nearCompleteRival"` // nil: there is none
	WithoutItems      *WithoutItems `json:"withoutItems"`      // of insufficient_coverage only; nil: no shorter list can be compared
	QuantityFits      []QuantityFit `json:"quantityFits"`      // by item id
}

// Rival is a chain that lacks a little of the list and may cost less than every chain
// that has all of it. Its missing items are taken at the lowest and at the highest
// line of the chains compared, so its cost lies between the two bounds if other chains
// sell them for it.
type Rival struct {
	StoreKey       string  `json:"storeKey"`
	Name           string  `json:"name"`
	MissingItemIDs []int64 `json:"missingItemIds"`
	SubtotalCAD    Money   `json:"subtotalCad"` // of the items that it has
	LowestCAD      Money   `json:"lowestCad"`   // with the missing items at their lowest lines
	HighestCAD     Money   `json:"highestCad"`  // with them at their highest lines
}

const maxRivalLacks = 2

// WithoutItems is the smallest set of items without which two chains have the rest of
// the list, and the verdict on the rest, which is another list.
type WithoutItems struct {
	ItemIDs        []int64        `json:"itemIds"`
	ValueCAD       Money          `json:"valueCad"` // the sum of their lowest lines at the chains compared; 0 for those without a price
	Recommendation Recommendation `json:"recommendation"`
}

// QuantityFit gives the quantities nearest to the one asked for that fit the fixed
// packs of chains of which that one is no multiple.
type QuantityFit struct {
	ItemID int64 `json:"itemId"`
	Fits   []Fit `json:"fits"` // the nearest smaller one, the nearest larger one; at least one of them
}

// Fit is a quantity that an item may be asked for in, and the chains that have no
// price at the quantity asked for and one at this.
type Fit struct {
	Quantity  Quantity `json:"quantity"`
	StoreKeys []string `json:"storeKeys"` // by key
}

// rival finds the near-complete rival: a chain that lacks one or two items, fewer than
// it has, and whose lower bound is below the lowest complete total. Of several it is
// the one with the lowest upper bound, then the lowest lower bound, then the first by
// key.
func (e *evaluation) rival() *Rival {
	if len(e.full) == 0 {
		return nil
	}
	var best *Rival
	for i := range e.shops {
		s := &e.shops[i]
		missing := e.asked &^ s.priced
		if missing == 0 || missing.len() > maxRivalLacks || missing.len() >= s.priced.len() {
			continue
		}
		low, high := s.cents, s.cents
		for k, it := range e.items {
			if missing.has(it.ID) {
				least, most := e.bounds(k)
				low, high = low+least, high+most
			}
		}
		if low >= e.full[0].cents {
			continue
		}
		if best == nil || cmp.Or(cmp.Compare(high, best.HighestCAD.Cents), cmp.Compare(low, best.LowestCAD.Cents)) < 0 {
			best = &Rival{s.Key, s.Name, missing.appendIDs(nil), centsOf(s.cents), centsOf(low), centsOf(high)}
		}
	}
	return best
}

// bounds returns the lowest and the highest line of the k-th item at the shops, 0
// when none has a price.
func (e *evaluation) bounds(k int) (least, most int64) {
	least = math.MaxInt64
	for i := range e.shops {
		if p := &e.shops[i].picks[k]; p.reason == Priced {
			least, most = min(least, p.cents), max(most, p.cents)
		}
	}
	if least == math.MaxInt64 {
		return 0, 0
	}
	return least, most
}

// withoutItems finds the smallest set of items to leave out. Two chains have the rest
// exactly if the set holds what either lacks, so the sets to look at are as few as the
// pairs of chains, and the answer is exact for a list of any length. Of equally small
// sets it is the one of the lowest value, then the one with the lowest ids.
func (e *evaluation) withoutItems() *WithoutItems {
	if e.status != InsufficientCoverage {
		return nil
	}
	var value [MaxItemID + 1]int64
	for k, it := range e.items {
		value[it.ID], _ = e.bounds(k)
	}
	best, lowest := e.asked, int64(0)
	for i := range e.shops {
		for j := range i {
			ids := e.asked &^ (e.shops[i].priced & e.shops[j].priced)
			if ids == e.asked || ids == best || ids.len() > best.len() {
				continue
			}
			var sum int64
			for _, id := range ids.appendIDs(nil) {
				sum += value[id]
			}
			lower := (ids^best)&-(ids^best)&ids != 0 // the lowest id that only one of them has
			if ids.len() < best.len() || sum < lowest || sum == lowest && lower {
				best, lowest = ids, sum
			}
		}
	}
	if best == e.asked {
		return nil
	}
	rest := &evaluation{pr: e.pr, in: e.in, day: e.day, stores: e.stores, variants: e.variants, accepted: e.accepted, rejected: e.rejected}
	rest.items = slices.DeleteFunc(slices.Clone(e.items), func(it Item) bool { return best.has(it.ID) })
	rest.run()
	return &WithoutItems{best.appendIDs(nil), centsOf(lowest), rest.recommendation(true)}
}

// quantityFits finds, for each item that some chain lacks as unsupported_quantity, the
// nearest quantities at which such a chain has a price.
func (e *evaluation) quantityFits() []QuantityFit {
	list := []QuantityFit{}
	for k, asked := range e.items {
		it := &e.pr.items[asked.ID]
		x := QuantityFit{ItemID: asked.ID}
		for _, step := range []Quantity{-it.rule.Step, it.rule.Step} {
			for q := asked.Qty + step; e.packs.has(asked.ID) && it.rule.Allows(q); q += step {
				f := Fit{Quantity: q}
				for _, s := range e.shops {
					if s.picks[k].reason == UnsupportedQuantity && e.pick(&s, Item{asked.ID, q}).reason == Priced {
						f.StoreKeys = append(f.StoreKeys, s.Key)
					}
				}
				if f.StoreKeys != nil {
					x.Fits = append(x.Fits, f)
					break
				}
			}
		}
		if x.Fits != nil {
			list = append(list, x)
		}
	}
	return list
}
