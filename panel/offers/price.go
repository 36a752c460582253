package offers

import (
	"errors"
	"regexp"
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
	Size  string // that the price is for: "100 g" in "1.99/100 g"; "": the pack
}

// Why a text is no price.
var (
	errEmpty    = errors.New("is empty")
	errZero     = errors.New("is zero")
	errDecimals = errors.New("has more than 4 decimals")
	errLarge    = errors.New("is above ten million")
)

// signs are the ways to write a currency beside its code.
var signs = map[string]string{
	"AUD": "$ A$", "BGN": "лв. лв", "BRL": "R$", "CAD": "$ C$ CA$", "CHF": "Fr. SFr.", "CZK": "Kč", "DKK": "kr. kr",
	"EUR": "€", "GBP": "£", "HRK": "kn", "HUF": "Ft", "ILS": "₪", "INR": "₹", "JPY": "¥ 円", "KRW": "₩", "MXN": "$",
	"NOK": "kr", "NZD": "$", "PLN": "zł", "RON": "lei", "RSD": "din. din", "SEK": "kr", "TRY": "₺ TL", "UAH": "₴ грн",
	"USD": "$ US$", "ZAR": "R",
}

const digits = "0123456789"

// Parse reads the text of a price cell. It never guesses.
func (m Money) Parse(text string) (Amount, error) {
	a := Amount{Packs: 1}
	left, right, cut := strings.Cut(strings.Replace(text, " for ", "/", 1), "/")
	left, right = strings.TrimSpace(left), strings.TrimSpace(right)
	if cut {
		packs, err := strconv.Atoi(left)
		bare := m.bare(right)
		marked := strings.Trim(bare, digits+".,") == "" && (bare != right || strings.ContainsAny(right, ".,"))
		a.Size = right
		if strings.TrimLeft(right, digits) == right {
			a.Size = "1 " + right
		}
		size, bad := basket.ParseSize(a.Size)
		switch {
		case err == nil && packs > 1 && packs < 100 && marked:
			a.Packs, a.Size, left = packs, "", right
		case bad != nil:
			return a, errors.New("is a price per something that is no size")
		case size.Unit == basket.Count && size.Quantity == 1: // per bag
			a.Size = ""
		}
	}
	units, err := m.units(m.bare(left))
	per := int64(a.Packs)
	if m.Cents {
		per *= 100
	}
	a.Price = panel.Price((units + per/2) / per) // each of 3 for 5.00 to the nearest ten-thousandth
	switch {
	case err != nil:
		return a, err
	case m.Cents && units%100 != 0:
		return a, errDecimals
	case a.Price == 0:
		return a, errZero
	case !a.Price.Valid():
		return a, errLarge
	}
	return a, nil
}

// bare takes the currency's code and signs off.
func (m Money) bare(s string) string {
	if strings.Trim(s, digits+".,") != "" {
		for _, sign := range append([]string{m.Currency}, strings.Fields(signs[m.Currency])...) {
			s = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(s, sign), sign))
		}
	}
	return s
}

// grouped are numbers of which a mark parts groups of three digits.
var grouped = regexp.MustCompile(`^[1-9]\d?\d?(?:\D\d{3})+$`)

// units reads a number into ten-thousandths.
func (m Money) units(s string) (int64, error) {
	switch {
	case s == "":
		return 0, errEmpty
	case strings.Trim(s, digits+".,'’ \u00a0\u202f") != "" || !strings.ContainsAny(s, digits):
		return 0, errors.New("is not a price in " + m.Currency)
	}
	mark := m.Mark
	if i := strings.LastIndexAny(s, ".,"); i >= 0 && mark == 0 && strings.Count(s, s[i:i+1]) == 1 {
		mark = s[i]
		if len(s)-i == 4 && i > 0 && i < 4 && s[0] != '0' && strings.Trim(s[:i], digits) == "" {
			return 0, errors.New("has a mark that may be decimal or of thousands; " +
				"a row decimal of the mapping says which")
		}
	}
	whole, fraction, _ := strings.Cut(s, string(rune(mark)))
	fraction = strings.TrimRight(fraction, "0")
	if rest := strings.TrimLeft(whole, digits); rest != "" && grouped.MatchString(whole) {
		_, n := utf8.DecodeRuneInString(rest)
		whole = strings.ReplaceAll(whole, rest[:n], "")
	}
	units, err := strconv.ParseInt(whole+(fraction + "0000")[:panel.PriceDecimals], 10, 64)
	switch {
	case strings.Trim(whole+fraction, digits) != "":
		return 0, errors.New("has marks that do not fit the file's decimal mark")
	case len(fraction) > panel.PriceDecimals:
		return 0, errDecimals
	case err != nil || len(whole) > 12:
		return 0, errLarge
	}
	return units, nil
}
