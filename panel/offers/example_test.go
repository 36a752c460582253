package offers_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/larder-index/larder/panel/offers"
)

// A mapping of one's own reads a price list of a single shop.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "prices 2026-01-15.csv")
	os.WriteFile(file, []byte("Artikel;Inhalt;Preis\nMilch;1 l;1,19 €\nBrot;500 g;gratis\n"), 0o600)

	mapping, err := offers.ReadMapping("corner", strings.NewReader(`field,column,example
currency,=EUR,
chain,=Corner,
name,(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d),prices 2026-01-15.csv
title,Artikel,Milch
size,Inhalt,1 l
price,Preis,"1,19 €"
`))
	if err != nil {
		log.Fatal(err)
	}
	options := offers.Options{Mapping: mapping, Currency: "EUR", Reject: func(r *offers.Reject) {
		fmt.Printf("line %d: %s %q %s\n", r.Line, r.Column, r.Text, r.Reason)
	}}
	report, err := offers.Read(context.Background(), []string{file}, options, func(o *offers.Offer) error {
		fmt.Println(o.Chain, o.Title, o.Size, o.Price, o.At.Format("Jan 2"))
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Rows, "rows,", report.Offers, "offer")
	// Output:
	// Corner Milch 1 l 1.19 Jan 15
	// line 3: Preis "gratis" is not a price in EUR
	// 2 rows, 1 offer
}
