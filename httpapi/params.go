package httpapi

import (
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
)

// params reads a query's parameters. The first one that is wrong becomes err; from
// then on every method returns a zero value.
type params struct {
	values map[string]string // those with a value
	err    error
}

// readParams reads a query that may hold the given names. It refuses a name that
// is unknown or repeated, and text that is no query. An empty value counts as
// absent.
func readParams(raw string, names []string) (params, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return params{}, invalid("", nil, `the query can't be read: write it as name=value&name=value, with other characters than letters and digits as %%XX`)
	}
	p := params{values: map[string]string{}}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		switch list := values[name]; {
		case !slices.Contains(names, name):
			return params{}, invalid(state.Redact(name), names, "there is no parameter %s here%s", quote(name), suggest(name, names))
		case len(list) > 1:
			return params{}, invalid(name, nil, "parameter %s stands in the query %d times; keep one", name, len(list))
		case list[0] != "":
			p.values[name] = list[0]
		}
	}
	return p, nil
}

// value returns the value of a parameter: empty if it has none, or after an error.
func (p *params) value(name string) string {
	if p.err != nil {
		return ""
	}
	return p.values[name]
}

// oneOf returns the value of a parameter, which must be one of those accepted.
func (p *params) oneOf(name string, accepted []string) string {
	v := p.value(name)
	if v != "" && !slices.Contains(accepted, v) {
		p.err = invalid(name, accepted, "%s: %s is not known here%s", name, quote(v), suggest(v, accepted))
		return ""
	}
	return v
}

// someOf returns the names in the value of a parameter, parted by commas. Each must be
// one of those accepted, and be there once.
func (p *params) someOf(name string, accepted []string) (chosen []string) {
	v := p.value(name)
	if v == "" {
		return nil
	}
	for one := range strings.SplitSeq(v, ",") {
		switch {
		case !slices.Contains(accepted, one):
			p.err = invalid(name, accepted, "%s: %s is not known here%s; write names with one comma between, such as %s",
				name, quote(one), suggest(one, accepted), strings.Join(accepted, ","))
			return nil
		case slices.Contains(chosen, one):
			p.err = invalid(name, accepted, "%s: %s is there twice; keep one", name, quote(one))
			return nil
		}
		chosen = append(chosen, one)
	}
	return chosen
}

// date returns the value of a parameter as a day, or the default.
func (p *params) date(name string, byDefault panel.Date) panel.Date {
	v := p.value(name)
	if v == "" {
		return byDefault
	}
	d, err := panel.ParseDate(v)
	if err != nil {
		p.err = invalid(name, []string{"YYYY-MM-DD"}, "%s: %s is no date written YYYY-MM-DD, such as 2026-07-19", name, quote(v))
	}
	return d
}

// page is which rows of a result are wanted.
type page struct{ limit, offset int }

// page reads limit and offset. A limit above most becomes most.
func (p *params) page(byDefault, most int) page {
	limit := p.whole("limit", byDefault, 1)
	return page{min(limit, most), p.whole("offset", 0, 0)}
}

// maxWhole is the largest whole number taken from a query: far more than there
// can be rows, and small enough to be added to.
const maxWhole = math.MaxInt32

// whole reads a whole number in digits. A number above maxWhole becomes maxWhole:
// it only ever says "all" or "past the end".
func (p *params) whole(name string, byDefault, least int) int {
	v := p.value(name)
	if v == "" {
		return byDefault
	}
	n, err := strconv.Atoi(v)
	digits := strings.Trim(v, "0123456789") == ""
	if digits && (err != nil || n > maxWhole) {
		n = maxWhole
	}
	if !digits || n < least {
		p.err = invalid(name, nil, "%s: %s is no whole number of at least %d", name, quote(v), least)
		return 0
	}
	return n
}

// quote shows what a client sent, cut when it is long, and without what looks like
// a key: clients pass errors on.
func quote(v string) string {
	const most = 60
	v = state.Redact(v)
	if len(v) > most {
		return strconv.Quote(strings.ToValidUTF8(v[:most], "\uFFFD")) + "..."
	}
	return strconv.Quote(strings.ToValidUTF8(v, "\uFFFD"))
}

// suggest names the accepted value that was most likely meant; empty if all are
// too different.
func suggest(v string, accepted []string) string {
	const tooLong = 60
	if len(v) > tooLong {
		return ""
	}
	best, distance := "", 1+max(2, len(v)/3)
	for _, a := range accepted {
		if d := levenshtein.ComputeDistance(strings.ToLower(a), strings.ToLower(v)); d < distance {
			best, distance = a, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + strconv.Quote(best) + "?"
}

// all is how a filter that is not set reads in meta.
const all = "all"
