package httpapi

import (
	"errors"
	"html/template"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/feeds"
	"github.com/larder-index/larder/httpapi/figure"
	"github.com/larder-index/larder/httpapi/front"
	"github.com/larder-index/larder/httpapi/internal/accept"
	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/httpapi/pages"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// pageRoutes returns the pages that people look at, and what they load. The server
// decides by the session what / and /account show, so no page asks who is signed
// in before it shows anything.
func (s *Server) pageRoutes() (routes []*route, err error) {
	if s.pages, err = pages.New(); err != nil {
		return nil, err
	}
	row := func(path string, handle func(*call) error) {
		routes = append(routes, &route{"GET", path, access{by: withBrowser}, nil, handle})
	}
	// add adds a page in every language.
	add := func(path string, handle func(*call) error) {
		for _, l := range lang.All {
			row(l.At(path), handle)
		}
	}
	// moved leads a reader who guesses an address to the page's own one.
	moved := func(from, to string) {
		row(from, func(c *call) error {
			s.setPageHeaders(c.w.Header())
			c.w.Header().Set("Location", to)
			c.w.WriteHeader(http.StatusPermanentRedirect)
			return nil
		})
	}
	// addPage adds a page that is the same for everyone. It is asked for anew each
	// time, since the addresses of its assets change with the release.
	addPage := func(template, path string, data func(l *lang.Language) any) {
		policy := pages.Policy
		if path == compare.ShopperPath {
			policy = pages.ShopperPolicy
		}
		current := map[*lang.Language]func() (*reply.Document, error){}
		for _, l := range lang.All {
			current[l] = s.worded(func(about *panel.About) (*reply.Document, error) {
				body, err := s.pages.Render(template, pages.View{Lang: l, Path: path, Base: s.BaseURL, About: about, Data: data(l)})
				return reply.NewDocument(reply.HTMLType, body, "Cache-Control", "no-cache"), err
			})
			_, failed := current[l]()
			err = errors.Join(err, failed)
		}
		add(path, func(c *call) error {
			l, _ := lang.Locate(c.path)
			d, err := current[l]()
			if err != nil {
				return err
			}
			s.setPageHeaders(c.w.Header())
			c.w.Header().Set("Content-Security-Policy", policy)
			s.Snapshots.At(c.now).NameIn(c.w.Header())
			return d.Serve(c.w, c.r)
		})
	}
	addPage("shopper", compare.ShopperPath, func(*lang.Language) any { return nil })
	add(pages.WorkerPath, s.worker())
	addPage("documents", pages.DocsPath, func(l *lang.Language) any { return s.pages.Groups(l) })
	for i, d := range s.pages.Documents(lang.English) {
		addPage("document", d.Path, func(l *lang.Language) any { return shelved{s.pages.Documents(l)[i], s.pages.Groups(l)} })
		if alike := pages.DocsPath + "/" + d.Name; alike != d.Path {
			for _, l := range lang.All {
				moved(l.At(alike), l.At(d.Path))
			}
		}
	}
	add(pages.DocsSearch, s.searchDocuments)
	moved(lang.French.Prefix+"/", lang.French.At(pathHome))
	add(pathHome, s.sessionPage(s.subscriberPage("dashboard"), s.strangersPage()))
	add(pathAccount, s.sessionPage(s.subscriberPage("account"), nil))
	if s.Snapshots.Releases != nil {
		add(feeds.PathPage, s.sessionPage(s.releasesPage, nil))
	}
	row(pathAssets, s.assets())
	return routes, err
}

// shelved is a document with all that there are, for the sidebar.
type shelved struct {
	pages.Document
	Groups []pages.Group
}

// maxQuery is the length in bytes of a search in the documentation. The rest of a
// longer one does not count.
const maxQuery = 200

// searchDocuments answers a search in the documentation for its page.
func (s *Server) searchDocuments(c *call) error {
	query := c.r.URL.Query().Get("q")
	query = query[:min(len(query), maxQuery)]
	c.w.Header().Set("Cache-Control", "no-cache")
	c.w.Header().Set("X-Robots-Tag", "noindex")
	l, _ := lang.Locate(c.path)
	return reply.JSON(c.w, c.r, http.StatusOK, struct {
		Found []pages.Found `json:"found"`
	}{s.pages.Search(l, query)})
}

// assets returns the handler of styles and scripts. An address holds the hash of
// all of them and is good for ever; any other address is of another release.
func (s *Server) assets() func(*call) error {
	files := map[string]*reply.Document{}
	for _, address := range s.pages.Assets() {
		a, _ := s.pages.Asset(address)
		files[address] = reply.NewDocument(a.Type, a.Body, "Cache-Control", "public, max-age=31536000, immutable", "X-Robots-Tag", "noindex")
	}
	return func(c *call) error {
		file := files[c.r.URL.Path]
		if file == nil {
			return errAssetMissing
		}
		s.setPageHeaders(c.w.Header())
		file.ServeFile(c.w, c.r)
		return nil
	}
}

// worker returns the handler of the shopper page's service worker. The header lets it
// answer for the page too, which is not below the script's address.
func (s *Server) worker() func(*call) error {
	scripts := map[*lang.Language]*reply.Document{}
	for _, l := range lang.All {
		a := s.pages.Worker(l)
		scripts[l] = reply.NewDocument(a.Type, a.Body, "Cache-Control", "no-cache", "X-Robots-Tag", "noindex", "Service-Worker-Allowed", l.At(compare.ShopperPath))
	}
	return func(c *call) error {
		s.setPageHeaders(c.w.Header())
		l, _ := lang.Locate(c.path)
		return scripts[l].Serve(c.w, c.r)
	}
}

// front returns the maker of the page for strangers.
func (s *Server) front() *front.Maker {
	return &front.Maker{Snapshots: s.Snapshots, Pages: s.pages, BaseURL: s.BaseURL, Public: s.Public}
}

// strangersPage answers strangers at /.
func (s *Server) strangersPage() func(*call) error {
	current := map[*lang.Language]func(time.Time, string) (*reply.Document, error){}
	for _, l := range lang.All {
		current[l] = s.front().Page(l)
	}
	return func(c *call) error {
		l, _ := lang.Locate(c.path)
		d, err := current[l](c.now, c.r.URL.RawQuery)
		if err != nil {
			return err
		}
		s.setPageHeaders(c.w.Header())
		return d.Serve(c.w, c.r)
	}
}

// reader is whom a page is made for.
type reader struct {
	wire.SignedIn
	Cities      []basket.City   // of the snapshot that is served; some may have no published rows
	Chains      []basket.Banner // likewise
	Annotations []panel.Annotation
	Note, Terms string           // of the index, where the page's language is not that of responses
	Products    []basket.Product // with their names in French, where that is the page's language
	Upgrade     string           // address for a higher tier; or empty
	Due         *time.Time       // when the next release is planned; nil without a release log

	Title        string
	Wide, Narrow template.HTML // pictures of the dashboard's chart, which are there before its script; or empty
}

// filling chooses the template of a page and makes its data. The session is nil for a
// stranger.
type filling func(c *call, served *prepared.Served, session *state.Session) (template string, data any)

// subscriberPage fills a template for a signed-in subscriber. A stranger gets the sign-in
// form.
func (s *Server) subscriberPage(template string) filling {
	return func(c *call, served *prepared.Served, session *state.Session) (string, any) {
		if session == nil {
			return "signin", nil
		}
		l, _ := lang.Locate(c.path)
		x := s.newReader(l, *session, served, c.now)
		if template == "dashboard" && served != nil {
			x.Title, x.Wide, x.Narrow = figure.FirstPictures(&figure.Source{Served: served, Vintage: served.Vintage, At: c.now}, c.r.URL.Query(), l, s.Public)
		}
		return template, x
	}
}

// sessionPage answers with a page that depends on who is signed in. If strangers is not nil,
// it answers them.
func (s *Server) sessionPage(fill filling, strangers func(*call) error) func(*call) error {
	return func(c *call) error {
		session, err := s.session(c.r)
		var refused *reply.Error
		if err != nil && keyRefusal(err) == nil && !errors.As(err, &refused) {
			return s.faultPage(c, err)
		}
		served := s.Snapshots.At(c.now)
		served.NameIn(c.w.Header())
		signedIn := &session
		if err != nil {
			if signedIn = nil; strangers != nil {
				return strangers(c)
			}
		}
		name, data := fill(c, served, signedIn)
		l, path := lang.Locate(c.path)
		body, err := s.pages.Render(name, pages.View{Lang: l, Path: path, Query: c.r.URL.RawQuery, Base: s.BaseURL, About: served.About(), Data: data})
		if err != nil {
			return err
		}
		if path == pathAccount {
			c.w.Header().Set("X-Robots-Tag", "noindex")
		}
		s.writePage(c.w, c.r, http.StatusOK, "Accept-Encoding, Cookie", body)
		return nil
	}
}

func (s *Server) newReader(l *lang.Language, session state.Session, served *prepared.Served, now time.Time) reader {
	x := reader{SignedIn: describe(session), Upgrade: served.About().UpgradeLink()}
	if served != nil {
		x.Cities, x.Chains, x.Annotations = served.Panel.Cities(), served.Panel.Banners(), served.Panel.Annotations()
	}
	if l != lang.English {
		x.Note, x.Terms = prepared.NoteIn(l, "v2", served.About(), jevons.IncludeQuality), prepared.TermsIn(l, served.About())
	}
	if l == lang.French && served != nil {
		x.Products = served.Panel.Products()
	}
	if served != nil && s.Snapshots.Releases != nil {
		x.Due = new(served.Words.NextRelease(now))
	}
	return x
}

// releaseList is the data of the page of releases.
type releaseList struct {
	SignedIn bool // strangers see no count, no note and no figure
	Due      *time.Time
	Releases []wire.Release // newest first
	Older    int            // releases that are not in the list
}

// releasesPage lists the newest releases.
func (s *Server) releasesPage(c *call, served *prepared.Served, session *state.Session) (string, any) {
	x := releaseList{SignedIn: session != nil}
	if served == nil {
		return "releases", x
	}
	x.Due = new(served.Words.NextRelease(c.now))
	all := s.Snapshots.Releases.UpTo(served)
	x.Older = max(0, len(all)-releasesPage)
	for i := range all[x.Older:] {
		r := &all[len(all)-1-i]
		x.Releases = append(x.Releases, prepared.ReleaseRow(r))
	}
	return "releases", x
}

// trouble is the page of an error.
type trouble struct {
	Title, Message string
	Detail         string // what programs are told; or empty
	RequestID      string // for a fault of the server; else empty
}

var notThere = trouble{
	Title:   lang.Key("There is no such page"),
	Message: lang.Key("The address may be misspelt, or the page may have had another name. These are the pages there are:"),
}

// faultPage answers a browser whose page can't be made just now. It logs the error
// as any other. It returns the error if the client is a program.
func (s *Server) faultPage(c *call, err error) error {
	if !wantsPage(c.r) {
		return err
	}
	return s.troublePage(c.w, c.r, s.refusal(c.r, err).Status(), trouble{
		Title:     lang.Key("That did not work"),
		Message:   lang.Key("Something failed on this side, not on yours. Load the page again in a minute. Meanwhile, these may work:"),
		RequestID: requestID(c.r),
	})
}

func (s *Server) troublePage(w http.ResponseWriter, r *http.Request, status int, x trouble) error {
	l, path := lang.Locate(r.URL.Path)
	if status == http.StatusNotFound {
		path = ""
	}
	body, err := s.pages.Render("trouble", pages.View{Lang: l, Path: path, About: s.Snapshots.Current().About(), Data: x})
	if err != nil {
		return err
	}
	w.Header().Set("X-Robots-Tag", "noindex")
	s.writePage(w, r, status, "Accept, Accept-Encoding", body)
	return nil
}

// wantsPage reports whether a person's browser asks: it would rather have HTML than
// JSON. A program that takes either gets JSON, and so does everybody at an address
// for programs, however it is spelt.
func wantsPage(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	address := strings.ToLower(path.Clean("/" + r.URL.Path))
	if strings.HasSuffix(r.URL.Path, "/") {
		address += "/"
	}
	for _, prefix := range []string{"/api", "/account/", pathMCP, "/.well-known", pages.AssetPrefix} {
		if strings.HasPrefix(address, prefix) {
			return false
		}
	}
	return accept.Prefers(r.Header, reply.HTMLType, reply.JSONType)
}

// writePage sends a page that was made for one request, and that nobody may store.
func (s *Server) writePage(w http.ResponseWriter, r *http.Request, status int, vary string, body []byte) {
	s.setPageHeaders(w.Header())
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Vary", vary)
	reply.Respond(w, r, status, reply.HTMLType, body)
}

// setPageHeaders makes browsers keep other sites out of a page, and the page from
// whatever it does not need.
func (s *Server) setPageHeaders(h http.Header) {
	h.Set("Content-Security-Policy", pages.Policy)
	h.Set("Referrer-Policy", "no-referrer") // nor does a link tell where it was
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
}
