package offers

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

const plain = `field,column,example
chain,chain,North
title,title,Milk
size,size?,1 L
price,price,3.49
promo,promo?,2.99
date,date,2026-01-15
`

func mapping(t testing.TB, text string) *Mapping {
	t.Helper()
	m, err := ReadMapping("test", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Each file is read rightly or refused by line: what stands after = is the title and price of
// the offer of a line, what stands after ! is in the reason. Line 0 is the file.
func TestBadFiles(t *testing.T) {
	const head, row, eighth = "chain,title,price,date\n", "N,Milk,3.49,2026-01-15\n", "N,Eggs,2.00,2026-01-15\n"
	quoted := func(title string) string { return head + row + "N," + title + ",1.00,2026-01-15\n" + eighth }
	price := func(text string) string {
		return strings.ReplaceAll(head, ",", ";") + "N;Milk;" + text + ";2026-01-15\n"
	}
	date := func(text string) string { return head + "N,Milk,3.49," + text + "\n" + eighth }
	long := strings.Repeat("x", 1<<20)
	tests := []struct{ name, text, want string }{
		{"plain.csv", head + row, "2=Milk 3.49"},
		{"empty.csv", "", "0!is empty"},
		{"blank.csv", " \r\n\r\n", "0!is empty"},
		{"header only.csv", head, ""},
		{"no header.csv", row + eighth, "0!no column chain"},
		{"picture.csv", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00", "0!no column chain"},
		{"broken.zip", "PK\x03\x04 and no more", "0!zip: not a valid zip file"},
		{"broken.csv.gz", "\x1f\x8b\x08", "0!unexpected EOF"},
		{"array.csv", `[1, 2]`, "0!no array of objects"},
		{"other members.csv", `[{"name": "Milk", "price": 3.49}]`, "0!no column chain, no title, no date"},
		{"array of offers.csv", `[{"chain":"N","title":"Milk","price":3.49,"date":"2026-01-15"}]`, "1=Milk 3.49"},
		{"array cut.csv", `[{"chain":"N","title":"Milk","price":3.49,"date":"2026-01-15"},{"chain":`, "1=Milk 3.49;2!breaks off"},
		{"bom.csv", "\ufeff" + head + row, "2=Milk 3.49"},
		{"utf16.csv", utf16(head + row), "2=Milk 3.49"},
		{"cp1252.csv", encode(charmap.Windows1252, quoted("Käse")), "2=Milk 3.49;3=Käse 1.00;4=Eggs 2.00"},
		{"one byte is no utf8.csv", quoted("Käse") + "N,K\xe4se,1.00,2026-01-15\n" + eighth,
			"2=Milk 3.49;3=Käse 1.00;4=Eggs 2.00;5!byte 4 of the row is not UTF-8;6=Eggs 2.00"},
		{"nul.csv", quoted("Mi\x00lk"), "2=Milk 3.49;3!NUL byte;4=Eggs 2.00"},
		{"crlf.csv", strings.ReplaceAll(head+row, "\n", "\r\n"), "2=Milk 3.49"},
		{"cr.csv", strings.ReplaceAll(head+row+eighth, "\n", "\r"), "0!no column"},
		{"no end of line.csv", strings.TrimSpace(head + row), "2=Milk 3.49"},
		{"semicolon.csv", strings.ReplaceAll(head+row, ",", ";"), "2=Milk 3.49"},
		{"tab.csv", strings.ReplaceAll(head+row, ",", "\t"), "2=Milk 3.49"},
		{"sep line.csv", "sep=,\n" + head + row, "3=Milk 3.49"},
		{"preface.csv", "Prices of 15 January\n\nShop 12\n" + head + row, "5=Milk 3.49"},
		{"headings.csv", " Chain ,\"TITLE\",Price:,_date_\n" + row, "2=Milk 3.49"},
		{"header twice.csv", head + row + head + eighth, "2=Milk 3.49;4=Eggs 2.00"},
		{"footer.csv", head + row + "1 row\n", "2=Milk 3.49"},
		{"no footer.csv", head + row + "1 row\n" + eighth, "2=Milk 3.49;3!1 cells;4=Eggs 2.00"},
		{"cut off in the first cell.csv", head + row + "Nor", "2=Milk 3.49;3!1 cells"},
		{"total.csv", head + row + ",total,3.49,\n", `2=Milk 3.49;3!date is no date such as 2026-01-15`},
		{"blank rows.csv", head + ",,,\n\n" + row + "\"\",,,\n", "4=Milk 3.49"},
		{"cut off.csv", head + row + "N,Eggs,2", "2=Milk 3.49;3!3 cells"},
		{"cut off in quotes.csv", head + row + "N,Eggs,2.00,\"2026-01-1", "2=Milk 3.49;3!never closed"},
		{"empty cells at the end.csv", "chain,title,price,date,,\nN,Milk,3.49,2026-01-15\nN,Eggs,2.00,2026-01-15,,,\n",
			"2=Milk 3.49;3=Eggs 2.00"},
		{"a comma too many.csv", quoted("Milk, fresh"), "2=Milk 3.49;3!5 cells;4=Eggs 2.00"},
		{"quoted comma.csv", quoted(`"Milk, fresh"`), "2=Milk 3.49;3=Milk, fresh 1.00;4=Eggs 2.00"},
		{"doubled quotes.csv", quoted(`"Milk ""fresh"""`), `2=Milk 3.49;3=Milk "fresh" 1.00;4=Eggs 2.00`},
		{"stray quotes.csv", quoted(`"Milk "fresh" 1 L"`), `2=Milk 3.49;3=Milk "fresh" 1 L 1.00;4=Eggs 2.00`},
		{"inch.csv", quoted(`Pan 10"`), `2=Milk 3.49;3=Pan 10" 1.00;4=Eggs 2.00`},
		{"line break.csv", quoted("\"Milk\nfresh\""), "2=Milk 3.49;3=Milk\nfresh 1.00;5=Eggs 2.00"},
		{"open quote.csv", quoted(`"Milk`), "2=Milk 3.49;3!never closed;4=Eggs 2.00"},
		{"open quote at the end.csv", head + row + "N,Ham,1.00,\"2026-01-15\n" + eighth + eighth,
			"2=Milk 3.49;3!never closed;4=Eggs 2.00;5=Eggs 2.00"},
		{"long line.csv", quoted(long), "2=Milk 3.49;3!a line may have;4=Eggs 2.00"},
		{"no title.csv", quoted(""), "2=Milk 3.49;3!title is empty;4=Eggs 2.00"},
		{"no chain.csv", head + ",Milk,3.49,2026-01-15\n", "2!chain is no name of a chain"},
		{"no price.csv", price(""), "2!price is empty"},
		{"price is text.csv", price("call us"), "2!price is not a price"},
		{"date missing.csv", date(""), "2!date is no date;3=Eggs 2.00"},
		{"promo.csv", "chain,title,price,date,promo\nN,Milk,3.49,2026-01-15,2.99\nN,Milk,3.49,2026-01-15,0\n" +
			"N,Milk,,2026-01-15,2.99\nN,Milk,3.49,2026-01-15,2.9.9\nN,Milk,3.49,2026-01-15,-\n",
			"2=Milk 2.99;3=Milk 3.49;4=Milk 2.99;5!promo has marks;6=Milk 3.49"},
	}
	for _, test := range tests {
		dir := write(t, map[string]string{})
		os.WriteFile(filepath.Join(dir, test.name), []byte(test.text), 0o644)
		var got []string
		o := euro(t, "Europe/Berlin")
		o.Mapping = mapping(t, plain)
		o.Reject = func(r *Reject) { got = append(got, fmt.Sprintf("%03d!%s %s", r.Line, r.Column, r.Reason)) }
		r, err := Read(context.Background(), []string{dir}, o, func(o *Offer) error {
			got = append(got, fmt.Sprintf("%03d=%s %s", o.Line, o.Title, o.Price))
			return nil
		})
		lost := r.Rows - r.Offers - r.Rejected
		for _, n := range r.Skipped {
			lost -= n
		}
		slices.Sort(got)
		want := strings.Split(test.want, ";")
		if test.want == "" {
			want = nil
		}
		// A reason may have a semicolon: the wanted parts are found in order.
		text, fits := strings.Join(got, "\n"), len(got) <= len(want) && (err == nil) == (r.Files > 0) && lost == 0
		for _, w := range want {
			line, what, _ := strings.Cut(w, "=")
			if _, after, ok := strings.Cut(w, "!"); ok {
				line, what = strings.TrimSuffix(w, "!"+after), after
			}
			i := strings.Index(text, what)
			fits = fits && i >= 0 && strings.Contains(text[:i], strings.TrimLeft(line, " "))
			text = text[max(0, i)+len(what)*min(1, i+1):]
		}
		if !fits {
			t.Errorf("%s is %q, %v, %+v, want %q", test.name, got, err, r, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"N,Milk,3.49,2026-01-15", "N,\"a\nb\",1,2026-01-15\n\"", "\x00,;\r", "chain,title,price,date"} {
		f.Add([]byte(s), true)
	}
	m := mapping(f, plain)
	f.Fuzz(func(t *testing.T, data []byte, header bool) {
		if header {
			data = append([]byte("chain,title,price,date\n"), data...)
		}
		name := filepath.Join(t.TempDir(), "a.csv")
		os.WriteFile(name, data, 0o644)
		var rejects int64
		o := Options{Mapping: m, Reject: func(r *Reject) { rejects++ }}
		r, _ := Read(context.Background(), []string{name}, o, func(o *Offer) error {
			if !o.Price.Valid() || o.Title == "" || o.Chain == "" || o.Line < 1 || o.At.IsZero() {
				t.Errorf("%+v of %q", o, data)
			}
			return nil
		})
		sum := r.Offers + r.Rejected
		for _, n := range r.Skipped {
			sum += n
		}
		if sum != r.Rows || rejects != r.Rejected+int64(r.Refused) || int(r.Rows) > bytes.Count(data, []byte("\n"))+bytes.Count(data, []byte("\r"))+bytes.Count(data, []byte("{"))+1 {
			t.Errorf("%+v of %q", r, data)
		}
	})
}
