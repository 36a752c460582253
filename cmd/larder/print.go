package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/larder-index/larder/panel"
	"github.com/schollz/progressbar/v3"
)

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

// newSheet returns a sheet of the given rows.
func newSheet(rows [][]any, columns ...string) *sheet {
	return &sheet{columns, slices.Values(rows)}
}

// sheetOf returns a sheet with one row for each element of a list.
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
		return x.Format(time.RFC3339Nano), !x.IsZero()
	case fmt.Stringer:
		s := x.String()
		return s, s != ""
	}
	return fmt.Sprint(cell), true
}

// orNil returns nil for the zero value.
func orNil[T comparable](v T) any {
	if v == *new(T) {
		return nil
	}
	return v
}

// noValue is null in a table.
const noValue = "-"

// printTable writes the rows under their heads, two spaces between columns. Cells may
// hold scraped text.
func (s *sheet) printTable(w io.Writer) error {
	heads := make([]string, len(s.columns))
	widths := make([]int, len(heads))
	right := make([]bool, len(heads))
	for i, c := range s.columns {
		heads[i], right[i] = strings.CutPrefix(c, ">")
		widths[i] = utf8.RuneCountInString(heads[i])
	}
	lines := [][]string{heads}
	for row := range s.rows {
		line := make([]string, len(row))
		for i, cell := range row {
			line[i] = noValue
			if moment, ok := cell.(time.Time); ok {
				cell = moment.Truncate(time.Second)
			}
			if t, ok := cellText(cell); ok {
				line[i] = printable(t)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(line[i]))
		}
		lines = append(lines, line)
	}
	out := bufio.NewWriter(w)
	for _, line := range lines {
		var b strings.Builder
		for i, t := range line {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(t))
			if right[i] {
				t, pad = pad, t
			}
			b.WriteString(t + pad + "  ")
		}
		out.WriteString(strings.TrimRight(b.String(), " ") + "\n")
	}
	return out.Flush()
}

// printCSV writes the names of the columns, then the rows.
func (s *sheet) printCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write(s.columns)
	line := make([]string, len(s.columns))
	for row := range s.rows {
		for i, cell := range row {
			line[i] = ""
			if t, ok := cellText(cell); ok {
				line[i] = t
			}
		}
		out.Write(line)
	}
	out.Flush()
	return out.Error()
}

// printJSON writes an array of objects, as printArray does. The columns are the
// members.
func (s *sheet) printJSON(w io.Writer, separator string) error {
	var b []byte
	return printArray(w, separator, func(yield func([]byte) bool) {
		for row := range s.rows {
			b = append(b[:0], '{')
			for i, cell := range row {
				if i > 0 {
					b = append(b, ',')
				}
				b = append(append(append(b, '"'), s.columns[i]...), `":`...)
				b = appendJSON(b, cell)
			}
			if !yield(append(b, '}')) {
				return
			}
		}
	})
}

// printArray writes a JSON array. The separator, a line break or nothing, comes
// before each element and before the end.
func printArray(w io.Writer, separator string, elements iter.Seq[[]byte]) error {
	out := bufio.NewWriter(w)
	before := "[" + separator
	for e := range elements {
		out.WriteString(before)
		out.Write(e)
		before = "," + separator
	}
	if strings.HasPrefix(before, "[") {
		out.WriteByte('[')
	}
	out.WriteString(separator + "]\n")
	return out.Flush()
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

// printObject writes a value as indented JSON.
func printObject(w io.Writer, v any) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(v)
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

// progress is a bar on a terminal. Elsewhere it shows nothing.
type progress struct{ bar *progressbar.ProgressBar }

func (a *app) progress(what string) progress {
	if !a.terminal {
		return progress{}
	}
	return progress{progressbar.NewOptions64(-1,
		progressbar.OptionSetWriter(a.stderr),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowBytes(true),
		progressbar.OptionClearOnFinish(),
	)}
}

func (p progress) update(done, total int64) {
	if p.bar == nil {
		return
	}
	if p.bar.GetMax64() != total {
		p.bar.ChangeMax64(total)
	}
	p.bar.Set64(done) // a bar that can't be drawn is no reason to stop
}

func (p progress) finish() {
	if p.bar != nil {
		p.bar.Finish()
	}
}
