package state

import (
	"context"
	"encoding/hex"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Auth is how a request was authenticated.
type Auth uint8

// The ways to authenticate. A disabled or expired key is AuthKey. An unknown key is
// AuthNone.
const (
	AuthNone Auth = iota
	AuthKey
	AuthSession
)

// String returns none, key or session.
func (a Auth) String() string { return [...]string{"none", "key", "session"}[a] }

// Entry is one answered request, as it is logged.
type Entry struct {
	Time  time.Time // when the request came in, which decides the month; zero: now
	KeyID int64     // of the key that pays, by Auth; 0 with AuthNone
	Auth  Auth
	// Secret is the Start of the secret that was sent, with AuthKey: its last use is kept.
	Secret string
	// Endpoint is a route of a fixed set, such as /api/v1/prices, never the path as
	// sent: every endpoint has sums of its own.
	Endpoint string
	Status   int   // 100 to 599
	Bytes    int64 // of the body
	// Latency runs from the request's arrival to its log row. A negative one, after
	// the clock was set back, is logged as 0.
	Latency   time.Duration
	RequestID string // the X-Request-Id of the response, or empty
	// Query holds the parameters as sent (URL.RawQuery). The log replaces keys and
	// tokens in it and cuts it off after 4,096 bytes.
	Query string
}

const maxQuery = 4096

// Append logs a request that does not count against a quota, and returns when
// that is on disk. See Count for one that does.
func (db *DB) Append(ctx context.Context, e Entry) error { return db.log(ctx, &op{entry: &e}) }

func (db *DB) log(ctx context.Context, o *op) error {
	e := o.entry
	if e.Time.IsZero() {
		e.Time = db.options.Now()
	}
	e.Query, e.Latency = cleanQuery(e.Query), max(0, e.Latency)
	return db.wrap(db.writer.do(ctx, o))
}

// cleanQuery removes keys and tokens, also percent-encoded ones. A query without
// any is kept as it was sent, one with a key decoded. PostgreSQL stores no byte 0, which
// would fail all entries that are written together.
func cleanQuery(raw string) string {
	plain := raw
	for range 3 { // a client may have encoded it more than once
		plain = percentEncoded.ReplaceAllStringFunc(plain, func(code string) string {
			b, _ := hex.DecodeString(code[1:])
			return string(b)
		})
	}
	if clean := Redact(plain); clean != plain {
		raw = clean
	}
	raw = storableText(strings.ToValidUTF8(raw, "\uFFFD"))
	return strings.ToValidUTF8(raw[:min(len(raw), maxQuery)], "")
}

// percentEncoded finds what is encoded, beside wrong percent signs too.
var percentEncoded = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// storableText replaces each byte 0 by the character for what can't be shown.
func storableText(s string) string { return strings.ReplaceAll(s, "\x00", "\uFFFD") }

const requestColumns = 10

func insertion(n int) string {
	var b strings.Builder
	b.WriteString("INSERT INTO requests (at, key_id, auth, endpoint, status, counted, bytes, latency, query, request_id) VALUES (")
	for i := range n * requestColumns {
		switch {
		case i == 0:
		case i%requestColumns == 0:
			b.WriteString("), (")
		default:
			b.WriteString(", ")
		}
		b.WriteString("$" + strconv.Itoa(i+1))
	}
	return b.String() + ")"
}

// maxRows is how many rows a statement adds at most: drivers keep a statement for each number
// of rows.
const maxRows = 64

func addRequests(t tx, ops []*op) error {
	for some := range slices.Chunk(ops, maxRows) {
		args := make([]any, 0, len(some)*requestColumns)
		for _, o := range some {
			e, counted := o.entry, 0
			if o.counted {
				counted = 1
			}
			args = append(args, e.Time.UnixNano(), orNull(e.KeyID), e.Auth.String(), e.Endpoint,
				e.Status, counted, e.Bytes, int64(e.Latency), e.Query, e.RequestID)
		}
		if _, err := t.exec(insertion(len(some)), args...); err != nil {
			return err
		}
	}
	return nil
}

// MaxRefusals is how many refusals of a key in a minute have rows in the log.
const MaxRefusals = 20

// refusals counts the refusals of a key in the minute that was logged last.
type refusals struct{ minute, rows int64 }

// unlisted reports whether a request is a refusal of a key (402, 403, 429) beyond the first
// MaxRefusals in a UTC minute. Only the sums of its day count it, so a refused key adds a
// bounded number of rows.
func (w *writer) unlisted(e *Entry) bool {
	if e.KeyID == 0 || e.Status != http.StatusPaymentRequired && e.Status != http.StatusForbidden && e.Status != http.StatusTooManyRequests {
		return false
	}
	n := w.refused[e.KeyID]
	if minute := e.Time.Unix() / 60; n.minute != minute {
		n = refusals{minute: minute}
	}
	n.rows++
	w.refused[e.KeyID] = n
	return n.rows > MaxRefusals
}
