// Package enum gives the values of a small integer type their words. A type T keeps one
// list and writes its methods with it:
//
//	var words = enum.New("level", National, "national", "city", "banner")
//
//	func (l Level) String() string { return words.String(l) }
//
// Nothing here panics. A value without a word is an error of MarshalText, and String
// writes it with its number, such as level(7).
package enum

import (
	"fmt"
	"slices"
	"strings"
)

// Words has the words of a type's values. It is read-only.
type Words[T ~uint8 | ~int] struct {
	what  string // what a value is, in messages
	first T      // the value of the first word
	list  []string
}

// New returns the words of first, first+1 and so on.
func New[T ~uint8 | ~int](what string, first T, words ...string) *Words[T] {
	return &Words[T]{what, first, words}
}

// List returns all words, in the order of their values. The caller may change it.
func (w *Words[T]) List() []string { return slices.Clone(w.list) }

// Values returns all values that have a word, in their order.
func (w *Words[T]) Values() []T {
	all := make([]T, len(w.list))
	for i := range all {
		all[i] = w.first + T(i)
	}
	return all
}

// Has reports whether a value has a word.
func (w *Words[T]) Has(v T) bool { return v >= w.first && int(v-w.first) < len(w.list) }

// String returns the word of a value. Of an unknown value it returns, for instance, level(7).
func (w *Words[T]) String(v T) string {
	if !w.Has(v) {
		return fmt.Sprintf("%s(%d)", w.what, int(v))
	}
	return w.list[v-w.first]
}

// Parse returns the value of a word. The error lists the words. Capitals count.
func (w *Words[T]) Parse(word string) (T, error) {
	if i := slices.Index(w.list, word); i >= 0 {
		return w.first + T(i), nil
	}
	const most = 64 // a longer text is cut in the message
	return 0, fmt.Errorf("unknown %s %.*q; use one of %s", w.what, most, word, strings.Join(w.list, ", "))
}

// MarshalText returns the word of a value, or an error if it has none.
func (w *Words[T]) MarshalText(v T) ([]byte, error) {
	if !w.Has(v) {
		return nil, fmt.Errorf("no %s has the number %d", w.what, int(v))
	}
	return []byte(w.list[v-w.first]), nil
}

// UnmarshalText sets v to the value of a word, as Parse does.
func (w *Words[T]) UnmarshalText(v *T, word []byte) error {
	read, err := w.Parse(string(word))
	if err == nil {
		*v = read
	}
	return err
}
