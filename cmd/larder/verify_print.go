package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// print writes the verdict first, then what it stands on.
func (v *verification) print(w io.Writer, relatives bool) error {
	fmt.Fprintf(w, "%s, week %s: %s\n", v.cell, v.week, v.verdict())
	if v.row != nil {
		fmt.Fprintln(w)
		if err := v.printFigures(w); err != nil {
			return err
		}
	}
	v.printSources(w)
	if v.row == nil {
		return nil
	}
	fmt.Fprintf(w, "\nSince %s: %+.4f%%, over the series priced in both weeks; \"kept\" is the range of the stores' relatives that were not trimmed\n", v.since.From, v.since.Change)
	if err := v.printProducts(w); err != nil || !relatives {
		return err
	}
	fmt.Fprintf(w, "\nThe stores' relatives, from the lowest to the highest of each product\n")
	return v.printStores(w)
}

// verdict says whether it matches.
func (v *verification) verdict() string {
	switch {
	case v.claim == nil:
		return fmt.Sprintf("index %s, %d of %d products; nothing was given to compare with", v.row.Index, v.row.ItemCount, v.row.TotalItems)
	case v.row == nil && v.claim.absent:
		return "matches: no row is published, and none may be\n" + v.whyNot.Error()
	case v.row == nil:
		return fmt.Sprintf("DOES NOT MATCH: %s is published, and no row may be\n%s", v.claim.figures[figure(jevons.IndexValue)].value, v.whyNot)
	case v.claim.absent:
		return fmt.Sprintf("DOES NOT MATCH: index %s is recomputed, and no row is published", v.row.Index)
	}
	var wrong []string
	for f := range v.figures {
		if c := &v.figures[f]; c.compared() && c.value != c.published.value {
			wrong = append(wrong, figures[f].Name)
		}
	}
	if wrong != nil {
		return "DOES NOT MATCH in " + strings.Join(wrong, ", ")
	}
	return fmt.Sprintf("matches: index %s, %d of %d products", v.row.Index, v.row.ItemCount, v.row.TotalItems)
}

func (v *verification) printFigures(w io.Writer) error {
	var rows [][]string
	for f := range v.figures {
		c := &v.figures[f]
		row := []string{figures[f].Name, figureText(f, c.value), noValue, ""}
		if c.given {
			row[2] = figureText(f, c.published.value)
		}
		switch {
		case c.needs != "":
			row[1], row[3] = noValue, "not recomputed: needs all prices of "+c.needs
		case !c.given:
		case c.value == c.published.value:
			row[3] = "matches"
		default:
			row[3] = "DOES NOT MATCH"
		}
		rows = append(rows, row)
	}
	return printColumns(w, []column{left("figure"), right("recomputed"), right("published"), left("")}, rows)
}

// figureText writes a figure as the server does.
func figureText(f int, value panel.Fixed) string {
	return string(value.Append(nil, figures[f].Decimals))
}

// printSources says what the figures were recomputed from.
func (v *verification) printSources(w io.Writer) {
	fmt.Fprintf(w, "\nFrom %d files made from %s to %s, holding %d prices that passed gate %s, of which %d of a verified banner are left out\n",
		v.files, stamp(v.oldest), stamp(v.newest), len(v.rows), printable(v.gate), v.panel.Counts().OutsideIndex)
	if v.claim != nil && !v.matches() {
		fmt.Fprintln(w, "Pages do not say of which snapshot they are. If the data changed between the downloads, download all of them again before you ask the publisher.")
	}
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func (v *verification) printProducts(w io.Writer) error {
	var rows [][]string
	kept := v.kept()
	for _, c := range v.since.Products {
		k := kept[c.Product.ID]
		rows = append(rows, append(productCells(c), relative(c.Relative), fmt.Sprintf("%.4f", c.Share), fmt.Sprint(c.Stores),
			fmt.Sprint(c.Trimmed), relative(k.low)+" to "+relative(k.high), c.Rounded.String()))
	}
	rows = append(rows, []string{"", "sum", "", "", "", "", "", "", sumOf(v.since)})
	return printColumns(w, append(productColumns(),
		right("relative"), right("weight"), right("stores"), right("trimmed"), right("kept"), right("points")), rows)
}

// span is the range of the store relatives that were not trimmed.
type span struct{ low, high float64 }

// kept returns the span of each product.
func (v *verification) kept() map[int]span {
	spans := map[int]span{}
	for _, s := range v.stores {
		if s.Trimmed {
			continue
		}
		k, ok := spans[s.Product.ID]
		if !ok {
			k = span{math.Inf(1), math.Inf(-1)}
		}
		spans[s.Product.ID] = span{min(k.low, s.Relative), max(k.high, s.Relative)}
	}
	return spans
}

func (v *verification) printStores(w io.Writer) error {
	var rows [][]string
	for i := range v.stores {
		s := &v.stores[i]
		trimmed := ""
		if s.Trimmed {
			trimmed = "trimmed"
		}
		rows = append(rows, []string{
			fmt.Sprint(s.Product.ID), s.Product.Name, fmt.Sprint(s.Store.ID), s.Store.Banner, v.cityOf(s),
			strings.Trim(strings.ReplaceAll(fmt.Sprint(s.Listings), " ", "+"), "[]"),
			fmt.Sprintf("%.4f", s.Base), fmt.Sprintf("%.4f", s.Price), relative(s.Relative), trimmed,
		})
	}
	return printColumns(w, []column{
		right("id"), left("product"), right("store"), left("banner"), left("city"), right("listing"),
		right("base $"), right("now $"), right("relative"), left(""),
	}, rows)
}

// cityOf returns the display name of a store's city.
func (v *verification) cityOf(s *jevons.StoreRelative) string {
	for _, c := range v.panel.Cities() {
		if c.Slug == s.Store.City {
			return c.Name
		}
	}
	return ""
}
