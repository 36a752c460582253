package compare

// split appends what encoding/json would write.
func (w *writer) split(s *Split) {
	w.text(`{"status":`, string(s.Status))
	w.raw(`,"baseline":`)
	if x := s.Baseline; x == nil {
		w.raw(`null`)
	} else {
		w.text(`{"storeKey":`, x.StoreKey)
		w.text(`,"name":`, x.Name)
		w.money(`,"totalCad":`, x.TotalCAD)
		w.money(`,"sizeAdjustedTotalCad":`, x.SizeAdjustedTotalCAD)
		w.raw(`}`)
	}
	w.flag(`,"baselineIsClose":`, s.BaselineIsClose)
	w.raw(`,"best":`)
	if s.Best == nil {
		w.raw(`null`)
	} else {
		w.pair(s.Best)
	}
	w.raw(`,"closePairs":[`)
	for i, x := range s.ClosePairs {
		w.comma(i)
		w.texts(`{"storeKeys":`, x.StoreKeys)
		w.money(`,"totalCad":`, x.TotalCAD)
		w.money(`,"sizeAdjustedTotalCad":`, x.SizeAdjustedTotalCAD)
		w.money(`,"savingCad":`, x.SavingCAD)
		w.raw(`}`)
	}
	w.ids(`],"uncoveredItemIds":`, s.UncoveredItemIDs)
	w.raw(`}`)
}

func (w *writer) pair(p *Pair) {
	w.money(`{"totalCad":`, p.TotalCAD)
	w.money(`,"sizeAdjustedTotalCad":`, p.SizeAdjustedTotalCAD)
	w.money(`,"savingCad":`, p.SavingCAD)
	w.raw(`,"stops":[`)
	for i, s := range p.Stops {
		w.comma(i)
		w.text(`{"storeKey":`, s.StoreKey)
		w.text(`,"name":`, s.Name)
		w.money(`,"totalCad":`, s.TotalCAD)
		w.ids(`,"itemIds":`, s.ItemIDs)
		w.raw(`}`)
	}
	w.raw(`]}`)
}
