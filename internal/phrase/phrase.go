// Package phrase writes small parts of sentences.
package phrase

import (
	"fmt"
	"strings"
)

// Count writes a count of things, such as "1 row" or "2 rows".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Or joins words, such as "a, b or c". One word stays as it is.
func Or(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
