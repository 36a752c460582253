package compare

// The bounds of a request.
const (
	MaxItems       = 50   // different items
	MaxStores      = 40   // different chains
	MaxItemID      = 50   // items are numbered from 1
	MaxItemsLength = 1200 // characters of the textual form of items
	MaxBody        = 8192 // bytes of the JSON form
)

// MaxPriceAgeDays is how many calendar days, in UTC, a price may be old.
const MaxPriceAgeDays = 8

// The thresholds of a comparison.
const (
	closeCallPercent     = 2 // totals no further than this above the lowest are too close to call,
	closeCallCents       = 5 // nor are those that this many cents separate
	minCompleteChains    = 2 // chains with the whole list that a recommendation takes
	sizeTolerancePercent = 1 // a package within this of the standard size has that size
	maxRegularRatio      = 4 // of a regular price to the effective one; the rule is panel's
)

// The quantities of packages and of kilograms.
const (
	minPackages = 1 * hundredths
	maxPackages = 20 * hundredths
	packageStep = 1 * hundredths
	minKilos    = quarter
	maxKilos    = 10 * hundredths
	kiloStep    = quarter
)

// quantityRule says which quantities of an item there are.
type quantityRule struct{ min, max, step Quantity }

var (
	packageRule = quantityRule{minPackages, maxPackages, packageStep}
	kiloRule    = quantityRule{minKilos, maxKilos, kiloStep}
	anyRule     = quantityRule{minKilos, maxPackages, kiloStep} // what some item allows
)

func ruleOf(perKg bool) quantityRule {
	if perKg {
		return kiloRule
	}
	return packageRule
}

func (r quantityRule) allows(q Quantity) bool { return q >= r.min && q <= r.max && q%r.step == 0 }
