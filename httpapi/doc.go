// Package httpapi holds the JSON shapes in which index values are published.
//
// It decides how a number is written: levels and percent changes with exactly
// four decimals, dollars with two, null where there is no value. It refuses to
// compute: every value is written as the row has it.
package httpapi
