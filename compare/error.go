package compare

// Code names what is wrong with a request; it is what a program looks at.
type Code string

// The codes of refused requests.
const (
	BodyTooLarge     Code = "body_too_large"    // more than MaxBody bytes
	InvalidJSON      Code = "invalid_json"      // not one JSON value in UTF-8 free of duplicate keys and trailing data
	InvalidBody      Code = "invalid_body"      // JSON of another shape
	UnsupportedCity  Code = "unsupported_city"  // no city of the panel
	InvalidItems     Code = "invalid_items"     // no items, or their textual form is wrong
	TooManyItems     Code = "too_many_items"    // more than MaxItems
	UnknownItem      Code = "unknown_item"      // no product has the id
	DuplicateItem    Code = "duplicate_item"    // an id twice
	InvalidQuantity  Code = "invalid_quantity"  // not of the steps that the item is sold in
	InvalidStores    Code = "invalid_stores"    // the textual form of stores is wrong
	TooManyStores    Code = "too_many_stores"   // more than MaxStores
	UnknownStore     Code = "unknown_store"     // no shopper chain has the key
	DuplicateStore   Code = "duplicate_store"   // a key twice
	StoreUnavailable Code = "store_unavailable" // a chain that has no store in the city
)

// Error is why a request is refused.
type Error struct {
	Code    Code
	Path    string // where, as in JSON: "items[2].qty"; "body" for the whole, "city", "items" and "stores" for the parameters
	Message string // what to change, with an example that is accepted
}

func (e *Error) Error() string { return "compare: " + e.Path + ": " + e.Message }
