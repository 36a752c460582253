package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// Pages that are missing are named by the address that they have; pages of
// different snapshots are refused where they contradict each other.
func TestVerifyPaging(t *testing.T) {
	const week = "/api/v1/prices?from=2026-07-20&"
	for name, x := range map[string]struct {
		change func(t *testing.T, w workedPages)
		want   string
	}{
		"last missing": {func(t *testing.T, w workedPages) {
			w.cut(t, "week", 2, 2)
			delete(w, "rest")
		}, "a page is missing beside DIR/week.json: download " + week + "limit=2&offset=2&to=2026-07-26 too, and add its file"},
		"first missing": {func(t *testing.T, w workedPages) {
			w.cut(t, "week", 2, 2)
			delete(w, "week")
		}, "a page is missing beside DIR/rest.json: download " + week + "limit=2&offset=0&to=2026-07-26 too"},
		"one between missing": {func(t *testing.T, w workedPages) { w.cut(t, "week", 2, 3) },
			"a page is missing beside DIR/week.json: download " + week + "limit=1&offset=2&to=2026-07-26 too"},
		"of the index": {func(t *testing.T, w workedPages) {
			w.cut(t, "index", 2, 2)
			w["index"]["observations"].([]any)[0].(map[string]any)["date"] = "2026-07-19"
			delete(w, "rest")
		}, "a page is missing beside DIR/index.json: download /api/v1/index?from=2026-07-19&level=national&limit=2&offset=2&series=v2&to=2026-07-26 too"},
		"an end too early": {func(t *testing.T, w workedPages) {
			w.copyOf(t, "week", "early")
			w["early"]["observations"] = w["early"]["observations"].([]any)[:3]
			w.count("early")
		}, "disagree on how many rows there are"},
		"an end before more": {func(t *testing.T, w workedPages) {
			w.cut(t, "week", 2, 2)
			w.copyOf(t, "week", "end")
			m := w.meta("end")
			m["has_more"], m["next_offset"], m["limit"] = false, nil, 5000
		}, "disagree on how many rows there are"},
		"nothing after the end": {func(t *testing.T, w workedPages) {
			w.copyOf(t, "week", "after")
			w["after"]["observations"] = []any{}
			w.count("after")
			w.meta("after")["offset"], w.meta("after")["filtered_identity"] = 5, 0
		}, "disagree on how many rows there are"},
		"shifted": {func(t *testing.T, w workedPages) { // a row went away before the second page
			w.cut(t, "week", 2, 2)
			w["rest"]["observations"].([]any)[0].(map[string]any)["id"] = 102
		}, "rest.json: row 102 does not come after row 102 of DIR/week.json: the data changed between the pages"},
		"same row, other price": {func(t *testing.T, w workedPages) {
			w.cut(t, "week", 3, 2)
			w.row("rest", 0)["effective_price"] = json.Number("7.21")
		}, "row 103 stands in DIR/rest.json and in DIR/week.json with different members"},
		"row of another query": {func(t *testing.T, w workedPages) {
			w.copyOf(t, "week", "city")
			member(w.meta("city"), "filters")["city"] = "Halifax"
			w.drop("city", 1)
		}, "row 102 is in DIR/week.json and not in DIR/city.json, where it belongs too"},
		"index corrected": {func(t *testing.T, w workedPages) {
			w.copyOf(t, "index", "public")
			w.meta("public")["endpoint"] = publicIndexEndpoint
			w.row("public", 0)["index_value"] = json.Number("104.4008")
		}, "overall, national, week 2026-07-26: index_value differs between two of the pages"},
		"two of the products": {func(t *testing.T, w workedPages) { w.copyOf(t, "products", "products2") }, "both hold the products: leave the older one out"},
	} {
		t.Run(name, func(t *testing.T) {
			w := readWorked(t)
			x.change(t, w)
			code, stdout, stderr := w.verify(t)
			for _, word := range strings.Fields(stderr) {
				if i := strings.LastIndex(word, "/"); strings.Contains(word, "/TestVerify") {
					stderr = strings.ReplaceAll(stderr, word[:i], "DIR")
				}
			}
			if code != exitFailed || stdout != "" || !strings.Contains(stderr, x.want) {
				t.Errorf("exit status %d\n%s%s\nwant %q", code, stdout, stderr, x.want)
			}
		})
	}
}
