// Package check says how well a panel's rows were collected and what the quality
// gate filtered.
//
// # What it decides for you
//
// A [Report] is as of one moment, which the caller gives. [NewHealth] finds chains
// whose prices stand still and weeks with too few rows. [NewFiltered] counts the
// rows that the gate filters, by reason and product. [NewAttrition] counts the series
// of the base week that are still priced. [NewSales] says how unusual its sales were.
// A [Finding] is data: a rule, its cases and the evidence. Package check words no
// remedy.
//
// # What it refuses
//
// It changes no row and no verdict. A finding asks an operator to look, and says
// nothing about which price is right.
package check
