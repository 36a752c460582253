package offers

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Money says how a file writes amounts.
type Money struct {
	Currency string // ISO 4217; its code and sign may stand beside an amount
	Mark     byte   // decimal mark, '.' or ','; 0: not known, then 1,234 is refused
	Cents    bool   // amounts are in hundredths
}

// Amount is what a price cell says.
type Amount struct {
	Price panel.Price
	Packs int    // that the price holds for: 2 in "2/$7.00", which is 3.50 each; else 1
	Size  string // that the price is for: "100 g" in "1.99/100g"; "": the pack
}

// The reasons why a text is no price.
var (
	errEmpty     = errors.New("is empty")
	errNotPrice  = errors.New("is not a price")
	errZero      = errors.New("is zero")
	errNegative  = errors.New("is below 0")
	errCurrency  = errors.New("is in another currency")
	errAmbiguous = errors.New("has a mark that may be decimal or of thousands; a row decimal of the mapping says which")
	errGroups    = errors.New("has marks that do not fit the file's decimal mark")
	errDecimals  = errors.New("has more than 4 decimals")
	errTooLarge  = errors.New("is above ten million")
	errPer       = errors.New("is a price per something that is no size")
)

// signs are the ways to write a currency beside its ISO code.
var signs = map[string]string{
	"AUD": "$ A$", "BGN": "лв. лв", "BRL": "R$", "CAD": "$ C$ CA$", "CHF": "Fr. SFr.", "CZK": "Kč", "DKK": "kr. kr",
	"EUR": "€", "GBP": "£", "HRK": "kn", "HUF": "Ft", "ILS": "₪", "INR": "₹", "JPY": "¥ 円", "KRW": "₩", "MXN": "$",
	"NOK": "kr", "NZD": "$", "PLN": "zł", "RON": "lei", "RSD": "din. din", "SEK": "kr", "TRY": "₺ TL", "UAH": "₴ грн",
	"USD": "$ US$", "ZAR": "R",
}

// Parse reads the text of a price cell. It never guesses.
func (m Money) Parse(text string) (Amount, error) {
	a := Amount{Packs: 1}
	s := strings.TrimSpace(text)
	count, right, cut := strings.Cut(s, "/")
	if !cut {
		count, right, cut = strings.Cut(s, " for ")
	}
	if cut {
		s, right = strings.TrimSpace(count), strings.TrimSpace(right)
		packs, err := strconv.Atoi(s)
		switch word := strings.TrimLeft(right, "0123456789 "); {
		case err == nil && packs > 1 && packs < 100 && m.marked(right):
			a.Packs, s = packs, right
		case strings.Contains(perPack, " "+strings.ToLower(word)+" ") && strings.Trim(right, "1 ") == word:
		case word == right:
			a.Size = "1 " + word
		default:
			a.Size = right
		}
	}
	if a.Size != "" {
		size, err := basket.ParseSize(a.Size)
		if err != nil {
			return a, errPer
		}
		if size.Unit == basket.Count && size.Quantity == 1 { // per bag
			a.Size = ""
		}
	}
	s, cents := strings.CutSuffix(m.bare(s), "¢")
	units, err := m.units(s)
	if err != nil {
		return a, err
	}
	per := int64(a.Packs)
	if cents || m.Cents {
		if units%100 != 0 {
			return a, errDecimals
		}
		per *= 100
	}
	a.Price = panel.Price((units + per/2) / per) // each of 3 for 5.00 to the nearest ten-thousandth
	switch {
	case a.Price == 0:
		return a, errZero
	case !a.Price.Valid():
		return a, errTooLarge
	}
	return a, nil
}

// perPack are words that a price is per when it is of the pack.
const perPack = " ea each item pc pcs pkg pack unit stk st stück kom szt ks db бр "

// marked reports whether a text is an amount by its sign or its decimals.
func (m Money) marked(s string) bool {
	bare := m.bare(s)
	return strings.Trim(bare, "0123456789.,") == "" && (bare != s || strings.ContainsAny(s, ".,"))
}

// bare takes the currency's code and signs off.
func (m Money) bare(s string) string {
	if s == "" || isDigit(s[0]) && isDigit(s[len(s)-1]) {
		return s
	}
	for _, sign := range append([]string{m.Currency}, strings.Fields(signs[m.Currency])...) {
		if n := len(s) - len(sign); n > 0 && strings.EqualFold(s[n:], sign) {
			s = strings.TrimSpace(s[:n])
		} else if n > 0 && strings.EqualFold(s[:len(sign)], sign) {
			s = strings.TrimSpace(s[len(sign):])
		}
	}
	return s
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

const digits = "0123456789"

// units reads a number into ten-thousandths.
func (m Money) units(s string) (int64, error) {
	for _, end := range []string{",-", ".-", ",–", ",—"} { // 3,- is a whole 3
		s = strings.TrimSuffix(s, end)
	}
	if strings.Trim(s, digits+".,'’ \u00a0\u202f") != "" || !strings.ContainsAny(s, digits) {
		return 0, notNumber(s)
	}
	mark := m.Mark
	if i := strings.LastIndexAny(s, ".,"); i >= 0 && mark == 0 && strings.Count(s, s[i:i+1]) == 1 {
		if len(s)-i == 4 && i > 0 && i < 4 && s[0] != '0' && strings.Trim(s[:i], digits) == "" {
			return 0, errAmbiguous
		}
		mark = s[i]
	}
	whole, fraction := s, ""
	if i := strings.IndexByte(s, mark); i >= 0 {
		whole, fraction = s[:i], strings.TrimRight(s[i+1:], "0")
	}
	if rest := strings.TrimLeft(whole, digits); rest != "" { // groups of three
		_, n := utf8.DecodeRuneInString(rest)
		parts := strings.Split(whole, rest[:n])
		for i, p := range parts {
			if len(p) != 3 && (i > 0 || len(p) > 3 || p == "") || i == 0 && p[0] == '0' {
				return 0, errGroups
			}
		}
		whole = strings.Join(parts, "")
	}
	switch {
	case strings.Trim(whole, digits) != "" || strings.Trim(fraction, digits) != "":
		return 0, errGroups
	case len(fraction) > panel.PriceDecimals:
		return 0, errDecimals
	case len(whole) > 12:
		return 0, errTooLarge
	}
	return strconv.ParseInt(whole+(fraction + "0000")[:panel.PriceDecimals], 10, 64)
}

// notNumber says why a text is no number above 0.
func notNumber(s string) error {
	if amount := strings.TrimLeft(s, "-−"); amount != s && amount != "" && isDigit(amount[0]) {
		return errNegative
	}
	word := strings.Trim(s, digits+"., \u00a0")
	for code, list := range signs {
		if word == code || word != "" && strings.Contains(" "+list+" ", " "+word+" ") {
			return errCurrency
		}
	}
	if s == "" {
		return errEmpty
	}
	return errNotPrice
}
