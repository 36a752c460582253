package csvdir

import (
	"bytes"
	"testing"
)

// A row of any table that is taken can be written, and what is written is taken
// as the same.
func FuzzTables(f *testing.F) {
	for i, row := range []string{
		"base_week,2026-07-19",
		`1,Milk,dairy,,2000,mL,1,package,1,Lait,"lait|2%"`,
		"toronto,Toronto,ON",
		"shop,Shop,Shop Inc.,1,1,0",
		"1,shop,toronto,1,0",
		"1,1,shop,,MILK 2L,,,1",
		"1,milk|lait&2,soya,100,3e3",
		"1,,too dear,7,listed,2026-07-15T12:00:00Z,1",
		"1,1,2 L,1.89 L,2,1.89,L,-5.5,1.2,1.3,8.33,4.49,2026-07-15T12:00:00-04:00,1|2",
		"2026-03-08,city,toronto,,dairy,101.25,99.1,1.5,,12,50",
	} {
		f.Add(i, []byte(row))
	}
	trips := []func(*testing.T, []byte){
		trip(Settings), trip(Products), trip(Cities), trip(Banners), trip(Stores), trip(Listings), trip(Specs),
		trip(QuarantineEntries), trip(ShrinkEvents), trip(Pilot),
	}
	f.Fuzz(func(t *testing.T, table int, row []byte) {
		if table >= 0 && table < len(trips) {
			trips[table](t, row)
		}
	})
}

// trip reads a row, writes it, reads that, and writes it again.
func trip[T any](table *Table[T]) func(t *testing.T, row []byte) {
	return func(t *testing.T, row []byte) {
		read := func(row []byte) (*T, bool) {
			s := newSplitter(bytes.NewReader(row))
			s.want = len(table.filed())
			if bytes.HasPrefix(row, bom) || !s.scan() || s.problem != "" {
				return nil, false
			}
			r := &Reader[T]{split: s, order: table.filed(), check: table.check}
			return r.Record(), r.decode() == nil
		}
		write := func(v *T) (line []byte) {
			for i, c := range table.filed() {
				if i > 0 {
					line = append(line, ',')
				}
				line = c.Append(line, v)
			}
			return append(line, '\n')
		}
		v, ok := read(row)
		if !ok {
			return
		}
		first := write(v)
		again, ok := read(first)
		if !ok {
			t.Fatalf("%s: %q is taken, and what is written of it is not: %q", table.name, row, first)
		}
		if second := write(again); !bytes.Equal(second, first) {
			t.Fatalf("%s: %q, then %q", table.name, first, second)
		}
	}
}
