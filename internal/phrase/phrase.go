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
func Or(words []string) string { return join(words, " or ") }

// And joins words, such as "a, b and c".
func And(words []string) string { return join(words, " and ") }

func join(words []string, end string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + end + words[last]
}

// Cell returns a text as a cell of a CSV file that people open. One that a spreadsheet would take for a
// formula begins with an apostrophe.
func Cell(text string) string {
	if text != "" && strings.ContainsAny(text[:1], "=+-@\t\r") {
		return "'" + text
	}
	return text
}

// Text returns the text of a cell that Cell wrote.
func Text(cell string) string {
	if text, ok := strings.CutPrefix(cell, "'"); ok && Cell(text) == cell {
		return text
	}
	return cell
}
