package compare

// Reason says why a chain has no usable price of an item. The zero value is that
// it has one.
type Reason uint8

// The reasons. The rows of a chain are dropped for the first of those from
// StalePrice to ConditionalPromotion that holds, in this order.
const (
	Priced               Reason = iota
	StalePrice                  // seen more than MaxPriceAgeDays ago
	ExpiredPromotion            // at a sale price whose sale is over
	AmbiguousCheckout           // a counted good in a package of another count
	UnsupportedQuantity         // fixed packs of a weight of which the quantity is no multiple
	ConditionalPromotion        // at a sale price with a condition, and no other price is known
	QualityGate                 // none of its rows passes the gate
	NoObservation               // no row at all
)

var reasonNames = [...]string{
	"", "stale_price", "expired_promotion", "ambiguous_checkout", "unsupported_quantity",
	"conditional_promotion", "quality_gate", "no_observation",
}

// String returns the reason as bodies have it, such as "stale_price"; of Priced
// the empty string.
func (r Reason) String() string { return reasonNames[r] }

// MarshalText writes what String returns.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }
