package main

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rivo/uniseg"
	"golang.org/x/term"
)

// screen is a terminal that a person reads. It breaks lines that are wider than the
// terminal, and printTable makes tables fit. What is not written to a terminal stays
// as it is.
type screen struct {
	out   io.Writer
	width int // in columns

	mu   sync.Mutex
	line []byte // the beginning of a line whose end is not written yet
}

// leastWidth is the narrowest terminal that lines are broken for.
const leastWidth = 40

// screenOn returns a screen for a file that is a terminal, and w itself otherwise.
// COLUMNS in the environment says how wide the terminal is, if it is a number; else
// the terminal does.
func screenOn(w io.Writer) io.Writer {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return w
	}
	width, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil || width <= 0 {
		if width, _, err = term.GetSize(int(f.Fd())); err != nil || width <= 0 {
			width = 80 // it does not say
		}
	}
	return &screen{out: w, width: max(width, leastWidth)}
}

// asWritten returns what a screen writes to, for output that programs read and whose
// lines must stay whole.
func asWritten(w io.Writer) io.Writer {
	if s, ok := w.(*screen); ok {
		s.flush()
		return s.out
	}
	return w
}

// Write breaks and shows each line that has ended.
func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line = append(s.line, p...)
	end := bytes.LastIndexByte(s.line, '\n') + 1
	var b strings.Builder
	for line := range strings.Lines(string(s.line[:end])) {
		b.WriteString(strings.Join(wrap(strings.TrimSuffix(line, "\n"), s.width), "\n") + "\n")
	}
	s.line = slices.Delete(s.line, 0, end)
	_, err := io.WriteString(s.out, b.String())
	return len(p), err
}

// flush shows a line that has not ended.
func (s *screen) flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	io.WriteString(s.out, strings.Join(wrap(string(s.line), s.width), "\n")) //nolint:errcheck // the terminal is gone
	s.line = nil
}

// flush shows what a writer holds back.
func flush(w io.Writer) { asWritten(w) }

// wrap breaks a line at spaces, or within a word that is wider than a line. The later
// parts are indented: below the text behind a gap of two spaces, as in a list of
// flags, or by two columns more than the line.
func wrap(line string, width int) []string {
	if uniseg.StringWidth(line) <= width {
		return []string{line}
	}
	text := strings.TrimLeft(line, " ")
	indent := len(line) - len(text)
	if first, _, _ := strings.Cut(text, " "); indent >= 2 && slices.Contains([]string{"larder", "curl", "source"}, first) {
		return wrapCommand(line, width, indent)
	}
	hang := indent + 2
	if gap := strings.Index(text, "  "); gap >= 0 {
		behind := strings.TrimLeft(text[gap:], " ")
		if column := uniseg.StringWidth(line[:len(line)-len(behind)]); behind != "" && column <= width/2+8 {
			hang = column
		}
	}
	if hang > width-16 {
		hang = 2
	}
	var lines []string
	for {
		at := breakOf(line, width)
		lines = append(lines, strings.TrimRight(line[:at], " "))
		rest := strings.TrimLeft(line[at:], " ")
		if rest == "" {
			return lines
		}
		line = strings.Repeat(" ", hang) + rest
	}
}

// breakOf returns the byte at which a line breaks: its end when it fits, else the last
// space after a word that fits, else the first character that does not fit.
func breakOf(line string, width int) int {
	column, space, words := 0, 0, false
	for rest, state, at := line, -1, 0; rest != ""; {
		var cluster string
		var wide int
		cluster, rest, wide, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if cluster == " " && words {
			space = at
		}
		if column += wide; column > width {
			if space > 0 {
				return space
			}
			return max(at, 1)
		}
		words = words || cluster != " "
		at += len(cluster)
	}
	return len(line)
}

// wrapCommand breaks a command of the shell at spaces that are not within quotes, so
// that the lines can be pasted as they are.
func wrapCommand(line string, width, indent int) []string {
	const onward = ` \`
	var lines []string
	current, quote := strings.Repeat(" ", indent), rune(0)
	words := strings.FieldsFunc(line, func(r rune) bool {
		switch {
		case quote == 0 && (r == '\'' || r == '"'):
			quote = r
		case r == quote:
			quote = 0
		}
		return r == ' ' && quote == 0
	})
	for i, word := range words {
		room := width - len(onward)
		if i == len(words)-1 {
			room = width
		}
		switch {
		case i == 0:
			current += word
		case uniseg.StringWidth(current+" "+word) <= room:
			current += " " + word
		default:
			lines = append(lines, current+onward)
			current = strings.Repeat(" ", indent+2) + word
		}
	}
	return append(lines, current)
}
