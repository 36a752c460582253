package csvdir

import (
	"bytes"
	"encoding/csv"
	"slices"
	"testing"
	"unicode/utf8"
)

// FuzzSplitter compares the splitter with encoding/csv.
func FuzzSplitter(f *testing.F) {
	for _, s := range []string{"a,b\n", "\"a\"\"b\",c\nd,e", "a,\"b\nc\",d\n", "\"a\n", "a\"b,c\n\"x\"y\n", ",\n\n\"\",\n", "\xef\xbb\xbfa\n", "\"a\"\r\nb\r\n", "\"\"\"\n\""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newSplitter(bytes.NewReader(data))
		var got [][]string
		clean, last := true, 0
		for s.scan() {
			if s.line <= last {
				t.Fatalf("line %d after %d", s.line, last)
			}
			last = s.line
			if s.problem != "" {
				clean = false
				continue
			}
			got = append(got, slices.Clone(s.cells))
		}
		if n := s.r.Buffered(); s.err != nil || n > 0 {
			t.Fatalf("stopped %d bytes before the end: %v", n, s.err)
		}
		// encoding/csv alone ends a record at no NUL byte and reads any bytes.
		if bytes.ContainsAny(data, "\r\x00") || !utf8.Valid(data) || len(data) > maxQuoted {
			return
		}
		r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, bom)))
		r.FieldsPerRecord = -1
		want, err := r.ReadAll()
		if (err == nil) != clean {
			t.Fatalf("encoding/csv says %v, we say %v", err, clean)
		}
		if err == nil && !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}
