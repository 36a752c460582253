package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
)

// third adds a week after the second, with the same prices.
func (w workedPages) third(t *testing.T) {
	w.copyOf(t, "week", "third")
	f := member(w.meta("third"), "filters")
	f["from"], f["to"] = "2026-07-27", "2026-08-02"
	for i := range w["third"]["observations"].([]any) {
		r := w.row("third", i)
		at, err := time.Parse(time.RFC3339, r["observed_at"].(string))
		if err != nil {
			t.Fatal(err)
		}
		r["id"], r["observed_at"] = json.Number(fmt.Sprint(301+i)), at.AddDate(0, 0, 7).Format(time.RFC3339)
	}
}

// A figure that the pages are not enough for is not recomputed, and says what it
// needs; with these pages it is.
func TestVerifyNeeds(t *testing.T) {
	place := func(w workedPages) {
		for _, name := range []string{"base", "week", "third"} {
			if w[name] != nil {
				member(w.meta(name), "filters")["city"] = "Halifax"
			}
		}
	}
	third := []string{"--date", "2026-08-02"}
	for name, x := range map[string]struct {
		change func(w workedPages)
		args   []string
		want   []string
	}{
		"cost of a city": {place, []string{"--city", "Halifax"}, []string{
			"index_value        104.4009", "basket_cost_cad           -          -  not recomputed: needs all prices of week 2026-07-26 of the whole country",
			"pct_change_wow       4.4009"}},
		"all of a city": {func(workedPages) {}, []string{"--city", "Halifax"}, []string{"basket_cost_cad       13.69"}},
		"week before": {func(w workedPages) { w.third(t); delete(w, "week") }, third, []string{
			"index_value        104.4009", "pct_change_wow            -          -  not recomputed: needs all prices of week 2026-07-26\n", "pct_change_mom         null"}},
		"week before of a category": {func(w workedPages) { w.third(t); delete(w, "week") }, append(third, "--category", "dairy"), []string{
			"index_value         99.6655", "pct_change_wow            -          -  not recomputed: needs all prices of week 2026-07-26\n"}},
		"all weeks": {func(w workedPages) { w.third(t) }, third, []string{"pct_change_wow       0.0000"}},
		// Of three products one is priced in the base week: the second is the entry week.
		"entry week": {func(w workedPages) {
			w.third(t)
			for range 3 {
				w.drop("base", 2)
			}
		}, third, []string{"index_value        100.0000", "Since 2026-07-26: +0.0000%"}},
		"entry week missing": {func(w workedPages) {
			w.third(t)
			for range 3 {
				w.drop("base", 2)
			}
			delete(w, "week")
		}, third, []string{"do not hold all prices of the whole country from 2026-07-20 to 2026-08-02: "}},
	} {
		t.Run(name, func(t *testing.T) {
			w := readWorked(t)
			delete(w, "index")
			x.change(w)
			_, stdout, stderr := w.verify(t, x.args...)
			for _, want := range x.want {
				if !strings.Contains(stdout+stderr, want) {
					t.Errorf("no %q in\n%s%s", want, stdout, stderr)
				}
			}
		})
	}
}

// Products that are downloaded one by one are enough for their category.
func TestVerifyByProduct(t *testing.T) {
	w := readWorked(t)
	for _, name := range []string{"base", "week"} {
		rows := w[name]["observations"].([]any)
		for _, id := range []string{"1", "2"} {
			part := name + id
			w.copyOf(t, name, part)
			member(w.meta(part), "filters")["product_id"] = id
			w[part]["observations"] = []any{}
			for _, r := range rows {
				if r := r.(map[string]any); fmt.Sprint(member(r, "retailer_products")["product_id"]) == id {
					w[part]["observations"] = append(w[part]["observations"].([]any), r)
				}
			}
			w.count(part)
		}
		delete(w, name)
	}
	code, stdout, stderr := w.verify(t, "--category", "dairy")
	if code != exitDone || !strings.Contains(stdout, "matches: index 99.6655, 2 of 2") {
		t.Errorf("exit status %d\n%s%s", code, stdout, stderr)
	}
	delete(w, "week2")
	if code, _, stderr = w.verify(t, "--category", "dairy"); code != exitFailed || !strings.Contains(stderr, "week1.json is of product 1 only; download all pages of") {
		t.Errorf("without one of them: exit status %d\n%s", code, stderr)
	}
}

// The range that is printed is that of the store relatives that were not trimmed.
func TestVerifyKept(t *testing.T) {
	store := func(product int, relative float64, trimmed bool) jevons.StoreRelative {
		return jevons.StoreRelative{Product: basket.Product{ID: product}, Relative: relative, Trimmed: trimmed}
	}
	v := &verification{stores: []jevons.StoreRelative{
		store(1, 0.5, true), store(1, 0.9, false), store(1, 1, false), store(1, 1.2, false), store(1, 2, true), store(2, 3, false),
	}}
	if diff := cmp.Diff(map[int]span{1: {0.9, 1.2}, 2: {3, 3}}, v.kept(), cmp.AllowUnexported(span{})); diff != "" {
		t.Error(diff)
	}
}
