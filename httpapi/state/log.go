package state

import (
	"context"
	"database/sql"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Auth is how a request was authenticated.
type Auth uint8

// The ways to authenticate. A request with a key that is disabled or expired
// was made with a key; one with an unknown key was made with none.
const (
	AuthNone Auth = iota
	AuthKey
	AuthSession
)

// String returns none, key or session.
func (a Auth) String() string {
	switch a {
	case AuthKey:
		return "key"
	case AuthSession:
		return "session"
	}
	return "none"
}

// Entry is one answered request, as it is logged.
type Entry struct {
	// Time is when the request came in; zero is now. It decides the month.
	Time time.Time
	// KeyID is the key that pays, by Auth; 0 with AuthNone.
	KeyID int64
	Auth  Auth
	// Endpoint is the route, such as /api/v1/prices: one of a fixed set, never
	// the path as sent, since every endpoint has its own monthly sums.
	Endpoint string
	Status   int   // 100 to 599
	Bytes    int64 // of the body
	// Latency is from the request's coming in to its being logged. A negative
	// one, from a clock that was set back meanwhile, is logged as 0.
	Latency time.Duration
	// Query is the parameters, as sent (URL.RawQuery). What looks like a key or
	// a token in them is replaced; what is longer than 4,096 bytes is cut off.
	Query string
}

const (
	maxEndpoint = 200
	maxQuery    = 4096
)

// Append logs a request that does not count against a quota, and returns when
// that is on disk. See Reservation.Settle for one that does.
func (db *DB) Append(ctx context.Context, e Entry) error {
	return db.append(ctx, e, false)
}

func (db *DB) append(ctx context.Context, e Entry, counted bool) error {
	if db.unlock == nil {
		return ErrNotServing
	}
	if e.Time.IsZero() {
		e.Time = db.options.Now()
	}
	if err := e.check(); err != nil {
		return err
	}
	row := &entryRow{Entry: e, counted: counted}
	row.Query, row.Latency = cleanQuery(e.Query), max(0, e.Latency)
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
// any is kept as it was sent, one with a key decoded.
func cleanQuery(raw string) string {
	plain := raw
	for range 3 { // a client may have encoded it more than once
		plain = unescape(plain)
	}
	if clean := Redact(plain); clean != plain {
		raw = clean
	}
	raw = strings.ToValidUTF8(raw, "\uFFFD")
	if len(raw) > maxQuery {
		raw = strings.ToValidUTF8(raw[:maxQuery], "")
	}
	return raw
}

// unescape decodes what is percent-encoded, and leaves what is so wrongly: the
// parser of package url would give up there.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if b, err := hex.DecodeString(s[i+1 : i+3]); err == nil {
				out = append(out, b...)
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

const insertRequest = `INSERT INTO requests (at, key_id, auth, endpoint, status, counted, bytes, latency, query)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

// entryRow is an entry as it is written.
type entryRow struct {
	Entry
	counted bool
}

func (r *entryRow) insert(s *sql.Stmt) error {
	_, err := s.Exec(r.Time.UnixNano(), orNull(r.KeyID), r.Auth.String(), r.Endpoint,
		r.Status, r.counted, r.Bytes, int64(r.Latency), r.Query)
	return err
}
