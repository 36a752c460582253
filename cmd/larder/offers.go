package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/panel/csvdir"
	"github.com/larder-index/larder/panel/offers"
	"github.com/larder-index/larder/panel/record"
	"github.com/larder-index/larder/panel/sqlite"
)

// source says how files with prices are read.
type source struct {
	as, mapping string
	dryRun      bool
}

// addTo gives a command the flags of a source.
func (s *source) addTo(f *pflag.FlagSet) {
	f.StringVar(&s.as, "as", "", "the `form` of the files: "+phrase.Or(formNames())+" (default: the one that fits)")
	f.StringVar(&s.mapping, "map", "", "a mapping `file` in place of --as: CSV with the columns field, column, example")
	f.BoolVar(&s.dryRun, "dry-run", false, "show the first prices of the files as they are read, and write nothing")
}

// split parts the arguments into the panel directory, if the first is one, and files.
func (s *source) split(args []string) (dir string, files []string, err error) {
	info, err := os.Stat(args[0])
	named := s.as != "" || s.mapping != ""
	switch {
	case err == nil && info.IsDir() && (len(args) > 1 || !named), err != nil && len(args) == 1 && !named:
		dir, files = args[0], args[1:]
	case err == nil:
		files = args
	default:
		return "", nil, err
	}
	if len(files) == 0 && s.dryRun {
		err = usagef("--dry-run shows prices of files, and there is none behind %s", dir)
	}
	return dir, files, err
}

// form returns the mapping of files.
func (s *source) form(files []string) (*offers.Mapping, error) {
	switch {
	case s.as != "" && s.mapping != "":
		return nil, usagef("--as and --map exclude each other")
	case s.mapping != "":
		f, err := os.Open(s.mapping)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return offers.ReadMapping(s.mapping, f)
	case s.as == "":
		return offers.Detect(files)
	}
	if err := oneOf("as", s.as, formNames()); err != nil {
		return nil, err
	}
	return offers.Formats()[slices.Index(formNames(), s.as)], nil
}

func formNames() []string {
	return mapped(offers.Formats(), func(m *offers.Mapping) string { return m.Name })
}

// errShown ends an import that only shows prices.
var errShown = errors.New("shown")

const mostSampled = 4 // offers of a dry run

// place makes a panel directory of files, or shows their first prices.
func (a *app) place(ctx context.Context, dir string, files []string, from *source, known sqlite.Known,
	reject func(*csvdir.Reject, string)) (*offers.Placed, error) {
	form, err := from.form(files)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(a.stderr, "larder: the files are in the form %s\n", form.Name)
	about := known.Panel.About()
	o := offers.Options{Mapping: form, Calendar: about.Calendar(), Currency: about.Currency()}
	o.Reject = func(r *offers.Reject) {
		reason := r.Reason
		if r.Column != "" {
			reason = fmt.Sprintf("%s: %s %s", r.Column, record.Quote(r.Text), r.Reason)
		}
		if from.dryRun {
			fmt.Fprintf(a.stderr, "larder: %s, line %d: %s\n", r.File, r.Line, printable(reason))
		}
		reject(csvdir.NewReject(r.File, r.Line, reason, r.Text, len(r.Text)), r.Column)
	}
	if !from.dryRun {
		return offers.WriteDir(ctx, dir, files, o, offers.Known(known))
	}
	var list []offers.Offer
	_, err = offers.Read(ctx, files, o, func(o *offers.Offer) error {
		if list = append(list, *o); len(list) == mostSampled {
			return errShown
		}
		return nil
	})
	if err != nil && err != errShown {
		return nil, err
	}
	a.printOffers(list)
	return nil, errShown
}

// printOffers prints offers, each in a column.
func (a *app) printOffers(list []offers.Offer) {
	fields := strings.Fields("file line chain shop city sku gtin title brand size category price regular on_sale at")
	columns, rows := []string{"field"}, make([][]any, len(fields))
	for i, name := range fields {
		rows[i] = []any{name}
	}
	for n, o := range list {
		columns = append(columns, fmt.Sprint(n+1))
		for i, value := range []any{o.File, o.Line, o.Chain, o.Shop, o.City, o.SKU, o.GTIN, o.Title, o.Brand, o.Size,
			o.Category, o.Price, o.Regular, o.OnSale, o.At.Format(time.RFC3339)} {
			rows[i] = append(rows[i], orNil(printable(fmt.Sprint(value))))
		}
	}
	(&sheet{columns, slices.Values(rows)}).print(a.stdout, "table")
}

// printPlaced says what became of the prices in files.
func (a *app) printPlaced(p *offers.Placed) {
	if p == nil {
		return
	}
	fmt.Fprintf(a.stderr, "larder: %d rows of %s: %d prices, %d used%s\n", p.Read.Rows,
		phrase.Count(p.Read.Files, "file"), p.Read.Offers, p.Used, counts("; not used: ", p.Unused))
	if n := int(p.Read.Dropped); n > 0 {
		fmt.Fprintf(a.stderr, "larder: %s left out\n", phrase.Count(n, "regular price"))
	}
	if n := int(p.MultiBuy); n > 0 {
		fmt.Fprintf(a.stderr, "larder: %s used only for several packs, as in 2/7.00\n", phrase.Count(n, "price"))
	}
	fmt.Fprintf(a.stderr, "larder: listings mapped%s\n", cmp.Or(counts(" by ", p.Listings), ": none"))
	if n := int(p.Waiting); n > 0 {
		fmt.Fprintf(a.stderr, "larder: %s may be items: see \"larder match\"\n", phrase.Count(n, "listing"))
	}
}

// counts writes counts by name, the largest first, behind a text; nothing without a count.
func counts(before string, by map[string]int64) string {
	var parts []string
	for _, name := range slices.SortedStableFunc(maps.Keys(by), func(a, b string) int {
		return cmp.Or(cmp.Compare(by[b], by[a]), strings.Compare(a, b))
	}) {
		parts = append(parts, fmt.Sprintf("%s %d", name, by[name]))
	}
	if parts == nil {
		return ""
	}
	return before + strings.Join(parts, ", ")
}
