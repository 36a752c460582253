package compare

import (
	"cmp"
	"math/bits"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/panel"
)

// maxBlocking is how many of the items that keep chains from being complete a
// reason names.
const maxBlocking = 8

// whyInsufficient gives the reasons of insufficient_coverage.
func (e *evaluation) whyInsufficient(res *Result, full int) []string {
	has := "have"
	if full == 1 {
		has = "has"
	}
	head := make(sentence, 0, 256)
	head.add("fewer_than_two_complete_chains: ").number(full).add(" of ").count(len(e.shops), "chain")
	head.add(" ", has, " fresh prices for ").allOf(len(e.items))
	e.blocking(&head)
	reasons := []string{string(head)}
	if ids := res.UntrackedItemIDs; len(ids) > 0 {
		reasons = append(reasons, "untracked_items: none of the chains compared lists "+itemList(ids))
	}
	var packs []int
	for k, it := range e.items {
		if slices.ContainsFunc(e.shops, func(s shop) bool { return s.picks[k].reason == UnsupportedQuantity }) {
			packs = append(packs, it.ID)
		}
	}
	if len(packs) > 0 {
		reasons = append(reasons, "unsupported_quantity: some chains sell only fixed packs, of which the quantity asked for is no multiple, of "+itemList(packs))
	}
	return reasons
}

// blocking names the items that chains have no usable price of, those that most
// chains lack first.
func (e *evaluation) blocking(s *sentence) {
	type lack struct{ id, chains int }
	list := make([]lack, 0, len(e.items))
	for ids := e.asked; ids != 0; ids &= ids - 1 {
		l := lack{id: bits.TrailingZeros64(uint64(ids))}
		for i := range e.shops {
			if !e.shops[i].priced.has(l.id) {
				l.chains++
			}
		}
		if l.chains > 0 {
			list = append(list, l)
		}
	}
	slices.SortFunc(list, func(a, b lack) int {
		return cmp.Or(cmp.Compare(b.chains, a.chains), cmp.Compare(a.id, b.id))
	})
	for i, l := range list {
		if i == 0 {
			s.add("; without a usable price: ")
		} else {
			s.add(", ")
		}
		if i == maxBlocking {
			s.add("and ").number(len(list) - i).add(" more")
			return
		}
		s.add("item ").number(l.id).add(" (at ").count(l.chains, "chain").add(")")
	}
}

// whyClose gives one reason for every chain too close to the lowest.
func whyClose(near []*shop) []string {
	lowest := near[0]
	reasons := make([]string, 0, len(near)-1)
	for _, x := range near[1:] {
		var s sentence
		s.add("close_total: ", x.Key, " at ").money(x.cents).add(" is ").money(x.cents - lowest.cents)
		s.add(" (", percent(x.cents-lowest.cents, lowest.cents), ") above ", lowest.Key, " at ").money(lowest.cents).tooClose(lowest)
		reasons = append(reasons, string(s))
	}
	return reasons
}

// whySizes says that the lowest total owes its place to the size of its
// packages.
func whySizes(lowest, x *shop) string {
	var s sentence
	s.add("size_basis_conflict: ", lowest.Key, " at ").money(lowest.cents).add(" is the lowest total, but at standard sizes it costs ")
	s.money(lowest.adjusted).add(", ").money(lowest.adjusted-x.adjusted).add(" more than ", x.Key, " at ").money(x.adjusted)
	if ids := (lowest.other | x.other).appendIDs(nil); len(ids) > 0 {
		s.add("; other sizes: ", itemList(ids))
	}
	return string(s)
}

// whyLowest says how clear the recommendation is.
func (e *evaluation) whyLowest(full []*shop) string {
	lowest, next := full[0], full[1]
	var s sentence
	s.add("lowest_complete_total: ", lowest.Key, " has ").allOf(len(e.items)).add(" for ").money(lowest.cents).add(", ")
	s.money(next.cents-lowest.cents).add(" (", percent(next.cents-lowest.cents, lowest.cents), ") below ", next.Key)
	s.add(", the next of ").count(len(full), "complete chain").tooClose(lowest)
	return string(s)
}

// sentence is a text in the making.
type sentence []byte

func (s *sentence) add(parts ...string) *sentence {
	for _, p := range parts {
		*s = append(*s, p...)
	}
	return s
}

func (s *sentence) number(n int) *sentence {
	*s = strconv.AppendInt(*s, int64(n), 10)
	return s
}

func (s *sentence) count(n int, what string) *sentence {
	if s.number(n).add(" ", what); n != 1 {
		s.add("s")
	}
	return s
}

func (s *sentence) allOf(items int) *sentence {
	if items == 1 {
		return s.add("the 1 item")
	}
	return s.add("all ").count(items, "item")
}

func (s *sentence) money(cents int64) *sentence {
	*s = CentsOf(cents).append(*s)
	return s.add(" ", Currency)
}

// tooClose ends a sentence with the margin up to which totals are close to the
// lowest one. 2% of it may be a fraction of a cent; it is given exactly.
func (s *sentence) tooClose(lowest *shop) {
	margin := panel.Price(max(closeCallCents*unitsPerCent, closeCallPercent*lowest.cents))
	s.add("; up to ", margin.String(), " ", Currency, " apart (").number(closeCallPercent).add("%, at least ")
	s.money(closeCallCents).add(") is too close to call")
}

// percent writes part / whole in percent, rounded to hundredths, half up.
func percent(part, whole int64) string {
	if whole == 0 {
		return "0.00%"
	}
	return decimal.NewFromInt(part).Shift(2).DivRound(decimal.NewFromInt(whole), 2).StringFixed(2) + "%"
}

// itemList writes "item 3" or "items 3, 9".
func itemList(ids []int) string {
	s := sentence("items ")
	if len(ids) == 1 {
		s = sentence("item ")
	}
	for i, id := range ids {
		if i > 0 {
			s.add(", ")
		}
		s.number(id)
	}
	return string(s)
}
