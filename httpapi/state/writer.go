package state

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"
	"sync"
	"time"
)

const maxBatch = 512

// op is one thing to write: a request to log, or any other change.
type op struct {
	change  func(tx) error // nil for a request
	entry   *Entry
	counted bool
	limit   int64 // of the month, if counted
	err     error
	done    chan error
}

// writer writes what waits, and answers after the commit. A transaction has up to maxBatch
// requests or one change. While one commit waits for the disk, the next batch gathers.
type writer struct {
	engine engine
	pool   *sql.DB
	turn   chan struct{} // has an element while a goroutine writes

	// Only the goroutine that writes uses these two.
	refused map[int64]refusals       // by key
	used    map[usedSecret]time.Time // the last use that is kept

	mu      sync.Mutex // over closed and waiting
	closed  bool
	waiting []*op
}

func newWriter(e engine, pool *sql.DB) *writer {
	return &writer{engine: e, pool: pool, turn: make(chan struct{}, 1), refused: map[int64]refusals{}, used: map[usedSecret]time.Time{}}
}

// do writes an op and returns when it is on disk. Cancelling the context keeps an op from
// waiting. An op that waits is carried out, and do returns its outcome.
func (w *writer) do(ctx context.Context, o *op) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	o.done = make(chan error, 1)
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return ErrClosed
	}
	w.waiting = append(w.waiting, o)
	w.mu.Unlock()
	for {
		select {
		case err := <-o.done:
			return err
		case w.turn <- struct{}{}:
			go func() {
				w.writeAll()
				<-w.turn
			}()
		}
	}
}

func (w *writer) writeAll() {
	for {
		w.mu.Lock()
		n := min(len(w.waiting), maxBatch)
		if change := slices.IndexFunc(w.waiting[:n], func(o *op) bool { return o.change != nil }); change >= 0 {
			n = max(1, change)
		}
		batch := w.waiting[:n:n]
		w.waiting = w.waiting[n:]
		w.mu.Unlock()
		if n == 0 {
			return
		}
		err := w.commit(batch)
		for _, o := range batch {
			o.done <- cmp.Or(err, o.err)
		}
	}
}

// drain refuses further ops and writes those that wait.
func (w *writer) drain() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.turn <- struct{}{} // for good
	w.writeAll()
}

func (w *writer) isClosed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.closed
}

// commit writes a batch in one transaction. A request beyond the quota gets an error of its
// own. If a row contradicts the schema, such as that of an unknown key, the requests are
// written one by one. Any other failure fails the whole batch.
func (w *writer) commit(batch []*op) (err error) {
	const tries = 5 // if the engine asks for that
	for range tries {
		if err = w.try(batch); !again(err) {
			break
		}
	}
	if len(batch) > 1 && contradicts(err) {
		for _, o := range batch {
			if err := w.commit([]*op{o}); err != nil {
				o.err = err
			}
		}
		return nil
	}
	return err
}

func (w *writer) try(batch []*op) error {
	for _, o := range batch {
		o.err = nil
	}
	ctx, cancel := w.engine.bounded(context.Background())
	defer cancel()
	sqlTx, err := w.pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	t := tx{ctx, sqlTx, w.engine.lock}
	if change := batch[0].change; change != nil {
		err = change(t)
	} else {
		err = w.log(t, batch)
	}
	if err == nil {
		err = sqlTx.Commit()
	}
	if err != nil {
		_ = sqlTx.Rollback() // err has the reason
		clear(w.used)
	}
	return err
}

// log logs requests. Rows that servers share are written in one order, so that they rarely
// wait for each other in a circle.
func (w *writer) log(t tx, batch []*op) error {
	if err := countMonths(t, batch); err != nil {
		return err
	}
	var rows []*op
	sums := map[sumKey]Totals{}
	for _, o := range batch {
		if o.err != nil { // beyond the quota
			continue
		}
		if !w.unlisted(o.entry) {
			rows = append(rows, o)
		}
		o.addTo(sums)
		if err := w.noteUse(t, o.entry); err != nil {
			return err
		}
	}
	if err := addRequests(t, rows); err != nil {
		return err
	}
	for _, k := range slices.SortedFunc(maps.Keys(sums), sumKey.compare) {
		s := sums[k]
		if _, err := t.exec(addToDay, k.keyID, k.period, k.endpoint, k.class, s.Requests, s.Counted, s.Bytes, s.First.UnixNano(), s.Last.UnixNano()); err != nil {
			return err
		}
	}
	return nil
}

// usedSecret is a secret of a key, named by its Start.
type usedSecret struct {
	keyID int64
	start string
}

// useEvery is how exactly the last use of a secret is kept, so that a busy key's row is
// not written with each batch.
const useEvery = time.Minute

func (w *writer) noteUse(t tx, e *Entry) error {
	s := usedSecret{e.KeyID, e.Secret}
	if e.Auth != AuthKey || e.Time.Before(w.used[s].Add(useEvery)) {
		return nil
	}
	w.used[s] = e.Time
	return t.noteUse(e.KeyID, e.Secret, e.Time)
}

// Ping reports whether the state can be written now, and whether it is still the
// file at its path (ErrReplaced). It writes a value that is there already.
func (db *DB) Ping(ctx context.Context) error {
	_, err := write(ctx, db, func(t tx) (int64, error) { return t.exec(db.engine.mark) })
	return err
}
