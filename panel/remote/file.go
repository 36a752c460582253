package remote

import (
	"context"
	"crypto/tls"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// Options bound and check what is fetched.
type Options struct {
	Now      func() time.Time                             // the clock
	Every    time.Duration                                // how often to look; the pauses vary by a quarter
	MaxBytes int64                                        // a larger file is refused
	Insecure bool                                         // plain http to other machines too
	Check    func(ctx context.Context, path string) error // whether a fetched file may become the copy
	Keep     func() bool                                  // whether the copy stays as path.previous when another replaces it; nil: never
	TLS      *tls.Config                                  // nil: the system's certificates
}

// File is a file at an address, and its copy on disk. Its methods may be called from any
// goroutine, but only one may fetch.
type File struct {
	Options
	of      string
	address *url.URL
	user    *url.Userinfo
	path    string
	client  *http.Client
	stall   time.Duration // without a byte for so long, a download is given up

	rejected mark      // what Check refused last
	refused  error     // why
	until    time.Time // it is not fetched again before

	mu     sync.Mutex
	status Status
}

// Status says how the last fetch went.
type Status struct {
	Of      string    // what the file is, such as "snapshot"
	Address string    // without user, password and query
	Err     error     // of the last fetch; nil if the copy is the file as it was then
	Since   time.Time // when fetches began to fail
	Reached time.Time // when one last succeeded; zero if none did
}

// Bounds of a fetch.
const (
	headerWait = 30 * time.Second // for the start of an answer
	stallWait  = 30 * time.Second // for the next bytes
	fetchWait  = time.Hour        // for all of it; the next fetch goes on from there
	rejectWait = 10 * time.Minute // before a file that Check refused is fetched again
	maxPause   = time.Minute      // between fetches that fail, unless Every is longer
)

// New returns a file whose copy is at path. It fetches nothing. The error says what is wrong with
// the address and does not repeat it.
func New(of, address, path string, o Options) (*File, error) {
	u, err := parseAddress(address, o.Insecure)
	if err != nil {
		return nil, err
	}
	f := &File{Options: o, of: of, address: u, user: u.User, path: path, stall: stallWait}
	u.User = nil // net/http would not send it after a redirect on the same host
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout, transport.MaxResponseHeaderBytes = headerWait, 64<<10
	transport.DisableCompression = true // the length must be that of the file
	transport.TLSClientConfig = o.TLS
	f.client = &http.Client{Transport: transport, CheckRedirect: redirect(o.Insecure)}
	f.status = Status{Of: of, Address: nameOf(u)}
	return f, nil
}

// Status says how the last fetch went.
func (f *File) Status() Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.status
}

// Follow fetches again and again until the context is done. wait pauses and fails when the
// context is done. report is called after each fetch with the status before it.
func (f *File) Follow(ctx context.Context, wait func(context.Context, time.Duration) error, report func(before Status, changed bool)) {
	for failures := 0; wait(ctx, f.pause(failures, rand.Float64())) == nil; {
		before := f.Status()
		changed, err := f.Fetch(ctx)
		if ctx.Err() != nil {
			return
		}
		if failures++; err == nil {
			failures = 0
		}
		report(before, changed)
	}
}

// pause returns how long to wait for the next fetch: Every, twice that after a failure and so on
// up to maxPause, and by chance, from 0 to 1, a quarter less or more, so that many servers do not
// ask at once.
func (f *File) pause(failures int, chance float64) time.Duration {
	d := f.Every
	for range failures {
		if d >= maxPause {
			break
		}
		d = min(2*d, maxPause)
	}
	return time.Duration((0.75 + chance/2) * float64(d))
}
