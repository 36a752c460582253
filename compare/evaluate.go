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
// max(5 cents, 2% of L) of it are too close to call. No chain is named then, nor
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
	day      panel.Date // UTC
	rows     int32      // of the panel, up to the instant
	on       terms
	items    []Item   // by id
	of       []*item  // beside items
	stores   []string // requested ones, by key
	variants bool     // all are accepted
	accepted []Choice // by item, then chain, as the rejected ones
	rejected []Choice
	shops    []*shop // the eligible chains, by key
	ranked   []*shop // in the order of Result.Stores
	excluded []ExcludedStore

	// The verdict and the chains that it rests on.
	status   string
	full     []*shop // the shops with the complete list, by total, then key
	tooClose int     // how many of these are too close to call, the lowest included
}

// shop is one eligible chain of an evaluation.
type shop struct {
	*cityChain
	amount
	picks  []pick // beside evaluation.items
	priced int    // how many of them have a price
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
	for _, asked := range e.items {
		e.of = append(e.of, pr.item(asked.ID))
	}
	slices.Sort(e.stores)
	e.variants, e.accepted, e.rejected = r.Variants, sorted(r.Accept), sorted(r.Reject)
	e.day, e.rows, e.on = panel.DateIn(now, time.UTC), pr.until(now), termsOf(&r)
	e.run()
	return e.result(r.Include), nil
}

func sorted(all []Choice) []Choice {
	return slices.SortedStableFunc(slices.Values(all), func(a, b Choice) int {
		return cmp.Or(cmp.Compare(a.ItemID, b.ItemID), cmp.Compare(a.Store, b.Store))
	})
}

func (e *evaluation) run() {
	for i := range e.in.chains {
		c := &e.in.chains[i]
		if _, requested := slices.BinarySearch(e.stores, c.Key); len(e.stores) > 0 && !requested {
			continue
		}
		if !c.certain {
			e.excluded = append(e.excluded, ExcludedStore{c.Key, c.Name, "uncertain_location"})
			continue
		}
		s := &shop{cityChain: c}
		for k := range e.items {
			p := e.pick(i, k)
			if p.isPriced() {
				s.add(p.amount)
				s.priced++
			}
			s.picks = append(s.picks, p)
		}
		e.shops = append(e.shops, s)
	}
	e.judge()
}

func (e *evaluation) complete(s *shop) bool { return s.priced == len(e.items) }

// ids returns the ids of the items that hold. Items are in order of id.
func (e *evaluation) ids(holds func(k int) bool) []int64 {
	ids := []int64{}
	for k, it := range e.items {
		if holds(k) {
			ids = append(ids, it.ID)
		}
	}
	return ids
}

// at returns the ids of the items whose price at a chain holds, and some of those at some chain.
func (e *evaluation) at(s *shop, holds func(*pick) bool) []int64 {
	return e.ids(func(k int) bool { return holds(&s.picks[k]) })
}

func (e *evaluation) some(holds func(*pick) bool) []int64 {
	return e.ids(func(k int) bool {
		return slices.ContainsFunc(e.shops, func(s *shop) bool { return holds(&s.picks[k]) })
	})
}

// without returns the ids of the items whose price holds at no chain.
func (e *evaluation) without(holds func(*pick) bool) []int64 {
	return e.ids(func(k int) bool {
		return !slices.ContainsFunc(e.shops, func(s *shop) bool { return holds(&s.picks[k]) })
	})
}

// untracked returns the items of which no chain has an active listing.
func (e *evaluation) untracked() []int64 {
	return e.ids(func(k int) bool {
		return !slices.ContainsFunc(e.shops, func(s *shop) bool { return s.places[e.of[k].at] > 0 })
	})
}

// pick returns a shop's price of an item, without the listings that the request rejects: for each
// rejection the one that would be priced. A variant that is not accepted is no price.
func (e *evaluation) pick(chain, k int) pick {
	it, asked, here := e.of[k], e.items[k], Choice{e.items[k].ID, e.in.chains[chain].Key}
	of := e.candidates(chain, it)
	p := e.pr.choose(of, it, asked.Qty)
	for _, r := range e.rejected {
		if r != here {
			continue
		}
		if p.candidate == nil {
			break
		}
		listing := e.pr.rows.Listing(int(p.row))
		for i := range of {
			if x := &of[i]; x.first != QualityGate && e.pr.rows.Listing(int(x.row)) == listing {
				x.first = RejectedMatch
			}
		}
		p = e.pr.choose(of, it, asked.Qty)
	}
	if p.isPriced() && p.fit == basket.Variant && !e.variants && !slices.Contains(e.accepted, here) {
		p.reason = VariantMatch
	}
	return p
}
