package browser

import (
	"context"
	"flag"
	"maps"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// The pages in Chromium: `make browser`. Without the build tag, no test needs a
// browser.
var screenshots = flag.String("screenshots", "", "a `directory` for pictures of the pages, to be looked at; none are taken without it")

var selections = flag.Int("selections", 100, "a `number` of random pages whose pictures are looked at")

// short names the tests of TestBrowser that -short runs: the ways that most people go.
var short = []string{"account sign-in", "desk", "escaping", "figure", "front", "pictures", "shopper aisle", "shopper path", "shopper plain"}

// TestBrowser runs the tests of the pages in one browser. Each has a server of its
// own, and opens tabs that share nothing with another's.
func TestBrowser(t *testing.T) {
	b := startBrowser(t)
	tests := map[string]func(*testing.T, *browser){
		"account link":      testSignInLink,
		"account sign-in":   testSignIn,
		"chart":             testChart,
		"chart controls":    testControls,
		"chart weight":      testWeight,
		"desk":              testDesk,
		"escaping":          testEscaping,
		"feed":              testPacks,
		"figure":            testFigure,
		"french":            testFrench,
		"front":             testFront,
		"language":          testSwitch,
		"keyboard":          testKeyboard,
		"paper":             testPaper,
		"pictures":          testPictures,
		"prices whole":      testWhole,
		"releases":          testReleases,
		"documents":         testDocuments,
		"session ends":      testSessionEnds,
		"shopper aisle":     testAisle,
		"shopper basket":    testBasket,
		"shopper enter":     testEnter,
		"shopper fits":      testFits,
		"shopper kept":      testKept,
		"shopper paste":     testPaste,
		"shopper condition": testConditions,
		"shopper limit":     testLimited,
		"shopper malformed": testMalformedLinks,
		"shopper path":      testShopperPath,
		"shopper plain":     testPlain,
		"shopper print":     testPrint,
		"shopper statuses":  testStatuses,
		"why":               testWhy,
	}
	for _, name := range slices.Sorted(maps.Keys(tests)) {
		if testing.Short() && !slices.Contains(short, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tests[name](t, b)
		})
	}
}

// browser is a running Chromium.
type browser struct {
	ctx context.Context
	axe string // the script of axe-core; empty if it is not installed
}

// startBrowser starts Chromium. It is ended, and its profile removed, with the
// test.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(chromium(t)),
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		// What asks for another host is found out, and gets nowhere.
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"),
		chromedp.Flag("lang", "en-CA"),
	)
	ctx, end := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(end)
	ctx, cancel := chromedp.NewContext(ctx, chromedp.WithErrorf(t.Logf))
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("the browser does not start: %v", err)
	}
	return &browser{ctx, axeScript(t)}
}

// chromium returns the path of the browser.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium is installed")
	return ""
}

// axeScript returns the script of axe-core, which `make browser` installs.
func axeScript(t *testing.T) string {
	t.Helper()
	script, err := os.ReadFile("testdata/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Log("barriers are not looked for:", err, "(make browser)")
	}
	return string(script)
}

// server is a server under test at an address of its own, which browsers take
// cookies from.
type server struct{ *apitest.Server }

// serve starts a server on a snapshot, the demo's if db is empty.
func serve(t testing.TB, db string, change ...func(*httpapi.Config)) *server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	change = append([]func(*httpapi.Config){addressed(l)}, change...)
	if db == "" {
		return listening(l, apitest.Serve(t, change...))
	}
	return listening(l, apitest.ServeFile(t, db, change...))
}

// addressed gives a server the address of a listener.
func addressed(l net.Listener) func(*httpapi.Config) {
	return func(c *httpapi.Config) { c.BaseURL = "http://" + l.Addr().String() }
}

// listening moves a server to a listener.
func listening(l net.Listener, of *apitest.Server) *server {
	f := &server{of}
	f.HTTP.Close()
	f.listen(l)
	f.T.Cleanup(func() { f.HTTP.Close() })
	return f
}

func (f *server) listen(l net.Listener) {
	f.HTTP = httptest.NewUnstartedServer(f.API.Handler())
	f.HTTP.Listener.Close()
	f.HTTP.Listener = l
	f.HTTP.Start()
}

// down has nothing listen at the address until up is called.
func (f *server) down() { f.HTTP.Close() }

func (f *server) up() {
	f.T.Helper()
	l, err := net.Listen("tcp", f.HTTP.Listener.Addr().String())
	if err != nil {
		f.T.Fatal(err)
	}
	f.listen(l)
}

// standardKey makes a key whose tier has all pages.
func (f *server) standardKey() string { return f.Key(state.Standard) }

// signedIn opens a tab with a session of the key.
func (f *server) signedIn(b *browser, key string) *tab {
	f.T.Helper()
	x := b.open(f.T, f.API.BaseURL)
	c := f.SignIn(key)
	command(x, network.SetCookie, network.SetCookieParams{Name: c.Name, Value: c.Value, URL: x.base, HTTPOnly: new(true), SameSite: network.CookieSameSiteStrict})
	return x
}
