package jevons

import (
	"fmt"
	"math/bits"
)

// Share is a fraction, Num/Den, kept as whole numbers so that counts taken
// from it are exact: 60% of 50 items is 30, never 29.999. The zero Share
// means "not given": Options replace it with the published method's.
type Share struct{ Num, Den int }

// Percent returns n hundredths.
func Percent(n int) Share { return Share{n, 100} }

// Of returns floor(s * n), in integers. It panics for the zero Share.
func (s Share) Of(n int) int {
	s.mustBeGiven()
	hi, lo := bits.Mul64(uint64(s.Num), uint64(n))
	q, _ := bits.Div64(hi, lo, uint64(s.Den))
	return int(q)
}

// MetBy reports whether count is at least the share s of total, in integers.
// It panics for the zero Share.
func (s Share) MetBy(count, total int) bool {
	s.mustBeGiven()
	h1, l1 := bits.Mul64(uint64(count), uint64(s.Den))
	h2, l2 := bits.Mul64(uint64(s.Num), uint64(total))
	return h1 > h2 || (h1 == h2 && l1 >= l2)
}

func (s Share) mustBeGiven() {
	if s.Den <= 0 {
		panic("jevons: a Share without a denominator; use Percent")
	}
}

// String writes the share as a percentage, such as "10%".
func (s Share) String() string {
	if s.Den == 0 {
		return "not given"
	}
	return fmt.Sprintf("%g%%", 100*float64(s.Num)/float64(s.Den))
}

// checkTrim reports why s can't be trimmed from each end.
func (s Share) checkTrim() error {
	if s.Num < 0 || s.Den <= 0 || 2*s.Num >= s.Den {
		return fmt.Errorf("trim share %d/%d is not from 0 to under one half", s.Num, s.Den)
	}
	return nil
}

// checkFloor reports why s can't be a publication floor.
func (s Share) checkFloor() error {
	if s.Num < 0 || s.Den <= 0 || s.Num > s.Den {
		return fmt.Errorf("floor share %d/%d is not from 0 to 1", s.Num, s.Den)
	}
	return nil
}
