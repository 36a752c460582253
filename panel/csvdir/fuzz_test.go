package csvdir

import (
	"bytes"
	"encoding/csv"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
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

// FuzzObservation compares every member of an accepted row with its cell.
func FuzzObservation(f *testing.F) {
	f.Add("7", "4.50", "3.9900", "0.00199", "2 L", "1", "2026-07-22", "member", "2026-07-15T23:59:59.123456789-04:00", `{"packagePrice":1}`)
	f.Add("", "", "1e400", "1e-5", "\"\r\n", "", "2026-02-30", "", "2026-07-15T23:59:60Z", "{")
	f.Fuzz(func(t *testing.T, id, regular, effective, unit, size, stock, ends, condition, at, promo string) {
		row := []string{id, "1", "1", regular, "", effective, unit, size, stock, "0", ends, condition, "x", at, "", promo}
		line := quotedRow(row)
		s := newSplitter(bytes.NewReader(line))
		s.want = len(row)
		if bytes.HasPrefix(line, bom) || !s.scan() {
			return
		}
		r := &Reader[obs]{split: s, order: Observations.filed()}
		if s.problem != "" || r.decode() != nil {
			return
		}
		o := r.Record()
		same := func(what string, ok bool) {
			if !ok {
				t.Errorf("%s: %q became %+v", what, row, o)
			}
		}
		number := func(s string) *big.Rat { v, _ := new(big.Rat).SetString(s); return v }
		if id != "" {
			v, err := strconv.ParseInt(id, 10, 64)
			same("id", err == nil && v == o.ID)
		}
		same("effective", number(effective).Cmp(number(o.Effective.String())) == 0)
		same("regular", regular == "" && o.Regular == 0 || regular != "" && number(regular).Cmp(number(o.Regular.String())) == 0)
		if unit != "" {
			v, err := strconv.ParseFloat(unit, 64)
			same("unit_price", err == nil && v == o.UnitPrice)
		}
		same("package_size", size == o.PackageSize)
		same("promo_detail", promo == o.PromoDetail)
		want, err := time.Parse(time.RFC3339Nano, strings.ToUpper(at))
		same("observed_at", err == nil && want.Equal(o.ObservedAt))
		same("sale_ends_on", ends == "" && o.SaleEndsOn == 0 || ends == o.SaleEndsOn.String())
	})
}
