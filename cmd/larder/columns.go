package main

import (
	"bufio"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// column is one column of a printed table.
type column struct {
	head  string
	right bool // numbers stand to the right
}

func left(head string) column  { return column{head, false} }
func right(head string) column { return column{head, true} }

// noValue stands in a table where there is none.
const noValue = "-"

// printColumns writes rows under their heads, two spaces between columns. Cells
// may hold scraped text.
func printColumns(w io.Writer, columns []column, rows [][]string) error {
	widths := make([]int, len(columns))
	heads := make([]string, len(columns))
	for i, c := range columns {
		heads[i] = c.head
		widths[i] = utf8.RuneCountInString(c.head)
	}
	for _, row := range rows {
		for i, cell := range row {
			cell = printable(cell)
			row[i] = cell
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	out := bufio.NewWriter(w)
	line := func(cells []string) {
		var sb strings.Builder
		for i, cell := range cells {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if columns[i].right {
				sb.WriteString(pad + cell)
			} else {
				sb.WriteString(cell + pad)
			}
			sb.WriteString("  ")
		}
		out.WriteString(strings.TrimRight(sb.String(), " ") + "\n")
	}
	line(heads)
	for _, row := range rows {
		line(row)
	}
	return out.Flush()
}

// orDash returns s, or noValue when it is empty.
func orDash(s string) string {
	if s == "" {
		return noValue
	}
	return s
}

// printable keeps scraped text from steering the terminal or breaking a line.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsPrint(r):
			return r
		case unicode.Is(unicode.Zs, r): // a no-break space, say
			return ' '
		}
		return unicode.ReplacementChar
	}, s)
}
