package httpapi

import (
	"encoding/json"
	"testing"
)

// benchPage is a page of the usual length, with the rows that it is made from.
func benchPage(b *testing.B) (all *priceRows, rows []priceRow, text []byte) {
	b.Helper()
	f := serveDemo(b)
	all = f.snapshots.Current().prices()
	rows = all.rows[len(all.rows)-pricesPage:]
	text = all.append(nil, rows)
	return all, rows, text
}

// BenchmarkPricesPage writes a page of 5,000 rows by hand.
func BenchmarkPricesPage(b *testing.B) {
	all, rows, text := benchPage(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	buffer := make([]byte, 0, len(text))
	for b.Loop() {
		buffer = all.append(buffer[:0], rows)
	}
}

// BenchmarkPricesPageByReflection writes the same rows with encoding/json, from
// records that are there already.
func BenchmarkPricesPageByReflection(b *testing.B) {
	_, _, text := benchPage(b)
	var records []priceJSON
	if err := json.Unmarshal(append(append([]byte{'['}, text[:len(text)-1]...), ']'), &records); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := json.Marshal(records); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPricesChoose finds a page in the middle of a filtered history.
func BenchmarkPricesChoose(b *testing.B) {
	all, _, _ := benchPage(b)
	q := pricesQuery{product: 7, city: "Toronto", from: 0, to: 1 << 20, page: page{limit: 100, offset: 10}}
	for b.Loop() {
		all.choose(&q)
	}
}
