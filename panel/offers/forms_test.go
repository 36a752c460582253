package offers

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/larder-index/larder/panel"
)

// write writes files below a new folder, those named .gz packed.
func write(t testing.TB, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if strings.HasSuffix(name, ".gz") {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			z.Write([]byte(text))
			z.Close()
			text = b.String()
		}
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// zipped returns an archive with the files in the order given: names and texts by turns.
func zipped(files ...string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, _ := z.Create(files[i])
		w.Write([]byte(files[i+1]))
	}
	z.Close()
	return b.String()
}

func encode(m *charmap.Charmap, text string) string {
	s, err := m.NewEncoder().String(text)
	if err != nil {
		panic(err)
	}
	return s
}

func utf16(text string) string {
	s, _ := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	return s
}

// show writes an offer in a line: what is not said is left out.
func show(o *Offer) string {
	s := fmt.Sprintf("%d %s/%s/%s %s %s: %s, %s, %s, %s = %s", o.Line, o.Chain, o.Shop, o.City, o.SKU, o.GTIN, o.Title,
		o.Brand, o.Size, o.Category, o.Price)
	if o.Regular != 0 {
		s += " for " + o.Regular.String()
	}
	for _, x := range []struct {
		is   bool
		word string
	}{{o.OnSale, "sale"}, {o.MultiBuy, "multi"}, {o.InStock == panel.No, "gone"}} {
		if x.is {
			s += " " + x.word
		}
	}
	return s + " " + o.At.Format("2006-01-02T15:04Z07:00")
}

// readAll returns the offers and rejects of a folder in lines, and checks that no row is lost.
func readAll(t testing.TB, dir string, o Options) (offers, rejects []string, report Report) {
	t.Helper()
	seen := map[string]bool{}
	o.Reject = func(r *Reject) {
		rel, _ := filepath.Rel(dir, r.File)
		rejects = append(rejects, fmt.Sprintf("%s:%d: %s %s", rel, r.Line, r.Column, r.Reason))
	}
	report, err := Read(context.Background(), []string{dir}, o, func(o *Offer) error {
		offers = append(offers, show(o))
		seen[o.File] = true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sum := report.Offers + report.Rejected - report.Carried
	for _, n := range report.Skipped {
		sum += n
	}
	if sum != report.Rows || int(report.Offers) != len(offers) || int(report.Rejected)+report.Refused != len(rejects) {
		t.Errorf("rows are lost: %+v", report)
	}
	return offers, rejects, report
}

func euro(t testing.TB, zone string) Options {
	c, err := panel.NewCalendar(zone)
	if err != nil {
		t.Fatal(err)
	}
	return Options{Calendar: c, Currency: "EUR"}
}

func wants(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

const (
	hammerProducts = "id,concatted,vendor,product_name,units,brand,detail_url,sku,upc\r\n" +
		"7,\"North~Milk 2%@4L^\",North,Milk 2%,4L,Farm,https://x.example/7,SKU-7,064420000008\r\n" +
		"8,,North,\"Rice, \"\"long\"\"\",900 g,,,,\r\n" +
		"9,,https://x.example/bad,,,,,,\r\n" +
		"7,,South,Another milk,1L,,,,\r\n"
	hammerPrices = "nowtime,current_price,old_price,price_per_unit,other,product_id\r\n" +
		"2024-06-22 10:35:40,5.99,,$0.15/100ml,,7\r\n" +
		"2024-06-23 10:35:40,4.99,5.99,$0.12/100ml,\"SALE\nLow stock\",7\r\n" +
		"2024-06-24 10:35:40,2/$7.00,,,Out of stock,8\r\n" +
		"-4713-11-24 12:00:00,1.50,1.50,,,7\r\n" +
		"2024-06-24 10:36:00,not_a_number,,,,7\r\n" +
		"2024-06-24 10:37:00,1.99,,,,9\r\n" +
		"2024-06-24 10:38:00,1.99,,,,10\r\n" +
		"2024-06-24 10:39:00,1.99/100g,,,,8\r\n"
)

func TestHammer(t *testing.T) {
	dir := write(t, map[string]string{"hammer": zipped("h/hammer-4-raw.csv", hammerPrices, "h/hammer-4-product.csv", hammerProducts)})
	offers, rejects, report := readAll(t, dir, Options{})
	wants(t, "offers", offers,
		"2 North// 7 064420000008: Milk 2%, Farm, 4L,  = 5.99 2024-06-22T10:35-04:00",
		"3 North// 7 064420000008: Milk 2%, Farm, 4L,  = 4.99 for 5.99 sale 2024-06-23T10:35-04:00",
		"5 North// 8 : Rice, \"long\", , 900 g,  = 3.50 multi gone 2024-06-24T10:35-04:00",
		"10 North// 8 : Rice, \"long\", , 100g,  = 1.99 2024-06-24T10:39-04:00")
	wants(t, "rejects", rejects,
		"hammer/h/hammer-4-product.csv:5: id stands in two rows that differ",
		"hammer/h/hammer-4-raw.csv:6: nowtime is no date such as 2024-06-22 10:35:40",
		"hammer/h/hammer-4-raw.csv:7: current_price is not a price in CAD",
		"hammer/h/hammer-4-raw.csv:8: products:product_name is empty",
		"hammer/h/hammer-4-raw.csv:9: product_id is not in the table products")
	if report.Format != "hammer" || report.Skipped["of a joined table"] != 3 {
		t.Errorf("report is %+v", report)
	}
}

func TestCijene(t *testing.T) {
	day := zipped(
		"archive-info.txt", "ZIP arhiva\n",
		"prvi/stores.csv", "store_id,type,address,city,zipcode\n0904,supermarket,Ulica 1,Split,21000\n",
		"prvi/products.csv", "product_id,barcode,name,brand,category,unit,quantity\n"+
			"10,3850000000009,Mlijeko 2.8%,Farma,MLIJEKO,L,1\n11,prvi:11,Kruh,,KRUH,kg,500 g\n",
		"prvi/prices.csv", "store_id,product_id,price,unit_price,best_price_30,anchor_price,special_price\n"+
			"0904,10,1.19,1.19,,1.19,\n0904,11,2.00,4.00,,,1.50\n0904,12,2.00,4.00,,,\n",
		"drugi/stores.csv", "store_id,type,address,city,zipcode\n0904,market,Ulica 2,Zadar,23000\n",
		"drugi/products.csv", "product_id,barcode,name,brand,category,unit,quantity\n10,,Sir,,SIR,kom,1\n",
		"drugi/prices.csv", "store_id,product_id,price,unit_price,best_price_30,anchor_price,special_price\n"+
			"0904,10,3.10,3.10,,,\n")
	offers, rejects, report := readAll(t, write(t, map[string]string{"2025-05-20.zip": day}), euro(t, "Europe/Zagreb"))
	wants(t, "offers", offers,
		"2 drugi/0904/Zadar 10 : Sir, , 1 kom, SIR = 3.10 2025-05-20T12:00+02:00",
		"2 prvi/0904/Split 10 3850000000009: Mlijeko 2.8%, Farma, 1 L, MLIJEKO = 1.19 2025-05-20T12:00+02:00",
		"3 prvi/0904/Split 11 prvi:11: Kruh, , 500 g, KRUH = 1.50 for 2.00 sale 2025-05-20T12:00+02:00")
	wants(t, "rejects", rejects,
		"2025-05-20.zip/prvi/prices.csv:4: product_id is not in the table products")
	if report.Format != "cijene" {
		t.Errorf("report is %+v", report)
	}
}

func TestCroatia(t *testing.T) {
	law := "NAZIV PROIZVODA;ŠIFRA PROIZVODA;MARKA PROIZVODA;NETO KOLIČINA;JEDINICA MJERE;MALOPRODAJNA CIJENA;" +
		"CIJENA ZA JEDINICU MJERE;MPC ZA VRIJEME POSEBNOG OBLIKA PRODAJE;NAJNIŽA CIJENA U POSLJEDNIH 30 DANA;" +
		"SIDRENA CIJENA NA 2.5.2025;BARKOD;KATEGORIJA PROIZVODA\r\n"
	row := "ČAJ ŠIPAK;0071;ĐURĐA;0,75;kg;1.234,50;1,19;;;1,19;3850000000009;ČAJEVI\r\n"
	second := "šifra proizvoda\tnaziv proizvoda\tmarka proizvoda\tneto količina(KG)\tjedinica mjere\tmaloprod.cijena(EUR)\t" +
		"cijena jed.mj.(EUR)\tMPC poseb.oblik prod\tNajniža MPC u 30dana\tSidrena cijena\tbarkod\tkategorija proizvoda\n" +
		"5\tMlijeko \"Ana\"\t\t0,5\tkom\t2,99\t\t1,99\t\t\t\tMLIJEKO\n"
	third := "ŠIFRA_PROIZVODA;NAZIV_PROIZVODA;NETO_KOLIČINA;JEDINICA_MJERE;MALOPROD.CIJENA(EUR);MPC_POSEB.OBLIK_PROD\n5;Kruh;1;kom;,99;\n"
	fourth := "naziv;šifra;marka;neto količina;jedinica mjere;MPC (EUR);MPC za vrijeme posebnog oblika prodaje (EUR);barkod\nSir;9;;200 g;kg;3.10;;\n"
	fifth := "ŠIFRA ARTIKLA;Naziv artikla;BRAND;neto količina;Jedinica mjere;Barkod;MPC;MPC za vrijeme posebnog oblika prodaje\n1;Sok;;1;L;;;2,00\n"
	dir := write(t, map[string]string{
		"prvi/SUPERMARKET,ULICA 1 31300 BELI MANASTIR,0904,1629,21.05.2025, 05-22.CSV": encode(charmap.Windows1250, law+row),
		"drugi/Supermarket_Ulica_1D_Vodice_6730_15_05_2025_7_30.csv":                   "\ufeff" + second,
		"treci/a.zip": zipped("b.zip", zipped("supermarket-310037-Ulica_7-Karlovac-123456-21.05.2025-7.30.csv", encode(charmap.Windows1250, third))),
		"cetvrti/hipermarket_zadar_ulica_18_8701_trgovina_zadar_0017_20250518_0330.csv": fourth,
		"peti/Hipermarket070426.csv":  fifth,
		"sesti/cjenik 20.05.2025.csv": "sep=;\r\n\"" + strings.ReplaceAll(strings.TrimSpace(law), ";", "\";\"") + "\"\r\n" + row + law + ";;;;;;;;;;;\r\nUkupno: 1\r\n",
	})
	offers, rejects, report := readAll(t, dir, euro(t, "Europe/Zagreb"))
	slices.Sort(offers)
	wants(t, "offers", offers,
		"2 cetvrti/8701/ 9 : Sir, , 200 g,  = 3.10 2025-05-18T12:00+02:00",
		"2 drugi/6730/ 5 : Mlijeko \"Ana\", , 0,5 KG, MLIJEKO = 1.99 for 2.99 sale 2025-05-15T12:00+02:00",
		"2 peti/Hipermarket/ 1 : Sok, , 1 L,  = 2.00 sale 2026-04-07T12:00+02:00",
		"2 prvi/0904/BELI MANASTIR 0071 3850000000009: ČAJ ŠIPAK, ĐURĐA, 0,75 kg, ČAJEVI = 1234.50 2025-05-21T12:00+02:00",
		"2 treci/310037/Karlovac 5 : Kruh, , 1 kom,  = 0.99 2025-05-21T12:00+02:00",
		"3 sesti/cjenik/ 0071 3850000000009: ČAJ ŠIPAK, ĐURĐA, 0,75 kg, ČAJEVI = 1234.50 2025-05-20T12:00+02:00")
	wants(t, "rejects", rejects)
	wants(t, "skipped", []string{fmt.Sprint(report.Skipped)}, "map[before the header:1 blank:1 footer:1 header repeated:1]")
}

func TestBulgaria(t *testing.T) {
	head := "Населено място,Търговски обект,Наименование на продукта,Код на продукта,Категория,Цена на дребно,Цена в промоция\n"
	quoted := "\"" + strings.ReplaceAll(strings.TrimSpace(head), ",", "\", \"") + "\"\n"
	rows := "\"68134\",\"Ф30\",\"МЛЯКО ПРЯСНО 3% 1 Л\",\"002036\",\"6\",\"1.78\",\"\"\n" +
		"\"68134\",\"Ф30\",\"ОРИЗ 1 КГ\",\"2\",\"40\",\"2,55\",\"2.09\"\n" +
		"\"68134\",\"Ф30\",\"ЛУК\",\"3\",\"55\",\"0.65\",\"0\"\n"
	dir := write(t, map[string]string{
		"2026-01-15.zip": zipped(
			"ПЪРВИ (ПЪРВИ ООД)_200000001.csv", "\ufeff"+quoted+rows+"\"68134\",\"Ф30\",\"СОЛ\",\"4\",\"41\",\"0.99\",\"0.9",
			"ВТОРИ_200000002.csv", strings.ReplaceAll(head, ",", ";")+"68134;М 1;СОЛ 1 КГ;4;41;0,90;\n68134;М 1;З\xd0",
			"ТРЕТИ (ТРЕТИ)_200000003.csv", encode(charmap.Windows1251, head+"68134,М 2,ЗАХАР 1 КГ,5,42,1.20,\n")),
		"2025-12-31.zip": zipped("ПЪРВИ (ПЪРВИ ООД)_200000001.csv", head+"68134,Ф30,СОЛ,4,41,1.80,\n"),
	})
	offers, rejects, report := readAll(t, dir, euro(t, "Europe/Sofia"))
	wants(t, "offers", offers,
		"2 ПЪРВИ/Ф30/68134 002036 : МЛЯКО ПРЯСНО 3% 1 Л, , , 6 = 1.78 2026-01-15T12:00+02:00",
		"3 ПЪРВИ/Ф30/68134 2 : ОРИЗ 1 КГ, , , 40 = 2.09 for 2.55 sale 2026-01-15T12:00+02:00",
		"4 ПЪРВИ/Ф30/68134 3 : ЛУК, , , 55 = 0.65 2026-01-15T12:00+02:00",
		"2 ВТОРИ/М 1/68134 4 : СОЛ 1 КГ, , , 41 = 0.90 2026-01-15T12:00+02:00",
		"2 ТРЕТИ/М 2/68134 5 : ЗАХАР 1 КГ, , , 42 = 1.20 2026-01-15T12:00+02:00")
	wants(t, "rejects", rejects,
		"2025-12-31.zip/ПЪРВИ (ПЪРВИ ООД)_200000001.csv:2:  is of before 2026-01-01, when the form's prices were in another currency",
		"2026-01-15.zip/ПЪРВИ (ПЪРВИ ООД)_200000001.csv:5:  a quote is opened and never closed; write a quote within a quoted cell as \"\"",
		"2026-01-15.zip/ВТОРИ_200000002.csv:3:  byte 14 of the row is not UTF-8 text; save the file as UTF-8")
	if report.Format != "bulgaria" {
		t.Errorf("report is %+v", report)
	}
}

func TestHeissePreise(t *testing.T) {
	text := `[
  {"store": "nord", "id": "00-1", "name": "Milch", "description": "", "price": 1.49, "priceHistory": [
    {"date": "2024-05-03", "price": 1.49}, {"date": "2024-05-01", "price": 1.29}],
    "isWeighted": false, "unit": "ml", "quantity": 1000, "bio": false, "category": "30"},
  {"store": "nord", "id": "00-2", "name": "Brot", "priceHistory": [
    {"date": "2024-05-04", "price": 2.0}, {"date": "kaputt", "price": 2}, {"date": "2024-05-02", "price": null}],
    "unit": "g", "quantity": 500, "unavailable": true},
  {"store": "nord", "id": "00-3", "name": "Salz", "priceHistory": [], "unit": "g", "quantity": 500}
]`
	dir := write(t, map[string]string{"latest-canonical.nord.json.gz": text, "cut.json": text[:len(text)-120]})
	offers, rejects, report := readAll(t, dir, euro(t, "Europe/Vienna"))
	wants(t, "offers", offers[3:],
		"1 nord// 00-1 : Milch, , 1000 ml, 30 = 1.29 2024-05-01T12:00+02:00",
		"1 nord// 00-1 : Milch, , 1000 ml, 30 = 1.29 2024-05-02T12:00+02:00",
		"1 nord// 00-1 : Milch, , 1000 ml, 30 = 1.49 2024-05-03T12:00+02:00",
		"2 nord// 00-2 : Brot, , 500 g,  = 2.00 2024-05-04T12:00+02:00",
		"1 nord// 00-1 : Milch, , 1000 ml, 30 = 1.49 2024-05-04T12:00+02:00")
	wants(t, "rejects", rejects,
		"cut.json:2:  breaks off: unexpected EOF",
		"latest-canonical.nord.json.gz:2: priceHistory[].date is no date such as 2024-05-31",
		"latest-canonical.nord.json.gz:2: priceHistory[].price is empty",
		"latest-canonical.nord.json.gz:3: priceHistory[].date is no date such as 2024-05-31")
	if report.Format != "heisse-preise" || report.Carried != 3 {
		t.Errorf("report is %+v", report)
	}
}
