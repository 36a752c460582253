package state

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/bits"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
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

const (
	maxEndpoint = 200
	maxQuery    = 4096
)

// Append logs a request that does not count against a quota, and returns when
// that is on disk. See Count for one that does.
func (db *DB) Append(ctx context.Context, e Entry) error {
	return db.append(ctx, &entryRow{Entry: e})
}

func (db *DB) append(ctx context.Context, row *entryRow) error {
	e := &row.Entry
	if !db.options.Serve {
		return ErrNotServing
	}
	if e.Time.IsZero() {
		e.Time = db.options.Now()
	}
	if err := e.check(); err != nil {
		return err
	}
	e.Query, e.Latency = cleanQuery(e.Query), max(0, e.Latency)
	return db.wrap(db.writer.do(ctx, &op{entry: row}))
}

func (e *Entry) check() error {
	switch {
	case (e.KeyID == 0) != (e.Auth == AuthNone) || e.KeyID < 0:
		return fmt.Errorf("log entry: KeyID %d contradicts Auth %s", e.KeyID, e.Auth)
	case e.Endpoint == "" || len(e.Endpoint) > maxEndpoint || !utf8.ValidString(e.Endpoint):
		return fmt.Errorf("log entry: Endpoint %q is not a route of 1 to %d bytes", e.Endpoint, maxEndpoint)
	case e.Status < 100 || e.Status > 599:
		return fmt.Errorf("log entry: Status %d is none of HTTP's", e.Status)
	case !storable(e.Time):
		return fmt.Errorf("log entry: Time %s is outside the years %d to %d", e.Time.Format(time.RFC3339), firstYear, lastYear)
	case e.Bytes < 0:
		return fmt.Errorf("log entry: Bytes %d can't be negative", e.Bytes)
	}
	return nil
}

// cleanQuery removes keys and tokens, also percent-encoded ones. A query without
// any is kept as it was sent, one with a key decoded. PostgreSQL stores no byte 0, which
// would fail all entries that are written together.
func cleanQuery(raw string) string {
	plain := raw
	for range 3 { // a client may have encoded it more than once
		plain = unescape(plain)
	}
	if clean := Redact(plain); clean != plain {
		raw = clean
	}
	raw = storableText(strings.ToValidUTF8(raw, "\uFFFD"))
	if len(raw) > maxQuery {
		raw = strings.ToValidUTF8(raw[:maxQuery], "")
	}
	return raw
}

// storableText replaces each byte 0 by the character for what can't be shown.
func storableText(s string) string { return strings.ReplaceAll(s, "\x00", "\uFFFD") }

var percentEncoded = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// unescape decodes what is percent-encoded. It leaves a wrong percent sign, where
// package url gives up.
func unescape(s string) string {
	return percentEncoded.ReplaceAllStringFunc(s, func(code string) string {
		b, _ := hex.DecodeString(code[1:])
		return string(b)
	})
}

const insertRequests = `INSERT INTO requests (at, key_id, auth, endpoint, status, counted, bytes, latency, query, request_id) VALUES `

// insertionOf returns a statement that adds n rows to the log.
var insertionOf = func() func(n int) string {
	var all sync.Map // by n, of which there are few
	return func(n int) string {
		if s, ok := all.Load(n); ok {
			return s.(string)
		}
		rows := make([]string, n)
		for i := range rows {
			var row []string
			for column := range requestColumns {
				row = append(row, "$"+strconv.Itoa(i*requestColumns+column+1))
			}
			rows[i] = "(" + strings.Join(row, ", ") + ")"
		}
		s := insertRequests + strings.Join(rows, ", ")
		all.Store(n, s)
		return s
	}
}()

const requestColumns = 10

// fewRows is up to how many rows are added by a statement for just that many. More are added
// in statements of a power of two of them, so that the drivers keep few statements.
const fewRows = 64

// addRequests adds rows to the log.
func addRequests(t tx, rows []*entryRow) error {
	for len(rows) > 0 {
		n := len(rows)
		if n > fewRows {
			n = 1 << (bits.Len(uint(n)) - 1)
		}
		args := make([]any, 0, n*requestColumns)
		for _, r := range rows[:n] {
			args = append(args, r.Time.UnixNano(), orNull(r.KeyID), r.Auth.String(), r.Endpoint,
				r.Status, oneIf(r.counted), r.Bytes, int64(r.Latency), r.Query, r.RequestID)
		}
		if _, err := t.exec(insertionOf(n), args...); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

func oneIf(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// addRefusal counts a refusal in the row of its key, minute, endpoint and status.
const addRefusal = `INSERT INTO refusals (key_id, minute, endpoint, status, requests, bytes, first_at, last_at)
	VALUES ($1, $2, $3, $4, 1, $5, $6, $6)
	ON CONFLICT (key_id, minute, endpoint, status) DO UPDATE SET requests = refusals.requests + 1, bytes = refusals.bytes + excluded.bytes,
		first_at = CASE WHEN excluded.first_at < refusals.first_at THEN excluded.first_at ELSE refusals.first_at END,
		last_at = CASE WHEN excluded.last_at > refusals.last_at THEN excluded.last_at ELSE refusals.last_at END`

// MaxRefusals is how many refusals of a key in a minute get a row of their own.
const MaxRefusals = 20

// refusals counts the refusals of a key in the minute that was logged last.
type refusals struct{ minute, rows int64 }

// entryRow is an entry as it is written.
type entryRow struct {
	Entry
	counted bool
	limit   int64 // of the month, if counted
}

// shared reports whether a request shares a row with others. The first MaxRefusals
// refusals of a key in a UTC minute get rows of their own. Further ones share a row by
// endpoint and status, so a refused key adds a bounded number of rows.
func (w *writer) shared(r *entryRow) bool {
	switch r.Status {
	case http.StatusPaymentRequired, http.StatusForbidden, http.StatusTooManyRequests:
		if r.KeyID == 0 {
			break
		}
		minute := r.Time.Unix() / 60
		n := w.refused[r.KeyID]
		if n.minute != minute {
			n = refusals{minute: minute}
		}
		if n.rows == MaxRefusals {
			return true
		}
		n.rows++
		w.refused[r.KeyID] = n
	}
	return false
}
