package csvdir

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// promoMembers are the members that a promo_detail object may have, and
// whether each is a number; otherwise it is true or false.
var promoMembers = map[string]bool{
	"packagePrice": true, "packageWasPrice": true, "regularPriceBasisUnavailable": false,
}

const mayHave = "may have packagePrice, packageWasPrice (numbers) and regularPriceBasisUnavailable (true or false)"

var errPromo = errors.New("is not a JSON object; it " + mayHave)

// promoColumn is for promo_detail: checked, and kept as the text it is.
func promoColumn[T any](name string, at func(*T) *string) column[T] {
	return column[T]{
		name: name,
		decode: func(d *decoder, cell []byte, r *T) error {
			if len(cell) > 0 {
				if err := checkPromo(string(cell)); err != nil {
					return fmt.Errorf("%s: %s %w", name, shorten(cell), err)
				}
			}
			*at(r) = d.text(cell)
			return nil
		},
		encode: func(b []byte, r *T) []byte { return appendText(b, *at(r)) },
	}
}

func checkPromo(text string) error {
	if !json.Valid([]byte(text)) || strings.TrimLeft(text, " \t\r\n")[0] != '{' {
		return errPromo
	}
	dec := json.NewDecoder(strings.NewReader(text))
	if _, err := dec.Token(); err != nil { // the opening brace
		return errPromo
	}
	seen := map[string]bool{}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return errPromo
		}
		key := t.(string) // the decoder gives nothing else for a member's name
		number, known := promoMembers[key]
		if !known {
			return fmt.Errorf("has the unknown member %q; it %s", key, mayHave)
		}
		if seen[key] {
			return fmt.Errorf("has the member %q twice", key)
		}
		seen[key] = true
		v, err := dec.Token() // an error is a number out of range
		switch v.(type) {
		case float64:
			if number && err == nil {
				continue
			}
		case bool:
			if !number {
				continue
			}
		}
		return fmt.Errorf("has a wrong value for %q; it %s", key, mayHave)
	}
	return nil
}
