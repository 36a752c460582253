package panel

import "github.com/larder-index/larder/basket"

// SpecColumns are the columns of product_specs.
var SpecColumns = []Column[basket.Spec]{
	filled("product_id", anID, func(s *basket.Spec) Field { return productField{&s.ProductID} }),
	maybe("require", func(s *basket.Spec) Field { return groupsField{&s.Require} }),
	maybe("forbid", func(s *basket.Spec) Field { return termsField{&s.Forbid} }),
	maybe("min_size", func(s *basket.Spec) Field { return numberField{&s.MinSize} }),
	maybe("max_size", func(s *basket.Spec) Field { return numberField{&s.MaxSize} }),
}

// QuarantineColumns are the columns of quarantine.
var QuarantineColumns = []Column[Quarantine]{
	{Name: "id", NotFiled: true, field: func(q *Quarantine) Field { return idField{&q.ID} }},
	maybe("retailer_product_id", func(q *Quarantine) Field { return idField{&q.Listing} }),
	maybe("store_id", func(q *Quarantine) Field { return idField{&q.Store} }),
	maybe("reason", func(q *Quarantine) Field { return textField{&q.Reason} }),
	optional("observation_id", func(q *Quarantine) Field { return idField{&q.Observation} }),
	optional("rule", func(q *Quarantine) Field { return ruleField{&q.Rule} }),
	optional("found_at", func(q *Quarantine) Field { return timeField{&q.FoundAt} }),
	optional("released", func(q *Quarantine) Field { return flagField{&q.Released} }),
	sparse("city", func(q *Quarantine) Field { return textField{&q.City} }),
	sparse("banner", func(q *Quarantine) Field { return textField{&q.Banner} }),
	sparse("product_id", func(q *Quarantine) Field { return productField{&q.Product} }),
	sparse("from", func(q *Quarantine) Field { return dateField{&q.From} }),
	sparse("to", func(q *Quarantine) Field { return dateField{&q.To} }),
}

// ShrinkEventColumns are the columns of shrink_events.
var ShrinkEventColumns = []Column[ShrinkEvent]{
	filled("id", anID, func(e *ShrinkEvent) Field { return idField{&e.ID} }),
	filled("retailer_product_id", anID, func(e *ShrinkEvent) Field { return idField{&e.Listing} }),
	maybe("old_package_size", func(e *ShrinkEvent) Field { return textField{&e.OldPackageSize} }),
	maybe("new_package_size", func(e *ShrinkEvent) Field { return textField{&e.NewPackageSize} }),
	maybe("old_size_numeric", func(e *ShrinkEvent) Field { return numberField{&e.OldSize} }),
	maybe("new_size_numeric", func(e *ShrinkEvent) Field { return numberField{&e.NewSize} }),
	maybe("size_unit", func(e *ShrinkEvent) Field { return textField{&e.SizeUnit} }),
	maybe("pct_size_change", func(e *ShrinkEvent) Field { return fixedField{&e.PctSizeChange} }),
	maybe("old_unit_price", func(e *ShrinkEvent) Field { return numberField{&e.OldUnitPrice} }),
	maybe("new_unit_price", func(e *ShrinkEvent) Field { return numberField{&e.NewUnitPrice} }),
	maybe("pct_unit_price_change", func(e *ShrinkEvent) Field { return fixedField{&e.PctUnitPriceChange} }),
	maybe("shelf_price_at_change", func(e *ShrinkEvent) Field { return priceField{&e.ShelfPrice} }),
	filled("detected_at", aTime, func(e *ShrinkEvent) Field { return timeField{&e.DetectedAt} }),
	optional("observation_ids", func(e *ShrinkEvent) Field { return idsField{&e.Observations} }),
}

// PilotColumns are the columns of index_v1. Snapshots do not store the level.
var PilotColumns = []Column[PilotRow]{
	filled("date", "a week's Sunday", func(r *PilotRow) Field { return weekField{&r.Date} }),
	maybe("level", func(r *PilotRow) Field { return levelField{r} }),
	maybe("city", func(r *PilotRow) Field { return textField{&r.City} }),
	maybe("banner", func(r *PilotRow) Field { return textField{&r.Banner} }),
	maybe("category", func(r *PilotRow) Field { return sliceField{&r.Category} }),
	filled("index_value", "a number of at most four decimals", func(r *PilotRow) Field { return fixedField{&r.IndexValue} }),
	maybe("basket_cost_cad", func(r *PilotRow) Field { return fixedField{&r.BasketCost} }),
	maybe("pct_change_wow", func(r *PilotRow) Field { return fixedField{&r.WoW} }),
	maybe("pct_change_mom", func(r *PilotRow) Field { return fixedField{&r.MoM} }),
	maybe("item_count", func(r *PilotRow) Field { return countField{&r.ItemCount} }),
	maybe("total_items", func(r *PilotRow) Field { return countField{&r.TotalItems} }),
}

// Level returns the level that a pilot row's place implies: national, city or
// banner.
func (r *PilotRow) Level() string {
	switch {
	case r.Banner != "":
		return "banner"
	case r.City != "":
		return "city"
	}
	return "national"
}
