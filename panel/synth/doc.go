// Package synth makes up a price panel: chains that don't exist, prices that
// nobody paid, and the oddities of real collections that [Kind] lists.
//
// It decides what such a panel looks like; the caller chooses the seed, the
// last day, the number of weeks and of stores. The same Config gives the same
// panel, to the last digit, on every platform and with every version of Go: all
// arithmetic on prices is in whole cents and millionths. Nothing is random
// beyond the seed and nothing depends on the clock. Rows are computed as they
// are asked for, a week at a time, so ten years of them need no memory.
//
// 146 stores of 26 banners stand in thirteen cities. Prices trend upwards by a
// few percent a year, swing with the season where they grow on fields, are set
// every few weeks and end in 9 or 7, and are cut by 10 to 30 percent now and
// then. Over this, single phenomena are planted: late cities and missing weeks,
// thin banners, retired listings, wrong products, prices on a wrong basis,
// single stray rows, shrinking packs and more. [Data.Planted] lists each with its
// place and with what should become of it; rows that no plant names are clean:
// their titles and packs satisfy the product's spec and their prices stay within
// a factor of about two of the product's usual price.
//
// It refuses a Config that can't be met. It runs no gate and no detector: the
// verdicts of its rows are planted as well, and tests hold them against what the
// rules lead to. To see what the quality gate and the detector of shrinking packs
// make of the rows, write them out and import them.
package synth
