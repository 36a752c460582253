// Package compare compares the cost of a shopping list at the grocery chains of
// one city. A comparison is dated and exact to the cent. It says what it leaves
// out, and names a cheapest chain only when the prices support it.
//
// A [Projection] holds the part of a panel that comparisons need. [Evaluate]
// compares a [Request] as of an instant. The current price of an item at a chain
// comes from the latest rows of its listings at the chain's stores in the city:
//
//	latest      of each listing and store, the last row up to the instant that
//	            passes the quality gate
//	dropped     rows whose title names another good (see [basket.Fitter]), or whose
//	            listing the request rejects; rows more than 8 days old; of a sale
//	            that is over; of a counted good in another count; of a fixed pack
//	            that does not divide the quantity; of a sale with a condition and
//	            no known price without it
//	chosen      of the rest, those that fit exactly, else the variants of the item;
//	            of these the packages within 1% of the standard size, else those
//	            nearest to it; of these the lowest line total; then the newest. A
//	            variant is priced if the request accepts it, else the item is missing
//	line        packages: price * size / standard size, to cents, * quantity;
//	            by weight: price * kilograms, to cents
//	total       the sum of the lines
//
// Days are those of UTC. When no row is left, the newest row gives the [Reason],
// so every missing item of every chain has one. A sale with a condition counts only
// when the request names the condition: else the item costs its regular price. Stock
// plays no part.
//
// Let L be the lowest total of the chains with the complete list. Totals within
// max(0.05 CAD, 2% of L) of it are too close to call. No chain is named then, nor
// when another one is cheaper at standard sizes, nor when fewer than two chains have
// the list complete and fresh. [Result.Split] values a second stop by the same rule.
//
// [DecodeRequest] and [Evaluate] refuse a request that is incomplete, unknown,
// repeated or malformed in any part, with an [Error] that says what to change.
// Nothing is substituted: neither a list nor a city, chain or day.
//
// Money is in whole cents, prices in ten-thousandths of a dollar, sizes in
// millionths of a gram, millilitre or piece. Products are rounded once, half up. No
// amount is a float. docs/rules.md has the rules in full.
package compare

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// evaluation is a request together with the prices of an instant.
type evaluation struct {
	pr       *Projection
	in       *city
	day      *cityDay
	items    []Item   // by id
	stores   []string // requested ones, by key
	variants bool     // all are accepted
	accepted []Choice // by item, then chain, as the rejected ones
	rejected []Choice
	shops    []shop  // the eligible chains, by key
	ranked   []*shop // in the order of Result.Stores
	excluded []ExcludedStore
	lines    int // at all shops, with a price

	// The verdict and the chains that it rests on.
	status   string
	full     []*shop // the shops with the complete list, by total, then key
	tooClose int     // how many of these are too close to call, the lowest included

	// Sets of the list's items.
	asked      idSet // all of them
	weighted   idSet // sold by the kilogram
	tracked    idSet // some shop has an active listing
	compared   idSet // some shop has a usable price
	counts     idSet // some row was dropped as ambiguous_checkout
	quantities idSet // some row was dropped as unsupported_quantity
	packs      idSet // some shop has no price for unsupported_quantity
	withheld   idSet // some shop sells on a condition that is not counted
	other      idSet // some shop sells another size than the standard one
}

// shop is one eligible chain of an evaluation.
type shop struct {
	*cityChain
	amount
	cells    *chainDay
	picks    []pick // beside evaluation.items
	complete bool
	priced   idSet
	onSale   idSet
	onTerms  idSet // on a sale with a condition: also onSale if it counts, else at the regular price
	other    idSet // in another size than the standard one
}

// Evaluate compares a request as of an instant. Rows observed later do not exist
// for it, and dates are those of UTC. The error is an *Error for a request that is
// refused. An item without any price is a result, not an error. A projection that NewProjection
// did not make is another error.
func Evaluate(pr *Projection, r Request, now time.Time) (*Result, error) {
	if pr == nil || pr.panel == nil {
		return nil, errors.New("compare: this Projection was not made; NewProjection makes one")
	}
	if err := pr.check(&r); err != nil {
		return nil, err
	}
	e := &evaluation{pr: pr, in: pr.cityAt[r.City], excluded: []ExcludedStore{}}
	e.items, e.stores = slices.Clone(r.Items), slices.Clone(r.Stores)
	slices.SortFunc(e.items, func(a, b Item) int { return cmp.Compare(a.ID, b.ID) })
	slices.Sort(e.stores)
	e.variants, e.accepted, e.rejected = r.Variants, sorted(r.Accept), sorted(r.Reject)
	e.day = pr.at(e.in, now, termsOf(&r))
	e.run()
	return e.result(len(r.Include) > 0), nil
}

func sorted(all []Choice) []Choice {
	return slices.SortedStableFunc(slices.Values(all), func(a, b Choice) int {
		return cmp.Or(cmp.Compare(a.ItemID, b.ItemID), cmp.Compare(a.Store, b.Store))
	})
}

func (e *evaluation) run() {
	for _, it := range e.items {
		e.asked.add(it.ID)
		e.weighted.addIf(e.pr.items[it.ID].perKg, it.ID)
	}
	n := len(e.items)
	e.shops = make([]shop, 0, len(e.in.chains))
	picks := make([]pick, n*len(e.in.chains))
	for i := range e.in.chains {
		c := &e.in.chains[i]
		if _, requested := slices.BinarySearch(e.stores, c.Key); len(e.stores) > 0 && !requested {
			continue
		}
		if !c.certain {
			e.excluded = append(e.excluded, ExcludedStore{c.Key, c.Name, "uncertain_location"})
			continue
		}
		e.tracked |= c.tracked
		e.shops = append(e.shops, shop{cityChain: c, cells: &e.day.chains[i], picks: picks[i*n : (i+1)*n]})
		e.price(&e.shops[len(e.shops)-1])
	}
	e.judge()
}

func (e *evaluation) price(s *shop) {
	for k, asked := range e.items {
		p := &s.picks[k]
		*p = e.pick(s, asked)
		e.counts.addIf(p.counts, asked.ID)
		e.quantities.addIf(p.quantities, asked.ID)
		e.packs.addIf(p.reason == UnsupportedQuantity, asked.ID)
		if p.reason != Priced {
			continue
		}
		s.add(p.amount)
		s.priced.add(asked.ID)
		s.onSale.addIf(p.onSale, asked.ID)
		s.onTerms.addIf(p.condition != panel.NoCondition, asked.ID)
		s.other.addIf(p.otherSize, asked.ID)
	}
	e.lines += s.priced.len()
	s.complete = s.priced == e.asked
	e.compared |= s.priced
	e.withheld |= s.onTerms &^ s.onSale
	e.other |= s.other
}

// pick returns a shop's price of an item, without the listings that the request rejects: for each
// rejection the one that would be priced. A variant that is not accepted is no price.
func (e *evaluation) pick(s *shop, asked Item) pick {
	c, it, here := &s.cells[asked.ID], &e.pr.items[asked.ID], Choice{asked.ID, s.Key}
	p := e.pr.pick(c, it, asked.Qty)
	for _, r := range e.rejected {
		if r != here {
			continue
		}
		if p.candidate == nil {
			break
		}
		listing := e.pr.rows.Listing(int(p.row))
		left := &cell{candidates: slices.Clone(c.candidates)}
		for i := range left.candidates {
			if x := &left.candidates[i]; x.first != QualityGate && e.pr.rows.Listing(int(x.row)) == listing {
				x.first = RejectedMatch
			}
		}
		left.picked = e.pr.choose(left.candidates, it, hundredths)
		c, p = left, e.pr.pick(left, it, asked.Qty)
	}
	if p.reason == Priced && p.fit == basket.Variant && !e.variants && !slices.Contains(e.accepted, here) {
		p.reason = VariantMatch
	}
	return p
}
