package csvdir

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/larder-index/larder/panel"
)

// maxNumber is more characters than any number, date, time or word here needs.
const maxNumber = 64

// shorten quotes a value for a message, cut when it is long.
func shorten(cell []byte) string {
	if len(cell) <= maxNumber {
		return strconv.Quote(string(cell))
	}
	return strconv.Quote(strings.ToValidUTF8(string(cell[:maxNumber]), "")) + fmt.Sprintf("... (%d bytes)", len(cell))
}

// parseInt reads a whole number from 0 to the largest int64, digits only.
func parseInt(cell []byte) (int64, bool) {
	if len(cell) == 0 || len(cell) > 19 {
		return 0, false
	}
	var v uint64
	for _, c := range cell {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + uint64(c-'0')
	}
	return int64(v), v <= math.MaxInt64
}

// parsePrice reads a price; plain ones without garbage.
func parsePrice(cell []byte) (panel.Price, error) {
	if v, ok := plainFixed(cell); ok && panel.Price(v).Valid() {
		return panel.Price(v), nil
	}
	if len(cell) > maxNumber {
		return 0, fmt.Errorf("price %s is not a plain decimal number", shorten(cell))
	}
	return panel.ParsePrice(string(cell))
}

// plainFixed reads up to twelve digits and at most four decimals into
// ten-thousandths; false for everything that needs a closer look.
func plainFixed(cell []byte) (int64, bool) {
	if len(cell) == 0 || len(cell) > 12 || cell[0] == '.' || cell[len(cell)-1] == '.' {
		return 0, false
	}
	var v int64
	decimals := -1
	for _, c := range cell {
		switch {
		case c >= '0' && c <= '9':
			v = v*10 + int64(c-'0')
			if decimals >= 0 {
				decimals++
			}
		case c == '.' && decimals < 0:
			decimals = 0
		default:
			return 0, false
		}
	}
	if decimals > panel.PriceDecimals {
		return 0, false
	}
	for d := max(decimals, 0); d < panel.PriceDecimals; d++ {
		v *= 10
	}
	return v, true
}

var errFloat = errors.New("is not a number of 0 or more, written in digits")

// parseFloat reads a finite number of 0 or more.
func parseFloat(cell []byte) (float64, error) {
	if len(cell) > maxNumber {
		return 0, errFloat
	}
	for i, c := range cell {
		switch {
		case c >= '0' && c <= '9' || c == '.':
		case i > 0 && (c == 'e' || c == 'E' || c == '+' || c == '-'):
		default: // a sign, a hexadecimal number, an infinity or no number
			return 0, errFloat
		}
	}
	v, err := strconv.ParseFloat(string(cell), 64)
	if err != nil {
		return 0, floatError(err)
	}
	if v == 0 {
		digits, _, _ := bytes.Cut(bytes.ToLower(cell), []byte{'e'})
		if bytes.ContainsAny(digits, "123456789") {
			return 0, errors.New("is too close to 0")
		}
	}
	return v, nil
}

func floatError(err error) error {
	if errors.Is(err, strconv.ErrRange) {
		return errors.New("is too large")
	}
	return errFloat
}

// The years of the dates and times that a panel holds.
const (
	firstYear = 1970
	lastYear  = 2199
)

var (
	firstDate = panel.DateOf(firstYear, time.January, 2) // the day before stands for "unknown"
	lastDate  = panel.DateOf(lastYear, time.December, 31)
	endSecond = (int64(lastDate) + 1) * secondsPerDay
)

const secondsPerDay = 24 * 60 * 60

var (
	errTime = errors.New("is not a time written as in RFC 3339, such as 2026-07-19T09:30:00-04:00 or 2026-07-19T13:30:00Z")
	errYear = fmt.Errorf("is not in the years %d to %d", firstYear, lastYear)
)

// parseTime reads an RFC 3339 timestamp. It is stricter than time.Parse: more
// than nine decimals of a second are refused rather than cut off.
func parseTime(b []byte) (time.Time, error) {
	day, ok := parseDay(b)
	if !ok || len(b) < 20 || b[10] != 'T' && b[10] != 't' || b[13] != ':' || b[16] != ':' {
		return time.Time{}, errTime
	}
	hour, ok1 := twoDigits(b[11:], 23)
	minute, ok2 := twoDigits(b[14:], 59)
	second, ok3 := twoDigits(b[17:], 59)
	rest, nanos, ok4 := parseFraction(b[19:])
	offset, ok5 := parseOffset(rest)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 {
		return time.Time{}, errTime
	}
	unix := int64(day)*secondsPerDay + int64(hour*3600+minute*60+second) - int64(offset)
	if unix < 0 || unix >= endSecond {
		return time.Time{}, errYear
	}
	return time.Unix(unix, int64(nanos)).UTC(), nil
}

// parseFraction reads the decimals of a second, if there are any.
func parseFraction(b []byte) (rest []byte, nanos int, ok bool) {
	if len(b) == 0 || b[0] != '.' {
		return b, 0, true
	}
	n, unit := 1, 100_000_000
	for ; n < len(b) && b[n] >= '0' && b[n] <= '9'; n++ {
		if unit == 0 {
			return nil, 0, false
		}
		nanos += unit * int(b[n]-'0')
		unit /= 10
	}
	return b[n:], nanos, n > 1
}

// parseOffset reads Z or an offset such as -04:00, in seconds.
func parseOffset(b []byte) (seconds int, ok bool) {
	if len(b) == 1 && (b[0] == 'Z' || b[0] == 'z') {
		return 0, true
	}
	if len(b) != 6 || b[0] != '+' && b[0] != '-' || b[3] != ':' {
		return 0, false
	}
	hour, ok1 := twoDigits(b[1:], 23)
	minute, ok2 := twoDigits(b[4:], 59)
	seconds = hour*3600 + minute*60
	if b[0] == '-' {
		seconds = -seconds
	}
	return seconds, ok1 && ok2
}

// parseDay reads the YYYY-MM-DD that b starts with.
func parseDay(b []byte) (panel.Date, bool) {
	if len(b) < 10 || b[4] != '-' || b[7] != '-' {
		return 0, false
	}
	century, ok1 := twoDigits(b, 99)
	year, ok2 := twoDigits(b[2:], 99)
	month, ok3 := twoDigits(b[5:], 12)
	day, ok4 := twoDigits(b[8:], 31)
	year += 100 * century
	if !ok1 || !ok2 || !ok3 || !ok4 || month == 0 || day == 0 || day > daysIn(year, month) {
		return 0, false
	}
	// Days since 1970-01-01 on a calendar whose year starts in March.
	y, m := year, month-3
	if m < 0 {
		y, m = y-1, m+12
	}
	return panel.Date(365*y + y/4 - y/100 + y/400 + (153*m+2)/5 + day - 1 - 719468), true
}

func daysIn(year, month int) int {
	switch {
	case month == 4 || month == 6 || month == 9 || month == 11:
		return 30
	case month != 2:
		return 31
	case year%4 == 0 && (year%100 != 0 || year%400 == 0):
		return 29
	}
	return 28
}

func twoDigits(b []byte, most int) (int, bool) {
	if len(b) < 2 || b[0] < '0' || b[0] > '9' || b[1] < '0' || b[1] > '9' {
		return 0, false
	}
	v := int(b[0]-'0')*10 + int(b[1]-'0')
	return v, v <= most
}
