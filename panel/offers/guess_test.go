package offers

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

// TestGuess guesses the forms of three files that no bundled mapping is of.
func TestGuess(t *testing.T) {
	dir := write(t, map[string]string{
		"preise.csv": "Preisliste der Woche\nArtikelnummer;Bezeichnung;Füllmenge;EAN;Filiale;Verkaufspreis;Grundpreis je kg;Aktionspreis;Datum\n" +
			"A1;Vollmilch 3,5%;1 L;4006381333931;Mitte;1,19;;0,99;02.03.2026\nA2;Butter;250 g;73513537;Mitte;2,29;9,16;;13.03.2026\n",
		"cjenik Tern 2026-03-14.csv": encode(charmap.Windows1250, "ŠIFRA,NAZIV ARTIKLA,MARKA,Cijena u trgovini,Kod\n"+
			"7,Mlijeko trajno,Planinka,\"1,19\",3850000000015\n8,Šećer,Slador,\"0,99\",3850000000022\n"),
		"цени.csv": "наименование|населено място|магазин|верига|сума|редовна цена|ден\n" +
			"Прясно мляко|София|12|Лястовица|1.78|0|2026-03-02T08:00:00Z\nЗахар|София|12|Лястовица|1.20|1.49|2026-03-02T08:00:00Z\n",
		"list.json": `[{"id": "7", "nom": "Lait", "prix": 1.19, "jour": "2026-03-02"}]`,
		"bad.csv":   "a;b\n1;2\n",
	})
	for name, want := range map[string]string{
		"preise.csv": "shop=Filiale (Mitte) sku=Artikelnummer (A1) gtin=EAN (4006381333931) title=Bezeichnung (Vollmilch 3,5%) " +
			"size=Füllmenge (1 L) price=Verkaufspreis (1,19) promo=Aktionspreis (0,99) date=Datum (02.03.2026) decimal==, () chain==preise ()",
		"cjenik Tern 2026-03-14.csv": "sku=ŠIFRA (7) title=NAZIV ARTIKLA (Mlijeko trajno) brand=MARKA (Planinka) price=Cijena u trgovini (1,19) " +
			"gtin=Kod (3850000000015) decimal==, () chain==cjenik Tern () " +
			`name=(?P<year>20\d\d)[._-]?(?P<month>\d\d)[._-]?(?P<day>\d\d) (cjenik Tern 2026-03-14.csv)`,
		"цени.csv": "chain=верига (Лястовица) shop=магазин (12) city=населено място (София) title=наименование (Прясно мляко) " +
			"regular=редовна цена (1.49) price=сума (1.78) date=ден (2026-03-02T08:00:00Z) decimal==. ()",
		"list.json": "sku=id (7) title=nom (Lait) price=prix (1.19) date=jour (2026-03-02) decimal==. () chain==list ()",
		"bad.csv":   "bad.csv has no column named like one of titles, such as title, name or product",
	} {
		m, _, err := Guess(filepath.Join(dir, name))
		var got []string
		if err == nil {
			for _, r := range m.Rows {
				got = append(got, fmt.Sprintf("%s=%s (%s)", r.Field, r.Column, r.Example))
			}
		} else {
			got = []string{strings.ReplaceAll(err.Error(), dir+"/", "")}
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %s\nwant %s", name, text, want)
		}
	}
}
