package state

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Tier is a subscription tier. Tiers are ordered: a key may use what its tier
// or a lower one unlocks, so compare with <. The zero Tier is no tier.
type Tier uint8

// The tiers, lowest first.
const (
	Research Tier = iota + 1
	Standard
	Professional
	Enterprise
)

var tierNames = []string{"research", "standard", "professional", "enterprise"}

// Tiers returns all tiers, lowest first.
func Tiers() []Tier { return []Tier{Research, Standard, Professional, Enterprise} }

// ParseTier reads a tier's name.
func ParseTier(s string) (Tier, error) {
	i := slices.Index(tierNames, s)
	if i < 0 {
		return 0, fmt.Errorf("tier %q is none of %s", s, strings.Join(tierNames, ", "))
	}
	return Research + Tier(i), nil
}

// String returns the tier's name, or "none".
func (t Tier) String() string {
	if t < Research || t > Enterprise {
		return "none"
	}
	return tierNames[t-Research]
}

// MarshalText returns the tier's name.
func (t Tier) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Unlimited is the PerMonth of a key without a monthly quota.
const Unlimited = math.MaxInt64

// Limits bounds the use of a key.
type Limits struct {
	PerMinute int64 // authenticated requests in a minute
	PerMonth  int64 // requests answered 2xx in a UTC calendar month, or Unlimited
}

var tierLimits = [...]Limits{
	Research:     {60, 5_000},
	Standard:     {120, 50_000},
	Professional: {600, 500_000},
	Enterprise:   {3_000, Unlimited},
}

// Limits returns what a key of the tier may use unless it has limits of its
// own. The zero Tier may use nothing.
func (t Tier) Limits() Limits {
	if int(t) >= len(tierLimits) {
		return Limits{}
	}
	return tierLimits[t]
}
