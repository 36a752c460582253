package synth

// seed draws numbers by coordinates, not in sequence: the number of a store and
// a week depends on no earlier draw, so any week can be made alone. It draws
// only integers, so every platform draws the same.
type seed uint64

// tag keeps the draws of one kind apart from all others. The order of the tags
// is part of the panel.
type tag uint64

const (
	tagCarry tag = iota + 1
	tagStoreCarry
	tagMissing
	tagClosed
	tagVisit
	tagJitter
	tagTrend
	tagReset
	tagResetNoise
	tagBannerGood
	tagCityGood
	tagStoreGood
	tagPromo
	tagPromoJoin
	tagTitle
	tagSize
	tagStock
	tagSource
	tagTwice
	tagLegacy
	tagMojibake
	tagPilot
)

// mix is the output function of SplitMix64 (Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// at returns 64 random bits for the given coordinates.
func (s seed) at(t tag, a, b, c int) uint64 {
	x := mix(uint64(s) ^ uint64(t)<<56)
	x = mix(x ^ uint64(a))
	return mix(mix(x^uint64(b)) ^ uint64(c))
}

// below returns a number from 0 to n-1.
func below(bits uint64, n int) int { return int(bits >> 11 % uint64(n)) }

// among returns a number from lo to hi, both included.
func among(bits uint64, lo, hi int64) int64 { return lo + int64(bits>>11%uint64(hi-lo+1)) }

// one is a factor of 1: factors are whole millionths.
const one = 1_000_000

// times multiplies by a factor and rounds down; x and f are positive.
func times(x, f int64) int64 { return x * f / one }

// ratio returns x*num/den, rounded half up; all three are positive.
func ratio(x, num, den int64) int64 { return (x*num + den/2) / den }
