package httpapi

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
)

// params are a query's parameters that have a value; each stands there once.
type params map[string]string

// readParams reads a query that may hold the given names. An unknown name, a
// name that stands twice and text that is no query are refused; an empty value
// is none.
func readParams(raw string, names []string) (params, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, invalid("", nil, `the query can't be read: write it as name=value&name=value, with other characters than letters and digits as %%XX`)
	}
	p := params{}
	for _, name := range slices.Sorted(mapsKeys(values)) {
		switch list := values[name]; {
		case !slices.Contains(names, name):
			return nil, invalid(state.Redact(name), names, "there is no parameter %s here%s", quote(name), suggest(name, names))
		case len(list) > 1:
			return nil, invalid(name, nil, "parameter %s stands in the query %d times; keep one", name, len(list))
		case list[0] != "":
			p[name] = list[0]
		}
	}
	return p, nil
}

func mapsKeys(v url.Values) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range v {
			if !yield(k) {
				return
			}
		}
	}
}

// oneOf returns the value of a parameter, empty if it has none, which must be
// one of those accepted.
func (p params) oneOf(name string, accepted []string) (string, error) {
	v := p[name]
	if v == "" || slices.Contains(accepted, v) {
		return v, nil
	}
	return "", invalid(name, accepted, "%s: %s is not known here%s", name, quote(v), suggest(v, accepted))
}

// date returns the value of a parameter as a day, or the default.
func (p params) date(name string, byDefault panel.Date) (panel.Date, error) {
	v := p[name]
	if v == "" {
		return byDefault, nil
	}
	d, err := panel.ParseDate(v)
	if err != nil {
		return 0, invalid(name, []string{"YYYY-MM-DD"}, "%s: %s is no date written YYYY-MM-DD, such as 2026-07-19", name, quote(v))
	}
	return d, nil
}

// page is which rows of a result are wanted.
type page struct{ limit, offset int }

// page reads limit and offset. A limit above the cap is the cap.
func (p params) page(byDefault, most int) (pg page, err error) {
	if pg.limit, err = p.whole("limit", byDefault, 1); err != nil {
		return pg, err
	}
	pg.limit = min(pg.limit, most)
	pg.offset, err = p.whole("offset", 0, 0)
	return pg, err
}

// maxWhole is the largest whole number taken from a query: far more than there
// can be rows, and small enough to be added to.
const maxWhole = math.MaxInt32

// whole reads a whole number in digits. A number too large to hold is held at
// maxWhole: it only ever says "all" or "past the end".
func (p params) whole(name string, byDefault, least int) (int, error) {
	v := p[name]
	if v == "" {
		return byDefault, nil
	}
	bad := invalid(name, nil, "%s: %s is no whole number of at least %d", name, quote(v), least)
	if strings.Trim(v, "0123456789") != "" {
		return 0, bad
	}
	n, err := strconv.Atoi(v)
	if err != nil || n > maxWhole {
		n = maxWhole
	}
	if n < least {
		return 0, bad
	}
	return n, nil
}

// quote shows what a client sent, cut when it is long, and without what looks like
// a key: errors are passed on.
func quote(v string) string {
	const most = 60
	v = state.Redact(v)
	if len(v) > most {
		return strconv.Quote(strings.ToValidUTF8(v[:most], "\uFFFD")) + "..."
	}
	return strconv.Quote(strings.ToValidUTF8(v, "\uFFFD"))
}

// suggest names the accepted value that was most likely meant.
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
