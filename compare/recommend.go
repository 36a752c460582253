package compare

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/panel"
)

// The thresholds of a recommendation.
const (
	minCompleteChains = 2 // chains with the whole list that a recommendation takes
	closeCallPercent  = 2 // totals this close to the lowest, or
	closeCallCents    = 5 // this close, are too close to call; the bounds belong to them
)

// maxBlocking is how many blocking items a reason names.
const maxBlocking = 8

// recommend decides between the shops with the complete list, in this order:
//
//	fewer than two of them                                   insufficient_coverage
//	several within max(0.05 CAD, 2% of L) of L, the lowest   too_close_to_call
//	at standard sizes another costs less than the lowest     size_basis_disagrees
//	else                                                     lowest
func (e *evaluation) recommend(res *Result) {
	r := &res.Recommendation
	r.StoreKeys, r.CloseStoreKeys = []string{}, []string{}
	var full []*shop
	for i := range e.shops {
		if e.shops[i].complete {
			full = append(full, &e.shops[i])
		}
	}
	if len(full) < minCompleteChains {
		r.Status, r.Reasons = InsufficientCoverage, e.whyInsufficient(len(full))
		return
	}
	slices.SortFunc(full, func(a, b *shop) int {
		return cmp.Or(cmp.Compare(a.cents, b.cents), strings.Compare(a.Key, b.Key))
	})
	lowest := full[0]
	near := 1
	for near < len(full) && isClose(full[near].cents, lowest.cents) {
		near++
	}
	if near > 1 {
		r.Status = TooCloseToCall
		for _, s := range full[:near] {
			r.CloseStoreKeys = append(r.CloseStoreKeys, s.Key)
		}
		for _, s := range full[1:near] {
			r.Reasons = append(r.Reasons, whyClose(s, lowest))
		}
		return
	}
	for _, s := range full[1:] {
		if lowest.adjusted > s.adjusted {
			r.Reasons = append(r.Reasons, whySizes(lowest, s))
		}
	}
	if len(r.Reasons) > 0 {
		r.Status = SizeBasisDisagrees
		return
	}
	r.Status, r.StoreKeys, r.Reasons = Lowest, append(r.StoreKeys, lowest.Key), []string{e.whyLowest(full)}
}

// isClose reports whether a total is too close to the lowest one to call.
func isClose(total, lowest int64) bool {
	apart := total - lowest
	return apart <= closeCallCents || apart*100 <= closeCallPercent*lowest
}

// whyInsufficient gives the reasons of insufficient_coverage. full is the number
// of shops with the complete list.
func (e *evaluation) whyInsufficient(full int) []string {
	have := "have"
	if full == 1 {
		have = "has"
	}
	head := fmt.Appendf(make([]byte, 0, 256), "fewer_than_two_complete_chains: %d of %s %s fresh prices for %s",
		full, count(len(e.shops), "chain"), have, allOf(len(e.items)))
	reasons := []string{string(e.appendBlocking(head))}
	if ids := e.asked &^ e.tracked; ids != 0 {
		reasons = append(reasons, "untracked_items: none of the chains compared lists "+itemList(ids))
	}
	if e.packs != 0 {
		reasons = append(reasons, "unsupported_quantity: some chains sell only fixed packs, of which the quantity asked for is no multiple, of "+itemList(e.packs))
	}
	return reasons
}

// appendBlocking names the items without a usable price at some chain, those that
// most chains lack first.
func (e *evaluation) appendBlocking(b []byte) []byte {
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
	before := "; without a usable price: "
	for i, l := range list {
		if i == maxBlocking {
			return fmt.Appendf(b, "%sand %d more", before, len(list)-i)
		}
		b = strconv.AppendInt(append(append(b, before...), "item "...), int64(l.id), 10)
		b = append(append(append(b, " (at "...), count(l.chains, "chain")...), ')')
		before = ", "
	}
	return b
}

// whyClose says how close a shop is to the lowest one.
func whyClose(s, lowest *shop) string {
	apart := s.cents - lowest.cents
	return fmt.Sprintf("close_total: %s at %s is %s (%s) above %s at %s; %s",
		s.Key, inCAD(s.cents), inCAD(apart), percent(apart, lowest.cents), lowest.Key, inCAD(lowest.cents), margin(lowest))
}

// whySizes says that the lowest total depends on the size of its packages.
func whySizes(lowest, s *shop) string {
	reason := fmt.Sprintf("size_basis_conflict: %s at %s is the lowest total, but at standard sizes it costs %s, %s more than %s at %s",
		lowest.Key, inCAD(lowest.cents), inCAD(lowest.adjusted), inCAD(lowest.adjusted-s.adjusted), s.Key, inCAD(s.adjusted))
	if ids := lowest.other | s.other; ids != 0 {
		reason += "; other sizes: " + itemList(ids)
	}
	return reason
}

// whyLowest says how clear the recommendation is.
func (e *evaluation) whyLowest(full []*shop) string {
	lowest, next := full[0], full[1]
	apart := next.cents - lowest.cents
	return fmt.Sprintf("lowest_complete_total: %s has %s for %s, %s (%s) below %s, the next of %s; %s",
		lowest.Key, allOf(len(e.items)), inCAD(lowest.cents), inCAD(apart), percent(apart, lowest.cents), next.Key, count(len(full), "complete chain"), margin(lowest))
}

// margin states the close call of a lowest total. 2% of it may be a fraction of a
// cent, and is exact.
func margin(lowest *shop) string {
	up := panel.Price(max(closeCallCents*100, closeCallPercent*lowest.cents))
	return fmt.Sprintf("up to %s %s apart (%d%%, at least %s) is too close to call", up, Currency, closeCallPercent, inCAD(closeCallCents))
}

// percent writes part / whole in percent, rounded to hundredths, half up.
func percent(part, whole int64) string {
	if whole == 0 {
		return "0.00%"
	}
	return decimal.NewFromInt(part).Shift(2).DivRound(decimal.NewFromInt(whole), 2).StringFixed(2) + "%"
}

// inCAD writes an amount such as "12.50 CAD".
func inCAD(cents int64) string { return CentsOf(cents).String() + " " + Currency }

// count writes a number of things such as "3 chains".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func allOf(items int) string {
	if items == 1 {
		return "the 1 item"
	}
	return "all " + count(items, "item")
}

// itemList writes "item 3" or "items 3, 9".
func itemList(ids idSet) string {
	b := []byte("items")
	if ids.len() == 1 {
		b = []byte("item")
	}
	before := " "
	for _, id := range ids.appendIDs(nil) {
		b = strconv.AppendInt(append(b, before...), int64(id), 10)
		before = ", "
	}
	return string(b)
}
