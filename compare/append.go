package compare

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/larder-index/larder/panel"
)

// MarshalJSON writes what AppendJSON appends.
func (r *Result) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// AppendJSON appends the result as JSON: what an encoder of encoding/json that
// does not escape HTML would write, at a fraction of its cost.
func (r *Result) AppendJSON(b []byte) []byte {
	w := writer{b: b}
	w.head(r)
	w.text(`,"comparisonScope":`, string(r.ComparisonScope))
	w.ids(`,"requestedItemIds":`, r.RequestedItemIDs)
	w.ids(`,"comparedItemIds":`, r.ComparedItemIDs)
	w.ids(`,"untrackedItemIds":`, r.UntrackedItemIDs)
	w.ids(`,"weightedItemIds":`, r.WeightedItemIDs)
	w.ids(`,"normalizedCountItemIds":`, r.NormalizedCountItemIDs)
	w.ids(`,"unsupportedQuantityItemIds":`, r.UnsupportedQuantityItemIDs)
	w.text(`,"recommendation":{"status":`, string(r.Recommendation.Status))
	w.texts(`,"storeKeys":`, r.Recommendation.StoreKeys)
	w.texts(`,"reasons":`, r.Recommendation.Reasons)
	w.texts(`,"closeStoreKeys":`, r.Recommendation.CloseStoreKeys)
	w.raw(`},"stores":[`)
	for i := range r.Stores {
		w.comma(i)
		w.store(&r.Stores[i])
	}
	w.raw(`],"excludedStores":[`)
	for i, x := range r.ExcludedStores {
		w.comma(i)
		w.text(`{"key":`, x.Key)
		w.text(`,"name":`, x.Name)
		w.text(`,"reason":`, x.Reason)
		w.raw(`}`)
	}
	w.raw(`],"exclusions":[`)
	for i, x := range r.Exclusions {
		w.comma(i)
		w.text(`{"storeKey":`, x.StoreKey)
		w.raw(`,"itemId":`)
		w.b = strconv.AppendInt(w.b, int64(x.ItemID), 10)
		w.text(`,"reason":`, x.Reason.String())
		w.raw(`}`)
	}
	w.date(`],"observationSpan":{"oldest":`, r.ObservationSpan.Oldest)
	w.date(`,"newest":`, r.ObservationSpan.Newest)
	w.texts(`},"caveats":`, r.Caveats)
	w.texts(`,"sourceUrls":`, r.SourceURLs)
	w.text(`,"comparisonUrl":`, r.ComparisonURL)
	w.raw(`}`)
	return w.b
}

// writer appends members: what stands before a value, then the value.
type writer struct {
	b    []byte
	days dayTexts
}

// head appends the members that begin every form of a result.
func (w *writer) head(r *Result) {
	w.text(`{"version":`, r.Version)
	w.text(`,"currency":`, r.Currency)
	w.text(`,"city":{"slug":`, r.City.Slug)
	w.text(`,"name":`, r.City.Name)
	w.text(`,"province":`, r.City.Province)
	w.date(`},"evaluatedOn":`, r.EvaluatedOn)
}

func (w *writer) store(s *Store) {
	w.text(`{"key":`, s.Key)
	w.text(`,"name":`, s.Name)
	w.raw(`,"totalCad":`)
	w.b = s.TotalCAD.append(w.b)
	w.raw(`,"sizeAdjustedTotalCad":`)
	w.b = s.SizeAdjustedTotalCAD.append(w.b)
	w.text(`,"totalScope":`, string(s.TotalScope))
	w.raw(`,"completeRequestedList":`)
	w.b = strconv.AppendBool(w.b, s.CompleteRequestedList)
	w.ids(`,"pricedItemIds":`, s.PricedItemIDs)
	w.ids(`,"missingItemIds":`, s.MissingItemIDs)
	w.date(`,"oldest":`, s.Oldest)
	w.date(`,"newest":`, s.Newest)
	w.ids(`,"onSaleItemIds":`, s.OnSaleItemIDs)
	w.ids(`,"conditionalPromotionItemIds":`, s.ConditionalPromotionItemIDs)
	w.ids(`,"differentSizeItemIds":`, s.DifferentSizeItemIDs)
	w.raw(`,"itemObservationDates":[`)
	b := w.b // most of a result is written here
	for i, x := range s.ItemObservationDates {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"itemId":`...)
		b = strconv.AppendInt(b, int64(x.ItemID), 10)
		b = append(w.days.append(b, x.ObservedAt), '}')
	}
	w.b = append(b, `]}`...)
}

// dayTexts keeps how dates read as members: those of a result are few, and all
// within a span of days that is shorter than this.
type dayTexts [16]struct {
	Date
	room [32]byte
	n    int // bytes of room that hold the text; 0: there is none yet
}

func (t *dayTexts) append(b []byte, d Date) []byte {
	kept := &t[uint(d.Day)%uint(len(t))]
	if kept.n == 0 || kept.Date != d {
		kept.Date = d
		kept.n = copy(kept.room[:], d.append(append(kept.room[:0], `,"observedAt":`...)))
	}
	return append(b, kept.room[:kept.n]...)
}

func (w *writer) raw(s string) { w.b = append(w.b, s...) }

func (w *writer) comma(i int) {
	if i > 0 {
		w.b = append(w.b, ',')
	}
}

func (w *writer) date(before string, d Date) {
	w.raw(before)
	w.b = d.append(w.b)
}

func (w *writer) ids(before string, ids []int) {
	b := append(append(w.b, before...), '[')
	for i, id := range ids {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(id), 10)
	}
	w.b = append(b, ']')
}

func (w *writer) texts(before string, list []string) {
	w.raw(before)
	w.b = append(w.b, '[')
	for i, s := range list {
		w.comma(i)
		w.str(s)
	}
	w.b = append(w.b, ']')
}

func (w *writer) text(before, s string) {
	w.raw(before)
	w.str(s)
}

// str appends a string. What encoding/json may have to escape is left to it.
func (w *writer) str(s string) {
	plain := true
	for _, c := range []byte(s) {
		if c < ' ' || c == '"' || c == '\\' || c == 0xE2 || c == 0x7F {
			plain = false
			break
		}
	}
	if plain && utf8.ValidString(s) {
		w.b = append(w.b, '"')
		w.b = append(w.b, s...)
		w.b = append(w.b, '"')
		return
	}
	text, _ := json.Marshal(s) // a string always marshals
	w.b = append(w.b, text...)
}

// appendDay appends YYYY-MM-DD, by the calendar that runs in years from March on
// (H. Hinnant, "chrono-compatible low-level date algorithms", civil_from_days).
func appendDay(b []byte, d panel.Date) []byte {
	const era = 146_097 // days in 400 years
	z := int64(d) + 719_468
	if z < era { // before the year 400
		return append(b, d.String()...)
	}
	doe := z % era
	yoe := (doe - doe/1460 + doe/36_524 - doe/146_096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day, month, year := doy-(153*mp+2)/5+1, mp+3, yoe+z/era*400
	if month > 12 {
		month, year = month-12, year+1
	}
	if year > 9999 {
		return append(b, d.String()...)
	}
	return append(b,
		byte('0'+year/1000), byte('0'+year/100%10), byte('0'+year/10%10), byte('0'+year%10), '-',
		byte('0'+month/10), byte('0'+month%10), '-', byte('0'+day/10), byte('0'+day%10))
}
