package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/larder-index/larder/compare"
)

// allFaults returns the refusal of a list with all its faults, a line each.
func allFaults(pr *compare.Projection, arguments []byte, err error) error {
	first, ok := errors.AsType[*compare.Error](err)
	if !ok || pr == nil {
		return err
	}
	r, _ := asRefusal(first)
	for _, e := range faults(pr, arguments, first) {
		refusal, _ := asRefusal(e)
		if e.Path == first.Path {
			r.Message = refusal.Message
		} else {
			r.More = append(r.More, refusal)
		}
	}
	return r
}

// faults returns all faults of a list, of which first is known. It checks the city,
// every item and every chain by itself.
func faults(pr *compare.Projection, arguments []byte, first *compare.Error) []*compare.Error {
	var parts struct {
		City          json.RawMessage
		Items, Stores []json.RawMessage
	}
	listed := compare.Catalog(pr)
	if json.Unmarshal(arguments, &parts) != nil || len(listed.Cities) == 0 || len(listed.Items) == 0 {
		return []*compare.Error{first}
	}
	list := []*compare.Error{}
	add := func(e *compare.Error) {
		if !slices.ContainsFunc(list, func(x *compare.Error) bool { return x.Path == e.Path }) {
			list = append(list, e)
		}
	}
	check := func(city, item, stores, from, to string) bool {
		r, err := compare.DecodeRequest([]byte(`{"city":` + city + `,"items":[` + item + `],"stores":[` + stores + `]}`))
		if err == nil {
			err = pr.Check(&r)
		}
		e, ok := err.(*compare.Error)
		if ok && strings.HasPrefix(e.Path, from) {
			add(&compare.Error{Code: e.Code, Path: to + strings.TrimPrefix(e.Path, from), Message: e.Message})
		}
		return ok
	}
	city, item := fmt.Sprintf("%q", listed.Cities[0].Slug), ""
	one := listed.Items[0]
	item = fmt.Sprintf(`{"id":%d,"qty":%s}`, one.ID, one.MinQuantity)
	if len(parts.City) > 0 && !check(string(parts.City), item, "", "city", "city") {
		city = string(parts.City)
	}
	for i, x := range parts.Items[:min(len(parts.Items), compare.MaxItems)] {
		var asked struct {
			ID  int
			Qty float64
		}
		place := fmt.Sprintf("items[%d]", i)
		if json.Unmarshal(x, &asked) == nil {
			// A number that no item takes is judged as one in the range of all items
			// and of none, so the fault tells the rule of this item.
			if _, err := compare.DecodeRequest([]byte(`{"city":` + city + `,"items":[` + string(x) + `]}`)); isQuantity(err) {
				check(city, fmt.Sprintf(`{"id":%d,"qty":19.75}`, asked.ID), "", "items[0].qty", place+".qty")
			}
		}
		check(city, string(x), "", "items[0]", place)
	}
	for i, x := range parts.Stores[:min(len(parts.Stores), compare.MaxStores)] {
		check(city, item, string(x), "stores[0]", fmt.Sprintf("stores[%d]", i))
	}
	add(first) // such as an item that is there twice
	return list
}

func isQuantity(err error) bool {
	e, ok := errors.AsType[*compare.Error](err)
	return ok && e.Code == compare.InvalidQuantity
}
