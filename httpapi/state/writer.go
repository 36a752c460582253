package state

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
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
	engine engine
	pool   *sql.DB

	// Only the goroutine of run uses these two.
	refused map[int64]refusals       // by key
	used    map[usedSecret]time.Time // the last use that is kept

	mu      sync.RWMutex // over closed and sending
	closed  bool
	queue   chan *op
	stopped chan struct{}
}

func startWriter(e engine, pool *sql.DB) *writer {
	w := &writer{
		engine: e, pool: pool, refused: map[int64]refusals{}, used: map[usedSecret]time.Time{},
		queue: make(chan *op, maxBatch), stopped: make(chan struct{}),
	}
	go w.run()
	return w
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

// tries is how often a batch is written when the engine asks for that.
const tries = 5

// commit writes a batch in one transaction. A failed change is undone and keeps its
// own error, and so does a request beyond the quota. If a row contradicts the schema, such
// as that of an unknown key, the ops are written one by one. Any other failure fails the
// whole batch.
func (w *writer) commit(batch []*op) error {
	var err error
	for n := range tries {
		for _, o := range batch {
			o.err = nil
		}
		again := false
		if again, err = w.try(batch); err == nil || !again && !w.engine.again(err) {
			break
		}
		if again && n > 0 { // the connection is new already
			break
		}
	}
	if err != nil && w.engine.contradicts(err) && len(batch) > 1 {
		for _, o := range batch {
			if err := w.commit([]*op{o}); err != nil {
				o.err = err
			}
		}
		return nil
	}
	return err
}

// try writes a batch. unsent says that nothing of it can have been committed, since the
// engine was gone before that.
func (w *writer) try(batch []*op) (unsent bool, err error) {
	ctx, cancel := w.engine.bounded(context.Background())
	defer cancel()
	sqlTx, err := w.pool.BeginTx(ctx, nil)
	if err != nil {
		return w.engine.gone(err), err
	}
	t := tx{ctx, sqlTx, w.engine.lock}
	if err := w.write(t, batch); err != nil {
		_ = sqlTx.Rollback() // err has the reason
		clear(w.used)
		return w.engine.gone(err), err
	}
	if err := sqlTx.Commit(); err != nil {
		clear(w.used)
		return false, err
	}
	return false, nil
}

// write carries out the ops. Rows that servers share are written in one order, so that
// they rarely wait for each other in a circle.
func (w *writer) write(t tx, batch []*op) error {
	if err := countMonths(t, batch); err != nil {
		return err
	}
	var rows []*entryRow
	sums := map[sumKey]Totals{}
	for _, o := range batch {
		switch {
		case o.err != nil: // beyond the quota
		case o.entry == nil:
			if err := w.change(t, o); err != nil {
				return err
			}
		default:
			if w.shared(o.entry) {
				e := o.entry
				if _, err := t.exec(addRefusal, e.KeyID, e.Time.Unix()/60, e.Endpoint, e.Status, e.Bytes, e.Time.UnixNano()); err != nil {
					return err
				}
			} else {
				rows = append(rows, o.entry)
			}
			o.entry.addTo(sums)
			if err := w.noteUse(t, o.entry); err != nil {
				return err
			}
		}
	}
	if err := addRequests(t, rows); err != nil {
		return err
	}
	for _, k := range slices.SortedFunc(maps.Keys(sums), sumKey.compare) {
		s := sums[k]
		if _, err := t.exec(addToDay, k.keyID, k.day, k.endpoint, k.class, s.Requests, s.Counted, s.Bytes, s.First.UnixNano(), s.Last.UnixNano()); err != nil {
			return err
		}
	}
	return nil
}

// change carries out a change. If it fails, only its own writes are undone.
func (w *writer) change(t tx, o *op) error {
	if _, err := t.exec("SAVEPOINT change"); err != nil {
		return err
	}
	if o.err = o.change(t); o.err != nil {
		if w.engine.again(o.err) || w.engine.gone(o.err) {
			return o.err
		}
		if _, err := t.exec("ROLLBACK TO SAVEPOINT change"); err != nil {
			return errors.Join(o.err, err)
		}
	}
	if _, err := t.exec("RELEASE SAVEPOINT change"); err != nil {
		return errors.Join(o.err, err)
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
type tx struct {
	ctx context.Context
	tx  *sql.Tx
	// lock ends a query whose rows are to be changed: other servers wait for them.
	lock string
}

// exec runs a statement. Drivers keep what they have prepared, by its text.
func (t tx) exec(query string, args ...any) (changed int64, err error) {
	r, err := t.tx.ExecContext(t.ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

func (t tx) row(query string, args ...any) *sql.Row {
	return t.tx.QueryRowContext(t.ctx, query, args...)
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

// Reach reports whether a file is still the one that was opened (ErrReplaced), or whether a
// database answers (ErrUnavailable). It writes nothing.
func (db *DB) Reach(ctx context.Context) error {
	if !db.engine.postgres {
		return db.Intact()
	}
	_, err := db.Empty(ctx)
	return err
}

// Ping reports whether the state can be written now, and whether it is still the
// file at its path (ErrReplaced). It writes a value that is there already, because a
// transaction without a page would succeed on a full disk.
func (db *DB) Ping(ctx context.Context) error {
	if err := db.Intact(); err != nil {
		return err
	}
	_, err := write(ctx, db, func(t tx) (int64, error) {
		return t.exec(db.engine.ping)
	})
	return err
}
