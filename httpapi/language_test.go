package httpapi_test

import (
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

// TestFrenchFirst walks the site of a publication in Berlin whose first language is French: French pages stand at /,
// English ones at /en, and all that names or links pages follows.
func TestFrenchFirst(t *testing.T) {
	t.Parallel()
	d := must(synth.Generate(synth.Config{Through: panel.Calendar{}.DateIn(apitest.Now), Weeks: 8, Stores: 26}))
	for key, value := range map[string]string{"country": "DE", "language": "fr", "time_zone": "Europe/Berlin"} {
		d.Settings = append(d.Settings, panel.Setting{Key: key, Value: value})
	}
	folder := filepath.Join(t.TempDir(), "panel")
	check(d.WriteDir(folder))
	f, x := apitest.ServeReleases(t)
	f.Clock.Set(apitest.Now)
	x.Publish(t, f, apitest.Import(t, folder), "")
	f.Look(false)
	links := regexp.MustCompile(`(?:href|action)="(/[^"#?]*)`)
	known := regexp.MustCompile(`^/(assets/|openapi\.json|llms\.txt|releases\.(atom|json)|why|figure)`)
	for path, says := range map[string]string{
		"/": "", "/shopper": "", "/methodology": "", "/docs": "", "/docs/api": "", "/account": "",
		"/releases": "heure de Berlin",
		"/en":       "", "/en/shopper": "", "/en/methodology": "Europe/Berlin", "/en/docs/api": "", "/en/account": "",
		"/en/releases": "Berlin time",
	} {
		r := f.Get(path, "")
		apitest.WantStatus(t, r, http.StatusOK)
		text, tag, other, english := string(r.Content), "fr-DE", "en-DE", strings.HasPrefix(path, "/en")
		if english {
			tag, other = other, tag
		}
		if !strings.Contains(text, `<html lang="`+tag+`"`) || !strings.Contains(text, `hreflang="`+other+`" lang="`+other+`"`) || !strings.Contains(text, says) {
			t.Errorf("%s: %.300s", path, text)
		}
		for _, link := range links.FindAllStringSubmatch(text, -1) {
			page := link[1]
			switches := strings.Contains(text, `<a id="language" href="`+page+`"`)
			if !known.MatchString(page) && !switches && strings.HasPrefix(page, "/en") != english {
				t.Errorf("%s links to %s", path, page)
			}
		}
	}
	for path, want := range map[string]int{"/fr/nosuch": 404, "/fr//docs": 404, "/fr/api/v1/index": 404, "/en/api/v1/index": 404, "/en/nosuch": 404, "/shopper/worker.js": 200, "/en/shopper/worker.js": 200} {
		apitest.WantStatus(t, f.Get(path, ""), want)
	}
	for path, text := range map[string]string{
		"/nosuch":                         `<html lang="fr-DE"`,
		"/en/nosuch":                      `<html lang="en-DE"`,
		"/docs/methodology":               "Location: /methodology",
		"/fr/":                            "Location: /\n",
		"/fr/shopper?city=berlin":         "Location: /shopper?city=berlin\n",
		"/en/docs/methodology":            "Location: /en/methodology",
		"/shopper/worker.js":              `page = "/shopper"`,
		"/en/shopper/worker.js":           `page = "/en/shopper"`,
		"/figure?view=x":                  `Vérifiez « view ».</p>` + "\n<p lang=\"en-CA\">index, yoy,",
		"/figure?view=yoy":                "Rien n’est publié pour ces séries",
		"/embed/figure?s=toronto.overall": "Seul un graphique qui ne demande pas de clé",
		"/figure?lang=en&from=x":          `Check “from”.</p>` + "\n<p lang=\"en-CA\">from: &#34;x&#34; is no date",
		"/sitemap.xml":                    `hreflang="en-DE" href="` + f.API.BaseURL + `/en/shopper"`,
	} {
		r := f.Get(path, "", apitest.Header("Accept", "text/html"))
		if !strings.Contains("Location: "+r.Header.Get("Location")+"\n"+string(r.Content), text) {
			t.Errorf("%s lacks %s: %.200s", path, text, r.Content)
		}
	}
}
