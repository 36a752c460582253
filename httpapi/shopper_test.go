package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

const (
	goodList  = `{"city":"toronto","items":[{"id":1,"qty":2},{"id":7,"qty":0.5}]}`
	goodQuery = "?city=toronto&items=1x2,7x0.5"
)

var goodForm = url.Values{"city": {"toronto"}, "items": {"1x2,7x0.5"}}

// lists yields lists of the demo's catalog, each with an instant: the largest list of
// every city, a few lists whose outcome is rare, and random ones.
func lists(t testing.TB, n int) func(yield func(list compare.Request, now time.Time) bool) {
	catalog := compare.Catalog(apitest.Reference())
	r := rand.New(rand.NewPCG(5, 8))
	return func(yield func(compare.Request, time.Time) bool) {
		for _, c := range catalog.Cities {
			list := compare.Request{City: c.Slug}
			for _, it := range catalog.Items {
				list.Items = append(list.Items, compare.Item{ID: it.ID, Qty: it.MaxQuantity})
			}
			if !yield(list, apitest.Now) {
				return
			}
		}
		for _, c := range []struct {
			city, items string
			stores      []string
			days        int
		}{
			{"edmonton", "43,38,45,8x0.25", nil, 0},
			{"toronto", "25,4,13", []string{"northlarch"}, 0},
			{"toronto", "25,4", []string{"bigfathom"}, 0},
			{"toronto", "25,4,13", nil, 60},
		} {
			if !yield(apitest.List(t, c.city, c.items, c.stores...), apitest.Now.AddDate(0, 0, c.days)) {
				return
			}
		}
		for n := range n {
			list, now := compare.Request{City: catalog.Cities[r.IntN(len(catalog.Cities))].Slug}, apitest.Now.AddDate(0, 0, r.IntN(12)-6)
			for _, i := range r.Perm(len(catalog.Items))[:1+r.IntN(1+n%20)] {
				it := catalog.Items[i]
				steps := int((it.MaxQuantity - it.MinQuantity) / it.QuantityStep)
				list.Items = append(list.Items, compare.Item{ID: it.ID, Qty: it.MinQuantity + compare.Quantity(r.IntN(steps+1))*it.QuantityStep})
			}
			list.Conditions = []string{"member", "multi_buy"}[:n%5%3]
			if !yield(list, now) {
				return
			}
		}
	}
}

var pageStatus = regexp.MustCompile(`id="(?:recommendation|split)"[^>]* data-status="(\w+)"`)

// TestShopperIsPackageCompare compares bodies with those that package compare makes of
// a projection of its own, byte for byte: by POST and GET, and with lines. The page has the
// same outcomes and chains.
func TestShopperIsPackageCompare(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	outcomes, splits, scopes := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for list, now := range lists(t, 60) {
		f.Clock.Set(now)
		form := url.Values{"city": {list.City}, "items": {apitest.Items(list)}, "stores": list.Stores, "conditions": list.Conditions}
		want := apitest.Compared(t, apitest.Reference(), list, now)
		for _, include := range [][]string{nil, {compare.IncludeLines, compare.IncludeCodes}} {
			list.Include = include
			body := apitest.Compared(t, apitest.Reference(), list, now).AppendJSON(nil)
			posted, got := f.Post("/api/shopper/compare", apitest.Body(t, list)), f.Get("/api/shopper/compare"+apitest.Query(list), "")
			if !bytes.Equal(posted.Content, body) || !bytes.Equal(got.Content, body) {
				t.Fatalf("%s: POST %d %s\nGET %d %s\nwant %s", apitest.Query(list), posted.StatusCode, posted.Content, got.StatusCode, got.Content, body)
			}
		}
		page := f.PostForm("/shopper", form)
		shown := pageStatus.FindAllSubmatch(page.Content, -1)
		if len(shown) != 2 || string(shown[0][1]) != want.Recommendation.Status || string(shown[1][1]) != want.Split().Status {
			t.Fatalf("%s: %d: the page has %q, want %s and %s", apitest.Query(list), page.StatusCode, shown, want.Recommendation.Status, want.Split().Status)
		}
		_, rest, _ := strings.Cut(string(page.Content), `<ul id="chains-compared">`)
		for _, s := range want.Stores {
			var there bool
			if _, rest, there = strings.Cut(rest, fmt.Sprintf(`<li data-store="%s" data-complete="%t">`, s.Key, s.CompleteRequestedList)); !there {
				t.Errorf("%s: %s is not in its place", apitest.Query(list), s.Key)
			}
		}
		if page.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("the page is open to other sites: %v", page.Header)
		}
		outcomes[want.Recommendation.Status], scopes[want.ComparisonScope], splits[want.Split().Status] = true, true, true
	}
	if len(outcomes) != 4 || len(scopes) != 3 || len(splits) != 6 { // all that there are
		t.Errorf("outcomes %v, scopes %v, splits %v", outcomes, scopes, splits)
	}
}

// TestShopperCatalog compares the catalog with that of package compare, at two instants.
func TestShopperCatalog(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	catalog := compare.Catalog(apitest.Reference())
	var want bytes.Buffer
	encoder := json.NewEncoder(&want)
	encoder.SetEscapeHTML(false)
	check(encoder.Encode(catalog))
	for _, now := range []time.Time{apitest.Now, apitest.Now.AddDate(1, 0, 0)} {
		f.Clock.Set(now)
		if r := f.Get("/api/shopper/catalog", ""); !bytes.Equal(r.Content, want.Bytes()) || r.Header.Get("Cache-Control") != "public, max-age=3600" || r.Header.Get("RateLimit") != "" {
			t.Errorf("%d %v: another catalog than package compare has", r.StatusCode, r.Header)
		}
	}
}

// TestShopperForm sends the form of the page as a browser without a script does. A line counts if it is certain, or if
// the form says which item it means; the others ask, or are named as not compared. An item that comes twice is added up.
func TestShopperForm(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, func(c *httpapi.Config) { c.ShopperPerMinute = 10 })
	page := apitest.Header("Accept", "text/html,*/*;q=0.8")
	send := func(path string, values url.Values, want int, change ...apitest.Change) string {
		t.Helper()
		r := f.PostForm(path, values, append([]apitest.Change{page}, change...)...)
		apitest.WantStatus(t, r, want)
		kept := "no-store"
		if want == http.StatusOK {
			kept = "private, no-cache"
		}
		if got := r.Header.Get("Cache-Control"); got != kept || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
			t.Errorf("%s: %q %v", path, got, r.Header)
		}
		return strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(string(r.Content), " ")), " ")
	}
	says := func(text string, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("no %q in %s", part, text)
			}
		}
	}
	list := url.Values{"city": {"toronto"}, "list": {"2 dozen eggs\nfrozen\nsesame buns\n1,5 kg chicken breast\neggs"}}
	says(send("/shopper", list, http.StatusOK), "2 dozen eggs → Large eggs, dozen , 2 packages", "Not compared: frozen ; sesame buns .", "without 2 of your lines", "Large eggs, dozen 3 packages",
		"frozen frozen: Which is meant? choose one", "sesame buns not compared", "chicken breast → Chicken breast, boneless skinless, per kg , 1.5 kg")
	list.Set("item frozen", "38")
	says(send("/shopper", list, http.StatusOK), "frozen → Frozen", "without 1 of your lines")
	says(send("/fr/shopper", list, http.StatusOK), "2 dozen eggs → Gros œufs, douzaine , 2 emballages", "sans l’une de vos lignes", "1,5 kg")
	says(send("/shopper", url.Values{"city": {"toronto"}, "list": {strings.Repeat("eggs\n", 110)}}, http.StatusOK), "without 10 of your lines", "its last 10 lines were left out", "Large eggs, dozen 20 packages",
		"“eggs”: Large eggs, dozen: 20 packages is the most that can be asked for.")
	says(send("/fr/shopper", url.Values{"city": {"toronto"}, "list": {"6 œufs\n3 lb bœuf haché"}, "item 6 œufs": {"2"}}, http.StatusOK), "« 6 œufs » : se vend en emballages entiers, de 1 à 20 : combien en voulez-vous?", "arrondi à 1,25 kg, la quantité la plus proche")
	says(send("/shopper", url.Values{"list": {"caviar"}}, http.StatusOK), "Choose a city: prices are compared within one.", "Add at least one item.")
	says(send("/shopper", url.Values{"city": {"toronto"}, "list": {"eggs"}, "stores": {"gullhaven"}}, http.StatusBadRequest), "A chain of the list has no store in this city.")
	says(send("/shopper", url.Values{"city": {"nosuchtown"}, "list": {"eggs"}}, http.StatusBadRequest), "What was sent can't be used.")
	send("/shopper", url.Values{"city": {"toronto"}, "list": {strings.Repeat("sesame\n", 6000)}}, http.StatusRequestEntityTooLarge)
	send("/shopper", list, http.StatusForbidden, apitest.Header("Sec-Fetch-Site", "cross-site"))
	send("/shopper", list, http.StatusOK, apitest.Header("Referer", "https://larder.example/shopper#city=charlottetown&items=7x0.75"))
	send("/shopper", list, http.StatusTooManyRequests)
	f.Get("/shopper?city=charlottetown&items=7x0.75", "")
	f.Do(http.MethodPut, "/shopper?city=charlottetown&items=7x0.75", "", "sesame")
	wantNoList(f)
}

// listParts are parts of the lists below, as sent and as repeated in answers.
var listParts = []string{
	"7x0.75", "0.750000", "11x3.25", "3.250000", "charlottetown", "tillbrook", "northlarch", "nosuchtown", "nosuchchain", "sesame", "items=", "city=",
	`"qty"`, `\"qty\"`, "#city", "7,11",
}

// wantNoList checks that the server has written no part of the lists.
func wantNoList(f *apitest.Server) {
	f.T.Helper()
	for place, content := range f.Written() {
		for _, part := range listParts {
			if i := bytes.Index(content, []byte(part)); i >= 0 {
				f.T.Errorf("%s holds %s: %q", place, part, content[max(0, i-200):min(len(content), i+100)])
			}
		}
	}
}

// TestListIsKeptNowhere sends lists in all ways, good and refused, and searches all that
// the server wrote for them.
func TestListIsKeptNowhere(t *testing.T) {
	t.Parallel()
	const query = "?city=charlottetown&items=7x0.750000,11x3.250000"
	const body = `{"city":"charlottetown","items":[{"id":7,"qty":0.750000},{"id":11,"qty":3.250000}]`
	const path = "/api/shopper/compare"
	f := apitest.Serve(t, func(c *httpapi.Config) { c.ShopperPerMinute = 19 }) // the rest is 405
	long := body + strings.Repeat("\n", 9000) + "}"
	sent := 0
	for _, first := range []int{http.StatusOK, http.StatusTooManyRequests} { // then the minute is used up
		all := []*apitest.Response{
			f.Post(path, body+"}"), f.Post(path, body+`,"stores":["northlarch","nosuchchain"]}`), f.Post(path, body), f.Post(path, body+`,"sesame":1}`),
			f.Post(path, body+"}sesame"), f.Post(path+query, body+"}"), f.Post(path, body+"}", apitest.Header("Content-Type", "text/sesame")),
			f.Post(path, body+"}", apitest.Header("Content-Encoding", "sesame")), f.Post(path, long), f.Post(path, "x", apitest.Chunked(long)),
			f.Post(path, strings.Replace(body, "charlottetown", "nosuchtown", 1)+"}"), f.Do(http.MethodOptions, path+query, "", ""), f.Do(http.MethodPut, path+query, "", body),
			f.Post(path, body+"}", apitest.Header("Referer", "https://larder.example/shopper#city=charlottetown&items=7x0.75"), apitest.Header("User-Agent", "sesame")),
			f.Post(path, body+"}", apitest.Header("Authorization", "Bearer "+f.Key(state.Standard))),
			f.Get(path+query, ""), f.Do(http.MethodHead, path+query, "", ""), f.Get(path+query+"&stores=tillbrook,nosuchchain", ""),
			f.Get(path+query+"&sesame=1", ""), f.Get(path+query+"&city=nosuchtown", ""), f.Get(path+query+"&items=%zz", ""),
		}
		apitest.WantStatus(t, all[0], first)
		sent += len(all)
	}
	f.Get("/api/shopper/sesame"+query, "")
	f.Get("/api/shopper/catalog"+query, "")
	wantNoList(f)
	if got := strings.Count(f.Log.String(), `"route":"`+path+`"`); got != sent {
		t.Errorf("%d of %d requests were logged as of %s", got, sent, path)
	}
	if rows := f.Column("SELECT count(*) FROM requests"); len(rows) != 1 || rows[0] != "0" {
		t.Errorf("the billing log has %v rows", rows)
	}
}

// TestListPanic panics with a value made of the list. The value is not logged.
func TestListPanic(t *testing.T) {
	t.Parallel()
	f, _ := apitest.ServeCopy(t)
	f.Snapshots.Current().Projection = func() *compare.Projection {
		panic(fmt.Sprintf("no chain of charlottetown has %v", []string{"7x0.75", "11x3.25"}))
	}
	const body = `{"city":"charlottetown","items":[{"id":7,"qty":0.750000}]}`
	for what, r := range map[string]*apitest.Response{
		"GET": f.Get("/api/shopper/compare?city=charlottetown&items=7x0.750000,11x3.250000", ""), "POST": f.Post("/api/shopper/compare", body),
		"form": f.PostForm("/shopper", goodForm), "catalog": f.Get("/api/shopper/catalog", ""),
	} {
		apitest.WantError(t, what, r, http.StatusInternalServerError, "internal_error")
	}
	wantNoList(f)
	log := f.Log.String()
	if strings.Count(log, `"msg":"panic"`) != 4 || !strings.Contains(log, "shopper") || !strings.Contains(log, "a string, which is not shown") {
		t.Errorf("what panicked, and where, is not in the log: %s", log)
	}
	if got := f.Metric("larder_panics_total"); got != "4" {
		t.Errorf("%s panics were counted", got)
	}
}
