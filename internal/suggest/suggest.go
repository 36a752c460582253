// Package suggest guesses which word of a list was meant by one that is not in it.
package suggest

import "strings"

// Nearest returns the first word that begins with what was typed. Without one it returns
// the word that takes the fewest letters put in, left out or replaced: at most two, or a
// third of the typed bytes if that is more. Of equally near words it returns the first.
// Capitals don't count. The result is "" if no word is near, or the text is longer than
// 60 bytes.
func Nearest(typed string, words []string) string {
	const tooLong = 60
	if typed == "" || len(typed) > tooLong {
		return ""
	}
	typed = strings.ToLower(typed)
	best, least := "", 1+max(2, len(typed)/3)
	for _, w := range words {
		lower := strings.ToLower(w)
		if strings.HasPrefix(lower, typed) {
			return w
		}
		if d := Distance(lower, typed); d < least {
			best, least = w, d
		}
	}
	return best
}

// Distance returns the least number of letters to put in, leave out or replace that turns one
// word into the other (Levenshtein).
func Distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	row := make([]int, len(to)+1) // of the beginnings of to, for a beginning of from
	for j := range row {
		row[j] = j
	}
	for i, letter := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, other := range to {
			least := min(row[j], row[j+1]) + 1
			if letter == other {
				least = diagonal
			} else {
				least = min(least, diagonal+1)
			}
			diagonal, row[j+1] = row[j+1], least
		}
	}
	return row[len(to)]
}
