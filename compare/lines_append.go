package compare

import (
	"strconv"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// AppendLinesJSON appends what a page shows beside a comparison, as JSON: whose
// lines they are, as AppendJSON writes it, the lines, and the split.
func (r *Result) AppendLinesJSON(b []byte) []byte {
	w := writer{b: b}
	w.head(r)
	w.raw(`,"stores":[`)
	for i := range r.Stores {
		w.comma(i)
		s := &r.Stores[i]
		w.text(`{"key":`, s.Key)
		w.text(`,"name":`, s.Name)
		w.money(`,"totalCad":`, s.TotalCAD)
		w.money(`,"sizeAdjustedTotalCad":`, s.SizeAdjustedTotalCAD)
		w.flag(`,"completeRequestedList":`, s.CompleteRequestedList)
		w.raw(`}`)
	}
	w.raw(`],"lines":[`)
	for i, l := range r.Lines() {
		w.comma(i)
		w.line(&l, r.EvaluatedOn, r.from.pr.items[l.ItemID].Product)
	}
	w.raw(`],"split":`)
	split := r.Split()
	w.split(&split)
	w.raw(`}`)
	return w.b
}

func (w *writer) line(l *Line, on Date, it *basket.Product) {
	w.text(`{"storeKey":`, l.StoreKey)
	w.raw(`,"itemId":`)
	w.b = strconv.AppendInt(w.b, int64(l.ItemID), 10)
	w.raw(`,"quantity":`)
	w.b = append(w.b, l.Quantity.String()...)
	w.textOrNull(`,"reason":`, l.Reason.String())
	w.money(`,"totalCad":`, l.Total)
	w.money(`,"sizeAdjustedTotalCad":`, l.SizeAdjusted)
	w.money(`,"shelfCad":`, l.Shelf)
	w.price(`,"priceCad":`, l.Price)
	w.price(`,"regularPriceCad":`, l.Regular)
	w.price(`,"seenPriceCad":`, l.Effective)
	amount, _ := l.Size.In(it.Unit)
	w.size(`,"size":`, amount, it.Unit, l.Size.String())
	standard := basket.Size{Quantity: it.StandardSize, Unit: it.Unit, Packs: 1, Each: it.StandardSize}
	w.size(`,"standardSize":`, it.StandardSize, it.Unit, standard.String())
	w.flag(`,"otherSize":`, l.OtherSize)
	w.flag(`,"onSale":`, l.OnSale)
	w.textOrNull(`,"condition":`, panel.SaleConditions[l.Condition])
	w.date(`,"saleEndsOn":`, l.SaleEndsOn)
	w.date(`,"observedOn":`, l.Observed)
	w.raw(`,"ageDays":`)
	if l.Observed.Valid {
		w.b = strconv.AppendInt(w.b, int64(on.Day-l.Observed.Day), 10)
	} else {
		w.raw(`null`)
	}
	w.raw(`}`)
}

// size appends a size in the product's unit; an amount of 0 is null.
func (w *writer) size(before string, amount float64, u basket.Unit, text string) {
	w.raw(before)
	if amount == 0 {
		w.raw(`null`)
		return
	}
	w.raw(`{"amount":`)
	w.b = strconv.AppendFloat(w.b, amount, 'f', -1, 64)
	w.text(`,"unit":`, u.String())
	w.text(`,"text":`, text)
	w.raw(`}`)
}

func (w *writer) money(before string, m Money) {
	w.raw(before)
	w.b = m.append(w.b)
}

// price appends a price with two to four decimals; 0 is null.
func (w *writer) price(before string, p panel.Price) {
	w.raw(before)
	if p == 0 {
		w.raw(`null`)
		return
	}
	w.b = p.Append(w.b)
}

func (w *writer) flag(before string, on bool) {
	w.raw(before)
	w.b = strconv.AppendBool(w.b, on)
}

// textOrNull appends a string; the empty one is null.
func (w *writer) textOrNull(before, s string) {
	if s == "" {
		w.raw(before)
		w.raw(`null`)
		return
	}
	w.text(before, s)
}
