package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Validate checks a request without a panel: the number of items and stores,
// repetitions, ids and quantities that no item has, and words that are not known.
// The first fault counts: items, stores, include, conditions; within an item, the id
// before its repetition before the quantity. The error is an *Error. DecodeRequest
// and Evaluate call it.
func (r *Request) Validate() error {
	if err := validateItems(r.Items); err != nil {
		return err
	}
	if err := validateStores(r.Stores); err != nil {
		return err
	}
	if err := validateWords(InvalidInclude, "include", r.Include, []string{IncludeLines}); err != nil {
		return err
	}
	return validateWords(InvalidConditions, "conditions", r.Conditions, Conditions)
}

// validateWords checks that each word of a member is accepted and comes once.
func validateWords(code Code, member string, words, accepted []string) error {
	for i, word := range words {
		switch {
		case !slices.Contains(accepted, word):
			return &Error{code, at(member, i), fmt.Sprintf("%.40q is not accepted here; send %s, or leave %s out", word, strings.Join(accepted, " or "), member)}
		case slices.Contains(words[:i], word):
			return &Error{code, at(member, i), fmt.Sprintf("%q is there twice; name it once", word)}
		}
	}
	return nil
}

func validateItems(items []Item) error {
	switch {
	case len(items) == 0:
		return &Error{InvalidItems, "items", fmt.Sprintf(`name 1 to %d items, such as {"id":1,"qty":2}`, MaxItems)}
	case len(items) > MaxItems:
		return &Error{TooManyItems, "items", fmt.Sprintf(`there are %d items; name at most %d in one request, such as {"id":1,"qty":2}`, len(items), MaxItems)}
	}
	var seen idSet
	for i, it := range items {
		switch {
		case it.ID < 1 || it.ID > MaxItemID:
			return &Error{UnknownItem, at("items", i) + ".id", fmt.Sprintf("items have the ids 1 to %d, as the catalog lists them, such as 1", MaxItemID)}
		case seen.has(it.ID):
			return &Error{DuplicateItem, at("items", i) + ".id", fmt.Sprintf(`item %d is there twice; name it once, with the whole quantity, such as {"id":%d,"qty":2}`, it.ID, it.ID)}
		case !anyRule.Allows(it.Qty):
			return &Error{InvalidQuantity, at("items", i) + ".qty", fmt.Sprintf("the quantity of item %d must be %s to %s in steps of %s, such as 1", it.ID, anyRule.Min, anyRule.Max, anyRule.Step)}
		}
		seen.add(it.ID)
	}
	return nil
}

func validateStores(stores []string) error {
	if len(stores) > MaxStores {
		return &Error{TooManyStores, "stores", fmt.Sprintf("there are %d chains; name at most %d, such as %q, or leave stores out to compare all of the city", len(stores), MaxStores, stores[:1])}
	}
	for i, key := range stores {
		if slices.Contains(stores[:i], key) {
			return &Error{DuplicateStore, at("stores", i), fmt.Sprintf("chain %.40q is there twice; name it once, such as [%.40q]", key, key)}
		}
	}
	return nil
}

func at(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }

// Check reports whether a request can be evaluated: first what [Request.Validate]
// checks, then what the panel has. The first fault counts, in this order: the
// city, each item's id and quantity, each unknown chain, each chain without an
// active store in the city, the number of chains left to compare. The error is an
// *Error. Evaluate calls it.
func (pr *Projection) Check(r *Request) error {
	if err := r.Validate(); err != nil {
		return err
	}
	at, ok := pr.cityAt[r.City]
	if !ok {
		return &Error{UnsupportedCity, "city", fmt.Sprintf("there is no city %.40q; name one of %s", r.City, pr.citySlugs())}
	}
	if err := pr.checkItems(r.Items); err != nil {
		return err
	}
	return pr.checkStores(&pr.cities[at], r.Stores)
}

func (pr *Projection) checkItems(items []Item) error {
	for i, asked := range items {
		it := &pr.items[asked.ID]
		switch {
		case it.Product == nil:
			return &Error{UnknownItem, at("items", i) + ".id", fmt.Sprintf("there is no item %d; name one of the catalog%s", asked.ID, pr.someItem())}
		case it.rule.Allows(asked.Qty):
		case it.perKg:
			return &Error{InvalidQuantity, at("items", i) + ".qty", fmt.Sprintf("item %d, %s, is sold by the kilogram: its quantity is %s to %s in steps of %s, such as 0.5",
				asked.ID, it.Name, it.rule.Min, it.rule.Max, it.rule.Step)}
		default:
			return &Error{InvalidQuantity, at("items", i) + ".qty", fmt.Sprintf("item %d, %s, is sold in whole packages: its quantity is %s to %s, such as 2",
				asked.ID, it.Name, it.rule.Min, it.rule.Max)}
		}
	}
	return nil
}

func (pr *Projection) checkStores(in *city, stores []string) error {
	for i, key := range stores {
		if _, ok := pr.chainAt[key]; !ok {
			return &Error{UnknownStore, at("stores", i), fmt.Sprintf("there is no chain %.40q; name chains of the catalog by their keys%s", key, some(in.keys()))}
		}
	}
	for i, key := range stores {
		if _, ok := in.chainAt[key]; !ok {
			return &Error{StoreUnavailable, at("stores", i), fmt.Sprintf("chain %q has no store in %s; leave it out, or name chains that have one%s", key, in.Name, some(in.keys()))}
		}
	}
	if len(stores) == 0 && len(in.chains) > MaxStores {
		return &Error{TooManyStores, "stores", fmt.Sprintf("%s has %d chains; name at most %d of them%s", in.Name, len(in.chains), MaxStores, some(in.keys()))}
	}
	return nil
}

// citySlugs lists the cities' slugs, sorted.
func (pr *Projection) citySlugs() string {
	slugs := make([]string, len(pr.cities))
	for i := range pr.cities {
		slugs[i] = pr.cities[i].Slug
	}
	slices.Sort(slugs)
	return strings.Join(slugs, ", ")
}

// keys returns the keys of the city's chains.
func (in *city) keys() []string {
	keys := make([]string, len(in.chains))
	for i, c := range in.chains {
		keys[i] = c.Key
	}
	return keys
}

// someItem gives an item as an example.
func (pr *Projection) someItem() string {
	i := slices.IndexFunc(pr.items[:], func(it item) bool { return it.Product != nil && it.Active })
	if i < 0 {
		return ""
	}
	return fmt.Sprintf(", such as %d", i)
}

// some gives the first of several names as an example.
func some(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ", such as " + names[0]
}
