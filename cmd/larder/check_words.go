package main

import (
	"fmt"

	"github.com/larder-index/larder/panel/check"
)

// warning is a finding as a command shows it.
type warning struct {
	Kind   string   `json:"kind"`       // names it for people
	Found  []string `json:"found"`      // the evidence in words, one text for each case
	Remedy string   `json:"what_to_do"` // in words
}

// findingWords say of each code of a finding what it is and what to do about it.
var findingWords = map[string]struct{ kind, remedy string }{
	"empty_index": {
		"the index is empty",
		`see "observations in the index" above for what leaves the rows out`,
	},
	"unpriced_base_week": {
		"no prices in the base week",
		"see base_week in settings.csv: it should be the first week that was collected in full",
	},
	"missing_weeks": {
		"weeks missing from the index",
		"import what was collected then, if anything was; otherwise the index has no row for them: the next headline change spans the gap, and the next change of a category is null",
	},
	"attrition": {
		fmt.Sprintf("under %d%% of the base week's series are left", check.LeastMatched),
		`see which products lack a price ("larder coverage"), and map the listings that took the place of those that ended; the series of linked bases ("larder index --companion linked") shows how much the old sample matters`,
	},
	"future_rows": {
		"rows from the future",
		"see that the collector's clock and time zone are right, and --now if you gave it; these rows are in the index once their week closes",
	},
	"much_filtered": {
		"products that lose much to the gate",
		"look at their rows (--filtered): retire listings of another thing (active 0 in retailer_products.csv); where the listing is right, mend the product's line in product_specs.csv, import it, and release the quarantine entry, which stays otherwise",
	},
	"collection_stopped": {
		"collection stopped",
		"see whether the feed still runs; if the banner has left the city, set its stores inactive",
	},
	"silent_stores": {
		fmt.Sprintf("active stores not seen in the last %d days", check.SilentDays),
		"see whether the feed still runs; set a store that has closed inactive (active 0 in stores.csv)",
	},
	"coverage_drop": {
		"far fewer products than usual",
		"see what the newest round missed: pages that failed, listings that changed their number; map new listings in retailer_products.csv",
	},
	"frozen_feed": {
		"prices that stand still while their dates move",
		"compare some of the newest rows with what the shop asks; if a copy was collected, mend the feed, and set the store inactive until then, since its prices hold the index back",
	},
}

// warningsOf words the findings of a report.
func warningsOf(findings []check.Finding) []warning {
	list := []warning{}
	for _, f := range findings {
		w := findingWords[f.Code]
		list = append(list, warning{w.kind, f.Found, w.remedy})
	}
	return list
}
