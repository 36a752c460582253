package state

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"sync"
	"time"
)

// maxBatch is the most that goes into one transaction.
const maxBatch = 512

// op is one thing to write: a request to log, or any other change.
type op struct {
	entry  *entryRow
	change func(tx) error
	err    error
	done   chan error
}

// writer is the one goroutine that writes. It takes up to maxBatch waiting ops,
// writes them in one transaction, and answers after the commit. While one commit
// waits for the disk, the next batch gathers.
type writer struct {
	pool              *sql.DB
	conn              *sql.Conn
	log, refusal, sum *sql.Stmt

	// Only the goroutine of run uses these two.
	refused map[int64]refusals       // by key
	used    map[usedSecret]time.Time // the last use that is kept

	mu      sync.RWMutex // over closed and sending
	closed  bool
	queue   chan *op
	stopped chan struct{}
}

func startWriter(ctx context.Context, pool *sql.DB) (*writer, error) {
	w := &writer{pool: pool, refused: map[int64]refusals{}, used: map[usedSecret]time.Time{}, queue: make(chan *op, maxBatch), stopped: make(chan struct{})}
	var err error
	if w.conn, err = pool.Conn(ctx); err != nil {
		return nil, err
	}
	for _, s := range []struct {
		stmt  **sql.Stmt
		query string
	}{{&w.log, insertRequest}, {&w.refusal, addRefusal}, {&w.sum, addToDay}} {
		if *s.stmt, err = w.conn.PrepareContext(ctx, s.query); err != nil {
			return nil, errors.Join(err, w.conn.Close())
		}
	}
	go w.run()
	return w, nil
}

// do queues an op and waits until it is on disk. Cancelling the context keeps an op
// out of the queue. Once queued, the op is carried out and do returns its outcome.
func (w *writer) do(ctx context.Context, o *op) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	o.done = make(chan error, 1)
	if err := w.send(ctx, o); err != nil {
		return err
	}
	return <-o.done
}

func (w *writer) send(ctx context.Context, o *op) error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.closed {
		return ErrClosed
	}
	select {
	case w.queue <- o:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// drain refuses further ops and waits for the queued ones.
func (w *writer) drain() {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.queue)
	}
	w.mu.Unlock()
	<-w.stopped
}

func (w *writer) isClosed() bool {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.closed
}

func (w *writer) close() error {
	return errors.Join(w.log.Close(), w.refusal.Close(), w.sum.Close(), w.conn.Close(), w.pool.Close())
}

func (w *writer) run() {
	defer close(w.stopped)
	batch := make([]*op, 0, maxBatch)
	for o := range w.queue {
		batch = w.gather(append(batch[:0], o))
		err := w.commit(batch)
		for _, o := range batch {
			if err != nil {
				o.err = err
			}
			o.done <- o.err
		}
		clear(batch)
	}
}

// gather adds the queued ops without waiting for more.
func (w *writer) gather(batch []*op) []*op {
	for len(batch) < maxBatch {
		select {
		case o, ok := <-w.queue:
			if !ok {
				return batch
			}
			batch = append(batch, o)
		default:
			return batch
		}
	}
	return batch
}

// commit writes a batch in one transaction. A failed change is undone and keeps its
// own error. Any other failure fails the whole batch.
func (w *writer) commit(batch []*op) error {
	t := tx{w.conn}
	if _, err := t.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err := w.write(t, batch)
	if err == nil {
		_, err = t.exec("COMMIT")
	}
	if err != nil {
		// SQLite may have rolled back by itself, which makes this an error.
		_, _ = t.exec("ROLLBACK")
		clear(w.used)
	}
	return err
}

func (w *writer) write(t tx, batch []*op) error {
	sums := map[sumKey]Totals{}
	for _, o := range batch {
		if o.entry != nil {
			switch o.err = w.insert(o.entry); {
			case o.err == nil:
				o.entry.addTo(sums)
				if err := w.noteUse(t, o.entry); err != nil {
					return err
				}
			case !isConstraint(o.err):
				return o.err
			} // only the row of an unknown key is left out
			continue
		}
		if _, err := t.exec("SAVEPOINT change"); err != nil {
			return err
		}
		if o.err = o.change(t); o.err != nil {
			if _, err := t.exec("ROLLBACK TO change"); err != nil {
				return errors.Join(o.err, err)
			}
		}
		if _, err := t.exec("RELEASE change"); err != nil {
			return errors.Join(o.err, err)
		}
	}
	for k, s := range sums {
		if _, err := w.sum.Exec(k.keyID, k.day, k.endpoint, k.class, s.Requests, s.Counted, s.Bytes, s.First.UnixNano(), s.Last.UnixNano()); err != nil {
			return err
		}
	}
	return nil
}

// usedSecret is a secret of a key, told by its Start.
type usedSecret struct {
	keyID int64
	start string
}

// useEvery is how exactly the last use of a secret is kept, so that a busy key's row is
// not written with each batch.
const useEvery = time.Minute

func (w *writer) noteUse(t tx, r *entryRow) error {
	s := usedSecret{r.KeyID, r.Secret}
	if r.Auth != AuthKey || r.Time.Before(w.used[s].Add(useEvery)) {
		return nil
	}
	w.used[s] = r.Time
	return noteUse(t, r.KeyID, r.Secret, r.Time)
}

// tx is the writer's transaction, as a change sees it.
type tx struct{ conn *sql.Conn }

func (t tx) exec(query string, args ...any) (changed int64, err error) {
	r, err := t.conn.ExecContext(context.Background(), query, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

func (t tx) row(query string, args ...any) *sql.Row {
	return t.conn.QueryRowContext(context.Background(), query, args...)
}

// write carries out a change and returns its result. All writes of the change take
// effect, or no write does.
func write[T any](ctx context.Context, db *DB, f func(tx) (T, error)) (T, error) {
	var result, none T
	err := db.writer.do(ctx, &op{change: func(t tx) (err error) {
		result, err = f(t)
		return err
	}})
	if err != nil {
		return none, db.wrap(err)
	}
	return result, nil
}

// Ping reports whether the state can be written now, and whether it is still the
// file at its path (ErrReplaced). It writes a value that is there already, because a
// transaction without a page would succeed on a full disk.
func (db *DB) Ping(ctx context.Context) error {
	if err := db.Intact(); err != nil {
		return err
	}
	_, err := write(ctx, db, func(t tx) (int64, error) {
		return t.exec("PRAGMA user_version = " + strconv.Itoa(SchemaVersion))
	})
	return err
}
