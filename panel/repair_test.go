package panel

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

func TestRepair(t *testing.T) {
	for _, c := range []struct{ name, want, why string }{
		{"Café", "Café", "good text stays"},
		{"NESTLÉ® café", "NESTLÉ® café", "accents beside signs stay"},
		{"PÂTÉ DE FOIE", "PÂTÉ DE FOIE", "a capital with circumflex before a letter"},
		{"CHÂTEAU «RÉSERVE»", "CHÂTEAU «RÉSERVE»", "quotes stay"},
		{"Salt & Pepper", "Salt & Pepper", "an ampersand"},
		{"Fish &chips; more", "Fish &chips; more", "no such reference"},
		{"Sel &para", "Sel &para", "no semicolon: no reference"},
		{"&#xD800; &#0;", "&#xD800; &#0;", "references to no character"},
		{"Å« Æ® Ë¨ â©x", "Å« Æ® Ë¨ â©x", "pairs that are no misread letters"},
		{"ÅLAND, Æble, NOËL", "ÅLAND, Æble, NOËL", "letters that a misread œ, ƒ or ˆ would begin with"},
		{"", "", "nothing"},

		{"fÃ¨ves foncÃ©es Ã\u00a0 la", "fèves foncées à la", "à is misread with a no-break space"},
		{"CrÃ¨me 3,25Â\u00a0%", "Crème 3,25\u00a0%", "a misread no-break space becomes one"},
		{"Â¿quÃ©?", "¿qué?", "the last continuation byte"},
		{"Æ’5 Ëœ Ë†", "ƒ5 ˜ ˆ", "characters of windows-1252 itself"},
		{"Â€ Ã", "€ Ã", "the first continuation byte, and a lead at the end"},
		{"Ã\u008dle", "Íle", "a byte that windows-1252 does not define"},
		{"MAÃ\u008fS, â\u0080\u009cdouxâ\u0080\u009d", "MAÏS, “doux”", "bytes that windows-1252 does not define"},
		{"sauce Ã  la crÃ¨me, dÃ©jÃ  lÃ -bas, voilÃ , Ã la carte", "sauce à la crème, déjà là-bas, voilà, à la carte", "à whose no-break space became a space"},
		{"MAÇÃ VERDE", "MAÇÃ VERDE", "a capital Ã at the end of a word"},
		{"L\u0092\u009cuf\u0000\u0007\u009d frais\u007f\r\nA", "L’œuf frais A", "control characters"},
		{"pain &quot; kaiser &quot;", `pain " kaiser "`, "a reference"},
		{"R&amp;B &#39;X&#39;", "R&B 'X'", "more references"},
		{"&amp;quot;", `"`, "a reference to a reference"},
		{"mayonnaise  \"Selection\" ", `mayonnaise "Selection"`, "spaces"},
	} {
		if got := Repair(c.name); got != c.want {
			t.Errorf("%s: %q becomes %q, want %q", c.why, c.name, got, c.want)
		}
	}
}

// TestRepairUndoesMisreading misreads French text as such systems do.
func TestRepairUndoesMisreading(t *testing.T) {
	for _, good := range []string{
		"Crème sûre légère, 500 mL", "Bœuf haché maigre", "ÉPINARDS À LA CRÈME", "Maïs en épi", "Pâté de campagne «maison»",
		"L’œuf d’or™ – 12 unités", "Jalapeño", "Gruyère 1/2 • 200 g", "naïveté… 3 €", "Häagen", "ÎLE-DES-SŒURS", "Žižka Šunka",
	} {
		for _, latin := range []bool{false, true} {
			misread := good
			for times := 1; times <= 3; times++ {
				var runes []rune
				for _, b := range []byte(misread) {
					r := charmap.Windows1252.DecodeByte(b)
					if r == utf8.RuneError || latin {
						r = rune(b)
					}
					runes = append(runes, r)
				}
				misread = string(runes)
				if got := Repair(misread); got != good {
					t.Errorf("misread %d times, %q becomes %q, want %q", times, misread, got, good)
				}
				if spaced := strings.ReplaceAll(misread, "Ã\u00a0", "Ã "); Repair(spaced) != good {
					t.Errorf("misread %d times, %q becomes %q, want %q", times, spaced, Repair(spaced), good)
				}
			}
		}
		if got := Repair(good); got != good {
			t.Errorf("%q was damaged: %q", good, got)
		}
	}
}

func FuzzRepair(f *testing.F) {
	for _, s := range []string{"crÃƒÂ¨me", "&amp;quot;", "Ã Â", "a  b", "â€", "&#xD800;", "\xff", "BÅ\u0093uf Ã  la", "\x00\u009d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Repair(s)
		if twice := Repair(once); twice != once {
			t.Errorf("%q becomes %q, and then %q", s, once, twice)
		}
		if i := strings.IndexFunc(once, unicode.IsControl); i >= 0 {
			t.Errorf("%q becomes %q, with a control character at %d", s, once, i)
		}
		if utf8.ValidString(s) && !utf8.ValidString(once) {
			t.Errorf("%q becomes invalid: %q", s, once)
		}
	})
}
