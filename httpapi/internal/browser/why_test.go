package browser

import (
	"fmt"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// testWhy opens the pages of weeks: of a subscriber, and of a stranger from the table of a figure.
func testWhy(t *testing.T, b *browser) {
	f := serve(t, "", apitest.Ample)
	key := f.standardKey()
	weeks := weeksOf(f.rows(key, "level=national&category=overall")["national.overall"])
	newest := weeks[len(weeks)-1]
	d := f.signedIn(b, key)
	d.visit("/why?s=toronto.overall&week=" + newest)
	d.there("#why table")
	d.everywhere("why")
	d.tabThrough("why")
	x := b.open(t, f.API.BaseURL)
	x.visit("/figure")
	x.click(fmt.Sprintf(`#values a[href*=%q]`, newest))
	x.there("#why table")
	x.size(320, 700)
	x.fits("why at 320 px")
	x.click("#why [rel=prev]")
	x.there(fmt.Sprintf(`#why [rel=next][href*=%q]`, newest))
	x.click("#weeks button") // a form, without a script
	x.there(fmt.Sprintf(`#week option[value=%q][selected]`, weeks[len(weeks)-2]))
	x.glance("why-stranger")
	for layout, width := range []int64{1280, 768, 390} { // the bars of each layout lead on
		x.size(width, 900)
		for _, category := range []string{"meat", "pantry"} {
			x.visit("/why?lang=fr")
			x.click(fmt.Sprintf(`.over-%d a[href*=%q]`, layout, "."+category+"&"))
			await[bool](x, `(series) => location.search.startsWith("?s=" + series + "&") && document.querySelector("#why h1") !== null`, "national."+category)
		}
	}
}
