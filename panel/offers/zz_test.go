package offers
import ("testing";"context";"time";"fmt";"os";"strings")
func TestZZ(t *testing.T){
 dir := t.TempDir(); os.Mkdir(dir+"/konz",0o755)
 head := "NAZIV PROIZVODA;ŠIFRA PROIZVODA;MARKA PROIZVODA;NETO KOLIČINA;JEDINICA MJERE;MALOPRODAJNA CIJENA;CIJENA ZA JEDINICU MJERE;MPC ZA VRIJEME POSEBNOG OBLIKA PRODAJE;BARKOD;KATEGORIJA PROIZVODA\r\n"
 for i := range 420 { os.WriteFile(fmt.Sprintf("%s/konz/SUPERMARKET,ULICA 1 31300 GRAD,%04d,1629,21.05.2025, 05-22.CSV", dir, i), []byte(head+strings.Repeat("CAJ;0071;D;0,75;kg;1,50;1,19;;3850000000009;CAJEVI\r\n",5000)),0o644) }
 s := time.Now(); m, err := Detect([]string{dir}); fmt.Println(m.Name, err, time.Since(s))
 s = time.Now(); r, err := Read(context.Background(), []string{dir}, Options{Mapping: m, Currency:"EUR"}, func(*Offer) error {return nil}); fmt.Println(r, err, time.Since(s))
}
