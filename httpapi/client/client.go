// Package client asks a Larder server for the index, prices, products, packs that got
// smaller, and releases. Its iterators page. It keeps ETags, so that asking again for the
// same costs nothing of the month, and it waits as the server says. A rotated key is read
// again in the middle of a download. A request may take two minutes.
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

	// Waiting is told before each wait how long it is, and which refusal asks for it.
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

// Error is a refusal of the server. Programs read Code; Refusal.Error is a sentence for
// people, and RequestID is for questions to the publisher.
type Error struct {
	wire.Refusal
	Status     int
	Path       string
	RetryAfter time.Duration // 0 where the server does not say
}

// Error names the address, the status, and what the server says.
func (e *Error) Error() string {
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

// get returns the answer at a path with a query. It waits where the server says how long, and
// after 401 it tries once more if the key, read anew, is another one.
func (c *Client) get(ctx context.Context, target string) (answer, error) {
	key, reread, waited := c.currentKey(nil), false, time.Duration(0)
	for {
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
		if waited += refusal.RetryAfter; refusal.RetryAfter == 0 || waited > c.o.MaxWait {
			return a, err
		}
		if c.o.Waiting != nil {
			c.o.Waiting(refusal.RetryAfter, refusal)
		}
		select {
		case <-c.after(refusal.RetryAfter):
		case <-ctx.Done():
			return a, fmt.Errorf("%w while waiting: %w", ctx.Err(), err)
		}
	}
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
	r.Header.Set("Authorization", "Bearer "+key)
	c.mu.Lock()
	old := c.kept[target]
	c.mu.Unlock()
	if old.tag != "" {
		r.Header.Set("If-None-Match", old.tag)
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	refusal := &Error{Status: resp.StatusCode, Path: r.URL.Path}
	switch {
	case err != nil:
		return answer{}, fmt.Errorf("%s: the answer was cut off: %w", refusal.Path, err)
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
