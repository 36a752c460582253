package panel

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/larder-index/larder/basket"
)

// textField is a text. Nothing known is the empty text.
type textField struct{ v *string }

func (f textField) Parse(cell string) error { *f.v = cell; return nil }
func (f textField) Append(b []byte) []byte  { return appendCell(b, *f.v) }
func (f textField) Stored() any             { return textOrNull(*f.v) }
func (f textField) Restore(stored any)      { *f.v, _ = stored.(string) }

func textOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// appendCell appends a text as a CSV cell.
func appendCell(b []byte, s string) []byte {
	if !strings.ContainsAny(s, ",\"\r\n") {
		return append(b, s...)
	}
	return append(append(append(b, '"'), strings.ReplaceAll(s, `"`, `""`)...), '"')
}

// nameField is a text that other rows or people refer to: it has no white
// space around it, since a text that only looks like another is a mistake.
type nameField struct{ v *string }

func (f nameField) Parse(cell string) error {
	switch bare := strings.TrimSpace(cell); {
	case bare == "":
		return errBlank
	case bare != cell:
		return fmt.Errorf("%s has white space around it", shorten(cell))
	}
	*f.v = cell
	return nil
}

func (f nameField) Append(b []byte) []byte { return appendCell(b, *f.v) }
func (f nameField) Stored() any            { return *f.v }
func (f nameField) Restore(stored any)     { *f.v, _ = stored.(string) }

// titleField is a text that snapshots store even if it is empty.
type titleField struct{ textField }

func (f titleField) Stored() any { return *f.v }

// promoField is promo_detail: a JSON object, checked and kept as it is.
type promoField struct{ v *string }

func (f promoField) Parse(cell string) error {
	if err := checkPromo(cell); err != nil {
		return fmt.Errorf("%s %w", shorten(cell), err)
	}
	*f.v = cell
	return nil
}

func (f promoField) Append(b []byte) []byte { return appendCell(b, *f.v) }
func (f promoField) Stored() any            { return textOrNull(*f.v) }
func (f promoField) Restore(stored any)     { *f.v, _ = stored.(string) }

// aliasesField is a list of texts with "|" between.
type aliasesField struct{ v *[]string }

func (f aliasesField) Parse(cell string) error { *f.v = strings.Split(cell, "|"); return nil }
func (f aliasesField) Append(b []byte) []byte  { return appendCell(b, strings.Join(*f.v, "|")) }
func (f aliasesField) Stored() any             { return textOrNull(strings.Join(*f.v, "|")) }

func (f aliasesField) Restore(stored any) {
	if s, _ := stored.(string); s != "" {
		*f.v = strings.Split(s, "|")
	}
}

// termsField is a list of terms, each with a letter or digit.
type termsField struct{ v *[]string }

func (f termsField) Parse(cell string) error {
	if slices.ContainsFunc(strings.Split(cell, "|"), hasNoWord) {
		return errTerm
	}
	return aliasesField(f).Parse(cell)
}

func (f termsField) Append(b []byte) []byte { return aliasesField(f).Append(b) }
func (f termsField) Stored() any            { return aliasesField(f).Stored() }
func (f termsField) Restore(stored any)     { aliasesField(f).Restore(stored) }

// groupsField is a list of lists of terms, with "&" between the lists.
type groupsField struct{ v *[][]string }

func (f groupsField) Parse(cell string) error {
	for _, group := range strings.Split(cell, "&") {
		var terms []string
		if err := (termsField{&terms}).Parse(group); err != nil {
			return err
		}
		*f.v = append(*f.v, terms)
	}
	return nil
}

func (f groupsField) text() string {
	groups := make([]string, len(*f.v))
	for i, terms := range *f.v {
		groups[i] = strings.Join(terms, "|")
	}
	return strings.Join(groups, "&")
}

func (f groupsField) Append(b []byte) []byte { return appendCell(b, f.text()) }
func (f groupsField) Stored() any            { return textOrNull(f.text()) }

func (f groupsField) Restore(stored any) {
	if s, _ := stored.(string); s != "" {
		for _, group := range strings.Split(s, "&") {
			*f.v = append(*f.v, strings.Split(group, "|"))
		}
	}
}

// idsField is a list of ids.
type idsField struct{ v *[]int64 }

func (f idsField) Parse(cell string) error {
	for _, s := range strings.Split(cell, "|") {
		id, err := parseID(s)
		if err != nil {
			return fmt.Errorf(`%w; ids stand between "|"`, err)
		}
		*f.v = append(*f.v, id)
	}
	return nil
}

func (f idsField) Append(b []byte) []byte {
	for i, id := range *f.v {
		if i > 0 {
			b = append(b, '|')
		}
		b = strconv.AppendInt(b, id, 10)
	}
	return b
}

func (f idsField) Stored() any { return textOrNull(string(f.Append(nil))) }

func (f idsField) Restore(stored any) {
	if s, _ := stored.(string); s != "" {
		_ = f.Parse(s) // stored lists are well-formed: import has checked them
	}
}

// wordField is one of the words that a type of package basket has for its
// values.
type wordField[V fmt.Stringer] struct {
	v     *V
	parse func(string) (V, error)
	what  string
}

func (f wordField[V]) Parse(cell string) (err error) {
	if len(cell) > maxNumber {
		return fmt.Errorf("%s is not %s", shorten(cell), f.what)
	}
	if *f.v, err = f.parse(cell); err != nil {
		return fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "basket: "))
	}
	return nil
}

func (f wordField[V]) Append(b []byte) []byte { return append(b, (*f.v).String()...) }
func (f wordField[V]) Stored() any            { return (*f.v).String() }

// Restore leaves 0 for an unknown word. The builder refuses it.
func (f wordField[V]) Restore(stored any) {
	s, _ := stored.(string)
	*f.v, _ = f.parse(s)
}

// sliceField is a category, or nothing for the headline.
type sliceField struct{ v *basket.Category }

func (f sliceField) Parse(cell string) (err error) {
	if *f.v, err = basket.ParseCategory(cell); err != nil {
		return fmt.Errorf("%s is no category; it may be empty for the headline", shorten(cell))
	}
	return nil
}

func (f sliceField) text() string {
	if *f.v == basket.Overall {
		return ""
	}
	return f.v.String()
}

func (f sliceField) Append(b []byte) []byte { return append(b, f.text()...) }
func (f sliceField) Stored() any            { return textOrNull(f.text()) }
func (f sliceField) Restore(stored any)     { s, _ := stored.(string); *f.v, _ = basket.ParseCategory(s) }

// levelField is a pilot row's level. The row's place implies it, so reading it
// sets nothing.
type levelField struct{ r *PilotRow }

func (levelField) Parse(string) error       { return nil }
func (f levelField) Append(b []byte) []byte { return append(b, f.r.Level()...) }
func (f levelField) Stored() any            { return f.r.Level() }
func (levelField) Restore(any)              {}

// conditionField is a sale condition.
type conditionField struct{ v *SaleCondition }

func (f conditionField) Parse(cell string) error { return parseWord(f.v, cell, SaleConditions[:]) }
func (f conditionField) Append(b []byte) []byte  { return append(b, SaleConditions[*f.v]...) }
func (f conditionField) Stored() any             { return numberOrNull(int64(*f.v)) }
func (f conditionField) Restore(stored any)      { n, _ := stored.(int64); *f.v = SaleCondition(n) }

// sourceField is the source of a regular price.
type sourceField struct{ v *RegularSource }

func (f sourceField) Parse(cell string) error { return parseWord(f.v, cell, RegularSources[:]) }
func (f sourceField) Append(b []byte) []byte  { return append(b, RegularSources[*f.v]...) }
func (f sourceField) Stored() any             { return numberOrNull(int64(*f.v)) }
func (f sourceField) Restore(stored any)      { n, _ := stored.(int64); *f.v = RegularSource(n) }

// ruleField is the rule of a quarantine entry. Snapshots store its name.
type ruleField struct{ v *QuarantineRule }

func (f ruleField) Parse(cell string) error { return parseWord(f.v, cell, QuarantineRules[:]) }
func (f ruleField) Append(b []byte) []byte  { return append(b, QuarantineRules[*f.v]...) }
func (f ruleField) Stored() any             { return f.v.String() }

func (f ruleField) Restore(stored any) {
	s, _ := stored.(string)
	*f.v = QuarantineRule(max(0, slices.Index(QuarantineRules[:], s)))
}

// parseWord sets v to the place of a cell's word among the words. The first is
// the meaning of an empty cell.
func parseWord[W ~uint8](v *W, cell string, words []string) error {
	at := slices.Index(words, cell)
	if at < 0 {
		if words[0] == "" {
			words = words[1:]
		}
		return fmt.Errorf("%s is not one of %s, or empty", shorten(cell), strings.Join(words, ", "))
	}
	*v = W(at)
	return nil
}
