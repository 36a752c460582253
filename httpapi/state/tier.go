package state

import (
	"math"

	"github.com/larder-index/larder/internal/enum"
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

var tiers = enum.New("tier", Research, "research", "standard", "professional", "enterprise")

// Tiers returns all tiers, lowest first.
func Tiers() []Tier { return tiers.Values() }

// ParseTier reads a tier's name.
func ParseTier(s string) (Tier, error) { return tiers.Parse(s) }

// String returns the tier's name.
func (t Tier) String() string { return tiers.String(t) }

// MarshalText returns the tier's name.
func (t Tier) MarshalText() ([]byte, error) { return tiers.MarshalText(t) }

// Unlimited is the PerMonth of a key without a monthly quota.
const Unlimited = math.MaxInt64

// Limits bounds the use of a key.
type Limits struct {
	PerMinute int64 // authenticated requests in a minute
	PerMonth  int64 // requests answered 2xx in a UTC calendar month, or Unlimited
}

var tierLimits = map[Tier]Limits{
	Research:     {60, 5_000},
	Standard:     {120, 50_000},
	Professional: {600, 500_000},
	Enterprise:   {3_000, Unlimited},
}

// Limits returns what a key of the tier may use unless it has limits of its
// own. The zero Tier may use nothing.
func (t Tier) Limits() Limits { return tierLimits[t] }
