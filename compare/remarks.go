package compare

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/panel"
)

// Remark is a reason of the verdict, or a caveat, as a code with its arguments. words.go says it in
// English, and the page in its own language. Arguments that a code lacks are zero.
type Remark struct {
	Code      string       `json:"code"`
	StoreKey  string       `json:"storeKey,omitempty"`  // of the chain that it is about
	OtherKey  string       `json:"otherKey,omitempty"`  // of the chain that this one is compared with
	Apart     Money        `json:"apartCad,omitzero"`   // how far apart the two are
	Percent   json.Number  `json:"percent,omitempty"`   // the same, of the lowest total
	Margin    Money        `json:"marginCad,omitzero"`  // totals up to so far apart are too close to call
	ItemIDs   []int64      `json:"itemIds,omitempty"`   // by id
	Lacks     []Lack       `json:"lacks,omitempty"`     // what most chains lack first
	Condition string       `json:"condition,omitempty"` // of a sale
	Lines     []StoreItems `json:"lines,omitempty"`     // what costs less by the condition, or is a variant
}

// Lack is an item, and how many chains lack a usable price of it.
type Lack struct {
	ItemID int64 `json:"itemId"`
	Chains int   `json:"chains"`
}

// StoreItems is items at a chain.
type StoreItems struct {
	StoreKey string  `json:"storeKey"`
	ItemIDs  []int64 `json:"itemIds"`
}

// Remarks are the reasons and caveats of a result.
type Remarks struct {
	Reasons []Remark `json:"reasons"`
	Caveats []Remark `json:"caveats"`
}

// Remarks returns the reasons and caveats of a result as codes. Every call makes them.
func (r *Result) Remarks() Remarks { return Remarks{r.from.reasons(), r.from.caveats()} }

// reasons gives those of the status, then the variants.
func (e *evaluation) reasons() (list []Remark) {
	switch e.status {
	case InsufficientCoverage:
		list = append(list, Remark{Code: "fewer_than_two_complete_chains", Lacks: e.lacks()})
		if ids := e.untracked(); len(ids) > 0 {
			list = append(list, Remark{Code: "untracked_items", ItemIDs: ids})
		}
		if ids := e.some(func(p *pick) bool { return p.reason == UnsupportedQuantity }); len(ids) > 0 {
			list = append(list, Remark{Code: "unsupported_quantity", ItemIDs: ids})
		}
	case TooCloseToCall:
		for _, s := range e.full[1:e.tooClose] {
			list = append(list, e.apart("close_total", s, e.full[0], s))
		}
	case SizeBasisDisagrees:
		lowest := e.full[0]
		for _, s := range e.full[1:] {
			other := func(k int) bool { return lowest.picks[k].ofOtherSize() || s.picks[k].ofOtherSize() }
			if s.adjusted < lowest.adjusted {
				list = append(list, Remark{
					Code: "size_basis_conflict", StoreKey: lowest.Key, OtherKey: s.Key,
					Apart: e.pr.money(lowest.adjusted - s.adjusted), ItemIDs: e.ids(other),
				})
			}
		}
	default:
		list = append(list, e.apart("lowest_complete_total", e.full[0], e.full[1], e.full[1]))
	}
	if lines := e.lines(e.ranked, (*pick).isVariant); lines != nil {
		list = append(list, Remark{Code: "variant_lines", Lines: lines})
	}
	return list
}

// apart says how far a chain is above the lowest one.
func (e *evaluation) apart(code string, of, other, above *shop) Remark {
	lowest := e.full[0].cents
	return Remark{
		Code: code, StoreKey: of.Key, OtherKey: other.Key, Apart: e.pr.money(above.cents - lowest),
		Percent: percent(above.cents-lowest, lowest), Margin: e.pr.money(closeMargin(lowest) / 100),
	}
}

// closeMargin is the close call of a lowest total, in hundredths of a cent.
func closeMargin(lowest int64) int64 { return max(closeCallCents*100, closeCallPercent*lowest) }

// percent is part / whole in percent, rounded to hundredths, half up.
func percent(part, whole int64) json.Number {
	if whole == 0 {
		return "0.00"
	}
	return json.Number(decimal.NewFromInt(part).Shift(2).DivRound(decimal.NewFromInt(whole), 2).StringFixed(2))
}

// lacks lists the items without a usable price at some chain.
func (e *evaluation) lacks() (list []Lack) {
	for k, it := range e.items {
		x := Lack{ItemID: it.ID}
		for _, s := range e.shops {
			if !s.picks[k].isPriced() {
				x.Chains++
			}
		}
		if x.Chains > 0 {
			list = append(list, x)
		}
	}
	slices.SortStableFunc(list, func(a, b Lack) int { return cmp.Compare(b.Chains, a.Chains) })
	return list
}

// lines returns the items whose price at a chain holds, for each chain that has some.
func (e *evaluation) lines(of []*shop, holds func(*pick) bool) (list []StoreItems) {
	for _, s := range of {
		if ids := e.at(s, holds); len(ids) > 0 {
			list = append(list, StoreItems{s.Key, ids})
		}
	}
	return list
}

func (e *evaluation) caveats() (list []Remark) {
	if e.pr.panel.About().Synthetic {
		list = append(list, Remark{Code: "invented_prices"})
	}
	list = append(list, Remark{Code: "stock_not_promised"})
	switch {
	case len(e.some(func(p *pick) bool { return p.onTerms() && !p.onSale })) == 0:
	case e.on == terms{}:
		list = append(list, Remark{Code: "conditional_sales_not_counted"})
	default:
		list = append(list, Remark{Code: "other_conditions_not_counted"})
	}
	for i, c := range saleConditions {
		if !e.on[i] {
			continue
		}
		counts := func(p *pick) bool { return p.isPriced() && p.onSale && p.condition == c }
		if lines := e.lines(e.shops, counts); lines != nil {
			word := panel.SaleConditions[c]
			list = append(list, Remark{Code: "conditional_sales_counted", Condition: word, Lines: lines})
		}
	}
	if len(e.some((*pick).ofOtherSize)) > 0 {
		list = append(list, Remark{Code: "other_sizes"})
	}
	return list
}
