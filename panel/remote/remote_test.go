package remote

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/larder-index/larder/panel/onefile"
)

// origin serves one file and notes what is asked.
type origin struct {
	*httptest.Server
	mu      sync.Mutex
	content []byte
	etag    string
	handle  func(w http.ResponseWriter, r *http.Request) bool // answers instead, if it returns true
	asked   []http.Header
	sent    int // bytes of bodies
}

var published = time.Date(2026, time.November, 23, 13, 30, 0, 0, time.UTC)

func newOrigin(t *testing.T, content string) *origin {
	o := &origin{content: []byte(content), etag: `"1"`}
	o.Server = httptest.NewTLSServer(o)
	t.Cleanup(o.Close)
	return o
}

func (o *origin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked = append(o.asked, r.Header.Clone())
	if o.handle != nil && o.handle(w, r) {
		return
	}
	if o.etag != "" {
		w.Header().Set("ETag", o.etag)
	}
	http.ServeContent(counted{w, &o.sent}, r, "", published, bytes.NewReader(o.content))
}

func (o *origin) change(content, etag string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.content, o.etag = []byte(content), etag
}

// answer has the origin answer by a function from now on.
func (o *origin) answer(handle func(http.ResponseWriter, *http.Request) bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.handle = handle
}

func (o *origin) last() http.Header {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.asked[len(o.asked)-1]
}

// taken returns the bytes sent since it was last asked.
func (o *origin) taken() (n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n, o.sent = o.sent, 0
	return n
}

type counted struct {
	http.ResponseWriter
	n *int
}

func (c counted) Write(b []byte) (int, error) {
	*c.n += len(b)
	return c.ResponseWriter.Write(b)
}

var errBad = errors.New("it is bad")

// copyOf returns a file at the address of an origin, with a clock.
func copyOf(t *testing.T, o *origin, address string, change ...func(*Options)) (f *File, now *time.Time) {
	t.Helper()
	clock := published
	options := Options{
		Now: func() time.Time { return clock }, Every: 10 * time.Second, MaxBytes: 1 << 20,
		TLS: o.Client().Transport.(*http.Transport).TLSClientConfig,
		Check: func(_ context.Context, path string) error {
			b, err := os.ReadFile(path)
			if strings.HasPrefix(string(b), "bad") {
				err = errBad
			}
			return err
		},
	}
	for _, c := range change {
		c(&options)
	}
	f, err := New("snapshot", address, filepath.Join(t.TempDir(), "larder.db"), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.client.CloseIdleConnections)
	return f, &clock
}

func fetched(t *testing.T, f *File, want string, changed bool) {
	t.Helper()
	got, err := f.Fetch(t.Context())
	if err != nil || got != changed {
		t.Errorf("fetched: %t, %v; want %t", got, err, changed)
	}
	holds(t, f, want)
}

func holds(t *testing.T, f *File, want string) {
	t.Helper()
	if b, err := os.ReadFile(f.path); err != nil && want != "" || string(b) != want {
		t.Errorf("the copy is %.20q, %v; want %.20q", b, err, want)
	}
}

func failed(t *testing.T, f *File, want string) {
	t.Helper()
	changed, err := f.Fetch(t.Context())
	if err == nil || changed || !strings.Contains(err.Error(), want) {
		t.Errorf("fetched: %t, %v; want %q", changed, err, want)
	}
	if s := f.Status(); !errors.Is(s.Err, err) || s.Since.IsZero() {
		t.Errorf("the status is %+v", s)
	}
}

// TestFetch fetches a file, asks again, and fetches the next one. What is there is asked for by
// its ETag, or by its date where there is none.
func TestFetch(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, "one")
	keep := false
	f, _ := copyOf(t, o, o.URL+"/larder.db", func(o *Options) { o.Keep = func() bool { return keep } })
	fetched(t, f, "one", true)
	fetched(t, f, "one", false)
	if got := o.last().Get("If-None-Match"); got != `"1"` {
		t.Errorf("asked with %q", got)
	}
	if n := o.taken(); n != 3 {
		t.Errorf("%d bytes were sent", n)
	}
	o.change("two", `"2"`)
	fetched(t, f, "two", true)
	if _, err := os.Stat(f.path + onefile.Previous); err == nil {
		t.Error("the copy before was kept")
	}
	keep = true
	o.change("three", `W/"3"`)
	fetched(t, f, "three", true)
	fetched(t, f, "three", false)
	if b, err := os.ReadFile(f.path + onefile.Previous); string(b) != "two" {
		t.Errorf("kept is %q, %v", b, err)
	}
	o.change("four", "")
	fetched(t, f, "four", true)
	fetched(t, f, "four", false)
	if got := o.last().Get("If-Modified-Since"); got != published.Format(http.TimeFormat) {
		t.Errorf("asked with %q", got)
	}
	if s := f.Status(); s.Err != nil || !s.Reached.Equal(published) || !s.Since.IsZero() || s.Of != "snapshot" {
		t.Errorf("the status is %+v", s)
	}
	entries, err := os.ReadDir(filepath.Dir(f.path))
	if err != nil || len(entries) != 3 {
		t.Errorf("beside each other: %v, %v", entries, err)
	}

	// A copy without its mark, or of another address, is fetched anew. So is one that is gone.
	o.taken()
	for _, lose := range []func() error{
		func() error { return os.Remove(markOf(f.path)) },
		func() error { return os.Remove(f.path) },
		func() error { return f.writeMark(f.path, mark{"https://other.example", "", "x"}) },
		func() error { return os.WriteFile(markOf(f.path), []byte("{"), 0o600) },
	} {
		if err := lose(); err != nil {
			t.Fatal(err)
		}
		fetched(t, f, "four", true)
		if n := o.taken(); n != 4 {
			t.Errorf("%d bytes were sent", n)
		}
	}
}

// TestResume breaks downloads off. They go on where they were while the file is the same, and
// begin anew when it is another. The copy stays as it was until a file is whole.
func TestResume(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, "old")
	f, _ := copyOf(t, o, o.URL)
	fetched(t, f, "old", true)
	first, second := strings.Repeat("a", 100_000), strings.Repeat("b", 90_000)
	cut := func(n int) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("ETag", o.etag)
			w.Header().Set("Content-Length", fmt.Sprint(len(o.content)))
			w.Write(o.content[:n]) //nolint:errcheck // it is cut off anyway
			w.(http.Flusher).Flush()
			o.handle = nil // its lock is held
			panic(http.ErrAbortHandler)
		}
	}
	partly := func(content, etag string, n int) {
		t.Helper()
		o.change(content, etag)
		o.answer(cut(n))
		failed(t, f, fmt.Sprintf("after %d bytes", n))
		holds(t, f, "old")
	}
	partly(first, `"a"`, 60_000)
	o.taken()
	fetched(t, f, first, true)
	if h, n := o.last(), o.taken(); h.Get("Range") != "bytes=60000-" || h.Get("If-Range") != `"a"` || n != 40_000 {
		t.Errorf("the rest was asked for by %v; %d bytes were sent", h, n)
	}

	// Another file meanwhile, an ETag that is weak, a server whose ranges are wrong.
	f, _ = copyOf(t, o, o.URL)
	o.change("old", `"0"`)
	fetched(t, f, "old", true)
	partly(first, `"a"`, 60_000)
	o.change(second, `"b"`)
	fetched(t, f, second, true)
	o.change("old", `"0"`)
	fetched(t, f, "old", true)
	partly(first, `W/"a"`, 60_000)
	fetched(t, f, first, true)
	if h := o.last(); h.Get("Range") != "" {
		t.Errorf("of a weak ETag a range was asked for: %v", h)
	}
	for _, x := range []struct {
		status             int
		etag, ranged, want string
	}{
		{206, `"b"`, "bytes 60000-99999/100000", "not asked for"},
		{206, `"a"`, "bytes 1-99999/100000", "Content-Range"},
		{206, `"a"`, "bytes 60000-99999/*", "Content-Range"},
		{416, "", "bytes */5", "begins anew"},
	} {
		o.change("old", `"0"`)
		fetched(t, f, "old", true)
		partly(first, `"a"`, 60_000)
		o.answer(func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("ETag", x.etag)
			w.Header().Set("Content-Range", x.ranged)
			w.WriteHeader(x.status)
			return true
		})
		failed(t, f, x.want)
		holds(t, f, "old")
		o.answer(nil)
		fetched(t, f, first, true)
		if h := o.last(); h.Get("Range") != "" {
			t.Errorf("after %+v a range was asked for", x)
		}
	}
	// The rest that came is too short, though the server says nothing of it.
	o.change("old", `"0"`)
	fetched(t, f, "old", true)
	partly(first, `"a"`, 60_000)
	o.answer(func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("ETag", `"a"`)
		w.Header().Set("Content-Range", "bytes 60000-99999/100000")
		w.WriteHeader(206)
		w.Write(o.content[60_000:70_000]) //nolint:errcheck // the client reads it
		return true
	})
	failed(t, f, "70000 of 100000 bytes")
	holds(t, f, "old")
	o.answer(nil)
	fetched(t, f, first, true)
}

// TestFetchRefuses has servers send what must not become the copy.
func TestFetchRefuses(t *testing.T) {
	t.Parallel()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	answer := func(status int, body string, headers ...string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			for i := 0; i < len(headers); i += 2 {
				w.Header().Set(headers[i], headers[i+1])
			}
			w.WriteHeader(status)
			w.(http.Flusher).Flush() // so that the length is not known
			w.Write([]byte(body))    //nolint:errcheck // it may be refused before
			return true
		}
	}
	large := strings.Repeat("x", 1<<20+1)
	for want, handle := range map[string]func(http.ResponseWriter, *http.Request) bool{
		"404 Not Found":               answer(404, ""),
		"503 Service Unavailable":     answer(503, "", "Retry-After", "1"),
		"204 No Content":              answer(204, ""),
		"neither an ETag":             answer(200, "x"),
		"compressed":                  answer(200, "x", "ETag", `"1"`, "Content-Encoding", "gzip"),
		"most that --fetch-limit":     answer(200, large, "ETag", `"1"`),
		"redirects more than 5 times": answer(302, "", "Location", "/again?token=secret"),
		"redirects from https to":     answer(302, "", "Location", plain.URL+"?token=secret"),
		"can't be read":               answer(302, "", "Location", "https://a:secret@[/"),
		"its answer can't be read":    answer(302, "", "Location", "https://a:secret\x7f/"),
		"it is bad":                   answer(200, "bad", "ETag", `"1"`),
		"says 304, but":               answer(304, ""),
	} {
		o := newOrigin(t, "")
		o.answer(handle)
		f, _ := copyOf(t, o, strings.Replace(o.URL, "https://", "https://user:secret@", 1)+"/x?token=secret")
		failed(t, f, want)
		holds(t, f, "")
		if err := f.Status().Err.Error(); strings.Contains(err, "secret") || !strings.HasPrefix(err, "fetch "+o.URL+"/x: ") {
			t.Errorf("the error is %q", err)
		}
		o.answer(nil)
		o.change("good", `"2"`)
		fetched(t, f, "good", true)
	}
	o := newOrigin(t, strings.Repeat(large, 32))
	f, _ := copyOf(t, o, o.URL)
	if failed(t, f, "most that --fetch-limit"); o.taken() == len(o.content) {
		t.Error("a file whose length says that it is too large was sent whole")
	}
	o.Close()
	failed(t, f, "connection refused")
}

// TestRejected has Check refuse a file. The copy stays, and the file is not fetched again for ten
// minutes, unless it changes.
func TestRejected(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, "one")
	f, now := copyOf(t, o, o.URL)
	fetched(t, f, "one", true)
	o.change("bad", `"2"`)
	checked := 0
	check := f.Check
	f.Check = func(ctx context.Context, path string) error { checked++; return check(ctx, path) }
	for range 3 {
		failed(t, f, "it is bad")
	}
	if *now = now.Add(rejectWait - 1); checked != 1 {
		t.Errorf("it was fetched %d times", checked)
	}
	failed(t, f, "it is bad")
	if *now = now.Add(1); checked != 1 {
		t.Error("it was fetched again too early")
	}
	if failed(t, f, "it is bad"); checked != 2 {
		t.Error("it was not fetched again")
	}
	holds(t, f, "one")
	o.change("two", `"3"`)
	fetched(t, f, "two", true)
	if s := f.Status(); s.Err != nil || !s.Since.IsZero() {
		t.Errorf("the status is %+v", s)
	}

	if kept, err := f.DropDamaged(t.Context()); !kept || err != nil {
		t.Errorf("a good copy: %t, %v", kept, err)
	}
	if err := os.WriteFile(f.path, []byte("bad"), 0o600); err != nil {
		t.Fatal(err)
	}
	if kept, err := f.DropDamaged(t.Context()); kept || !errors.Is(err, errBad) {
		t.Errorf("a damaged copy: %t, %v", kept, err)
	}
	if kept, err := f.DropDamaged(t.Context()); kept || err != nil {
		t.Errorf("no copy: %t, %v", kept, err)
	}
	fetched(t, f, "two", true)
}

// TestStall has a server stop in the middle of a file.
func TestStall(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, "")
	end := make(chan struct{})
	o.answer(func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("ETag", `"1"`)
		w.Write([]byte("some")) //nolint:errcheck // the client reads it
		w.(http.Flusher).Flush()
		<-end
		return true
	})
	f, _ := copyOf(t, o, o.URL)
	f.stall = 20 * time.Millisecond
	failed(t, f, "after 4 bytes: no byte came for 20ms")
	close(end)
	holds(t, f, "")
}

// TestCredentials sends a password to the server that it is for, also after a redirect there, and
// to no other. No server learns a query from a Referer.
func TestCredentials(t *testing.T) {
	t.Parallel()
	other := newOrigin(t, "one")
	o := newOrigin(t, "one")
	u, _ := url.Parse(o.URL)
	elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1) // another host
	for _, to := range []string{"/there", elsewhere + "/there"} {
		o.answer(func(w http.ResponseWriter, r *http.Request) bool {
			if user, password, ok := r.BasicAuth(); !ok || user != "reader" || password != "a b" {
				t.Errorf("%s: signed in as %q, %q", r.URL, user, password)
			}
			if r.URL.Path == "/here" {
				http.Redirect(w, r, to, http.StatusFound)
				return true
			}
			return false
		})
		x := *u
		x.User, x.Path, x.RawQuery = url.UserPassword("reader", "a b"), "/here", "signature=secret"
		f, _ := copyOf(t, o, x.String(), func(o *Options) { o.TLS = &tls.Config{InsecureSkipVerify: true} })
		fetched(t, f, "one", true)
		if s := f.Status(); s.Address != o.URL+"/here" {
			t.Errorf("the address is shown as %q", s.Address)
		}
	}
	for _, h := range append(o.asked, other.asked...) {
		if h.Get("Referer") != "" {
			t.Errorf("Referer: %s", h.Get("Referer"))
		}
	}
	if len(other.asked) != 1 || other.last().Get("Authorization") != "" {
		t.Errorf("another host was asked with %v", other.asked)
	}
}

// TestAddress reads addresses. No error shows a password.
func TestAddress(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://files.example.org/larder.db":            "",
		"http://127.0.0.1:8000/larder.db":                "",
		"http://[::1]/larder.db":                         "",
		"http://localhost/larder.db":                     "",
		"http://u:secret@files.example.org/larder.db":    "http://files.example.org/larder.db is plain http",
		"http://127.0.0.1.example.org/larder.db":         "plain http",
		"ftp://u:secret@files.example.org/larder.db":     "addresses begin with https://",
		"s3://bucket/larder.db?secret":                   "s3://bucket/larder.db: addresses begin with https://",
		"https://u:secret%zz@files.example.org/larder":   "not an address",
		"https:///larder.db":                             "not an address",
		"https://files.example.org/larder.db#r1":         "not an address",
		"https://u:secret@files.example.org:port/larder": "not an address",
	} {
		_, err := New("snapshot", text, "x", Options{})
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
	if _, err := New("snapshot", "http://files.example.org/larder.db", "x", Options{Insecure: true}); err != nil {
		t.Error(err)
	}
	if !IsAddress("https://a/b") || IsAddress("/var/lib/larder/larder.db") {
		t.Error("an address is taken for a path, or a path for an address")
	}
}

// TestFollow fetches after each pause. Pauses vary by a quarter and get longer with failures.
func TestFollow(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, "one")
	f, _ := copyOf(t, o, o.URL)
	for _, x := range []struct {
		failures int
		chance   float64
		want     time.Duration
	}{{0, 0, 7500 * time.Millisecond}, {0, 0.5, 10 * time.Second}, {0, 1, 12500 * time.Millisecond}, {1, 0.5, 20 * time.Second}, {2, 0.5, 40 * time.Second}, {3, 0.5, time.Minute}, {99, 1, 75 * time.Second}} {
		if got := f.pause(x.failures, x.chance); got != x.want {
			t.Errorf("%d failures, %g: %s, want %s", x.failures, x.chance, got, x.want)
		}
	}
	f.Every = 5 * time.Minute
	if got := f.pause(4, 0.5); got != 5*time.Minute {
		t.Errorf("failures make a long pause %s", got)
	}
	f.Every = 10 * time.Second
	var pauses []time.Duration
	var reports []string
	ctx, cancel := context.WithCancel(t.Context())
	wait := func(ctx context.Context, d time.Duration) error {
		pauses = append(pauses, d)
		switch len(pauses) {
		case 2:
			o.change("bad", `"2"`)
		case 4:
			o.change("two", `"3"`)
		case 5:
			cancel()
		}
		return ctx.Err()
	}
	f.Follow(ctx, wait, func(before Status, changed bool) {
		reports = append(reports, fmt.Sprintf("%t %t %t", before.Err == nil, f.Status().Err == nil, changed))
	})
	if got, want := strings.Join(reports, ", "), "true true true, true false false, false false false, false true true"; got != want {
		t.Errorf("reported: %s; want %s", got, want)
	}
	if pauses[3] < 15*time.Second || pauses[3] < pauses[0] || pauses[4] > 13*time.Second {
		t.Errorf("pauses: %v", pauses)
	}
	holds(t, f, "two")
}
