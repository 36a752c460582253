package oracle

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strings"

	"github.com/larder-index/larder/basket"
)

// The numbers that the gate's columns may hold; no signs, no exponents.
var (
	plainNumber = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)
	plainPrice  = regexp.MustCompile(`^[0-9]+(\.[0-9]{1,4})?$`)
)

// ReadGated reads a panel directory, judges its observations, and returns the
// panel with those that do not pass excluded.
func ReadGated(dir string) (*Data, *Judgement, error) {
	d, err := ReadGateData(dir)
	if err != nil {
		return nil, nil, err
	}
	j, err := Gate(d)
	if err != nil {
		return nil, nil, err
	}
	d.Data.Excluded = j.Excluded()
	return d.Data, j, nil
}

// ReadGateData reads a panel directory with its specs and quarantine table.
// Observations without an id get the next ones above the largest, in the order
// of the file.
func ReadGateData(dir string) (*GateData, error) {
	base, err := ReadDir(dir)
	if err != nil {
		return nil, err
	}
	d := &GateData{
		Data:  base,
		Unit:  map[int64]basket.Unit{},
		PerKg: map[int64]bool{},
		Specs: map[int64]Spec{},
		Seen:  map[int64]Seen{},
	}
	numberObservations(base.Observations)
	next := 0 // of base.Observations, which has the file's order
	readers := []struct {
		name     string
		optional bool
		row      func(record)
	}{
		{"products", false, func(r record) {
			unit, err := basket.ParseUnit(r.text("unit"))
			if err != nil {
				r.fail("unit", err)
			}
			soldBy, err := basket.ParseSoldBy(r.text("sold_by"))
			if err != nil {
				r.fail("sold_by", err)
			}
			d.Unit[r.id("id")], d.PerKg[r.id("id")] = unit, soldBy == basket.ByKilogram
		}},
		{"product_specs", true, func(r record) {
			id := r.id("product_id")
			if _, twice := d.Specs[id]; twice {
				r.fail("product_id", errors.New("has a spec already"))
			}
			if _, known := d.Unit[id]; !known {
				r.fail("product_id", errors.New("unknown product"))
			}
			d.Specs[id] = r.spec()
		}},
		{"quarantine", true, func(r record) {
			d.Entries = append(d.Entries, r.entry())
		}},
		{"observations", false, func(r record) {
			id := base.Observations[next].ID
			if _, twice := d.Seen[id]; twice {
				r.fail("id", errors.New("there twice"))
			}
			d.Seen[id] = Seen{r.text("scraped_name"), r.text("package_size"), r.price("effective_price")}
			next++
		}},
	}
	for _, f := range readers {
		if err := readFile(dir, f.name, f.optional, f.row); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func numberObservations(all []Observation) {
	last := int64(0)
	for _, o := range all {
		last = max(last, o.ID)
	}
	for i := range all {
		if all[i].ID == 0 {
			last++
			all[i].ID = last
		}
	}
}

// spec reads "require (terms; | between alternatives, & between groups), forbid
// (terms, |), min_size, max_size"; empty cells ask for nothing.
func (r record) spec() Spec {
	var s Spec
	if require := r.text("require"); require != "" {
		for _, group := range strings.Split(require, "&") {
			s.Require = append(s.Require, r.terms("require", group))
		}
	}
	if forbid := r.text("forbid"); forbid != "" {
		s.Forbid = r.terms("forbid", forbid)
	}
	s.Min, s.Max = r.bound("min_size"), r.bound("max_size")
	return s
}

func (r record) terms(column, text string) []string {
	terms := strings.Split(text, "|")
	for _, term := range terms {
		if len(foldedWords(term)) == 0 {
			r.fail(column, fmt.Errorf("a term without a word in %q", text))
		}
	}
	return terms
}

// bound reads a bound on sizes; an empty cell is none, and so is 0, which no
// package holds.
func (r record) bound(column string) *big.Rat {
	if r.text(column) == "" {
		return nil
	}
	v := r.plain(column, plainNumber)
	if v.Sign() == 0 {
		return nil
	}
	return v
}

// price reads a price: "decimals of at most 4 places", above 0.
func (r record) price(column string) *big.Rat {
	v := r.plain(column, plainPrice)
	if v.Sign() == 0 {
		r.fail(column, errors.New("not above 0"))
	}
	return v
}

func (r record) plain(column string, pattern *regexp.Regexp) *big.Rat {
	text := r.text(column)
	if !pattern.MatchString(text) {
		r.fail(column, fmt.Errorf("%q does not match %s", text, pattern))
		return new(big.Rat)
	}
	return decimal(text)
}

func (r record) entry() Entry {
	r.text("reason") // required
	e := Entry{Listing: r.id("retailer_product_id"), Store: r.optionalID("store_id"), Rule: Listed}
	if r.has("observation_id") {
		e.Observation = r.id("observation_id")
	}
	if r.has("rule") {
		e.Rule = r.text("rule")
	}
	if r.has("released") {
		e.Released = r.boolean("released")
	}
	return e
}

// has reports whether an optional column is there and its cell is not empty.
func (r record) has(column string) bool {
	i, ok := r.columns[column]
	return ok && r.cells[i] != ""
}
