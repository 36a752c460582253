package state

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/larder-index/larder/internal/enum"
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

var auths = enum.New("auth", AuthNone, "none", "key", "session")

// String returns none, key or session.
func (a Auth) String() string { return auths.String(a) }

// Entry is one answered request, as it is logged.
type Entry struct {
	Time  time.Time // when the request came in, which decides the month; zero: now
	KeyID int64     // of the key that pays, by Auth; 0 with AuthNone
	Auth  Auth
	Limit int64 // of the month, against which a request counts that is answered 2xx; 0: it does not count
	// Endpoint is a route of a fixed set, such as /api/v1/prices, never the path as
	// sent: every endpoint has sums of its own.
	Endpoint  string
	Status    int           // 100 to 599
	Bytes     int64         // of the body
	Latency   time.Duration // from arrival to now; a negative one, after the clock was set back, is logged as 0
	RequestID string        // the X-Request-Id of the response, or empty
	// Query holds the parameters as sent (URL.RawQuery). The log replaces keys and
	// tokens in it and cuts it off after 4,096 bytes.
	Query string
}

// request is an entry that waits to be logged.
type request struct {
	Entry
	ctx     context.Context // ends when the engine's patience does
	counted int64           // against the month: 1 or 0
	err     error           // of this one alone
	done    chan error
}

// Append logs a request, and returns when it is on disk. One beyond the limit of its month gets
// a *QuotaError and is not logged: refuse it and log that. The month is that of the entry's time.
//
// Requests wait for the turn to write, and the first that has it writes all that wait. So the
// next batch gathers while one commit waits for the disk.
func (db *DB) Append(ctx context.Context, e Entry) error {
	if err := ctx.Err(); err != nil {
		return db.wrap(err)
	}
	r := &request{Entry: e}
	if r.Limit > 0 && r.Status/100 == 2 {
		r.counted = 1
	}
	if r.Time.IsZero() {
		r.Time = db.options.Now()
	}
	r.Query, r.Latency, r.done = cleanQuery(r.Query), max(0, r.Latency), make(chan error, 1)
	var cancel context.CancelFunc
	r.ctx, cancel = db.engine.bounded(context.WithoutCancel(ctx))
	defer cancel()
	db.mu.Lock()
	db.waiting = append(db.waiting, r)
	db.mu.Unlock()
	for {
		select {
		case err := <-r.done:
			return db.wrap(err)
		case <-r.ctx.Done():
			if db.withdraw(r) {
				return db.wrap(r.ctx.Err())
			}
			return db.wrap(<-r.done) // it is in a transaction, whose time ended before
		case _, open := <-db.turn:
			if open {
				func() {
					defer func() { db.turn <- struct{}{} }() // also after a panic
					db.logWaiting()
				}()
			} else if len(r.done) == 0 {
				return ErrClosed
			}
		}
	}
}

// withdraw keeps a request from being logged, if it still waits.
func (db *DB) withdraw(r *request) bool {
	db.mu.Lock()
	defer db.mu.Unlock()
	i := slices.Index(db.waiting, r)
	if i >= 0 {
		db.waiting = slices.Delete(db.waiting, i, i+1)
	}
	return i >= 0
}

// logWaiting logs requests that wait.
func (db *DB) logWaiting() {
	const most = 512 // go into one transaction
	db.mu.Lock()
	batch := db.waiting[:min(len(db.waiting), most)]
	db.waiting = db.waiting[len(batch):]
	db.mu.Unlock()
	if len(batch) > 0 {
		db.commit(batch)
	}
}

// commit logs requests in one transaction, in the time of the first. A request beyond the quota gets an error of its
// own. If a row contradicts the schema, such as that of an unknown key, the requests are
// written one by one. Any other failure fails all of them, and a panic too: nobody waits on.
func (db *DB) commit(batch []*request) {
	err := errors.New("state: a panic ended the transaction of the log")
	defer func() {
		for _, r := range batch {
			r.done <- cmp.Or(err, r.err)
		}
	}()
	var tried map[int64]refusals
	err = db.transact(batch[0].ctx, func(t tx) error {
		tried = map[int64]refusals{} // what an earlier try counted was not kept
		return db.logAll(t, batch, tried)
	})
	if len(batch) > 1 && contradicts(err) {
		for len(batch) > 0 {
			one := batch[:1]
			batch = batch[1:]
			db.commit(one)
		}
	}
	if err == nil {
		maps.Copy(db.refused, tried)
	}
}

// logAll counts requests in their months and logs those that are within their limits. It counts
// refusals in tried.
func (db *DB) logAll(t tx, batch []*request, tried map[int64]refusals) error {
	month := func(r *request) sumKey { return sumKey{keyID: r.KeyID, period: string(MonthOf(r.Time))} }
	day := func(r *request) sumKey {
		return sumKey{r.KeyID, r.Time.UTC().Format(time.DateOnly), r.Endpoint, r.Status / 100}
	}
	minute := func(r *request) sumKey {
		return sumKey{r.KeyID, r.Time.UTC().Format("2006-01-02T15:04"), r.Endpoint, r.Status}
	}
	if err := grouped(batch, month, t.countMonth); err != nil {
		return err
	}
	batch = slices.DeleteFunc(slices.Clone(batch), func(r *request) bool { return r.err != nil })
	var listed, unlisted []*request
	for _, r := range batch {
		if db.unlisted(r, tried) {
			unlisted = append(unlisted, r)
		} else {
			listed = append(listed, r)
		}
	}
	if err := t.addRequests(listed); err != nil {
		return err
	}
	return cmp.Or(grouped(unlisted, minute, t.addRefusals), grouped(batch, day, t.addToDay))
}

// sumKey is the key of a row of daily_usage, of refusals or, without the last two, of quotas.
type sumKey struct {
	keyID    int64
	period   string // YYYY-MM-DD, a minute or YYYY-MM, UTC
	endpoint string
	status   int // of daily_usage its class
}

// grouped calls a function with the requests of each key. Rows that servers share are written
// in one order, so that they rarely wait for each other in a circle.
func grouped(batch []*request, key func(*request) sumKey, f func(sumKey, []*request) error) error {
	groups := map[sumKey][]*request{}
	for _, r := range batch {
		k := key(r)
		groups[k] = append(groups[k], r)
	}
	for _, k := range slices.SortedFunc(maps.Keys(groups), func(a, b sumKey) int {
		return cmp.Or(cmp.Compare(a.keyID, b.keyID), cmp.Compare(a.period, b.period),
			cmp.Compare(a.endpoint, b.endpoint), cmp.Compare(a.status, b.status))
	}) {
		if err := f(k, groups[k]); err != nil {
			return err
		}
	}
	return nil
}

func totalsOf(rs []*request) (s Totals) {
	for _, r := range rs {
		s.Add(Totals{1, r.counted, r.Bytes, r.Time, r.Time})
	}
	return s
}

// addRefusals adds refusals of a key to their row of a minute.
func (t tx) addRefusals(k sumKey, rs []*request) error {
	s := totalsOf(rs)
	_, err := t.exec(`INSERT INTO refusals AS d (key_id, minute, endpoint, status, requests, bytes, first_at, last_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (key_id, minute, endpoint, status) DO UPDATE SET requests = d.requests + excluded.requests,
		bytes = d.bytes + excluded.bytes,`+widerTimes,
		k.keyID, minuteOf(rs[0]), k.endpoint, k.status, s.Requests, s.Bytes, s.First.UnixNano(), s.Last.UnixNano())
	return err
}

const widerTimes = `
			first_at = CASE WHEN excluded.first_at < d.first_at THEN excluded.first_at ELSE d.first_at END,
			last_at = CASE WHEN excluded.last_at > d.last_at THEN excluded.last_at ELSE d.last_at END`

// addToDay adds requests to a row of the daily sums.
func (t tx) addToDay(k sumKey, rs []*request) error {
	s := totalsOf(rs)
	_, err := t.exec(`INSERT INTO daily_usage AS d (key_id, day, endpoint, status_class, requests, counted, bytes,
		first_at, last_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (key_id, day, endpoint, status_class) DO UPDATE SET
			requests = d.requests + excluded.requests, counted = d.counted + excluded.counted,
				bytes = d.bytes + excluded.bytes,`+widerTimes,
		k.keyID, k.period, k.endpoint, k.status, s.Requests, s.Counted, s.Bytes, s.First.UnixNano(), s.Last.UnixNano())
	return err
}

func (t tx) addRequests(all []*request) error {
	const most = 64 // rows in a statement: drivers keep a statement for each number of rows
	for some := range slices.Chunk(all, most) {
		var args []any
		var rows []string
		for _, r := range some {
			row := []any{
				r.Time.UnixNano(), sql.Null[int64]{V: r.KeyID, Valid: r.KeyID != 0}, r.Auth.String(), r.Endpoint,
				r.Status, r.counted, r.Bytes, int64(r.Latency), r.Query, r.RequestID,
			}
			marks := make([]string, len(row))
			for i := range row {
				marks[i] = "$" + strconv.Itoa(len(args)+i+1)
			}
			args, rows = append(args, row...), append(rows, "("+strings.Join(marks, ", ")+")")
		}
		if _, err := t.exec("INSERT INTO requests (at, key_id, auth, endpoint, status, counted, bytes, latency, "+
			"query, request_id) VALUES "+
			strings.Join(rows, ", "), args...); err != nil {
			return err
		}
	}
	return nil
}

// MaxRefusals is how many refusals of a key in a minute have rows in the log.
const MaxRefusals = 20

// refusals counts the refusals of a key in the minute that was logged last.
type refusals struct{ minute, rows int64 }

func minuteOf(r *request) int64 { return r.Time.Unix() / 60 }

// unlisted reports whether a request is a refusal of a key (402, 403, 429) beyond the first
// MaxRefusals in a UTC minute, and counts it in tried. Such ones share a row by endpoint and
// status, so a refused key adds a bounded number of rows.
func (db *DB) unlisted(r *request, tried map[int64]refusals) bool {
	refused := []int{http.StatusPaymentRequired, http.StatusForbidden, http.StatusTooManyRequests}
	if r.KeyID == 0 || !slices.Contains(refused, r.Status) {
		return false
	}
	n, ok := tried[r.KeyID]
	if !ok {
		n = db.refused[r.KeyID]
	}
	if minute := minuteOf(r); n.minute != minute {
		n = refusals{minute: minute}
	}
	n.rows++
	tried[r.KeyID] = n
	return n.rows > MaxRefusals
}

// cleanQuery removes keys and tokens, also percent-encoded ones. A query without
// any is kept as it was sent, one with a key decoded.
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
	const most = 4096
	raw = storableText(raw)
	return strings.ToValidUTF8(raw[:min(len(raw), most)], "")
}

// storableText replaces what PostgreSQL stores in no text: a byte 0 and what is not UTF-8. It
// would fail all rows that are written together.
func storableText(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// percentEncoded finds what is encoded, beside wrong percent signs too.
var percentEncoded = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)
