package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/panel"
)

// wording says remarks in English. Default bodies have keys and ids. Named ones have names in their
// place, and margins in cents.
type wording struct {
	*evaluation
	named bool
}

// Reasons returns the reasons of the recommendation in English, with names in place of keys and ids.
func (r *Result) Reasons() []string { return wording{r.from, true}.reasons() }

func (w wording) reasons() (said []string) {
	for _, r := range w.evaluation.reasons() {
		said = append(said, r.Code+": "+w.reason(&r))
	}
	return said
}

const maxBlocking = 8 // items that a reason names

func (w wording) reason(r *Remark) string {
	s, other := w.shop(r.StoreKey), w.shop(r.OtherKey)
	switch r.Code {
	case "fewer_than_two_complete_chains":
		return fmt.Sprintf("%d of %s %s fresh prices for %s%s", len(w.full), phrase.Count(len(w.shops), "chain"),
			oneOr(len(w.full), "has", "have"), w.wholeList(), w.blocking(r.Lacks))
	case "untracked_items":
		return "none of the chains compared lists " + w.list(r.ItemIDs)
	case "unsupported_quantity":
		return "some chains sell only fixed packs, of which the quantity asked for is no multiple, of " +
			w.list(r.ItemIDs)
	case "close_total":
		return fmt.Sprintf("%s at %s is %s (%s%%) above %s at %s; %s", w.chain(s), w.money(s.cents),
			w.money(r.Apart.Cents), r.Percent, w.chain(other), w.money(other.cents), w.margin())
	case "size_basis_conflict":
		text := fmt.Sprintf("%s at %s is the lowest total, but at standard sizes it costs %s, %s more than %s at %s",
			w.chain(s), w.money(s.cents), w.money(s.adjusted), w.money(r.Apart.Cents), w.chain(other),
			w.money(other.adjusted))
		if len(r.ItemIDs) > 0 {
			text += "; other sizes: " + w.list(r.ItemIDs)
		}
		return text
	case "variant_lines":
		return w.variants(r.Lines)
	}
	if w.named {
		return fmt.Sprintf(
			"%s at %s is the lowest of the %s (of %d) that have %s; it is %s (%s%%) below %s, the next; %s",
			s.Name, w.money(s.cents), phrase.Count(len(w.full), "chain"), len(w.shops),
			oneOr(len(w.items), "the item", "everything"), w.money(r.Apart.Cents), r.Percent, other.Name, w.margin())
	}
	return fmt.Sprintf("%s has %s for %s, %s (%s%%) below %s, the next of %s; %s", s.Key, w.wholeList(),
		w.money(s.cents), w.money(r.Apart.Cents), r.Percent, other.Key, phrase.Count(len(w.full), "complete chain"),
		w.margin())
}

func (w wording) variants(lines []StoreItems) string {
	var priced, asked, said []string
	for _, x := range lines {
		s := w.shop(x.StoreKey)
		for k, it := range w.items {
			p := &s.picks[k]
			if !slices.Contains(x.ItemIDs, it.ID) {
				continue
			}
			o := w.pr.rows.Restated(int(p.row), s.Verified)
			_, words := w.pr.fits.Of(o.Listing, o.ScrapedName)
			text := fmt.Sprintf("%s, %s: %q (%s)",
				w.chain(s), w.list([]int64{it.ID}), o.ScrapedName, strings.Join(words, ", "))
			if p.isPriced() {
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
	return strings.Join(said, "; and ")
}

func (w wording) blocking(lacks []Lack) string {
	var list []string
	for _, l := range lacks[:min(len(lacks), maxBlocking)] {
		list = append(list, w.list([]int64{l.ItemID})+" (at "+phrase.Count(l.Chains, "chain")+")")
	}
	if more := len(lacks) - len(list); more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	if list == nil {
		return ""
	}
	return "; without a usable price: " + strings.Join(list, ", ")
}

// margin states the close call of the lowest total. Totals have whole cents, so dropping the fraction
// changes no verdict.
func (w wording) margin() string {
	up := closeMargin(w.full[0].cents)
	if w.named {
		up -= up % 100
	}
	exact := panel.FixedOf(up*w.pr.cent()/100).Append(nil, w.pr.digits)
	return fmt.Sprintf("up to %s %s apart (%d%%, at least %s) is too close to call",
		exact, w.pr.panel.About().Currency(), closeCallPercent, w.money(closeCallCents))
}

func (w wording) wholeList() string {
	return oneOr(len(w.items), "the ", "all ") + phrase.Count(len(w.items), "item")
}

// shop finds a chain by its key; nil without one.
func (e *evaluation) shop(key string) *shop {
	if i := slices.IndexFunc(e.shops, func(s *shop) bool { return s.Key == key }); i >= 0 {
		return e.shops[i]
	}
	return nil
}

func (w wording) chain(s *shop) string {
	if w.named {
		return s.Name
	}
	return s.Key
}

// list writes "item 3" or "items 3, 9", or the names of the items.
func (w wording) list(ids []int64) string {
	if w.named {
		return w.names(ids)
	}
	var texts []string
	for _, id := range ids {
		texts = append(texts, strconv.FormatInt(id, 10))
	}
	return oneOr(len(ids), "item ", "items ") + strings.Join(texts, ", ")
}

// names writes the names of items. They have commas, so they are in quotes.
func (e *evaluation) names(ids []int64) string {
	var list []string
	for _, id := range ids {
		list = append(list, "'"+e.pr.item(id).Name+"'")
	}
	return phrase.And(list)
}

// money writes an amount such as "12.50 CAD".
func (w wording) money(cents int64) string {
	return w.pr.money(cents).String() + " " + w.pr.panel.About().Currency()
}

func oneOr(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// Members names where a reader finds what caveats are about. A caveat without its member says less, or nothing.
type Members struct{ Conditional, Unmet, OtherSize, Total, AtStandard string }

var inBody = Members{
	Conditional: "in conditionalPromotionItemIds",
	Unmet:       "in conditionalPromotionItemIds that are not in onSaleItemIds",
	OtherSize:   "in differentSizeItemIds", Total: "totalCad", AtStandard: "sizeAdjustedTotalCad",
}

// CaveatsFor returns the caveats in English, for readers of other members than those of the body.
func (r *Result) CaveatsFor(m Members) (said []string) {
	for _, c := range r.from.caveats() {
		if text := r.from.caveat(&c, m); text != "" {
			said = append(said, text)
		}
	}
	return said
}

var conditionNeeds = map[string]string{"member": "a membership", "multi_buy": "several packages"}

func (e *evaluation) caveat(c *Remark, m Members) string {
	atRegular := func(text, at string) string {
		if at == "" {
			return text + "."
		}
		return text + ": items " + at + " stand at their regular price."
	}
	switch c.Code {
	case "invented_prices":
		return panel.SyntheticNotice
	case "stock_not_promised":
		return "Prices are the latest seen at a chain's stores in the city, up to 8 days old; " +
			"stock and the price at the checkout are not promised."
	case "conditional_sales_not_counted":
		return atRegular("A sale that needs a membership or several packages is not counted", m.Conditional)
	case "other_conditions_not_counted":
		return atRegular("A sale with another condition than those asked for is not counted", m.Unmet)
	case "conditional_sales_counted":
		var at []string
		for _, x := range c.Lines {
			at = append(at, e.shop(x.StoreKey).Name+": "+e.names(x.ItemIDs))
		}
		return fmt.Sprintf("Counted at a sale price that needs %s, as asked: %s.",
			conditionNeeds[c.Condition], strings.Join(at, "; "))
	}
	if m.OtherSize == "" {
		return ""
	}
	return fmt.Sprintf("Items %s come in packages of another size than the standard one: %s is what these packages "+
		"cost, %s what the standard size would cost at the same rate.", m.OtherSize, m.Total, m.AtStandard)
}
