package compare

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/panel"
)

const maxBlocking = 8

// wording writes the reasons of a verdict. Default bodies have keys and ids. Named
// reasons have names in their place, and margins in cents.
type wording struct {
	*evaluation
	named bool
}

// Reasons returns the reasons of the recommendation with names in place of keys and
// ids. Every call writes them.
func (r *Result) Reasons() []string { return wording{r.from, true}.reasons() }

// reasons gives the reasons of the status, then the variants.
func (w wording) reasons() (list []string) {
	say := func(format string, a ...any) { list = append(list, fmt.Sprintf(format, a...)) }
	switch w.status {
	case InsufficientCoverage:
		say("fewer_than_two_complete_chains: %d of %s %s fresh prices for %s%s",
			len(w.full), phrase.Count(len(w.shops), "chain"), oneOr(len(w.full), "has", "have"), w.wholeList(), w.blocking())
		if ids := w.asked &^ w.tracked; ids != 0 {
			say("untracked_items: none of the chains compared lists %s", w.list(ids))
		}
		if w.packs != 0 {
			say("unsupported_quantity: some chains sell only fixed packs, of which the quantity asked for is no multiple, of %s",
				w.list(w.packs))
		}
	case TooCloseToCall:
		for _, s := range w.full[1:w.tooClose] {
			say("close_total: %s at %s is %s (%s) above %s at %s; %s",
				w.chain(s), inCAD(s.cents), w.apart(s), w.percent(s), w.chain(w.full[0]), inCAD(w.full[0].cents), w.margin())
		}
	case SizeBasisDisagrees:
		lowest := w.full[0]
		for _, s := range w.full[1:] {
			if s.adjusted >= lowest.adjusted {
				continue
			}
			say("size_basis_conflict: %s at %s is the lowest total, but at standard sizes it costs %s, %s more than %s at %s",
				w.chain(lowest), inCAD(lowest.cents), inCAD(lowest.adjusted), inCAD(lowest.adjusted-s.adjusted), w.chain(s), inCAD(s.adjusted))
			if ids := lowest.other | s.other; ids != 0 {
				list[len(list)-1] += "; other sizes: " + w.list(ids)
			}
		}
	default:
		lowest, next := w.full[0], w.full[1]
		if w.named {
			say("lowest_complete_total: %s at %s is the lowest of the %s (of %d) that have %s; it is %s (%s) below %s, the next; %s",
				lowest.Name, inCAD(lowest.cents), phrase.Count(len(w.full), "chain"), len(w.shops),
				oneOr(len(w.items), "the item", "everything"), w.apart(next), w.percent(next), next.Name, w.margin())
		} else {
			say("lowest_complete_total: %s has %s for %s, %s (%s) below %s, the next of %s; %s",
				lowest.Key, w.wholeList(), inCAD(lowest.cents), w.apart(next), w.percent(next), next.Key,
				phrase.Count(len(w.full), "complete chain"), w.margin())
		}
	}
	return append(list, w.ofVariants()...)
}

// ofVariants says which prices are those of variants, and which variants wait for consent.
func (w wording) ofVariants() []string {
	var priced, asked, said []string
	for _, s := range w.ranked {
		for k, it := range w.items {
			p := &s.picks[k]
			if p.candidate == nil || p.fit != basket.Variant {
				continue
			}
			o := w.pr.rows.Restated(int(p.row), s.Verified)
			_, words := w.pr.fits.Of(o.Listing, o.ScrapedName)
			text := fmt.Sprintf("%s, %s: %q (%s)",
				w.chain(s), w.list(1<<it.ID), o.ScrapedName, strings.Join(words, ", "))
			if p.reason == Priced {
				priced = append(priced, text)
			} else {
				asked = append(asked, text)
			}
		}
	}
	if priced != nil {
		said = append(said, "some prices are those of a variant, since the chain has nothing exact: "+
			strings.Join(priced, "; "))
	}
	if asked != nil {
		said = append(said, "a variant has no price here before the shopper accepts it: "+strings.Join(asked, "; "))
	}
	if said == nil {
		return nil
	}
	return []string{"variant_lines: " + strings.Join(said, "; and ")}
}

// blocking names the items without a usable price at some chain, those that
// most chains lack first.
func (w wording) blocking() string {
	type lack struct {
		id     int64
		chains int
	}
	var lacks []lack
	for ids := w.asked; ids != 0; ids &= ids - 1 {
		l := lack{id: int64(bits.TrailingZeros64(uint64(ids)))}
		for i := range w.shops {
			if !w.shops[i].priced.has(l.id) {
				l.chains++
			}
		}
		if l.chains > 0 {
			lacks = append(lacks, l)
		}
	}
	slices.SortStableFunc(lacks, func(a, b lack) int { return cmp.Compare(b.chains, a.chains) })
	var list []string
	for _, l := range lacks[:min(len(lacks), maxBlocking)] {
		list = append(list, w.list(1<<l.id)+" (at "+phrase.Count(l.chains, "chain")+")")
	}
	if more := len(lacks) - len(list); more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	if list == nil {
		return ""
	}
	return "; without a usable price: " + strings.Join(list, ", ")
}

// apart says how far a shop is above the lowest one, percent by how many percent.
func (w wording) apart(s *shop) string   { return inCAD(s.cents - w.full[0].cents) }
func (w wording) percent(s *shop) string { return percent(s.cents-w.full[0].cents, w.full[0].cents) }

// margin states the close call of the lowest total. 2% of it may be a fraction of a
// cent. Totals have whole cents, so dropping the fraction changes no verdict.
func (w wording) margin() string {
	up := panel.Price(max(closeCallCents*100, closeCallPercent*w.full[0].cents))
	if w.named {
		up -= up % 100
	}
	return fmt.Sprintf("up to %s %s apart (%d%%, at least %s) is too close to call",
		up, currency, closeCallPercent, inCAD(closeCallCents))
}

func (w wording) wholeList() string {
	return oneOr(len(w.items), "the ", "all ") + phrase.Count(len(w.items), "item")
}

func (w wording) chain(s *shop) string {
	if w.named {
		return s.Name
	}
	return s.Key
}

// list writes "item 3" or "items 3, 9", or the names of the items.
func (w wording) list(ids idSet) string {
	if w.named {
		return w.names(ids.appendIDs(nil))
	}
	text, before := oneOr(ids.len(), "item", "items"), " "
	for ; ids != 0; ids &= ids - 1 {
		text += before + strconv.Itoa(bits.TrailingZeros64(uint64(ids)))
		before = ", "
	}
	return text
}

// names writes the names of items. They have commas, so they are in quotes.
func (e *evaluation) names(ids []int64) string {
	var list []string
	for _, id := range ids {
		list = append(list, "'"+e.pr.items[id].Name+"'")
	}
	return phrase.And(list)
}

// percent writes part / whole in percent, rounded to hundredths, half up.
func percent(part, whole int64) string {
	if whole == 0 {
		return "0.00%"
	}
	return decimal.NewFromInt(part).Shift(2).DivRound(decimal.NewFromInt(whole), 2).StringFixed(2) + "%"
}

// inCAD writes an amount such as "12.50 CAD".
func inCAD(cents int64) string { return centsOf(cents).String() + " " + currency }

func oneOr(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}
