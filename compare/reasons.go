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

// maxBlocking is how many blocking items a reason names.
const maxBlocking = 8

// wording writes the reasons of a verdict. Default bodies have keys and ids. Named
// reasons have names in their place, margins in cents, and the codes of [Hints].
type wording struct {
	*evaluation
	named bool
}

// Reasons returns the reasons of the recommendation with names in place of keys and
// ids, and with those of the hints. Every call writes them.
func (r *Result) Reasons() []string {
	if r.from == nil {
		return nil
	}
	return wording{r.from, true}.reasons()
}

// reasons gives the reasons of the status, then those of the hints.
func (w wording) reasons() (list []string) {
	switch w.status {
	case InsufficientCoverage:
		list = w.whyInsufficient()
	case TooCloseToCall:
		for _, s := range w.full[1:w.near] {
			list = append(list, w.whyClose(s))
		}
	case SizeBasisDisagrees:
		for _, s := range w.full[1:] {
			if w.full[0].dearerAtStandardSizes(s) {
				list = append(list, w.whySizes(s))
			}
		}
	default:
		list = []string{w.whyLowest()}
	}
	if w.named {
		list = append(list, w.ofHints()...)
	}
	return list
}

// whyInsufficient gives the reasons of insufficient_coverage.
func (w wording) whyInsufficient() []string {
	head := fmt.Appendf(make([]byte, 0, 256), "fewer_than_two_complete_chains: %d of %s %s fresh prices for %s",
		len(w.full), count(len(w.shops), "chain"), have(len(w.full)), allOf(len(w.items)))
	reasons := []string{string(w.appendBlocking(head))}
	if ids := w.asked &^ w.tracked; ids != 0 {
		reasons = append(reasons, "untracked_items: none of the chains compared lists "+w.list(ids))
	}
	if w.packs != 0 {
		reasons = append(reasons, "unsupported_quantity: some chains sell only fixed packs, of which the quantity asked for is no multiple, of "+w.list(w.packs))
	}
	return reasons
}

// appendBlocking names the items without a usable price at some chain, those that
// most chains lack first.
func (w wording) appendBlocking(b []byte) []byte {
	type lack struct{ id, chains int }
	list := make([]lack, 0, len(w.items))
	for ids := w.asked; ids != 0; ids &= ids - 1 {
		l := lack{id: bits.TrailingZeros64(uint64(ids))}
		for i := range w.shops {
			if !w.shops[i].priced.has(l.id) {
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
		b = append(b, before...)
		if w.named {
			b = append(b, w.item(l.id)...)
		} else {
			b = strconv.AppendInt(append(b, "item "...), int64(l.id), 10)
		}
		b = append(append(append(b, " (at "...), count(l.chains, "chain")...), ')')
		before = ", "
	}
	return b
}

// whyClose says how close a shop is to the lowest one.
func (w wording) whyClose(s *shop) string {
	lowest := w.full[0]
	apart := s.cents - lowest.cents
	return fmt.Sprintf("close_total: %s at %s is %s (%s) above %s at %s; %s",
		w.chain(s), inCAD(s.cents), inCAD(apart), percent(apart, lowest.cents), w.chain(lowest), inCAD(lowest.cents), w.margin())
}

// whySizes says that the lowest total depends on the size of its packages.
func (w wording) whySizes(s *shop) string {
	lowest := w.full[0]
	reason := fmt.Sprintf("size_basis_conflict: %s at %s is the lowest total, but at standard sizes it costs %s, %s more than %s at %s",
		w.chain(lowest), inCAD(lowest.cents), inCAD(lowest.adjusted), inCAD(lowest.adjusted-s.adjusted), w.chain(s), inCAD(s.adjusted))
	if ids := lowest.other | s.other; ids != 0 {
		reason += "; other sizes: " + w.list(ids)
	}
	return reason
}

// whyLowest says how clear the recommendation is.
func (w wording) whyLowest() string {
	lowest, next := w.full[0], w.full[1]
	apart := next.cents - lowest.cents
	if w.named {
		return fmt.Sprintf("lowest_complete_total: %s at %s is the lowest of the %s (of %d) that have %s; it is %s (%s) below %s, the next; %s",
			w.chain(lowest), inCAD(lowest.cents), count(len(w.full), "chain"), len(w.shops), everything(len(w.items)), inCAD(apart), percent(apart, lowest.cents), w.chain(next), w.margin())
	}
	return fmt.Sprintf("lowest_complete_total: %s has %s for %s, %s (%s) below %s, the next of %s; %s",
		w.chain(lowest), allOf(len(w.items)), inCAD(lowest.cents), inCAD(apart), percent(apart, lowest.cents), w.chain(next), count(len(w.full), "complete chain"), w.margin())
}

// margin states the close call of the lowest total. 2% of it may be a fraction of a
// cent. Totals have whole cents, so dropping the fraction changes no verdict.
func (w wording) margin() string {
	up := panel.Price(max(closeCallCents*100, closeCallPercent*w.full[0].cents))
	if w.named {
		up -= up % 100
	}
	return fmt.Sprintf("up to %s %s apart (%d%%, at least %s) is too close to call", up, Currency, closeCallPercent, inCAD(closeCallCents))
}

// chain writes a chain's key or name.
func (w wording) chain(s *shop) string {
	if w.named {
		return s.Name
	}
	return s.Key
}

// list writes "item 3" or "items 3, 9", or the names of the items.
func (w wording) list(ids idSet) string {
	if w.named {
		return w.names(ids)
	}
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

// item writes the name of an item. Names have commas, so it is in quotes.
func (e *evaluation) item(id int) string { return "'" + e.pr.items[id].Name + "'" }

// names writes the names of items, ascending by id.
func (e *evaluation) names(ids idSet) string {
	var list []string
	for _, id := range ids.appendIDs(nil) {
		list = append(list, e.item(id))
	}
	return listed(list)
}

// listed joins names: "a", "a and b", "a, b and c".
func listed(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
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

func have(n int) string {
	if n == 1 {
		return "has"
	}
	return "have"
}

func allOf(items int) string {
	if items == 1 {
		return "the 1 item"
	}
	return "all " + count(items, "item")
}

func everything(items int) string {
	if items == 1 {
		return "the item"
	}
	return "everything"
}
