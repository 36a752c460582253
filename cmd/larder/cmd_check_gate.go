package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/larder-index/larder/panel"
)

// printQuarantine writes how many entries the snapshot has.
func (r *check) printQuarantine(w io.Writer) error {
	inForce, released := r.entries()
	var rows [][]string
	for rule, name := range panel.QuarantineRules {
		rows = append(rows, []string{name, fmt.Sprint(inForce[rule]), fmt.Sprint(released[rule])})
	}
	fmt.Fprintln(w)
	if err := printColumns(w, []column{left("quarantine entries"), right("in force"), right("released")}, rows); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, `"larder quarantine list" shows each with its evidence`)
	return err
}

// entries counts the quarantine entries by rule.
func (r *check) entries() (inForce, released [len(panel.QuarantineRules)]int) {
	for i := range r.Quarantine {
		e := &r.Quarantine[i]
		if e.Released {
			released[e.Rule]++
		} else {
			inForce[e.Rule]++
		}
	}
	return inForce, released
}

// printFiltered says what the gate filtered: by reason, then by what is
// filtered most.
func (r *check) printFiltered(w io.Writer) error {
	f := r.filtered
	judged := f.Passed + len(f.Dropped)
	fmt.Fprintf(w, "\nthe quality gate (%s) filtered %d of %d rows (%s); %d more count nowhere: inactive store, product or listing\n",
		panel.GateVersion, len(f.Dropped), judged, percent(len(f.Dropped), judged), f.Nowhere)
	if len(f.Dropped) == 0 {
		return nil
	}
	rows := [][]string{}
	for i := range f.Reasons {
		g := &f.Reasons[i]
		rows = append(rows, append([]string{g.Key, fmt.Sprint(g.Dropped)}, r.example(g)...))
	}
	columns := []column{left("reason"), right("filtered"), right("example id"), left("observed"), left("product"), left("store"), left("why")}
	if err := printColumns(w, columns, rows); err != nil {
		return err
	}
	for _, by := range []struct {
		head   string
		groups []panel.FilteredGroup
		name   func(*panel.FilteredGroup) string
	}{
		{"product", f.Products, func(g *panel.FilteredGroup) string { return r.productName(int(g.ID)) }},
		{"banner", f.Banners, func(g *panel.FilteredGroup) string { return g.Key }},
		{"store", f.Stores, func(g *panel.FilteredGroup) string { return r.storeName(g.ID) }},
		{"listing", f.Listings, func(g *panel.FilteredGroup) string { return r.listingName(g.ID) }},
	} {
		if err := printGroups(w, by.head, by.groups, by.name); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, `"larder check --filtered" prints every one of these rows as CSV`)
	return err
}

// mostShown is how many lines of a list are printed.
const mostShown = 10

func printGroups(w io.Writer, head string, groups []panel.FilteredGroup, name func(*panel.FilteredGroup) string) error {
	var rows [][]string
	for i := range groups[:min(len(groups), mostShown)] {
		g := &groups[i]
		rows = append(rows, []string{name(g), fmt.Sprint(g.Dropped), fmt.Sprint(g.Rows), percent(g.Dropped, g.Rows), why(g)})
	}
	fmt.Fprintln(w)
	columns := []column{left("by " + head), right("filtered"), right("of"), right("share"), left("why the newest is")}
	if err := printColumns(w, columns, rows); err != nil {
		return err
	}
	return printMore(w, len(groups)-mostShown)
}

func printMore(w io.Writer, n int) (err error) {
	if n > 0 {
		_, err = fmt.Fprintf(w, "and %d more\n", n)
	}
	return err
}

// example describes the row that stands for a group.
func (r *check) example(g *panel.FilteredGroup) []string {
	o := r.Rows.At(g.Example)
	product := r.Panel.Listings()[r.listings[o.Listing]].ProductID
	return []string{
		fmt.Sprint(o.ID), panel.DateIn(o.ObservedAt, panel.Toronto).String(), r.productName(product), r.storeName(o.Store), why(g),
	}
}

// why gives the example's reason without the verdict: the rule tells it.
func why(g *panel.FilteredGroup) string {
	return strings.TrimPrefix(g.Reason, "quarantined: ")
}

func (r *check) productName(id int) string {
	return fmt.Sprintf("%d %s", id, r.Panel.Products()[r.products[id]].Name)
}

func (r *check) storeName(id int64) string {
	s := r.Panel.Stores()[r.stores[id]]
	return fmt.Sprintf("%d %s, %s", id, s.Banner, r.cities[s.City])
}

func (r *check) listingName(id int64) string {
	m := r.Panel.Listings()[r.listings[id]]
	return fmt.Sprintf("%d %s, %s", id, m.Banner, m.Name)
}

// percent writes n of all with one decimal.
func percent(n, all int) string {
	return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(max(all, 1)))
}
