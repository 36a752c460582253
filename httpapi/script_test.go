package httpapi_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/site/figure"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/httpapi/state/pgtest"
	"github.com/larder-index/larder/panel"
)

// TestScripts plays the scripts in testdata, whose language testdata/README.md describes. On
// PostgreSQL it plays those of keys.
func TestScripts(t *testing.T) {
	t.Parallel()
	pattern := "testdata/*.txt"
	if os.Getenv(pgtest.Environment) != "" {
		pattern = "testdata/key_*.txt"
	}
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal("no script", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			s := &script{t: t, vars: map[string]string{}, cookies: map[string]*http.Cookie{}}
			s.play(file)
			for _, secret := range s.secrets {
				if strings.Contains(s.Log.String(), secret) {
					t.Errorf("the log has the key %s", secret)
				}
			}
		})
	}
}

// script is a script that is being played.
type script struct {
	*apitest.Server
	t       *testing.T
	where   string            // file and line
	vars    map[string]string // secrets of keys, and what was saved
	cookies map[string]*http.Cookie
	secrets []string // of all keys
	paths   []string // that queries are sent to
	reader  string   // who sends them

	live     string // the snapshot's file
	releases *apitest.Releases
	released []string    // snapshots as they were released
	free     func(n int) // gives places of comparisons back
}

func (s *script) play(file string) {
	line := ""
	for i, text := range append(strings.Split(string(apitest.Read(file)), "\n"), "") {
		if more, ok := strings.CutPrefix(text, "\t"); ok {
			line += map[bool]string{true: "; ", false: " "}[strings.Contains(line, "=> ")] + more
			continue
		}
		if line != "" && line[0] != '#' {
			s.step(line)
		}
		line, s.where = strings.TrimSpace(text), fmt.Sprintf("%s:%d", file, i+1)
	}
}

var (
	variable = regexp.MustCompile(`\$\((items|stores|.)[* ](\d+)\)|\$(\w+)`)
	times    = regexp.MustCompile(`^(\d+)x `)
	header   = regexp.MustCompile(`^\[([A-Z][\w-]*): ?([^\]]*)\] ?`)
	word     = regexp.MustCompile(`^([a-z]\w*)(?:=(\S+))?(?: |$)`)
)

func (s *script) step(line string) {
	line = variable.ReplaceAllStringFunc(line, func(name string) string {
		m := variable.FindStringSubmatch(name)
		if m[3] == "" {
			return repeated(m[1], m[2])
		}
		value, ok := s.vars[m[3]]
		if !ok {
			s.t.Fatalf("%s: no value of %s", s.where, name)
		}
		return value
	})
	if m := times.FindStringSubmatch(line); m != nil {
		n, _ := strconv.Atoi(m[1])
		for range n {
			s.step(line[len(m[0]):])
		}
		return
	}
	request, wants, _ := strings.Cut(line, " => ")
	name, rest, _ := strings.Cut(request, " ")
	if f := commands[name]; f != nil {
		if got := f(s, rest); wants != "" && got != wants {
			s.t.Errorf("%s: got %s, want %s", s.where, got, wants)
		}
		return
	}
	if s.Server == nil {
		s.serve("demo")
	}
	switch name {
	case "post":
		s.post(rest, wants)
		return
	case "raw":
		for _, path := range s.paths {
			s.ask("GET", path+rest+" "+s.reader, wants)
		}
		return
	case "fault":
		s.fault(rest+" k", wants)
		return
	case "ADMIN":
		method, path, ok := strings.Cut(rest, " ")
		if !ok {
			method, path = "GET", rest
		}
		s.check(s.Admin(method, path), request, wants)
		return
	}
	if strings.HasPrefix(request, "?") {
		for _, path := range s.paths {
			query := request + "&limit=60"
			if strings.Contains(request, "limit") || strings.Contains(path, "products") {
				query = request
			}
			s.ask("GET", path+strings.Replace(query, "?&", "?", 1)+" "+s.reader, wants)
		}
		return
	}
	s.ask(name, rest, wants)
}

// repeated returns n times a character, or a list of n items or stores.
func repeated(what, n string) string {
	count, _ := strconv.Atoi(n)
	form := map[string]string{"items": `{"id":%d,"qty":1}`, "stores": `"chain%d"`}[what]
	if form == "" {
		return strings.Repeat(what, count)
	}
	var list []string
	for i := range count {
		list = append(list, fmt.Sprintf(form, i+1))
	}
	return strings.Join(list, ",")
}

// ask sends a request as it is written after its method, and checks the response.
func (s *script) ask(method, request, wants string) *apitest.Response {
	target, rest, _ := strings.Cut(request, " ")
	secret, body, changes := "", "", []apitest.Change{}
	for rest != "" {
		if m := header.FindStringSubmatch(rest); m != nil && m[1] == "Transfer-Encoding" {
			rest = rest[len(m[0]):]
			changes = append(changes, apitest.Chunked(rest))
		} else if m != nil {
			changes, rest = append(changes, apitest.Header(m[1], m[2])), rest[len(m[0]):]
		} else if m := word.FindStringSubmatch(rest); m != nil {
			switch cookie := s.cookies[m[1]]; {
			case m[1] == "client":
				n, _ := strconv.Atoi(m[2])
				changes = append(changes, apitest.AsClient(n))
			case cookie != nil:
				changes = append(changes, apitest.WithCookie(cookie))
			case s.vars[m[1]] != "":
				secret = s.vars[m[1]]
			default:
				s.t.Fatalf("%s: who is %s?", s.where, m[1])
			}
			rest = rest[len(m[0]):]
		} else {
			body, rest = rest, ""
		}
	}
	if body != "" || method == http.MethodPost {
		own := []apitest.Change{apitest.Header("Content-Type", "application/json")}
		switch {
		case strings.HasPrefix(target, "/shopper/"):
			own = append(own, apitest.Header("Sec-Fetch-Site", "same-origin"))
		case target == "/mcp":
			own = append(own, apitest.Header("Accept", "application/json, text/event-stream"))
		}
		changes = append(own, changes...)
	}
	r := s.Do(method, target, secret, body, changes...)
	s.check(r, method+" "+target, wants)
	return r
}

// post sends a body to all paths. The last expectation may be about the documented schema.
func (s *script) post(rest, wants string) {
	wants, schema, _ := strings.Cut(wants, "; schema = ")
	for _, path := range s.paths {
		s.ask("POST", path+" "+rest, wants)
	}
	var v any
	if json.Unmarshal([]byte(rest), &v) != nil || schema == "" && wants != "" {
		return
	}
	err := apitest.Validate(apitest.OpenAPI().Components.Schemas["ShopperRequest"], v)
	if (err != nil) != (schema == "refuses") {
		s.t.Errorf("%s: the documented schema: %v", s.where, err)
	}
}

// fault asks for a page that is refused, as a program and as a browser.
func (s *script) fault(address, message string) {
	s.ask("GET", address, "400 invalid_parameter; error ~ "+message)
	s.ask("GET", address+" [Accept: text/html]", "400; body !~ <b>; body ~ "+html.EscapeString(message))
}

var (
	relation    = regexp.MustCompile(`(?s)^(\S+) (=|!=|~|!~|<|>=) ?(.*)$`)
	expectation = regexp.MustCompile(`^(rows|no rows|save .*|\S+ (=|!=|~|!~|<|>=)( .*)?)$`)
)

// check compares a response with what is wanted: a status, a code, and relations.
func (s *script) check(r *apitest.Response, what, wants string) {
	what = s.where + ": " + what
	var all []string
	for part := range strings.SplitSeq(wants, "; ") {
		if last := len(all) - 1; last < 0 || expectation.MatchString(part) {
			all = append(all, part)
		} else {
			all[last] += "; " + part // a text that has a semicolon
		}
	}
	code, status := "", http.StatusOK
	if n, rest, _ := strings.Cut(all[0], " "); n != "" && n[0] >= '2' && n[0] <= '5' {
		status, _ = strconv.Atoi(n)
		code, all = rest, all[1:]
	}
	if code != "" {
		apitest.WantError(s.t, what, r, status, code)
	} else if r.StatusCode != status {
		s.t.Errorf("%s: %d, want %d: %.300s", what, r.StatusCode, status, r.Content)
	}
	for _, secret := range s.secrets {
		if r.StatusCode >= 400 && strings.Contains(string(r.Content), secret) {
			s.t.Errorf("%s: the refusal repeats the key: %s", what, r.Content)
		}
	}
	var v map[string]any
	if h := r.Header; strings.Contains(h.Get("Content-Type"), "json") && h.Get("Content-Encoding") == "" && len(r.Content) > 0 {
		v = r.JSON(s.t)
	}
	rows := rowsIn(v)
	if got := at(v, "meta.count"); got != absent && got != strconv.Itoa(len(rows)) {
		s.t.Errorf("%s: count is %s of %d rows", what, got, len(rows))
	}
	for _, want := range all {
		m := relation.FindStringSubmatch(strings.ReplaceAll(want, "<id>", r.Header.Get("X-Request-Id")))
		switch {
		case want == "":
		case want == "rows" || want == "no rows":
			if (len(rows) > 0) != (want == "rows") {
				s.t.Errorf("%s: %d rows, want %s", what, len(rows), want)
			}
		case strings.HasPrefix(want, "save "):
			name, path, _ := strings.Cut(want[len("save "):], " ")
			s.vars[name], _ = strconv.Unquote(at(v, path))
			s.vars[name] = cmp.Or(s.vars[name], r.Header.Get(path))
		case m == nil:
			s.t.Fatalf("%s: what is %q?", s.where, want)
		case strings.HasPrefix(m[1], "each."):
			for _, row := range rows {
				s.relate(what, m, at(row, m[1][len("each."):]))
			}
		case m[1] == "body":
			s.relate(what, m, string(r.Content))
		case m[1][0] >= 'A' && m[1][0] <= 'Z':
			s.relate(what, m, cmp.Or(strings.Join(r.Header.Values(m[1]), "; "), absent))
		default:
			got := at(v, m[1])
			if text, err := strconv.Unquote(got); err == nil && strings.HasSuffix(m[2], "~") {
				got = text
			}
			s.relate(what, m, got)
		}
	}
}

// rowsIn returns the list of a page of rows.
func rowsIn(v map[string]any) (rows []any) {
	for _, name := range []string{"observations", "cells", "events", "products", "revisions", "releases"} {
		if list, ok := v[name].([]any); ok {
			rows = list
		}
	}
	return rows
}

func (s *script) relate(what string, m []string, got string) {
	s.t.Helper()
	if want := m[3]; !map[string]bool{
		"=": got == want, "!=": got != want, "<": got < want, ">=": got >= want,
		"~": strings.Contains(got, want), "!~": !strings.Contains(got, want),
	}[m[2]] {
		s.t.Errorf("%s: %s is %.600s, want %s %s", what, m[1], got, m[2], want)
	}
}

// options reads words such as minute=2.
func options(text string) map[string]string {
	all := map[string]string{}
	for _, x := range strings.Fields(text) {
		name, value, _ := strings.Cut(x, "=")
		all[name] = value
	}
	return all
}

// serve starts the script's server.
func (s *script) serve(text string) {
	o := options(text)
	number := func(name string, to *int) {
		if n, err := strconv.Atoi(o[name]); err == nil {
			*to = n
		}
	}
	change := func(c *httpapi.Config) {
		number("public", &c.PublicPerMinute)
		number("shopper", &c.ShopperPerMinute)
		number("scan", &c.ScanCap)
		if _, ok := o["ample"]; ok {
			apitest.Ample(c)
		}
		if _, ok := o["proxy"]; ok {
			apitest.BehindProxy(c)
		}
		c.BaseURL = cmp.Or(o["at"], c.BaseURL)
		if o["figures"] != "" {
			c.Public = map[string]figure.Public{"none": figure.PublicNone, "default": figure.PublicInvented}[o["figures"]]
		}
	}
	switch kind, _, _ := strings.Cut(text, " "); kind {
	case "released":
		s.Server = apitest.ServeReleased(s.t, change)
	case "releases":
		s.Server, s.releases = apitest.ServeReleases(s.t, change)
		s.live, s.released = s.releases.Live, nil
	case "elsewhere":
		s.Server = apitest.ServeElsewhere(s.t, change)
	case "copy":
		s.Server, s.live = apitest.ServeCopy(s.t, change)
	case "none":
		s.live = filepath.Join(s.t.TempDir(), "none.db")
		s.Server = apitest.ServeFile(s.t, s.live, change)
	case "milk":
		m := milkMarket()
		for _, key := range []string{"contact", "upgrade_url"} {
			if o[key] != "" {
				m.Settings = append(m.Settings, panel.Setting{Key: key, Value: o[key]})
			}
		}
		s.Server = apitest.ServeFile(s.t, m.Snapshot(s.t), change)
	case "small":
		_, after := apitest.SmallSnapshots()
		s.Server = apitest.ServeFile(s.t, after, change)
	default:
		s.Server = apitest.Serve(s.t, change)
	}
	s.vars["unknown"], s.vars["url"] = apitest.UnknownKey, s.HTTP.URL
}

// content returns a file by its name in scripts: a snapshot, or a bad one.
func (s *script) content(name string) []byte {
	_, path := apitest.Demo()
	demo := apitest.Read(path)
	var n int
	if _, err := fmt.Sscanf(name, "week%d", &n); err == nil {
		return apitest.Read((*apitest.Releases)(nil).Snapshots(s.t)[n-1])
	}
	if _, err := fmt.Sscanf(name, "released%d", &n); err == nil {
		return []byte(s.released[n-1])
	}
	switch name {
	case "other":
		return apitest.Read(apitest.Other())
	case "flipped":
		demo[len(demo)/2] ^= 1
	case "truncated":
		demo = demo[:len(demo)-8192]
	case "state":
		return apitest.Read(s.StatePath)
	case "text":
		return []byte(strings.Repeat("id,name\n", 50))
	case "empty":
		return nil
	}
	return demo
}

// commands are the steps that are no requests. Each returns what it found.
var commands map[string]func(s *script, rest string) string

func init() {
	commands = map[string]func(s *script, rest string) string{
		"server": func(s *script, rest string) string { s.serve(rest); return "" },
		"key": func(s *script, rest string) string {
			if s.Server == nil {
				s.serve("demo")
			}
			words, o := strings.Fields(rest), options(rest)
			n := state.NewKey{Name: cmp.Or(o["name"], words[0]), PerMinute: 1_000_000}
			for _, tier := range state.Tiers() {
				if tier.String() == words[1] {
					n.Tier = tier
				}
			}
			if o["minute"] != "" {
				n.PerMinute, _ = strconv.ParseInt(o["minute"], 10, 64)
			}
			n.PerMonth, _ = strconv.ParseInt(o["month"], 10, 64)
			if d, err := time.ParseDuration(o["expires"]); err == nil {
				n.Expires = s.Clock.Now().Add(d)
			}
			n.Networks = state.Networks(o["network"])
			var err error
			if _, s.vars[words[0]], err = s.State.CreateKey(s.t.Context(), n); err != nil || n.Tier == 0 {
				s.t.Fatal(s.where, err)
			}
			s.secrets = append(s.secrets, s.vars[words[0]])
			return ""
		},
		"disable": func(s *script, rest string) string { s.Disable(s.vars[rest]); return "" },
		"signin": func(s *script, rest string) string {
			words, change := strings.Fields(rest), []apitest.Change{}
			if len(words) > 2 {
				change = append(change, apitest.Header("X-Forwarded-For", words[2]))
			}
			s.cookies[words[0]] = s.SignIn(s.vars[words[1]], change...)
			return ""
		},
		"link": func(s *script, rest string) string {
			name, key, _ := strings.Cut(rest, " ")
			k, err := s.State.Lookup(s.t.Context(), s.vars[key])
			if err == nil {
				s.vars[name], _, err = s.State.NewLink(s.t.Context(), k.ID)
			}
			if err != nil {
				s.t.Fatal(err)
			}
			return ""
		},
		"clock": func(s *script, rest string) string {
			if d, err := time.ParseDuration(rest); err == nil {
				s.Clock.Advance(d)
			} else if at, err := time.Parse(time.RFC3339, rest); err == nil {
				s.Clock.Set(at)
			} else {
				s.t.Fatal(s.where, err)
			}
			return ""
		},
		"at": func(s *script, rest string) string {
			s.paths, s.reader = strings.Fields(rest), ""
			if last := len(s.paths) - 1; s.paths[last][0] != '/' {
				s.paths, s.reader = s.paths[:last], s.paths[last]
			}
			return ""
		},
		"set": func(s *script, rest string) string {
			for name, value := range options(rest) {
				s.vars[name] = value
			}
			return ""
		},
		"include": func(s *script, rest string) string { s.play(filepath.Join("testdata", rest)); return "" },
		"refuse": func(s *script, rest string) string {
			name, values, _ := strings.Cut(rest, ": ")
			for value := range strings.SplitSeq(values, " | ") {
				value = strings.Trim(value, "'")
				for _, path := range s.paths {
					query := url.Values{name: {value}}.Encode()
					s.ask("GET", path+"?"+query+" "+s.reader, "400 invalid_parameter; parameter = "+strconv.Quote(name))
				}
			}
			return ""
		},
		"let": func(s *script, rest string) string {
			name, value, _ := strings.Cut(rest, " ")
			s.vars[name] = value
			return ""
		},
		"overload": func(s *script, _ string) string {
			s.free = s.API.CompareAll()
			return ""
		},
		"free": func(s *script, _ string) string { s.free(2); return "" }, // one comes back only after its answer has left
		"spend": func(s *script, rest string) string {
			k, err := s.State.Lookup(s.t.Context(), s.vars[rest])
			if err == nil {
				e := state.Entry{KeyID: k.ID, Auth: state.AuthKey, Endpoint: "/api/v1/products", Status: 200, Limit: 1}
				err = s.State.Append(s.t.Context(), e)
			}
			if err != nil {
				s.t.Fatal(s.where, err)
			}
			return ""
		},
		"replace": func(s *script, rest string) string {
			if rest != "none" {
				apitest.Replace(s.t, s.live, s.content(rest))
			} else if err := os.Remove(s.live); err != nil {
				s.t.Fatal(err)
			}
			return ""
		},
		"look": func(s *script, _ string) string { s.Look(false); return "" },
		"publish": func(s *script, rest string) string {
			words, db := strings.Fields(rest), filepath.Join(s.t.TempDir(), "next.db")
			apitest.Replace(s.t, db, s.content(words[0]))
			s.releases.Publish(s.t, s.Server, db, "a private note", words[1:]...)
			s.released = append(s.released, string(apitest.Read(s.live)))
			return ""
		},
		"restart": func(s *script, _ string) string {
			s.Server = s.releases.Serve(s.t, s.Clock.Now(), apitest.Ample)
			return ""
		},
		"column": func(s *script, rest string) string { return strings.Join(s.Column(rest), ", ") },
		"metric": func(s *script, rest string) string { return s.Metric(rest) },
		"end":    func(s *script, _ string) string { s.HTTP.Close(); return "" }, // the log has then all lines
		"close":  func(s *script, _ string) string { s.State.Close(); return "" },
		"logged": func(s *script, rest string) string { return strconv.Itoa(strings.Count(s.Log.String(), rest)) },
		"written": func(s *script, rest string) string {
			for place, content := range s.Written() {
				if strings.Contains(string(content), rest) {
					s.t.Errorf("%s: %s holds %s", s.where, place, rest)
				}
			}
			return ""
		},
	}
}
