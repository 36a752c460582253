package csvdir

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

func specsTable() *Table[basket.Spec] {
	return &Table[basket.Spec]{
		name: "product_specs", optional: true,
		columns: []column[basket.Spec]{
			idColumn("product_id", filled, func(r *basket.Spec) *int { return &r.ProductID }),
			newColumn("require", maybe, "", func(r *basket.Spec) *[][]string { return &r.Require }, parseGroups, appendGroups),
			newColumn("forbid", maybe, "", func(r *basket.Spec) *[]string { return &r.Forbid },
				func(cell []byte, v *[]string) (err error) {
					*v, err = parseTerms(string(cell))
					return err
				},
				func(b []byte, v []string) []byte { return appendText(b, strings.Join(v, "|")) }),
			floatColumn("min_size", maybe, func(r *basket.Spec) *float64 { return &r.MinSize }),
			floatColumn("max_size", maybe, func(r *basket.Spec) *float64 { return &r.MaxSize }),
		},
		check: func(_ *decoder, r *basket.Spec) error {
			if r.MaxSize > 0 && r.MinSize > r.MaxSize {
				return fmt.Errorf("min_size %v is above max_size %v", r.MinSize, r.MaxSize)
			}
			return nil
		},
		compare: func(a, b *basket.Spec) int { return cmp.Compare(a.ProductID, b.ProductID) },
	}
}

func quarantineEntriesTable() *Table[panel.Quarantine] {
	return &Table[panel.Quarantine]{
		name: "quarantine", optional: true,
		columns: []column[panel.Quarantine]{
			idColumn("retailer_product_id", filled, func(r *panel.Quarantine) *int64 { return &r.Listing }),
			idColumn("store_id", maybe, func(r *panel.Quarantine) *int64 { return &r.Store }),
			textColumn("reason", maybe, func(r *panel.Quarantine) *string { return &r.Reason }),
			asOptional(idColumn("observation_id", maybe, func(r *panel.Quarantine) *int64 { return &r.Observation })),
			asOptional(wordColumn("rule", panel.QuarantineRules[:], func(r *panel.Quarantine) *panel.QuarantineRule { return &r.Rule })),
			asOptional(timeColumn("found_at", maybe, func(r *panel.Quarantine) *time.Time { return &r.FoundAt })),
			asOptional(boolColumn("released", maybe, func(r *panel.Quarantine) *bool { return &r.Released })),
		},
		compare: func(a, b *panel.Quarantine) int {
			return cmp.Or(cmp.Compare(a.Listing, b.Listing), cmp.Compare(a.Store, b.Store),
				cmp.Compare(a.Observation, b.Observation), cmp.Compare(a.Rule, b.Rule))
		},
	}
}

func shrinkEventsTable() *Table[panel.ShrinkEvent] {
	return &Table[panel.ShrinkEvent]{
		name: "shrink_events", optional: true,
		columns: []column[panel.ShrinkEvent]{
			idColumn("id", filled, func(r *panel.ShrinkEvent) *int64 { return &r.ID }),
			idColumn("retailer_product_id", filled, func(r *panel.ShrinkEvent) *int64 { return &r.Listing }),
			textColumn("old_package_size", maybe, func(r *panel.ShrinkEvent) *string { return &r.OldPackageSize }),
			textColumn("new_package_size", maybe, func(r *panel.ShrinkEvent) *string { return &r.NewPackageSize }),
			floatColumn("old_size_numeric", maybe, func(r *panel.ShrinkEvent) *float64 { return &r.OldSize }),
			floatColumn("new_size_numeric", maybe, func(r *panel.ShrinkEvent) *float64 { return &r.NewSize }),
			textColumn("size_unit", maybe, func(r *panel.ShrinkEvent) *string { return &r.SizeUnit }),
			fixedColumn("pct_size_change", maybe, func(r *panel.ShrinkEvent) *panel.Fixed { return &r.PctSizeChange }),
			floatColumn("old_unit_price", maybe, func(r *panel.ShrinkEvent) *float64 { return &r.OldUnitPrice }),
			floatColumn("new_unit_price", maybe, func(r *panel.ShrinkEvent) *float64 { return &r.NewUnitPrice }),
			fixedColumn("pct_unit_price_change", maybe, func(r *panel.ShrinkEvent) *panel.Fixed { return &r.PctUnitPriceChange }),
			priceColumn("shelf_price_at_change", maybe, func(r *panel.ShrinkEvent) *panel.Price { return &r.ShelfPrice }),
			timeColumn("detected_at", filled, func(r *panel.ShrinkEvent) *time.Time { return &r.DetectedAt }),
			asOptional(newColumn("observation_ids", maybe, "", func(r *panel.ShrinkEvent) *[]int64 { return &r.Observations }, parseIDs, AppendIDs)),
		},
		compare: func(a, b *panel.ShrinkEvent) int { return cmp.Compare(a.ID, b.ID) },
	}
}

func pilotTable() *Table[panel.PilotRow] {
	return &Table[panel.PilotRow]{
		name: "index_v1", optional: true,
		columns: []column[panel.PilotRow]{
			parsedColumn("date", "a week's Sunday", func(r *panel.PilotRow) *panel.Week { return &r.Date }, parseWeek),
			{
				name:   "level",
				decode: func(d *decoder, cell []byte, _ *panel.PilotRow) error { d.level = string(cell); return nil },
				encode: func(b []byte, r *panel.PilotRow) []byte { return append(b, levelOf(r)...) },
			},
			textColumn("city", maybe, func(r *panel.PilotRow) *string { return &r.City }),
			textColumn("banner", maybe, func(r *panel.PilotRow) *string { return &r.Banner }),
			newColumn("category", maybe, "", func(r *panel.PilotRow) *basket.Category { return &r.Category },
				func(cell []byte, v *basket.Category) (err error) {
					if *v, err = basket.ParseCategory(string(cell)); err != nil {
						return fmt.Errorf("%s is no category; it may be empty for the headline", shorten(cell))
					}
					return nil
				},
				func(b []byte, v basket.Category) []byte {
					if v == basket.Overall {
						return b
					}
					return append(b, v.String()...)
				}),
			fixedColumn("index_value", filled, func(r *panel.PilotRow) *panel.Fixed { return &r.IndexValue }),
			fixedColumn("basket_cost_cad", maybe, func(r *panel.PilotRow) *panel.Fixed { return &r.BasketCost }),
			fixedColumn("pct_change_wow", maybe, func(r *panel.PilotRow) *panel.Fixed { return &r.WoW }),
			fixedColumn("pct_change_mom", maybe, func(r *panel.PilotRow) *panel.Fixed { return &r.MoM }),
			countColumn("item_count", func(r *panel.PilotRow) *int { return &r.ItemCount }),
			countColumn("total_items", func(r *panel.PilotRow) *int { return &r.TotalItems }),
		},
		check: checkPilot,
		compare: func(a, b *panel.PilotRow) int {
			return cmp.Or(cmp.Compare(a.Date, b.Date), strings.Compare(a.City, b.City),
				strings.Compare(a.Banner, b.Banner), cmp.Compare(a.Category, b.Category))
		},
	}
}

func checkPilot(d *decoder, r *panel.PilotRow) error {
	switch d.level {
	case "national", "city", "banner":
	default:
		return unknownLevel(d.level)
	}
	if levelOf(r) != d.level || r.Banner != "" && r.City == "" {
		return errLevel
	}
	if r.IndexValue.Units <= 0 {
		return fmt.Errorf("index_value: %s is not above 0", r.IndexValue)
	}
	return nil
}

// parseWeek is panel.ParseWeek for the years that a panel holds.
func parseWeek(s string) (panel.Week, error) {
	w, err := panel.ParseWeek(s)
	if err == nil && (w.Date() < firstDate || w.Date() > lastDate) {
		err = fmt.Errorf("%s %w", s, errYear)
	}
	return w, err
}

func levelOf(r *panel.PilotRow) string {
	switch {
	case r.Banner != "":
		return "banner"
	case r.City != "":
		return "city"
	}
	return "national"
}

func parseGroups(cell []byte, v *[][]string) error {
	for _, group := range strings.Split(string(cell), "&") {
		terms, err := parseTerms(group)
		if err != nil {
			return err
		}
		*v = append(*v, terms)
	}
	return nil
}

func appendGroups(b []byte, v [][]string) []byte {
	groups := make([]string, len(v))
	for i, terms := range v {
		groups[i] = strings.Join(terms, "|")
	}
	return appendText(b, strings.Join(groups, "&"))
}

var errTerm = errors.New(`a term has no letter or digit; terms stand between "|" and, in require, groups of terms between "&"`)

func parseTerms(s string) ([]string, error) {
	terms := strings.Split(s, "|")
	if slices.ContainsFunc(terms, func(t string) bool { return !strings.ContainsFunc(t, isWord) }) {
		return nil, errTerm
	}
	return terms, nil
}

// isWord reports whether a character is part of a word: titles are compared by
// their words alone.
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func parseIDs(cell []byte, v *[]int64) error {
	for _, s := range strings.Split(string(cell), "|") {
		id, ok := parseInt([]byte(s))
		if !ok || id == 0 {
			return fmt.Errorf(`%s is not a whole number above 0; ids stand between "|"`, shorten([]byte(s)))
		}
		*v = append(*v, id)
	}
	return nil
}

// AppendIDs appends ids as a cell holds them: with "|" between. Package sqlite
// stores them so too.
func AppendIDs(b []byte, ids []int64) []byte {
	for i, id := range ids {
		if i > 0 {
			b = append(b, '|')
		}
		b = strconv.AppendInt(b, id, 10)
	}
	return b
}
