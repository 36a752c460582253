package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
)

// comparison is a result with what its table takes.
type comparison struct {
	*compare.Result
	products map[int]*basket.Product
	lines    map[string][]compare.Line // by chain
}

func newComparison(r *compare.Result, products []basket.Product) *comparison {
	c := &comparison{r, map[int]*basket.Product{}, map[string][]compare.Line{}}
	for i := range products {
		c.products[products[i].ID] = &products[i]
	}
	for _, l := range r.Lines() {
		c.lines[l.StoreKey] = append(c.lines[l.StoreKey], l)
	}
	return c
}

// print writes the recommendation, the chains, the list at each of them, and
// what the prices are not.
func (c *comparison) print(w io.Writer) error {
	fmt.Fprintf(w, "%s, %s, as of %s (UTC): %s at %s", printable(c.City.Name), printable(c.City.Province), c.EvaluatedOn,
		plural(len(c.RequestedItemIDs), "item"), plural(len(c.Stores), "chain"))
	if c.ObservationSpan.Oldest.Valid {
		fmt.Fprintf(w, ", prices seen from %s to %s", c.ObservationSpan.Oldest, c.ObservationSpan.Newest)
	}
	fmt.Fprintf(w, "\n\n%s\n", c.headline())
	for _, reason := range c.Recommendation.Reasons {
		fmt.Fprintf(w, "  %s\n", printable(reason))
	}
	if err := c.printChains(w); err != nil {
		return err
	}
	for _, s := range c.Stores {
		if err := c.printList(w, s); err != nil {
			return err
		}
	}
	return c.printNotes(w)
}

// headline is the recommendation in words.
func (c *comparison) headline() string {
	switch c.Recommendation.Status {
	case compare.Lowest:
		key := c.Recommendation.StoreKeys[0]
		for _, s := range c.Stores {
			if s.Key == key {
				return fmt.Sprintf("Cheapest for the whole list: %s (%s), %s %s", printable(s.Name), key, s.TotalCAD, c.Currency)
			}
		}
	case compare.TooCloseToCall:
		return "Too close to call: no chain is named among " + strings.Join(c.Recommendation.CloseStoreKeys, ", ")
	case compare.SizeBasisDisagrees:
		return "No chain is named: the lowest total owes its place to the size of its packages"
	}
	return "No chain is named: fewer than two have fresh prices for the whole list"
}

func (c *comparison) printChains(w io.Writer) error {
	if len(c.Stores) == 0 {
		return nil
	}
	rows := make([][]string, len(c.Stores))
	for i, s := range c.Stores {
		adjusted := ""
		if s.SizeAdjustedTotalCAD != s.TotalCAD {
			adjusted = s.SizeAdjustedTotalCAD.String()
		}
		rows[i] = []string{
			s.Key, s.Name, orDash(s.TotalCAD.String()), adjusted, c.priced(s), c.daysOld(s.Oldest), itemIDs(s.MissingItemIDs),
		}
	}
	fmt.Fprintln(w)
	return printColumns(w, []column{
		left("chain"), left("name"), right("total $"), right("at standard sizes $"), left("priced"), right("oldest, days"), left("missing items"),
	}, rows)
}

// priced says how much of the list a total covers.
func (c *comparison) priced(s compare.Store) string {
	if s.CompleteRequestedList {
		return "all"
	}
	return fmt.Sprintf("%d of %d", len(s.PricedItemIDs), len(c.RequestedItemIDs))
}

// daysOld is the age of a price, of which only the day counts.
func (c *comparison) daysOld(d compare.Date) string {
	if !d.Valid {
		return noValue
	}
	return fmt.Sprint(int(c.EvaluatedOn.Day - d.Day))
}

// printNotes says which chains were left out, and what the prices are not.
func (c *comparison) printNotes(w io.Writer) error {
	fmt.Fprintln(w)
	for _, x := range c.ExcludedStores {
		fmt.Fprintf(w, "Left out: %s (%s), %s: where its stores in %s are is not certain.\n", printable(x.Name), x.Key, x.Reason, printable(c.City.Name))
	}
	var err error
	for _, caveat := range c.Caveats {
		_, err = fmt.Fprintln(w, printable(inTable.Replace(caveat)))
	}
	return err
}

// inTable makes the members of the JSON that caveats speak of what stands for
// them in the table.
var inTable = strings.NewReplacer(
	"in conditionalPromotionItemIds", `marked "sale not counted"`,
	"in differentSizeItemIds", `marked "other size"`,
	"sizeAdjustedTotalCad", `"at standard sizes"`,
	"totalCad", `"total"`,
)

// itemIDs writes "7, 12".
func itemIDs(ids []int) string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = fmt.Sprint(id)
	}
	return strings.Join(list, ", ")
}
