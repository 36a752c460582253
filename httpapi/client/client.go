// Package client asks a Larder server for the index, prices, products, packs that got
// smaller, and releases. Its iterators page. It keeps ETags, so that asking again for the
// same costs nothing of the month, and it waits as the server says. A rotated key is read
// again in the middle of a download, and a server that starts again is asked again. A request
// may take two minutes.
//
// Rows are those of the other packages: a [Row] has a jevons.Row, the others are structs of
// package wire. Null is an empty wire.Text or wire.Number, a nil pointer, and a panel.Fixed
// that is not valid.
//
// A [Series] has the rows of one cell and refuses what the numbers do not allow: to join
// v1 and v2 ([ErrSplice]), to compare levels of several places or categories
// ([ErrLevels]), and to compound weekly changes ([ErrCompound]). Each error says what to
// use instead.
//
// No error and no printed client has the key.
package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/larder-index/larder/httpapi/wire"
)

// Client asks one server with one key. Its methods may be called at the same time.
type Client struct {
	base    string
	readKey func() string
	http    http.Client
	o       Options
	after   func(time.Duration) <-chan time.Time

	mu   sync.Mutex
	key  *string           // as it was read last; a pointer, which a printed client shows in place of the key
	kept map[string]answer // by address, at most keepBytes
	size int               // bytes of kept
}

// Options are the settings of a client. The zero value has the defaults.
type Options struct {
	HTTP    *http.Client  // default: http.DefaultClient. No redirect is followed
	MaxWait time.Duration // the longest time that one request may spend waiting; default: 10 minutes

	// Waiting is told before each wait how long it is, and which refusal or failure is why.
	Waiting func(time.Duration, *Error)
}

// Key returns a key that does not change, for [New].
func Key(secret string) func() string { return func() string { return secret } }

// New returns a client of the server at an address such as https://prices.example.org.
// key returns the key: it is called before the first request, and once more when a
// request is answered 401, so that a download goes on after a rotation. The error says what
// is wrong with the address.
func New(address string, key func() string, o Options) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("client: the address must be like https://prices.example.org, without a user or a query")
	}
	o.MaxWait = cmp.Or(o.MaxWait, 10*time.Minute)
	c := &Client{
		base: strings.TrimRight(address, "/"), readKey: key, http: *cmp.Or(o.HTTP, http.DefaultClient), o: o, after: time.After, kept: map[string]answer{},
	}
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c, nil
}

// Error is a refusal of the server, or a failure to reach it. Programs read Code; Refusal.Error
// is a sentence for people, and RequestID is for questions to the publisher.
type Error struct {
	wire.Refusal
	Status     int // 0: no whole answer came
	Path       string
	RetryAfter time.Duration // 0 where the server does not say
	failure    error         // of Status 0
}

// Unwrap returns why no answer came.
func (e *Error) Unwrap() error { return e.failure }

// Error names the address, the status, and what the server says.
func (e *Error) Error() string {
	if e.failure != nil {
		return e.failure.Error()
	}
	text := fmt.Sprintf("%s: %d %s", e.Path, e.Status, cmp.Or(e.Code, http.StatusText(e.Status)))
	if e.RequestID != "" {
		text += fmt.Sprintf(": %s (request %s)", e.Refusal.Error, e.RequestID)
	}
	return text
}

// keepBytes bounds the answers that are kept for their ETags.
const keepBytes = 64 << 20

// answer is the body of an answer, with what tells whether it changed.
type answer struct {
	body      []byte
	tag, from string // the snapshot and the release that it is made from
}

// currentKey returns the key. It reads it anew if the one at hand was refused.
func (c *Client) currentKey(refused *string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.key == nil || refused != nil && *c.key == *refused {
		key := strings.TrimSpace(c.readKey())
		c.key = &key
	}
	return *c.key
}

// keep keeps an answer for its tag. When there is no room, it drops all others.
func (c *Client) keep(target string, a answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.size += len(a.body) - len(c.kept[target].body)
	if c.size > keepBytes {
		clear(c.kept)
		c.size = len(a.body)
	}
	c.kept[target] = a
}

// get returns the answer at a path with a query. It waits as long as the server says. Where the
// server can't be reached, or fails without saying how long, it tries five times more, after
// 1, 2, 4, 8 and 16 seconds. After 401 it tries once more if the key, read anew, is another one.
func (c *Client) get(ctx context.Context, target string) (answer, error) {
	key, reread, waited := c.currentKey(nil), false, time.Duration(0)
	for tries := 0; ; {
		a, err := c.once(ctx, target, key)
		refusal, ok := errors.AsType[*Error](err)
		if !ok {
			return a, err
		}
		if refusal.Status == http.StatusUnauthorized && !reread {
			old := key
			if key, reread = c.currentKey(&old), true; key != old {
				continue
			}
		}
		wait := refusal.RetryAfter
		if wait == 0 && tries < 5 && slices.Contains(passing, refusal.Status) {
			wait = time.Second << tries
			tries++
		}
		if waited += wait; wait == 0 || waited > c.o.MaxWait {
			return a, err
		}
		if c.o.Waiting != nil {
			c.o.Waiting(wait, refusal)
		}
		select {
		case <-c.after(wait):
		case <-ctx.Done():
			return a, fmt.Errorf("%w while waiting: %w", ctx.Err(), err)
		}
	}
}

// passing are the statuses that may be another one soon. 0 is a server that was not reached.
var passing = []int{
	0, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable,
	http.StatusGatewayTimeout,
}

// Bounds of one request.
const (
	answerWait    = 2 * time.Minute // for all of the answer, as long as the server takes to send it
	maxRetryAfter = 1 << 30         // seconds; more would not fit a time.Duration
)

func (c *Client) once(ctx context.Context, target, key string) (answer, error) {
	ctx, end := context.WithTimeoutCause(ctx, answerWait, fmt.Errorf("no whole answer came within %s", answerWait))
	defer end()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+target, nil)
	if err != nil {
		return answer{}, err
	}
	if strings.ContainsFunc(key, func(c rune) bool { return c < '!' || c > '~' }) {
		return answer{}, errors.New("client: the key has a character that no key has")
	}
	r.Header.Set("Authorization", "Bearer "+key)
	c.mu.Lock()
	old := c.kept[target]
	c.mu.Unlock()
	if old.tag != "" {
		r.Header.Set("If-None-Match", old.tag)
	}
	refusal := &Error{Path: r.URL.Path}
	var body []byte
	resp, err := c.http.Do(r)
	if err == nil {
		defer resp.Body.Close()
		if body, err = io.ReadAll(resp.Body); err != nil {
			err = fmt.Errorf("%s: the answer was cut off: %w", refusal.Path, err)
		}
	}
	if err != nil {
		if refusal.failure = err; ctx.Err() != nil { // out of time: no other attempt
			return answer{}, err
		}
		return answer{}, refusal
	}
	refusal.Status = resp.StatusCode
	switch {
	case resp.StatusCode == http.StatusNotModified && old.tag != "":
		return old, nil
	case resp.StatusCode == http.StatusOK:
		a := answer{body, resp.Header.Get("ETag"), resp.Header.Get("X-Snapshot") + " " + resp.Header.Get("X-Release")}
		c.keep(target, a)
		return a, nil
	case json.Unmarshal(body, &refusal.Refusal) == nil && key != "":
		refusal.Refusal.Error = strings.ReplaceAll(refusal.Refusal.Error, key, "(the key)")
	}
	if n, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && n >= 0 {
		refusal.RetryAfter = time.Duration(min(max(n, 1), maxRetryAfter)) * time.Second
	}
	return answer{}, refusal
}
