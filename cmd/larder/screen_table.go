package main

import (
	"slices"
	"strings"

	"github.com/rivo/uniseg"
)

// table is a sheet as text.
type table struct {
	heads []string
	right []bool // the column's cells end at one place
	rows  [][]string
}

const (
	gap         = 2  // columns of space between columns of a table
	comfortable = 24 // columns that a text needs before others make room for it
	narrowest   = 8  // columns of a text column that is broken
)

// fit returns the table in lines of at most width. Columns whose cells repeat become
// headings: one above the table when all cells are equal, else one before each run.
// Then texts are broken over several lines. A table that is too wide even then becomes a
// list of its rows.
func (t *table) fit(width int) string {
	columns, headings := columnsOf(t.heads), []int(nil)
	for len(columns) > 1 && len(t.rows) > 1 && t.total(columns, t.natural) > width {
		found, fewest := -1, len(t.rows)/2+1
		for at, i := range columns {
			if runs := t.runs(i); runs < fewest && (runs == 1 || !t.right[i]) {
				found, fewest = at, runs
			}
		}
		if found < 0 || fewest > 1 && t.total(columns, t.easy) <= width {
			break
		}
		headings = append(headings, columns[found])
		columns = append(columns[:found:found], columns[found+1:]...)
	}
	if t.total(columns, t.least) > width {
		return t.list(width)
	}
	widths := make([]int, len(t.heads))
	for _, i := range columns {
		widths[i] = t.natural(i)
	}
	used := func() int { return t.total(columns, func(i int) int { return widths[i] }) }
	for used() > width {
		widest := columns[0]
		for _, i := range columns {
			if widths[i]-t.least(i) > widths[widest]-t.least(widest) {
				widest = i
			}
		}
		widths[widest]--
	}
	for _, i := range columns { // a head is broken only for want of room
		if head := uniseg.StringWidth(t.heads[i]); head-widths[i] <= width-used() {
			widths[i] = max(widths[i], head)
		}
	}
	var b strings.Builder
	t.heading(&b, headings, -1, width)
	t.line(&b, columns, widths, t.heads)
	for at, row := range t.rows {
		t.heading(&b, headings, at, width)
		t.line(&b, columns, widths, row)
	}
	return b.String()
}

// columnsOf returns the places of all columns.
func columnsOf(heads []string) []int {
	columns := make([]int, len(heads))
	for i := range columns {
		columns[i] = i
	}
	return columns
}

// total is the width of some columns side by side.
func (t *table) total(columns []int, width func(i int) int) int {
	sum := gap * (len(columns) - 1)
	for _, i := range columns {
		sum += width(i)
	}
	return sum
}

// natural is the width of a column whose cells are not broken. Its head may be.
func (t *table) natural(i int) int {
	width := longestWord(t.heads[i])
	for _, row := range t.rows {
		width = max(width, uniseg.StringWidth(row[i]))
	}
	return width
}

// easy is the width of a column at which it is easy to read.
func (t *table) easy(i int) int {
	if t.right[i] {
		return t.natural(i)
	}
	return max(longestWord(t.heads[i]), min(t.natural(i), comfortable))
}

// least is the smallest width of a column. Numbers are never broken, and words only
// when they are very long.
func (t *table) least(i int) int {
	if t.right[i] {
		return t.natural(i)
	}
	width := max(longestWord(t.heads[i]), min(t.natural(i), narrowest))
	for _, row := range t.rows {
		width = max(width, min(longestWord(row[i]), comfortable))
	}
	return width
}

func longestWord(text string) (width int) {
	for word := range strings.FieldsSeq(text) {
		width = max(width, uniseg.StringWidth(word))
	}
	return width
}

// runs counts the runs of equal cells in a column.
func (t *table) runs(i int) int {
	runs := 1
	for at := 1; at < len(t.rows); at++ {
		if t.rows[at][i] != t.rows[at-1][i] {
			runs++
		}
	}
	return runs
}

// heading writes the heading above the table for row -1. For a row it writes the
// heading of its run if it begins one. Cells without a value are not in a heading.
func (t *table) heading(b *strings.Builder, headings []int, at, width int) {
	var parts []string
	begins := false
	for _, i := range slices.Sorted(slices.Values(headings)) {
		if (t.runs(i) == 1) != (at < 0) {
			continue
		}
		begins = begins || at <= 0 || t.rows[at][i] != t.rows[at-1][i]
		if cell := t.rows[max(at, 0)][i]; cell != noValue && cell != "" {
			parts = append(parts, t.heads[i]+": "+cell)
		}
	}
	if begins && at >= 0 {
		b.WriteByte('\n')
	}
	if begins && len(parts) > 0 {
		b.WriteString(strings.Join(wrap(strings.Join(parts, ", "), width), "\n") + "\n")
	}
}

// line writes the cells of a row, each broken to the width of its column.
func (t *table) line(b *strings.Builder, columns, widths []int, cells []string) {
	broken := make([][]string, len(columns))
	height := 1
	for at, i := range columns {
		broken[at] = wrapCell(cells[i], widths[i])
		height = max(height, len(broken[at]))
	}
	for n := range height {
		var line strings.Builder
		for at, i := range columns {
			text := ""
			if n < len(broken[at]) {
				text = broken[at][n]
			}
			pad := strings.Repeat(" ", max(0, widths[i]-uniseg.StringWidth(text)))
			if t.right[i] {
				text, pad = pad, text
			}
			line.WriteString(text + pad + strings.Repeat(" ", gap))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// wrapCell breaks a text to a width.
func wrapCell(text string, width int) (lines []string) {
	for {
		at := breakOf(text, width)
		lines = append(lines, text[:at])
		if text = strings.TrimLeft(text[at:], " "); text == "" {
			return lines
		}
	}
}

// list writes each row as names and values: one a line when there is one row, else one
// after the other.
func (t *table) list(width int) string {
	var b strings.Builder
	names := 0
	for _, head := range t.heads {
		names = max(names, uniseg.StringWidth(head))
	}
	for _, row := range t.rows {
		var line string
		for i, head := range t.heads {
			switch part := strings.TrimSpace(head + " " + row[i]); {
			case len(t.rows) == 1:
				pad := strings.Repeat(" ", names-uniseg.StringWidth(head)+gap)
				b.WriteString(strings.Join(wrap(head+pad+row[i], width), "\n") + "\n")
			case line == "":
				line = part
			case uniseg.StringWidth(line+", "+part) < width:
				line += ", " + part
			default:
				b.WriteString(strings.Join(wrap(line+",", width), "\n") + "\n")
				line = "  " + part
			}
		}
		if line != "" {
			b.WriteString(strings.Join(wrap(line, width), "\n") + "\n")
		}
	}
	return b.String()
}
