package sqlite

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/larder-index/larder/panel"
)

func (im *importer) note(format string, a ...any) {
	im.summary.Notes = append(im.summary.Notes, fmt.Sprintf(format, a...))
}

// noteBaseWeek says which week the index is based on, where no setting does, and how many whole weeks of prices a
// setting leaves out.
func (im *importer) noteBaseWeek(rows map[panel.Week]int) {
	setting, set := im.refs.settings["base_week"]
	weeks, first := slices.Sorted(maps.Keys(rows)), panel.FirstWholeWeek(rows)
	base, _ := panel.ParseWeek(setting.Value)
	lost := slices.DeleteFunc(slices.Clone(weeks), func(w panel.Week) bool { return w < first || w >= base })
	switch {
	case len(weeks) == 0:
	case !set:
		im.note("the base week is %s, the first whole week of prices; base_week in settings.csv can name another", first)
	case weeks[len(weeks)-1] < base:
		im.note("all prices are before the base week %s, so there is no index: set base_week in settings.csv to a Sunday from %s to %s",
			base, first, weeks[len(weeks)-1])
	case len(lost) == 1:
		im.note("the prices of 1 whole week, %s, are before the base week %s (base_week in settings.csv) and not published", first, base)
	case len(lost) > 1:
		im.note("the prices of %d whole weeks, from %s, are before the base week %s (base_week in settings.csv) and not published",
			len(lost), first, base)
	}
}

// labelAtStore is a group of rows that the gate judges alike, but for those that an entry names alone.
type labelAtStore struct{ label, store int64 }

// findMass refuses an import of rows of which a rule sets aside a large part. It is given how many rows are
// added of each group.
func (im *importer) findMass(fresh map[labelAtStore]int, labels []panel.Label) error {
	gates := labelGates(readGate(im.conn, specs.read(im.conn), quarantine.read(im.conn)), labels)
	if im.conn.err != nil {
		return im.conn.err
	}
	var mass panel.Mass
	active := func(listing, store int64) bool {
		l := im.refs.listings[listing]
		return l.Active && im.refs.stores[store].Active && im.refs.products[l.ProductID].Active
	}
	for at, n := range fresh {
		if g := gates[at.label]; active(g.Listing, at.store) {
			mass.Add(im.refs.listings[g.Listing].Banner, g.Judge(at.store, 0, im.opts.Now).Rule(), n)
		}
	}
	for _, e := range im.summary.Found {
		if e.Observation != 0 && im.added.has(e.Observation) {
			mass.Add(im.refs.listings[e.Listing].Banner, e.Rule.String(), 1)
			mass.Add(im.refs.listings[e.Listing].Banner, panel.Judgement{}.Rule(), -1)
		}
	}
	var found []string
	for _, x := range mass.Found() {
		if slices.Contains(im.opts.Accept, x.Rule) || slices.Contains(im.opts.Accept, AnyRule) {
			continue
		}
		text := x.String()
		if i := slices.IndexFunc(im.summary.Found, func(e panel.Quarantine) bool {
			return e.Rule.String() == x.Rule && cmp.Or(x.Banner, im.refs.listings[e.Listing].Banner) == im.refs.listings[e.Listing].Banner
		}); i >= 0 {
			e := &im.summary.Found[i]
			text += fmt.Sprintf(", such as retailer product %d: %s", e.Listing, e.Reason)
		}
		found = append(found, text)
	}
	if found == nil {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrMass, strings.Join(found, "; "))
}
