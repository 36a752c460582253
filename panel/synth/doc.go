// Package synth makes up a price panel: invented chains, invented prices, and
// the oddities of real collections that [Kind] lists.
//
// The caller chooses the seed, the last day, the number of weeks and the number
// of stores. The same Config gives the same panel, to the last digit, on every
// platform and with every version of Go: all arithmetic on prices is in whole
// cents and millionths. Only the seed makes anything random, and nothing reads
// the clock. Rows are computed a week at a time when they are asked for, so ten
// years of them need no memory.
//
// The default panel has 146 stores of 26 banners in thirteen cities. Prices rise
// by a few percent a year, swing with the season where food grows on fields, are
// set every few weeks, end in 9 or 7, and are cut by 10 to 30 percent now and
// then. On top of this, single phenomena are planted. [Data.Planted] lists each
// with its place and with the verdict or grade that it should get. All other rows
// are clean: their titles and packs satisfy the product's spec, and their prices
// stay within a factor of about two of the product's usual price.
//
// The package runs no gate and no detector. Rows carry planted verdicts, and the
// tests compare these with those of the quality gate.
package synth
