package reply

import (
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/internal/suggest"
	"github.com/larder-index/larder/panel"
)

// Params reads a query's parameters. The first one that is wrong becomes Err; from
// then on every method returns a zero value.
type Params struct {
	values map[string]string // those with a value
	Err    error
}

// ReadParams reads a query that may hold the given names. It refuses a name that
// is unknown or repeated, and text that is no query. An empty value counts as
// absent.
func ReadParams(raw string, names []string) (Params, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return Params{}, Invalid("", nil, "the query can't be read: write it as name=value&name=value, "+
			"with other characters than letters and digits as %%XX")
	}
	p := Params{values: map[string]string{}}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		switch list := values[name]; {
		case !slices.Contains(names, name):
			return Params{}, Invalid(state.Redact(name), names, "there is no parameter %s here: leave it out%s",
				Quote(name), Suggest(name, names))
		case len(list) > 1:
			return Params{}, Invalid(name, nil, "parameter %s stands in the query %d times; keep one", name, len(list))
		case list[0] != "":
			p.values[name] = list[0]
		}
	}
	return p, nil
}

// Value returns the value of a parameter: empty if it has none, or after an error.
func (p *Params) Value(name string) string {
	if p.Err != nil {
		return ""
	}
	return p.values[name]
}

// OneOf returns the value of a parameter, which must be one of those accepted.
func (p *Params) OneOf(name string, accepted []string) string {
	v := p.Value(name)
	if v != "" && !slices.Contains(accepted, v) {
		p.Err = Invalid(name, accepted, "%s: %s is not known here%s", name, Quote(v), Suggest(v, accepted))
		return ""
	}
	return v
}

// SomeOf returns the names in the value of a parameter, parted by commas. Each must be
// one of those accepted, and be there once.
func (p *Params) SomeOf(name string, accepted []string) (chosen []string) {
	v := p.Value(name)
	if v == "" {
		return nil
	}
	for one := range strings.SplitSeq(v, ",") {
		switch {
		case !slices.Contains(accepted, one):
			p.Err = Invalid(name, accepted,
				"%s: %s is not known here%s; write names with one comma between, such as %s",
				name, Quote(one), Suggest(one, accepted), strings.Join(accepted, ","))
			return nil
		case slices.Contains(chosen, one):
			p.Err = Invalid(name, accepted, "%s: %s is there twice; keep one", name, Quote(one))
			return nil
		}
		chosen = append(chosen, one)
	}
	return chosen
}

// Date returns the value of a parameter as a day, or the default.
func (p *Params) Date(name string, byDefault panel.Date) panel.Date {
	v := p.Value(name)
	if v == "" {
		return byDefault
	}
	d, err := panel.ParseDate(v)
	if err != nil {
		p.Err = Invalid(name, []string{"YYYY-MM-DD"}, "%s: %s is no date written YYYY-MM-DD, such as 2026-07-19",
			name, Quote(v))
	}
	return d
}

// Page is which rows of a result are wanted.
type Page struct{ Limit, Offset int }

// Page reads limit and offset. A limit above most becomes most. An offset is taken as it is, or refused.
func (p *Params) Page(byDefault, most int) Page {
	limit, offset := p.whole("limit", byDefault, 1), p.whole("offset", 0, 0)
	if offset == maxWhole {
		p.Err = Invalid("offset", nil, "offset: %s is more than any result has rows; follow meta.next_offset until "+
			"it is null", Quote(p.Value("offset")))
	}
	return Page{min(limit, most), offset}
}

// maxWhole is the largest whole number taken from a query: far more than there
// can be rows, and small enough to be added to.
const maxWhole = math.MaxInt / 2

// whole reads a whole number in digits. A number above maxWhole becomes maxWhole.
func (p *Params) whole(name string, byDefault, least int) int {
	v := p.Value(name)
	if v == "" {
		return byDefault
	}
	n, err := strconv.Atoi(v)
	digits := strings.Trim(v, "0123456789") == ""
	if digits && (err != nil || n > maxWhole) {
		n = maxWhole
	}
	if !digits || n < least {
		p.Err = Invalid(name, nil, "%s: %s is no whole number of at least %d", name, Quote(v), least)
		return 0
	}
	return n
}

// Quote shows what a client sent, cut when it is long, and without what looks like
// a key: clients pass errors on.
func Quote(v string) string {
	const most = 60
	v = state.Redact(v)
	if len(v) > most {
		return strconv.Quote(strings.ToValidUTF8(v[:most], "\uFFFD")) + "..."
	}
	return strconv.Quote(strings.ToValidUTF8(v, "\uFFFD"))
}

// Suggest names the accepted value that was most likely meant; empty if all are
// too different.
func Suggest(v string, accepted []string) string {
	best := suggest.Nearest(v, accepted)
	if best == "" {
		return ""
	}
	return "; did you mean " + strconv.Quote(best) + "?"
}

// All is how a filter that is not set reads in meta.
const All = "all"
