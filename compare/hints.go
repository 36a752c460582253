package compare

import (
	"cmp"
	"fmt"
	"strings"
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
	StoreKey       string `json:"storeKey"`
	Name           string `json:"name"`
	MissingItemIDs []int  `json:"missingItemIds"`
	SubtotalCAD    Money  `json:"subtotalCad"` // of the items that it has
	LowestCAD      Money  `json:"lowestCad"`   // with the missing items at their lowest lines
	HighestCAD     Money  `json:"highestCad"`  // with them at their highest lines
}

// maxRivalLacks is how many items a near-complete rival may lack.
const maxRivalLacks = 2

// WithoutItems is the smallest set of items without which two chains have the rest of
// the list, and the verdict on the rest, which is another list.
type WithoutItems struct {
	ItemIDs        []int          `json:"itemIds"`
	ValueCAD       Money          `json:"valueCad"` // the sum of their lowest lines at the chains compared; 0 for those without a price
	Recommendation Recommendation `json:"recommendation"`
}

// QuantityFit gives the quantities nearest to the one asked for that fit the fixed
// packs of chains of which that one is no multiple.
type QuantityFit struct {
	ItemID int   `json:"itemId"`
	Fits   []Fit `json:"fits"` // the nearest smaller one, the nearest larger one; at least one of them
}

// Fit is a quantity that an item may be asked for in, and the chains that have no
// price at the quantity asked for and one at this.
type Fit struct {
	Quantity  Quantity `json:"quantity"`
	StoreKeys []string `json:"storeKeys"` // by key
}

// hints computes the hints.
func (e *evaluation) hints() *Hints {
	return &Hints{e.rival(), e.withoutItems(), e.quantityFits()}
}

// rival finds the near-complete rival: a chain that lacks one or two items, fewer than
// it has, and whose lower bound is below the lowest complete total. Of several it is
// the one with the lowest upper bound, then the lowest lower bound, then the first by
// key.
func (e *evaluation) rival() *Rival {
	if len(e.full) < minCompleteChains {
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
			best = &Rival{s.Key, s.Name, missing.appendIDs(nil), CentsOf(s.cents), CentsOf(low), CentsOf(high)}
		}
	}
	return best
}

// bounds returns the lowest and the highest line of the k-th item at the shops, 0
// when none has a price.
func (e *evaluation) bounds(k int) (least, most int64) {
	found := false
	for i := range e.shops {
		c := e.winner(&e.shops[i], k)
		if c == nil {
			continue
		}
		line, _ := c.line(e.pr.items[e.items[k].ID].perKg, e.items[k].Qty)
		if !found || line < least {
			least = line
		}
		most, found = max(most, line), true
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
			lower := lowestOf(ids^best)&ids != 0
			if ids.len() < best.len() || sum < lowest || sum == lowest && lower {
				best, lowest = ids, sum
			}
		}
	}
	if best == e.asked {
		return nil
	}
	return &WithoutItems{best.appendIDs(nil), CentsOf(lowest), e.verdictWithout(best)}
}

// lowestOf returns the set of the lowest id alone.
func lowestOf(ids idSet) idSet { return ids & -ids }

// verdictWithout returns the strict verdict on the rest of the list.
func (e *evaluation) verdictWithout(ids idSet) Recommendation {
	rest := &evaluation{pr: e.pr, in: e.in, day: e.day, stores: e.stores}
	for _, it := range e.items {
		if !ids.has(it.ID) {
			rest.items = append(rest.items, it)
		}
	}
	rest.run(&Result{})
	return rest.recommendation(wording{rest, true})
}

// quantityFits finds, for each item that some chain lacks as unsupported_quantity, the
// nearest quantities at which such a chain has a price.
func (e *evaluation) quantityFits() []QuantityFit {
	list := []QuantityFit{}
	for k, asked := range e.items {
		if !e.packs.has(asked.ID) {
			continue
		}
		rule := e.pr.items[asked.ID].rule
		x := QuantityFit{ItemID: asked.ID}
		for _, step := range []Quantity{-rule.Step, rule.Step} {
			for q := asked.Qty + step; rule.Allows(q); q += step {
				if keys := e.fitting(k, q); len(keys) > 0 {
					x.Fits = append(x.Fits, Fit{q, keys})
					break
				}
			}
		}
		if len(x.Fits) > 0 {
			list = append(list, x)
		}
	}
	return list
}

// fitting returns the chains that lack the k-th item as unsupported_quantity and have
// a price of it at another quantity.
func (e *evaluation) fitting(k int, q Quantity) (keys []string) {
	id := e.items[k].ID
	for i := range e.shops {
		s := &e.shops[i]
		if s.picks[k].reason == UnsupportedQuantity && e.pr.pick(e.day, &s.cells[id], &e.pr.items[id], q).reason == Priced {
			keys = append(keys, s.Key)
		}
	}
	return keys
}

// ofHints writes the hints as reasons.
func (w wording) ofHints() (reasons []string) {
	h := w.hints()
	if x := h.NearCompleteRival; x != nil {
		reasons = append(reasons, w.ofRival(x))
	}
	if x := h.WithoutItems; x != nil {
		_, verdict, _ := strings.Cut(x.Recommendation.Reasons[0], ": ")
		reasons = append(reasons, fmt.Sprintf("without_items: without %s, two chains or more have the rest; the rest is another list, of %s, and its verdict is %s; %s",
			w.names(setOf(x.ItemIDs)), count(len(w.items)-len(x.ItemIDs), "item"), x.Recommendation.Status, verdict))
	}
	var fits []string
	for _, x := range h.QuantityFits {
		for _, f := range x.Fits {
			fits = append(fits, fmt.Sprintf("%s kg of %s at %s", f.Quantity, w.item(x.ItemID), w.chainNames(f.StoreKeys)))
		}
	}
	if len(fits) > 0 {
		reasons = append(reasons, "quantity_fits: the nearest quantities that fit the packs are "+strings.Join(fits, "; "))
	}
	return reasons
}

func (w wording) ofRival(x *Rival) string {
	bound := inCAD(x.HighestCAD.Cents)
	if x.LowestCAD != x.HighestCAD {
		bound = inCAD(x.LowestCAD.Cents) + " to " + bound
	}
	text := fmt.Sprintf("near_complete_rival: %s has %d of %s for %s; with %s at the lowest and highest price of the chains compared it would cost %s",
		x.Name, len(w.items)-len(x.MissingItemIDs), count(len(w.items), "item"), inCAD(x.SubtotalCAD.Cents), w.names(setOf(x.MissingItemIDs)), bound)
	lowest := w.full[0]
	if apart := lowest.cents - x.HighestCAD.Cents; apart > 0 {
		return fmt.Sprintf("%s, at least %s (%s) below %s at %s", text, inCAD(apart), percent(apart, lowest.cents), w.chain(lowest), inCAD(lowest.cents))
	}
	return fmt.Sprintf("%s, which may be below %s at %s", text, w.chain(lowest), inCAD(lowest.cents))
}

func setOf(ids []int) (s idSet) {
	for _, id := range ids {
		s.add(id)
	}
	return s
}

// chainNames writes the names of chains.
func (e *evaluation) chainNames(keys []string) string {
	names := make([]string, len(keys))
	for i, key := range keys {
		names[i] = e.in.chains[e.in.chainAt[key]].Name
	}
	return listed(names)
}
