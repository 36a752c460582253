package compare

import (
	"fmt"
	"math/bits"
	"strconv"
)

// Request is a shopping list and where to compare it. Nothing in it has a
// default: a city and a list are always given explicitly.
type Request struct {
	City   string   `json:"city"`             // slug
	Items  []Item   `json:"items"`            // 1 to MaxItems, ids unique, in any order
	Stores []string `json:"stores,omitempty"` // chain keys, at most MaxStores, unique; empty: all chains of the city
}

// Item is one line of a shopping list.
type Item struct {
	ID  int      `json:"id"`  // of the canonical product
	Qty Quantity `json:"qty"` // packages, or kilograms of what is sold by weight
}

// Validate checks what a request says by itself, without a panel: how many items
// and stores there are, that none is there twice, that ids and quantities are
// such as some item has. Of several faults the first counts, items before stores
// and each list in its order; of one item the id, then its repetition, then the
// quantity. The error is an *Error. DecodeRequest does this, and Evaluate.
func (r *Request) Validate() error {
	if err := validateItems(r.Items); err != nil {
		return err
	}
	return validateStores(r.Stores)
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
		case !anyRule.allows(it.Qty):
			return &Error{InvalidQuantity, at("items", i) + ".qty", fmt.Sprintf("the quantity of item %d must be %s to %s in steps of %s, such as 1", it.ID, anyRule.min, anyRule.max, anyRule.step)}
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
		for _, earlier := range stores[:i] {
			if key == earlier {
				return &Error{DuplicateStore, at("stores", i), fmt.Sprintf("chain %.40q is there twice; name it once, such as [%.40q]", key, key)}
			}
		}
	}
	return nil
}

func at(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }

// idSet is a set of item ids: bit i stands for id i.
type idSet uint64

func (s *idSet) add(id int)     { *s |= 1 << id }
func (s idSet) has(id int) bool { return s>>id&1 == 1 }
func (s idSet) len() int        { return bits.OnesCount64(uint64(s)) }

// appendIDs appends the ids, ascending.
func (s idSet) appendIDs(ids []int) []int {
	for ; s != 0; s &= s - 1 {
		ids = append(ids, bits.TrailingZeros64(uint64(s)))
	}
	return ids
}
