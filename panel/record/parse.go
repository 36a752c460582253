package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/larder-index/larder/panel"
)

// maxNumber is the length in bytes of the longest cell that is read as a number, a date, a
// time or a word.
const maxNumber = 64

// Quote quotes a cell for a message and cuts it if it is long.
func Quote(cell string) string {
	if len(cell) <= maxNumber {
		return strconv.Quote(cell)
	}
	return strconv.Quote(strings.ToValidUTF8(cell[:maxNumber], "")) + fmt.Sprintf("... (%d bytes)", len(cell))
}

// parseInt reads a whole number from least to the largest int64, digits only.
func parseInt[V int | int64](cell string, least V, what string) (V, error) {
	v, err := strconv.ParseUint(cell, 10, 63)
	if err != nil || len(cell) > 19 || uint64(V(v)) != v || V(v) < least {
		return 0, fmt.Errorf("%s is not a whole number %s", Quote(cell), what)
	}
	return V(v), nil
}

func parseID(cell string) (int64, error) { return parseInt[int64](cell, 1, "above 0") }

func parseCount(cell string) (int, error) { return parseInt(cell, 0, "from 0") }

func parseListed(cell string) (int64, error) {
	id, err := parseID(cell)
	if err != nil {
		err = fmt.Errorf(`%w; ids stand between "|"`, err)
	}
	return id, err
}

// short refuses a cell that is longer than any number.
func short[V any](parse func(string) (V, error), kind, what string) func(cell string) (V, error) {
	return func(cell string) (v V, err error) {
		if len(cell) > maxNumber {
			return v, fmt.Errorf("%s%s is not %s", kind, Quote(cell), what)
		}
		return parse(cell)
	}
}

var errFloat = errors.New("is not a number of 0 or more, written in digits")

// parseFloat reads a finite number of 0 or more. An exponent may follow its digits.
func parseFloat(cell string) (float64, error) {
	digits, exponent, _ := strings.Cut(strings.ToLower(cell), "e")
	v, err := strconv.ParseFloat(cell, 64)
	switch {
	case len(cell) > maxNumber || strings.Trim(digits, "0123456789.") != "" ||
		strings.Trim(exponent, "0123456789+-") != "":
		err = errFloat
	case errors.Is(err, strconv.ErrRange):
		err = errors.New("is too large")
	case err != nil:
		err = errFloat
	case v == 0 && strings.ContainsAny(digits, "123456789"):
		err = errors.New("is too close to 0")
	default:
		return v, nil
	}
	return 0, fmt.Errorf("%s %w", Quote(cell), err)
}

var (
	firstDate = panel.DateOf(panel.FirstYear, time.January, 2) // Date 0, the day before, is "unknown"
	lastDate  = panel.DateOf(panel.LastYear, time.December, 31)

	errTime = errors.New("is not a time written as in RFC 3339, such as " +
		"2026-07-19T09:30:00-04:00 or 2026-07-19T13:30:00Z")
	errYear = fmt.Errorf("is not in the years %d to %d", panel.FirstYear, panel.LastYear)
)

func parseDate(cell string) (panel.Date, error) {
	d, err := panel.ParseDate(cell)
	if err != nil {
		return 0, fmt.Errorf("%s is not a day written YYYY-MM-DD", Quote(cell))
	}
	if d < firstDate || d > lastDate {
		return 0, fmt.Errorf("%s is not from %s to %s", cell, firstDate, lastDate)
	}
	return d, nil
}

func parseWeek(cell string) (panel.Week, error) {
	w, err := panel.ParseWeek(cell)
	if d := w.Date(); err == nil && (d < firstDate || d > lastDate) {
		err = fmt.Errorf("%s %w", cell, errYear)
	}
	return w, err
}

// parseTime reads an RFC 3339 timestamp and returns it in UTC. It is stricter than time.Parse,
// which takes hours of one digit, a decimal comma and offsets of 99 minutes, and cuts off what
// follows the ninth decimal.
func parseTime(cell string) (time.Time, error) {
	const hourEnd, secondEnd = len("2006-01-02T15"), len("2006-01-02T15:04:05")
	t, err := time.Parse(time.RFC3339, cell)
	if err != nil { // the letters may be small
		t, err = time.Parse(time.RFC3339, strings.ToUpper(cell))
	}
	ok := err == nil && cell[hourEnd] == ':' && cell[secondEnd] != ','
	if ok {
		zone := cell[len(cell)-1:]
		if zone != "Z" && zone != "z" {
			zone = cell[len(cell)-len("+00:00"):]
			ok = zone[1:3] <= "23" && zone[4:] <= "59"
		}
		ok = ok && len(cell)-secondEnd-len(zone) <= len(".123456789")
	}
	if !ok {
		return time.Time{}, fmt.Errorf("%s %w", Quote(cell), errTime)
	}
	if y := t.UTC().Year(); y < panel.FirstYear || y > panel.LastYear {
		return time.Time{}, fmt.Errorf("%s %w", Quote(cell), errYear)
	}
	return t.UTC(), nil
}

var errControl = errors.New("a line break or another control character; write it in one line")

// parseText reads a text of the publisher.
func parseText(cell string) (string, error) {
	if strings.ContainsFunc(cell, unicode.IsControl) {
		return "", errControl
	}
	return cell, nil
}

// parseScraped reads a text of a shop. It repairs one with control characters, which no client gets.
func parseScraped(cell string) (string, error) {
	if strings.ContainsFunc(cell, unicode.IsControl) {
		cell = panel.Repair(cell)
	}
	return cell, nil
}

// parseName reads a text without white space around it: a text that only looks like another is
// a mistake.
func parseName(cell string) (string, error) {
	switch strings.TrimSpace(cell) {
	case "":
		return "", errBlank
	case cell:
		return parseText(cell)
	}
	return "", fmt.Errorf("%s has white space around it", Quote(cell))
}

var errTerm = errors.New("a term has no letter or digit; " +
	`terms stand between "|" and, in require, groups of terms between "&"`)

// parseTerm reads a term. Titles are compared by their words alone, so a term without a letter
// or digit would fit none or all.
func parseTerm(term string) (string, error) {
	if !strings.ContainsFunc(term, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return "", errTerm
	}
	return term, nil
}

// promoMembers are the members that a promo_detail object may have, each with a value of its kind.
var promoMembers = map[json.Token]json.Token{
	"packagePrice": 1.5, "packageWasPrice": 1.5, "regularPriceBasisUnavailable": true,
}

const mayHave = "may have packagePrice, packageWasPrice (numbers) and regularPriceBasisUnavailable (true or false)"

var errPromo = errors.New("is not a JSON object; it " + mayHave)

// parsePromo takes an object as it is.
func parsePromo(cell string) (string, error) {
	dec := json.NewDecoder(strings.NewReader(cell))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') || !json.Valid([]byte(cell)) {
		return "", fmt.Errorf("%s %w", Quote(cell), errPromo)
	}
	seen := map[json.Token]bool{}
	for dec.More() {
		key, _ := dec.Token()
		value, err := dec.Token() // fails for a number out of range
		like, known := promoMembers[key]
		switch {
		case !known:
			return "", fmt.Errorf("%s has the unknown member %q; it %s", Quote(cell), key, mayHave)
		case seen[key]:
			return "", fmt.Errorf("%s has the member %q twice", Quote(cell), key)
		case err != nil || reflect.TypeOf(value) != reflect.TypeOf(like):
			return "", fmt.Errorf("%s has a wrong value for %q; it %s", Quote(cell), key, mayHave)
		}
		seen[key] = true
	}
	return cell, nil
}
