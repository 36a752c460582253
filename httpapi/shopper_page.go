package httpapi

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/compare/find"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/site/pages"
	"github.com/larder-index/larder/httpapi/site/words"
)

// Cities whose French name is another one. A snapshot names them in English.
var _ = []string{words.Key("Montreal"), words.Key("Quebec City"), words.Key("Saint John"),
	words.Key("Trois-Rivieres"), words.Key("Levis")}

// shopping has the data of the page of the comparison.
type shopping struct {
	*words.Language
	*compare.CatalogBody // nil without a snapshot, as the next
	*compare.Projection

	Asked  compare.Request
	Text   string          // the lines as they were written
	Read   []lineRead      // what they were read as
	More   int             // lines after these
	Unsure bool            // a line is to be checked
	Others []string        // lines that are not compared
	Result *compare.Result // nil: nothing is compared
	Split  compare.Split
	Full   int        // chains with the whole list
	Lists  []tickList // of the chains, in the order of the result
	Stops  []tickList // of the best pair
}

// lineRead is a line with the item that is taken for it, if any.
type lineRead struct {
	find.Found
	Taken *compare.Item
	Check string // what is to be checked of its quantity: a fault of find's, or tooMuch
}

// tooMuch says that an item is counted in less than the lines say, in the most that can be asked for.
const tooMuch = "too_much"

// tickList has the lines that a shopper buys at a chain and ticks off.
type tickList struct {
	*shopping
	Lines []compare.Line
	Total compare.Money
	First bool // it has the lines that are not compared too
}

// shopperPage answers with the page of the comparison, and with the answer to its form.
func (s *Server) shopperPage(l *words.Language) handler {
	return func(c *call) error {
		served, age := s.Snapshots.Current(), "no-cache"
		x := &shopping{Language: l.Of(served.About())}
		if served != nil && served.NeedPrices() == nil {
			x.CatalogBody, x.Projection = served.Choices(), served.Projection()
		}
		if c.r.Method == http.MethodPost {
			age = "private, no-cache" // not no-store: Back would ask to send the form again
			if err := s.answerForm(c, x); err != nil {
				return err
			}
		}
		body, err := s.pages.Render("shopper", pages.View{Lang: l, Path: compare.ShopperPath, Base: s.BaseURL,
			About: served.About(), Data: x})
		if err != nil {
			return err
		}
		s.setPageHeaders(c.w.Header())
		c.w.Header().Set("Content-Security-Policy", pages.ShopperPolicy)
		served.NameIn(c.w.Header())
		return reply.NewDocument(reply.HTMLType, body, "Cache-Control", age).Serve(c.w, c.r)
	}
}

// answerForm compares the list of a form, which it neither logs nor keeps.
func (s *Server) answerForm(c *call, x *shopping) error {
	if s.foreign(c.r) {
		return errCrossSite
	}
	if err := s.takeClient(c, s.limits.comparisons); err != nil {
		return err
	}
	c.r.Body = http.MaxBytesReader(c.w, c.r.Body, 4*compare.MaxBody)
	if c.r.ParseForm() != nil {
		return reply.Refuse("body_too_large", "the form can't be read, or is too long: send a shorter list")
	}
	served, err := s.pricesOf(c)
	if err != nil {
		return err
	}
	if err := x.read(c.r.PostForm, served.Finder()); err != nil || x.Asked.City == "" || x.Asked.Items == nil {
		return err
	}
	result, err := s.evaluate(c, served, x.Asked, nil)
	if err == nil {
		x.show(result)
	}
	return err
}

// read reads a form: items as an address has them, and lines as people write them. A line counts if it is certain, or
// if the form says which item it means. Of an item that comes twice, the quantities are added up; a question that
// comes twice is asked once.
func (x *shopping) read(form url.Values, finder *find.Finder) (err error) {
	x.Asked = compare.Request{City: form.Get("city"), Stores: form["stores"], Conditions: form["conditions"],
		Include: []string{compare.IncludeLines, compare.IncludeCodes}}
	if form.Has("items") {
		x.Asked.Items, err = compare.ParseItems(form.Get("items"))
	}
	listed := func(id string) bool {
		return slices.ContainsFunc(x.Asked.Items, func(it compare.Item) bool { return id == idText(it.ID) })
	}
	found, more := finder.List(form.Get("list"))
	x.Text, x.More, x.Others = form.Get("list"), more, form["other"]
	x.Unsure = more > 0
	for _, f := range found {
		asked := func(before lineRead) bool { return before.Text == f.Text && f.Status != find.One }
		if slices.ContainsFunc(x.Read, asked) {
			continue
		}
		line := lineRead{Found: f}
		for i, m := range f.Matches {
			if i == 0 && f.Status == find.One || form.Get("item "+f.Text) == idText(m.ID) {
				line.Taken = &compare.Item{ID: m.ID, Qty: *cmp.Or(m.Qty, new(compare.Quantity(100)))}
				line.Check = m.Fault
				if x.add(*line.Taken) {
					line.Check = tooMuch
				}
			}
		}
		again := func(before lineRead) bool { return before.Text == f.Text && before.Check == line.Check }
		if line.Taken == nil {
			x.Others = append(x.Others, f.Text)
		} else if slices.ContainsFunc(x.Read, again) {
			line.Check = "" // it is said already
		}
		x.Unsure = x.Unsure || line.Check != ""
		x.Read = append(x.Read, line)
	}
	for _, member := range []string{"accept", "reject"} {
		for _, choice := range form[member] {
			if id, _, _ := strings.Cut(choice, "@"); choice == compare.AcceptVariants || listed(id) {
				err = cmp.Or(err, x.Asked.Choose(member, choice))
			}
		}
	}
	return err
}

// add puts an item on the list, or more of it up to the most that can be asked for. It reports whether that is less.
func (x *shopping) add(it compare.Item) bool {
	for i := range x.Asked.Items {
		if listed := &x.Asked.Items[i]; listed.ID == it.ID {
			wanted, most := listed.Qty+it.Qty, x.Item(it.ID).MaxQuantity
			listed.Qty = min(wanted, most)
			return wanted > most
		}
	}
	x.Asked.Items = append(x.Asked.Items, it)
	return false
}

// Left is how many lines are not compared.
func (x *shopping) Left() int { return len(x.Others) + x.More }

func idText(id int64) string { return strconv.FormatInt(id, 10) }

// show sets what is shown of a result.
func (x *shopping) show(r *compare.Result) {
	x.Result, x.Split = r, r.Split()
	at := map[string][]compare.Line{}
	for _, line := range r.Lines() {
		at[line.StoreKey] = append(at[line.StoreKey], line)
	}
	for _, s := range r.Stores {
		x.Lists = append(x.Lists, tickList{x, at[s.Key], s.Total, true})
		if s.CompleteRequestedList {
			x.Full++
		}
	}
	if best := x.Split.Best; best != nil {
		for i, stop := range best.Stops {
			lines := slices.DeleteFunc(slices.Clone(at[stop.StoreKey]), func(line compare.Line) bool {
				return !slices.Contains(stop.ItemIDs, line.ItemID)
			})
			x.Stops = append(x.Stops, tickList{x, lines, stop.Total, i == 0})
		}
	}
}

// Item returns an item of the catalog, with its name in the page's language.
func (x *shopping) Item(id int64) (it compare.CatalogItem) {
	for _, known := range x.Items {
		if known.ID == id {
			it = known
		}
	}
	if x.Code == words.French.Code {
		it.Name = cmp.Or(it.NameFr, it.Name)
	}
	return it
}

// Amount writes a quantity of an item with its unit.
func (x *shopping) Amount(id int64, qty compare.Quantity) string {
	if x.Item(id).QuantityUnit == "kg" {
		return x.T("{quantity} kg", x.Number(qty.String()))
	}
	return x.T("{n} packages", qty)
}

// Rule says in which quantities an item is sold.
func (x *shopping) Rule(it compare.CatalogItem) string {
	least, most := x.Number(it.MinQuantity.String()), x.Number(it.MaxQuantity.String())
	if it.QuantityUnit == "kg" {
		step := x.Number(it.QuantityStep.String())
		return x.T("by the kilogram, {min} to {max} in steps of {step}", least, most, step)
	}
	return x.T("in whole packages, {min} to {max}", least, most)
}

// Store returns the totals of a chain.
func (x *shopping) Store(key string) *compare.Store {
	return &x.Result.Stores[slices.IndexFunc(x.Result.Stores, func(s compare.Store) bool { return s.Key == key })]
}

// Has reports whether a text is in a list.
func (x *shopping) Has(list []string, text string) bool { return slices.Contains(list, text) }
