package pages

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
)

//go:embed templates built documents.json
var files embed.FS

// Policy is the Content-Security-Policy of every page. Scripts, styles, pictures and
// connections are this host's. There are no plugins and no frames. A browser sends
// no form by itself, since a key would be in the address. Scripts can't turn texts
// into markup.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types 'none'"

// FormPolicy is the policy of pages without a key, whose forms browsers send by themselves.
var FormPolicy = strings.Replace(Policy, "form-action 'none'", "form-action 'self'", 1)

// ShopperPolicy is the policy of the shopper page. Its script may also name the one script
// of its service worker.
var ShopperPolicy = strings.Replace(FormPolicy, "trusted-types 'none'", "trusted-types shopper-worker", 1)

// WorkerPath is the address of the shopper page's service worker. Browsers look there for
// a newer one, so it is the same in every release.
const WorkerPath = "/shopper/worker.js"

// workerName is the asset that service workers are made of.
const workerName = "shopper/worker.js"

// Asset is a file that pages load.
type Asset struct {
	Type string // as in Content-Type
	Body []byte
}

// Set holds all pages and their assets. Make one with New.
type Set struct {
	hash   string
	assets map[string]Asset // by name, such as "shopper/shopper.js"
	made   sync.Map         // *localized by *words.Language
}

// localized holds the templates and documents of one language.
type localized struct {
	templates map[string]*template.Template
	groups    []Group
	worker    Asset
}

// AssetPrefix begins the addresses of assets.
const AssetPrefix = "/assets/"

// StopRules say what each stop rule of a release finds.
var StopRules = map[release.Rule]string{
	release.Scale:       words.Key("a banner's prices have another scale than before"),
	release.Shift:       words.Key("a banner's prices move far more than they used to"),
	release.Frozen:      words.Key("far more, or far fewer, of a banner's prices stand still than usual"),
	release.Surge:       words.Key("far more of a banner's rows are set aside, or come twice"),
	release.Promotions:  words.Key("a banner's promotions or stock are not as usual"),
	release.Vanished:    words.Key("a banner has far fewer prices than usual"),
	release.Jump:        words.Key("a headline or a national category moves far more than it used to"),
	release.Lost:        words.Key("cells of the last released week are gone"),
	release.Revision:    words.Key("a released level moves a lot"),
	release.Restatement: words.Key("references, settings or the method move released levels"),
	release.NothingNew:  words.Key("there is nothing to release"),
}

// View is the input of a page's template.
type View struct {
	Lang  *words.Language
	Path  string // of the page in English, such as "/shopper"; empty if it has no address of its own
	Query string // of the request, escaped
	Base  string // begins the addresses that search engines are told; or empty
	About *panel.About
	Data  any

	Here, Elsewhere string // addresses of the page in its language and in the other one, if Path doesn't lead to them
}

type alternate struct{ Tag, Address string }

// Alternates returns the addresses of a page in every language.
func (v View) Alternates() []alternate {
	if v.Base == "" || v.Path == "" && v.Here == "" {
		return nil
	}
	var all []alternate
	for _, l := range words.Of(v.About) {
		address := l.At(v.Path)
		if v.Path == "" {
			address = v.Elsewhere
			if l == v.Lang {
				address = v.Here
			}
		}
		all = append(all, alternate{l.Tag, v.Base + address})
	}
	return append(all, alternate{"x-default", all[0].Address})
}

// Switch returns the address of the page in the other language.
func (v View) Switch() template.URL {
	if v.Elsewhere != "" {
		return template.URL(v.Elsewhere) //nolint:gosec // the caller made it of checked parts
	}
	address := v.Lang.Other().At(cmp.Or(v.Path, "/"))
	if query, err := url.ParseQuery(v.Query); err == nil && len(query) > 0 {
		address += "?" + query.Encode()
	}
	return template.URL(address) //nolint:gosec // the path is a page's, the query is escaped
}

// New returns the pages. They are made of the embedded files once for each publication, and nothing
// changes them.
func New() *Set { return made() }

var made = sync.OnceValue(func() *Set {
	s := &Set{assets: map[string]Asset{}}
	s.readAssets()
	for _, l := range words.All {
		s.in(l)
	}
	return s
})

// in returns what is made in a language. That of another publication's pages is made when it is first asked for.
func (s *Set) in(l *words.Language) *localized {
	x, ok := s.made.Load(l)
	if !ok {
		x, _ = s.made.LoadOrStore(l, &localized{s.readTemplates(l), s.readDocuments(l), s.newWorker(l)})
	}
	return x.(*localized)
}

// must returns x. Tests read every embedded file too, so a fault panics.
func must[T any](x T, err error) T {
	if err != nil {
		panic("pages: " + err.Error())
	}
	return x
}

func (s *Set) readTemplates(l *words.Language) map[string]*template.Template {
	layout := template.New("pages").Funcs(template.FuncMap{
		"asset": func(name string) string { return s.address(l, name) },
		"t":     l.HTML, "at": l.At, "number": l.Number, "percent": l.Percent, "change": l.Change, "money": l.Money,
		"day": l.Day, "moment": l.Moment,
		"rule": func(r release.Rule) template.HTML { return l.HTML(StopRules[r]) },
	})
	parse := func(t *template.Template, name string) {
		must(t.New(path.Base(name)).Parse(linked(l, string(must(files.ReadFile(name))))))
	}
	const common = "templates/layout.html"
	for _, name := range append(must(fs.Glob(files, "templates/parts/*.html")), common) {
		parse(layout, name)
	}
	all := map[string]*template.Template{}
	for _, name := range must(fs.Glob(files, "templates/*.html")) {
		if name != common {
			t := must(layout.Clone())
			parse(t, name)
			all[strings.TrimSuffix(path.Base(name), ".html")] = t
		}
	}
	return all
}

var markupOrAction = regexp.MustCompile(`(?s)\{\{.*?\}\}|[^{]+`)

// linked makes the links in a template lead to pages of a language. It leaves actions
// alone, since the texts in them are found by their keys.
func linked(l *words.Language, source string) string {
	return markupOrAction.ReplaceAllStringFunc(source, func(part string) string {
		if strings.HasPrefix(part, "{{") {
			return part
		}
		return l.Links(part)
	})
}

// types are those of files that are served. The machine's own table may differ.
var types = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml"}

// readAssets reads the assets. Pictures of documents are below "docs/".
func (s *Set) readAssets() {
	sum := sha256.New()
	built := must(fs.Sub(files, "built"))
	must(built, fs.WalkDir(built, ".", func(name string, d fs.DirEntry, err error) error {
		kind := types[path.Ext(name)]
		if err != nil || kind == "" {
			return err
		}
		body, err := fs.ReadFile(built, name)
		fmt.Fprintf(sum, "%s %d\n", name, len(body))
		sum.Write(body)
		s.assets[name] = Asset{kind, body}
		return err
	}))
	const digits = 12
	s.hash = hex.EncodeToString(sum.Sum(nil))[:digits]
}

var named = regexp.MustCompile(`\{\{asset "([^"]+)"\}\}`)

// assetsOf returns the names of the assets that a template names, in its order.
func assetsOf(template string) (names []string) {
	for _, found := range named.FindAllSubmatch(must(files.ReadFile(template)), -1) {
		names = append(names, string(found[1]))
	}
	return names
}

// newWorker makes the service worker of the shopper page in a language. It holds the addresses of the
// page's assets, so it is another one in another release.
func (s *Set) newWorker(l *words.Language) Asset {
	var addresses []string
	for _, name := range append(assetsOf("templates/layout.html"), assetsOf("templates/shopper.html")...) {
		addresses = append(addresses, s.address(l, name))
	}
	script := s.assets[workerName]
	script.Body = fmt.Appendf(nil, "const release = %q, page = %q, files = %s;\n%s", s.hash,
		l.At(path.Dir(WorkerPath)), must(json.Marshal(addresses)), script.Body)
	return script
}

// Worker returns the service worker of the shopper page in a language.
func (s *Set) Worker(l *words.Language) Asset { return s.in(l).worker }

// address returns the address of an asset in a language. Only scripts of ours differ. It panics
// if there is no such asset.
func (s *Set) address(l *words.Language, name string) string {
	if own := l.Code + "/" + name; s.assets[own].Body != nil {
		name = own
	} else if s.assets[name].Body == nil {
		panic("pages: no asset " + name)
	}
	return AssetPrefix + s.hash + "/" + name
}

// Assets returns all assets by address.
func (s *Set) Assets() map[string]Asset {
	all := map[string]Asset{}
	for name, a := range s.assets {
		all[AssetPrefix+s.hash+"/"+name] = a
	}
	return all
}

// Groups returns the documentation in a language by kind of reader, in the order of
// its list.
func (s *Set) Groups(l *words.Language) []Group { return s.in(l).groups }

// Documents returns the documentation in a language, in the order of its list.
func (s *Set) Documents(l *words.Language) (all []Document) {
	for _, g := range s.in(l).groups {
		all = append(all, g.Documents...)
	}
	return all
}

// Render makes a page from a template that there is, in the language as the publication of About has it. The
// error names the template.
func (s *Set) Render(name string, v View) ([]byte, error) {
	v.Lang = v.Lang.Of(v.About)
	t := s.in(v.Lang).templates[name]
	var b bytes.Buffer
	root := "layout.html"
	if t.Lookup("page") != nil { // it is no page of the site's own
		root = "page"
	}
	if err := t.ExecuteTemplate(&b, root, v); err != nil {
		return nil, fmt.Errorf("pages: %s: %w", name, err)
	}
	return b.Bytes(), nil
}
