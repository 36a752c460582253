package basket

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// City is one place where prices are collected.
type City struct {
	Slug     string `json:"slug"`     // "st-johns": lowercase, unique; the shopper interface's name for it
	Name     string `json:"name"`     // "St. John's": display name, unique; the index interface's name for it
	Province string `json:"province"` // "NL"; may be empty
}

// Validate returns an error that lists everything wrong with the city, or nil.
func (c City) Validate() error {
	return errors.Join(checkKey("slug", c.Slug), checkText("name", c.Name))
}

// Banner is one retail chain under one name. The shopper document calls it a
// chain.
type Banner struct {
	Key       string // lowercase, unique
	Name      string // display name
	Retailer  string // the company behind it
	InIndex   bool   // its prices count in the index
	InShopper bool   // it takes part in shopper comparisons
	Verified  bool   // its prices are reviewed one by one, with their own basis
}

// Validate returns an error that lists everything wrong with the banner, or nil.
func (b Banner) Validate() error {
	return errors.Join(checkKey("key", b.Key), checkText("name", b.Name), checkText("retailer", b.Retailer))
}

// checkKey takes what fits into a comma-separated list and a file name unchanged.
func checkKey(what, s string) error {
	foreign := func(r rune) bool {
		return !unicode.IsLower(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
	}
	if s != "" && !strings.ContainsFunc(s, foreign) {
		return nil
	}
	return fmt.Errorf("%s %q is not lowercase letters, digits, \"-\", \"_\" and \".\"", what, s)
}

func checkText(what, s string) error {
	if s != "" {
		return nil
	}
	return fmt.Errorf("%s is empty", what)
}
