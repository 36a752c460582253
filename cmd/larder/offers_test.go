package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/charmap"
)

// good is one of an example basket. Its invented price is a tenth higher in each second week.
type good struct{ id, name, size, unit, code string }

func (x good) price(week int) string {
	var n int
	fmt.Sscan(x.id, &n)
	return fmt.Sprintf("%.2f", float64(200+10*n)*[]float64{1, 1.1}[week%2]/100)
}

// lines makes a line of each good.
func lines(goods []good, line func(x good) string) (text string) {
	for _, x := range goods {
		text += line(x) + "\n"
	}
	return text
}

// zipped returns an archive of files, in the order of their names.
func zipped(files map[string]string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, _ := z.Create(name)
		w.Write([]byte(files[name]))
	}
	z.Close()
	return b.String()
}

// TestPublished goes from files as five publishers have them, with their dirt, to a chart in three commands.
func TestPublished(t *testing.T) {
	t.Parallel()
	first := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	weekly := func(make func(day time.Time, week int, files map[string]string)) map[string]string {
		files := map[string]string{}
		for week := range 4 {
			make(first.AddDate(0, 0, 7*week), week, files)
		}
		return files
	}
	for _, x := range []struct {
		form, country, want string
		files               func(goods []good) map[string]string
	}{
		{"hammer", "CA", "153 rows of 1 file: 121 prices, 117 used; not used: of a joined table 30, waits 4\nlarder: 1 regular price left out\n", func(goods []good) map[string]string {
			prices := "nowtime,current_price,old_price,price_per_unit,other,product_id\r\n" +
				"-4713-11-24 12:00:00,1.50,1.50,,,2\r\n2026-06-02 10:36:00,not_a_number,,,,2\r\n2026-06-03 10:36:00,2.20,was more,,,2\r\n"
			weekly(func(day time.Time, week int, _ map[string]string) {
				prices += lines(goods, func(x good) string {
					return fmt.Sprintf("%s 10:35:40,%s,,$0.15/100ml,,%s", day.Format(time.DateOnly), x.price(week), x.id)
				})
			})
			return map[string]string{"hammer-5-csv.zip": zipped(map[string]string{
				"hammer-4-raw.csv": prices,
				"hammer-4-product.csv": "id,concatted,vendor,product_name,units,brand,detail_url,sku,upc\r\n" +
					lines(goods, func(x good) string { return fmt.Sprintf("%s,,Corner,%q,,,,,", x.id, x.name) }),
			})}
		}},
		{"cijene", "HR", "248 rows of 4 files: 120 prices, 120 used; not used: of a joined table 124\n", func(goods []good) map[string]string {
			return weekly(func(day time.Time, week int, files map[string]string) {
				files[day.Format(time.DateOnly)+".zip"] = zipped(map[string]string{
					"archive-info.txt": "ZIP arhiva\n",
					"ugao/stores.csv":  "store_id,type,address,city,zipcode\n0904,market,Ulica 1,Split,21000\n",
					"ugao/products.csv": "product_id,barcode,name,brand,category,unit,quantity\n" + lines(goods, func(x good) string {
						return fmt.Sprintf("%s,ugao:%s,%q,,HRANA,%s,%s", x.id, x.id, x.name, x.unit, x.size)
					}),
					"ugao/prices.csv": "store_id,product_id,price,unit_price,best_price_30,anchor_price,special_price\n" +
						lines(goods, func(x good) string { return "0904," + x.id + ",99.99,,,," + x.price(week) }) + "0904,none,1.00,,,,\n",
				})
			})
		}},
		{"croatia", "HR", "128 rows of 4 files: 120 prices, 120 used; not used: footer 4\n", func(goods []good) map[string]string {
			return weekly(func(day time.Time, week int, files map[string]string) {
				text := "NAZIV PROIZVODA;ŠIFRA PROIZVODA;MARKA PROIZVODA;NETO KOLIČINA;JEDINICA MJERE;MALOPRODAJNA CIJENA;" +
					"CIJENA ZA JEDINICU MJERE;MPC ZA VRIJEME POSEBNOG OBLIKA PRODAJE;BARKOD;KATEGORIJA PROIZVODA\r\n" +
					lines(goods, func(x good) string {
						price := strings.ReplaceAll(x.price(week), ".", ",")
						return fmt.Sprintf("\"%s\";%s;;%s;%s;%s;;;;HRANA\r", x.name, x.id, x.size, x.unit, price)
					}) + "Ulje;99;;1;L;nema;;;;HRANA\r\nUkupno: 30\r\n"
				text, _ = charmap.Windows1250.NewEncoder().String(text)
				name := "ugao/SUPERMARKET,ULICA 1 10000 ZAGREB,0904,1629," + day.Format("02.01.2006") + ", 05-22.CSV"
				files["ugao/"+day.Format("20060102")+".zip"] = zipped(map[string]string{name: text})
			})
		}},
		{"bulgaria", "BG", "124 rows of 4 files: 120 prices, 116 used; not used: waits 4\nlarder: listings mapped by code 29", func(goods []good) map[string]string {
			return weekly(func(day time.Time, week int, files map[string]string) {
				text := "\ufeff\"Населено място\", \"Търговски обект\", \"Наименование на продукта\", \"Код на продукта\", " +
					"\"Категория\", \"Цена на дребно\", \"Цена в промоция\"\n" + lines(goods, func(x good) string {
					return fmt.Sprintf("\"68134\",\"Ъгъл\",%q,%q,%q,%q,\"\"", x.name, "00"+x.id, x.code, x.price(week))
				}) + "\"68134\",\"Ъгъл\",\"СОЛ\",\"4\",\"41\",\"0.99\",\"0.9"
				files[day.Format(time.DateOnly)+".zip"] = zipped(map[string]string{"ЪГЪЛ (ЪГЪЛ ООД)_200000001.csv": text})
			})
		}},
		{"heisse-preise", "DE", "150 rows of 1 file: 660 prices, 660 used\n", func(goods []good) map[string]string {
			var list []map[string]any
			for _, x := range goods {
				history := []map[string]any{{"date": "kaputt", "price": 1}}
				for week := range 4 {
					history = append([]map[string]any{{"date": first.AddDate(0, 0, 7*week), "price": x.price(week)}}, history...)
				}
				list = append(list, map[string]any{"store": "ecke", "id": x.id, "name": x.name, "unit": x.unit, "quantity": x.size, "priceHistory": history})
			}
			text, _ := json.Marshal(list)
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			z.Write(bytes.ReplaceAll(text, []byte("T00:00:00Z"), nil))
			z.Close()
			return map[string]string{"latest-canonical.json.gz": b.String()}
		}},
	} {
		dir, goods := began(t, x.country)
		for name, text := range x.files(goods) {
			write(filepath.Join(dir, "raw", name), text)
		}
		_, stderr, status := try("import", dir+"/basket", dir+"/raw", "--db", dir+"/p.db")
		if status != exitRejected || !strings.Contains(stderr, "in the form "+x.form+"\n") || !strings.Contains(stderr, x.want) {
			t.Errorf("%s: exit status %d, want %s\n%s", x.form, status, x.want, stderr)
		}
		larder(t, "plot", "--db", dir+"/p.db", "--level", "national", "--category", "overall", "--out", dir+"/c.svg")
		svg, err := os.ReadFile(dir + "/c.svg")
		if got := levels(t, dir+"/p.db"); got != steps(first.AddDate(0, 0, 6)) || !bytes.Contains(svg, []byte("110")) {
			t.Errorf("%s: levels %s; chart: %v %s", x.form, got, err, svg)
		}
	}
}

// TestClocks imports prices of days and moments in the weeks in which clocks change. Prices of a week are alike, so a
// row in the wrong one moves a level.
func TestClocks(t *testing.T) {
	t.Parallel()
	for zone, change := range map[string]string{"Asia/Beirut": "2026-03-29", "America/Havana": "2026-11-01"} { // without midnight; with two
		dir, goods := began(t, "DE")
		settings, _ := os.ReadFile(dir + "/basket/settings.csv")
		write(dir+"/basket/settings.csv", strings.ReplaceAll(string(settings), "Europe/Berlin", zone))
		sunday, _ := time.Parse(time.DateOnly, change)
		for layout, clocks := range map[string][]string{time.DateOnly: {""}, time.DateTime: {" 01:00:00", " 23:59:59"}} {
			text := "title;price;date\n"
			for day := -13; day <= 14; day++ {
				for _, clock := range clocks {
					text += lines(goods, func(x good) string {
						return x.name + ";" + x.price((day+13)/7) + ";" + sunday.AddDate(0, 0, day).Format(time.DateOnly) + clock
					})
				}
			}
			write(dir+"/p.csv", text)
			write(dir+"/map.csv", "field,column,example\nchain,=Ecke,\ntitle,title,M\nprice,price,1.19\ndate,date,"+sunday.Format(layout)+"\n")
			larder(t, "import", dir+"/basket", dir+"/p.csv", "--map", dir+"/map.csv", "--db", dir+"/p.db")
		}
		if got := levels(t, dir+"/p.db"); got != steps(sunday.AddDate(0, 0, -7)) {
			t.Errorf("%s, %s: %s", zone, change, got)
		}
	}
}

// began makes a country's example basket, and reads its goods.
func began(t *testing.T, country string) (dir string, goods []good) {
	dir = t.TempDir()
	larder(t, "init", dir+"/basket", "--country", country)
	text := must(os.ReadFile(dir + "/basket/products.csv"))
	for _, row := range parseCSV(t, text)[1:] {
		goods = append(goods, good{row[0], row[1], row[4], row[5], row[len(row)-1]})
	}
	return dir, goods
}

// levels returns the national levels of all goods, by week.
func levels(t *testing.T, db string) string {
	var list []string
	text := larder(t, "index", "--db", db, "--level", "national", "--category", "overall", "--format", "csv")
	for _, row := range parseCSV(t, text)[1:] {
		list = append(list, row[0]+" "+row[4])
	}
	return strings.Join(list, ", ")
}

// steps are the levels of the goods' prices in four weeks.
func steps(first time.Time) string {
	var list []string
	for week, level := range []string{"100.0000", "110.0000", "100.0000", "110.0000"} {
		list = append(list, first.AddDate(0, 0, 7*week).Format(time.DateOnly)+" "+level)
	}
	return strings.Join(list, ", ")
}
