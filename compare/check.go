package compare

import (
	"fmt"
	"slices"
	"strings"
)

// Check says whether a request can be evaluated: first what [Request.Validate]
// says of it, then whether the panel has what it names. Of several faults of the
// second kind the first counts: the city, each item in its order (its id, then
// its quantity by the item's rule), each chain in its order (that there is such a
// chain), each chain in its order (that it has an active store in the city), and
// at last that no more than MaxStores chains are left to compare. The error is an
// *Error. Evaluate does this.
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
		case it.rule.allows(asked.Qty):
		case it.perKg:
			return &Error{InvalidQuantity, at("items", i) + ".qty", fmt.Sprintf("item %d, %s, is sold by the kilogram: its quantity is %s to %s in steps of %s, such as 0.5",
				asked.ID, it.Name, it.rule.min, it.rule.max, it.rule.step)}
		default:
			return &Error{InvalidQuantity, at("items", i) + ".qty", fmt.Sprintf("item %d, %s, is sold in whole packages: its quantity is %s to %s, such as 2",
				asked.ID, it.Name, it.rule.min, it.rule.max)}
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

// citySlugs lists the cities.
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
