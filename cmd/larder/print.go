package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/panel"
)

// output is standard output. CSV and JSON of synthetic prices say so: CSV in a last column, JSON in a last member
// of the object or of each one in an array.
type output struct {
	*bufio.Writer
	synthetic bool
}

// mark adds the member to the text of an object, which has a line for each member or is in one line.
func (w *output) mark(object []byte) []byte {
	end := bytes.LastIndexByte(object, '}')
	if !w.synthetic || end < 0 {
		return object
	}
	if members, lines := bytes.CutSuffix(object[:end], []byte("\n")); lines {
		return append(members, ",\n  \"synthetic\": true\n}\n"...)
	}
	return append(object[:end], `,"synthetic":true}`...)
}

// sheet is rows of cells under named columns. It prints as a table, as CSV or
// as JSON.
//
// A cell is a text, a number, a bool, a moment or a value with a String method.
// A json.Number is a number with the decimals to show. Tables show moments to
// the second. Null is nil, the zero moment, or a value whose String is empty: "-"
// in a table, empty in CSV, null in JSON.
type sheet struct {
	columns []string // ">" before a name aligns the column of a table to the right
	rows    iter.Seq[[]any]
}

func newSheet(rows [][]any, columns ...string) *sheet {
	return &sheet{columns, slices.Values(rows)}
}

func sheetOf[T any](list []T, cells func(*T) []any, columns ...string) *sheet {
	return &sheet{columns, func(yield func([]any) bool) {
		for i := range list {
			if !yield(cells(&list[i])) {
				return
			}
		}
	}}
}

// cellText returns a cell as it is printed, and false for null.
func cellText(cell any) (string, bool) {
	switch x := cell.(type) {
	case nil:
		return "", false
	case string:
		return x, true
	case json.Number:
		return string(x), x != ""
	case time.Time:
		if x.IsZero() {
			return "", false
		}
		return x.Format(time.RFC3339Nano), true
	case fmt.Stringer:
		s := x.String()
		return s, s != ""
	}
	return fmt.Sprint(cell), true
}

func orNil[T comparable](v T) any {
	if v == *new(T) {
		return nil
	}
	return v
}

func orNone[T any](v *T) any {
	if v == nil {
		return nil
	}
	return *v
}

func (s *sheet) print(w *output, format string) {
	switch format {
	case "csv":
		s.printCSV(w)
	case "json":
		names := s.names()
		printArray(w, slices.Collect(s.rows), func(b []byte, row *[]any) []byte {
			for i, cell := range *row {
				b = appendJSON(fmt.Appendf(b, "%c%q:", "{,"[min(i, 1)], names[i]), cell)
			}
			return append(b, '}')
		})
	default:
		s.printTable(w)
	}
}

// names are the columns without their alignment.
func (s *sheet) names() []string {
	return mapped(s.columns, func(c string) string { return strings.TrimPrefix(c, ">") })
}

// printTable writes the rows under their heads, two spaces between columns. Cells may
// hold scraped text.
func (s *sheet) printTable(w *output) {
	lines, widths := [][]string{s.names()}, make([]int, len(s.columns))
	for row := range s.rows {
		line := make([]string, len(row))
		for i, cell := range row {
			if moment, ok := cell.(time.Time); ok {
				cell = moment.Truncate(time.Second)
			}
			line[i] = "-"
			if t, ok := cellText(cell); ok {
				line[i] = printable(t)
			}
		}
		lines = append(lines, line)
	}
	for _, line := range lines {
		for i, t := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(t))
		}
	}
	for _, line := range lines {
		var b strings.Builder
		for i, t := range line {
			width := -widths[i]
			if strings.HasPrefix(s.columns[i], ">") {
				width = widths[i]
			}
			fmt.Fprintf(&b, "%*s  ", width, t)
		}
		w.WriteString(strings.TrimRight(b.String(), " ") + "\n")
	}
}

func (s *sheet) printCSV(w *output) {
	out, names := csv.NewWriter(w), s.names()
	if w.synthetic {
		names = append(names, "synthetic")
	}
	out.Write(names)
	for row := range s.rows {
		if w.synthetic {
			row = append(row, true)
		}
		out.Write(mapped(row, func(cell any) string {
			text, _ := cellText(cell)
			if _, err := strconv.ParseFloat(text, 64); err != nil {
				text = phrase.Cell(text)
			}
			return text
		}))
	}
	out.Flush()
}

func appendJSON(b []byte, cell any) []byte {
	t, ok := cellText(cell)
	if !ok {
		return append(b, "null"...)
	}
	switch cell.(type) {
	case panel.Fixed, json.Number, bool, int, int32, int64:
		return append(b, t...)
	}
	quoted, _ := json.Marshal(t) // a text always has a JSON form
	return append(b, quoted...)
}

func printArray[T any](w *output, list []T, element func([]byte, *T) []byte) {
	w.WriteByte('[')
	var b []byte
	for i := range list {
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteByte('\n')
		b = element(b[:0], &list[i])
		b = w.mark(b)
		w.Write(b)
	}
	w.WriteString("\n]\n")
}

// asJSON appends an element that always has a JSON form.
func asJSON[T any](b []byte, x *T) []byte {
	text, _ := json.Marshal(x)
	return append(b, text...)
}

func printObject(w *output, v any) error {
	var text bytes.Buffer
	out := json.NewEncoder(&text)
	out.SetIndent("", "  ")
	err := out.Encode(v)
	w.Write(w.mark(text.Bytes()))
	return err
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

// progress returns a function that shows how much is done, on a terminal only, and one that
// clears that.
func (a *app) progress(what string) (update func(done, total int64), finish func()) {
	if !a.terminal {
		return nil, func() {}
	}
	return func(done, total int64) {
		fmt.Fprintf(a.stderr, "\r%s: %d of %d MB", what, done>>20, total>>20)
	}, func() { fmt.Fprint(a.stderr, "\r\x1b[K") }
}
