package sqlite

import (
	"context"
	"strings"
	"testing"
)

// padded is a line with all cells of the header.
func padded(line string) string { return line + strings.Repeat(",", 8-strings.Count(line, ",")) + "\n" }

// TestQuarantineImportedAgain imports an entry that is stored already, with every difference.
func TestQuarantineImportedAgain(t *testing.T) {
	header := "retailer_product_id,store_id,reason,observation_id,rule,found_at,released,withdrawn_at,confirmed_at\n"
	for _, tt := range []struct {
		name, stored, file, want string
		rejected                 bool
	}{
		{name: "the same", stored: "1,,bad,,,,0", file: "1,,bad,,,,0", want: "bad"},
		{name: "released by the file", stored: "1,,bad,,,,0", file: "1,,bad,,,,1", want: "bad, released"},
		{name: "released by the file, with a note", stored: "1,,bad,,,,0", file: "1,,bad; it is fine,,,,1", want: "bad; it is fine, released"},
		{name: "released by the file, for another reason", stored: "1,,bad,,,,0", file: "1,,fine,,,,1", want: "bad; fine, released"},
		{name: "released since the file was written", stored: "1,,bad; released: fine,,,,1", file: "1,,bad,,,,0", want: "bad; released: fine, released"},
		{name: "restored since the file was written", stored: "1,,bad; released: fine; restored: no,,,,0", file: "1,,bad; released: fine,,,,1", want: "bad; released: fine; restored: no"},
		{name: "the file does not know when", stored: "1,,bad,,wrong_product,2026-07-22T12:00:00Z,0", file: "1,,bad,,wrong_product,,0", want: "bad, withdrawn"},
		{name: "a row, with and without its store", stored: "1,1,bad,4,,,0", file: "1,,bad,4,,,0", want: "bad"},
		{name: "released by the file, without a reason", stored: "1,,bad,,,,0", file: "1,,,,,,1", want: "bad", rejected: true},
		{name: "the file has no reason", stored: "1,,bad,,,,0", file: "1,,,,,,0", want: "bad"},
		{name: "neither has a reason", stored: "1,,,,,,0", file: "1,,,,,,1", want: ", released"},
		{name: "another reason", stored: "1,,bad,,,,0", file: "1,,worse,,,,0", want: "bad", rejected: true},
		{name: "a reason that only begins alike", stored: "1,,bad,,,,0", file: "1,,ba,,,,0", want: "bad", rejected: true},
		{name: "put back by the file", stored: "1,,bad,,,,1", file: "1,,bad,,,,0", want: "bad, released", rejected: true},
		{name: "found in other rows", stored: "1,,2 of 4,,wrong_product,2026-07-22T12:00:00Z,0", file: "1,,3 of 5,,wrong_product,2026-07-29T12:00:00Z,0", want: "2 of 4, withdrawn"},
		{name: "found in other rows and released", stored: "1,,2 of 4,,wrong_product,2026-07-22T12:00:00Z,0", file: "1,,3 of 5; released: fine,,wrong_product,2026-07-29T12:00:00Z,1", want: "3 of 5; released: fine, released"},
		{name: "found in other rows, released since", stored: "1,,2 of 4; released: fine,,wrong_product,2026-07-22T12:00:00Z,1", file: "1,,3 of 5,,wrong_product,2026-07-29T12:00:00Z,0", want: "2 of 4; released: fine, released"},
		{name: "confirmed by the file", stored: "1,,2 of 4,,wrong_product,,0", file: "1,,2 of 4; it is,,wrong_product,,0,,2026-07-29T12:00:00Z", want: "2 of 4; it is, confirmed"},
		{name: "confirmed since the file was written", stored: "1,,2 of 4; it is,,wrong_product,,0,,2026-07-29T12:00:00Z", file: "1,,2 of 4,,wrong_product,,0", want: "2 of 4; it is, confirmed"},
		{name: "withdrawn in the file", stored: "1,,2 of 4; it is,,wrong_product,,0,,2026-07-29T12:00:00Z", file: "1,,2 of 4,,wrong_product,,0,2026-07-30T12:00:00Z,", want: "2 of 4; it is, confirmed"},
		{name: "confirmed, then released by the file", stored: "1,,2 of 4; it is,,wrong_product,,0,,2026-07-29T12:00:00Z", file: "1,,2 of 4; it is; no,,wrong_product,,1", want: "2 of 4; it is; no, released"},
		{name: "confirmed and released", stored: "1,,bad,,wrong_product,,1", file: "1,,bad,,wrong_product,,1,,2026-07-29T12:00:00Z", want: "bad, released", rejected: true},
		{name: "a listed one is never confirmed", stored: "1,,bad,,,,0", file: "1,,bad,,,,0,,2026-07-29T12:00:00Z", want: "bad", rejected: true},
		{name: "another time", stored: "1,,bad,,,2026-07-22T12:00:00Z,0", file: "1,,bad,,,2026-07-22T12:00:01Z,0", want: "bad", rejected: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := imported(t, sound.with(files{"quarantine.csv": header + padded(tt.stored)}))
			s, err := Import(context.Background(), sound.with(files{"quarantine.csv": header + padded(tt.file)}).write(t), db, ImportOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Total().Rejected; (got == 1) != tt.rejected || got > 1 {
				t.Errorf("%d rejects: %v", got, s.Reasons)
			}
			var got []string
			for _, q := range loadAll(t, db).Quarantine {
				text := q.Reason
				switch {
				case !q.WithdrawnAt.IsZero():
					text += ", withdrawn"
				case q.Released:
					text += ", released"
				case !q.ConfirmedAt.IsZero():
					text += ", confirmed"
				}
				got = append(got, text)
			}
			if strings.Join(got, "\n") != tt.want {
				t.Errorf("stored %q, want %q", got, tt.want)
			}
		})
	}
}
