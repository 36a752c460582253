package compare

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/fold"
	"github.com/larder-index/larder/internal/suggest"
	"github.com/larder-index/larder/panel"
)

// The bounds of a request, and of a catalog.
const (
	MaxItems       = 50   // different items
	MinMaxStores   = 40   // different chains; as many as the catalog has if these are more
	MaxCatalog     = 1000 // items of a catalog
	MaxChains      = 200  // chains of a catalog
	MaxSwapped     = 50   // the last id that a swapped-out product keeps when none after it is active
	maxItemsLength = 1200 // characters of the textual form of items
	maxChoices     = 200  // of accept, and of reject
	MaxBody        = 8192 // bytes of the JSON form
)

// Request is a shopping list and where to compare it. It has no defaults: every
// request names a city and a list.
type Request struct {
	City       string   `json:"city"`                 // slug
	Items      []Item   `json:"items"`                // 1 to MaxItems, ids unique, in any order
	Stores     []string `json:"stores,omitempty"`     // chain keys, unique; empty: all chains of the city
	Include    []string `json:"include,omitempty"`    // what the result holds besides: IncludeLines
	Conditions []string `json:"conditions,omitempty"` // of sales that the shopper meets, member or multi_buy, each once

	// Variants and Accept are the shopper's consent. A chain's variant of an item is priced with it
	// only, where the chain has nothing exact.
	Variants bool     `json:"-"` // every variant is accepted
	Accept   []Choice `json:"-"` // whose variant is accepted, at most 200

	// Reject leaves out the listing that each choice's price or question would be of. The same one
	// twice leaves out the next listing too.
	Reject []Choice `json:"-"` // at most 200
}

// AcceptVariants is the word by which a request accepts every variant.
const AcceptVariants = "variants"

// Choice is an item at a chain.
type Choice struct {
	ItemID int64
	Store  string // chain key
}

// String writes a choice as a request has it, such as "23@corner-grocer".
func (c Choice) String() string { return strconv.FormatInt(c.ItemID, 10) + "@" + c.Store }

// IncludeLines is the word by which a request asks for the lines of a result.
const IncludeLines = "lines"

// IncludeCodes is the word by which a request asks for the reasons and caveats as codes.
const IncludeCodes = "codes"

// saleConditions are the conditions of sales in the order in which answers name them, conditionWords their words.
var (
	saleConditions = [...]panel.SaleCondition{panel.Member, panel.MultiBuy}
	conditionWords = []string{panel.SaleConditions[panel.Member], panel.SaleConditions[panel.MultiBuy]}
)

// terms says which of saleConditions the shopper meets.
type terms [len(saleConditions)]bool

func termsOf(r *Request) (on terms) {
	for i, word := range conditionWords {
		on[i] = slices.Contains(r.Conditions, word)
	}
	return on
}

func (on terms) meet(c panel.SaleCondition) bool {
	i := slices.Index(saleConditions[:], c)
	return i >= 0 && on[i]
}

// Item is one line of a shopping list.
type Item struct {
	ID  int64    `json:"id"`  // of the canonical product
	Qty Quantity `json:"qty"` // packages, or kilograms of goods sold by weight
}

// Quantity is the amount of an item in hundredths of a package or of a kilogram.
type Quantity int32

const (
	hundredths Quantity = 100
	quarter    Quantity = 25

	// noQuantity is a number that cannot be a Quantity. Requests hold it until
	// Validate refuses it.
	noQuantity Quantity = -1
)

// String writes the shortest decimal number: "2", "0.5", "0.25".
func (q Quantity) String() string { return string(q.append(nil)) }

// MarshalJSON writes the number that String writes.
func (q Quantity) MarshalJSON() ([]byte, error) { return q.append(nil), nil }

func (q Quantity) append(b []byte) []byte {
	return panel.FixedOf(int64(q)*100).Append(b, 0)
}

// QuantityRule bounds the quantities of an item.
type QuantityRule struct{ Min, Max, Step Quantity }

var (
	packageRule = QuantityRule{hundredths, 20 * hundredths, hundredths}
	kiloRule    = QuantityRule{quarter, 10 * hundredths, quarter}
	anyRule     = QuantityRule{kiloRule.Min, packageRule.Max, kiloRule.Step} // what some item allows
)

// RuleOf returns the rule of a product.
func RuleOf(p *basket.Product) QuantityRule {
	if p.PerKg() {
		return kiloRule
	}
	return packageRule
}

// Allows reports whether an item may be asked for in a quantity.
func (r QuantityRule) Allows(q Quantity) bool { return q >= r.Min && q <= r.Max && q%r.Step == 0 }

// Error says why a request is refused.
type Error struct {
	Code    string // of the fault, for programs, such as unknown_item; docs/shopper.md lists them
	Path    string // as in JSON: "items[2].qty"; "body" for the whole
	Message string // what to change, with an accepted example

	Others []*Error // further faults of the request, in the order of the checks; a place has one
}

func (e *Error) Error() string { return "compare: " + e.Faults() }

// Faults names each fault of the request, and its place.
func (e *Error) Faults() string {
	text := e.Path + ": " + e.Message
	for _, other := range e.Others {
		text += ". Also " + other.Faults()
	}
	return text
}

func refuse(code, path, format string, a ...any) error {
	return &Error{Code: code, Path: path, Message: fmt.Sprintf(format, a...)}
}

// faults are those of a request, in the order of the checks.
type faults []*Error

func (f *faults) add(code, path, format string, a ...any) {
	if !slices.ContainsFunc(*f, func(e *Error) bool { return e.Path == path }) {
		*f = append(*f, &Error{Code: code, Path: path, Message: fmt.Sprintf(format, a...)})
	}
}

// put adds a fault, or words it better.
func (f *faults) put(code, path, format string, a ...any) {
	f.add(code, path, format, a...)
	at := slices.IndexFunc(*f, func(e *Error) bool { return e.Path == path })
	(*f)[at].Message = fmt.Sprintf(format, a...)
}

// err returns the first fault, which has the others; nil without one.
func (f faults) err() error {
	if len(f) == 0 {
		return nil
	}
	f[0].Others = f[1:]
	return f[0]
}

func at(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }

// Validate checks a request without a panel: the number of items and stores,
// repetitions, ids and quantities that no item has, and words that are not known.
// The error is that of the first fault: items, stores, include, conditions, accept, reject; within an item, the id
// before its repetition before the quantity. The error is an *Error. DecodeRequest
// and Evaluate call it.
func (r *Request) Validate() error {
	all := r.faults(nil)
	return all.err()
}

// faults checks a request without what is in a city. A nil projection has any item.
func (r *Request) faults(pr *Projection) (all faults) {
	all.addItems(r.Items, pr)
	all.addStores(r.Stores, pr.maxStores())
	for _, x := range []struct {
		code, member    string
		words, accepted []string
	}{
		{"invalid_include", "include", r.Include, []string{IncludeLines, IncludeCodes}},
		{"invalid_conditions", "conditions", r.Conditions, conditionWords},
	} {
		for i, word := range x.words {
			switch {
			case !slices.Contains(x.accepted, word):
				all.add(x.code, at(x.member, i),
					"%.40q is not accepted here; send %s, or leave %s out",
					word, strings.Join(x.accepted, " or "), x.member)
			case slices.Contains(x.words[:i], word):
				all.add(x.code, at(x.member, i), "%q is there twice; name it once", word)
			}
		}
	}
	for _, x := range r.choices() {
		if len(x.made) > maxChoices {
			all.add(x.code(), x.member, "there are %d entries; name at most %d", len(x.made), maxChoices)
		}
		for i, c := range x.made {
			if len(r.Items) > 0 && !slices.ContainsFunc(r.Items, func(it Item) bool { return it.ID == c.ItemID }) {
				all.add(x.code(), at(x.member, i), "item %d is not in the list; name an item that is, such as %s",
					c.ItemID, Choice{r.Items[0].ID, c.Store})
			}
		}
	}
	return all
}

// choices are those of a member of a request.
type choices struct {
	member string
	made   []Choice
}

func (x *choices) code() string { return "invalid_" + x.member }

func (r *Request) choices() []choices { return []choices{{"accept", r.Accept}, {"reject", r.Reject}} }

func (f *faults) addItems(items []Item, pr *Projection) {
	switch {
	case len(items) == 0:
		f.add("invalid_items", "items", `name 1 to %d items, such as {"id":1,"qty":2}`, MaxItems)
	case len(items) > MaxItems:
		f.add("too_many_items", "items",
			`there are %d items; name at most %d in one request, such as {"id":1,"qty":2}`, len(items), MaxItems)
	}
	for i, it := range items {
		switch {
		case it.ID < 1 || it.ID > basket.MaxID || pr != nil && pr.item(it.ID) == nil:
			f.add("unknown_item", at("items", i)+".id", "%s", pr.unknown(it.ID))
			continue
		case slices.ContainsFunc(items[:i], func(x Item) bool { return x.ID == it.ID }):
			f.add("duplicate_item", at("items", i)+".id",
				`item %[1]d is there twice; name it once, with the whole quantity, such as {"id":%[1]d,"qty":2}`, it.ID)
		}
		if !anyRule.Allows(it.Qty) {
			f.add("invalid_quantity", at("items", i)+".qty",
				"the quantity of item %d must be %s to %s in steps of %s, such as 1",
				it.ID, anyRule.Min, anyRule.Max, anyRule.Step)
		}
	}
}

func (f *faults) addStores(stores []string, maxStores int) {
	if len(stores) > maxStores {
		f.add("too_many_stores", "stores",
			"there are %d chains; name at most %d, such as %q, or leave stores out to compare all of the city",
			len(stores), maxStores, stores[:1])
	}
	for i, key := range stores {
		if slices.Contains(stores[:i], key) {
			f.add("duplicate_store", at("stores", i),
				"chain %.40[1]q is there twice; name it once, such as [%.40[1]q]", key)
		}
	}
}

// check reports whether a request can be evaluated: first what [Request.Validate]
// checks, then what the panel has. The error is that of the first fault, in this order: what
// Validate finds, and ids that no item has; the city, each item's quantity, each unknown chain, each chain without an
// active store in the city. The error is an *Error. Evaluate calls it.
func (pr *Projection) check(r *Request) error {
	all := r.faults(pr)
	in := pr.cityAt[r.City]
	if in == nil {
		near := meant(r.City, pr.cityAt, func(c *city) string { return c.Name })
		all.add("unsupported_city", "city",
			"there is no city %.40q%s; name one of %s",
			r.City, near, strings.Join(slices.Sorted(maps.Keys(pr.cityAt)), ", "))
	}
	for i, asked := range r.Items {
		it, path := pr.item(asked.ID), at("items", i)
		switch {
		case it == nil || it.rule.Allows(asked.Qty):
		case it.perKg:
			all.put("invalid_quantity", path+".qty",
				"item %d, %s, is sold by the kilogram: its quantity is %s to %s in steps of %s, such as 0.5",
				asked.ID, it.Name, it.rule.Min, it.rule.Max, it.rule.Step)
		default:
			all.put("invalid_quantity", path+".qty",
				"item %d, %s, is sold in whole packages: its quantity is %s to %s, such as 2",
				asked.ID, it.Name, it.rule.Min, it.rule.Max)
		}
	}
	such := ""
	if in != nil && len(in.chains) > 0 {
		such = ", such as " + in.chains[0].Key
	}
	for _, x := range r.choices() {
		for i, c := range x.made {
			if in != nil && !slices.ContainsFunc(in.chains, func(of cityChain) bool { return of.Key == c.Store }) {
				all.add(x.code(), at(x.member, i),
					"there is no chain %.40q in %s; name an item and a chain of the answer, by its key%s",
					c.Store, in.Name, such)
			}
		}
	}
	for i, key := range r.Stores {
		if pr.chainAt[key] == nil {
			near := meant(key, pr.chainAt, func(c *chain) string { return c.Name })
			all.add("unknown_store", at("stores", i),
				"there is no chain %.40q%s; name chains of the catalog by their keys%s", key, near, such)
		}
	}
	if in == nil {
		return all.err()
	}
	for i, key := range r.Stores {
		if !slices.ContainsFunc(in.chains, func(c cityChain) bool { return c.Key == key }) {
			all.add("store_unavailable", at("stores", i),
				"chain %q has no store in %s; leave it out, or name chains that have one%s", key, in.Name, such)
		}
	}
	return all.err()
}

// unknown says which ids there are in place of one that no item has.
func (pr *Projection) unknown(id int64) string {
	var items []item
	if pr != nil {
		items = pr.items
	}
	last := int64(len(items))
	if last > 0 && items[last-1].ID == last {
		return fmt.Sprintf("items have the ids 1 to %d, as the catalog lists them, such as 1", last)
	}
	such, least := "", int64(math.MaxInt64)
	for _, it := range items {
		if apart := max(it.ID-id, id-it.ID); it.Active && apart < least {
			least, such = apart, ", such as "+strconv.FormatInt(it.ID, 10)
		}
	}
	if id < 1 || id > basket.MaxID {
		return fmt.Sprintf("an id is a whole number from 1 to %d; name one of the catalog%s", int64(basket.MaxID),
			cmp.Or(such, ", such as 1"))
	}
	return fmt.Sprintf("there is no item %d; name one of the catalog%s", id, such)
}

// maxStores is how many chains a request may name: always those of a city.
func (pr *Projection) maxStores() int {
	if pr == nil {
		return MaxChains
	}
	return max(MinMaxStores, len(pr.chains))
}

// meant guesses the key that was meant by a text, which may be near a key or the name of what has it.
func meant[T any](text string, of map[string]T, name func(T) string) string {
	plain := func(s string) string { return strings.ReplaceAll(fold.Text(s), " ", "-") }
	var keys, words []string
	for _, key := range slices.Sorted(maps.Keys(of)) {
		keys, words = append(keys, key, key), append(words, key, plain(name(of[key])))
	}
	if i := slices.Index(words, suggest.Nearest(plain(text), words)); i >= 0 {
		return fmt.Sprintf("; did you mean %q?", keys[i])
	}
	return ""
}
