package state

import (
	"context"
	"database/sql"
	"errors"
	"sync"
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

// writer is the one goroutine that writes. It takes what waits, up to maxBatch,
// writes it in one transaction, and answers after the commit. While one commit
// waits for the disk, the next batch gathers.
type writer struct {
	pool *sql.DB
	conn *sql.Conn
	log  *sql.Stmt
	sum  *sql.Stmt

	mu      sync.RWMutex // over closed and sending
	closed  bool
	queue   chan *op
	stopped chan struct{}
}

func startWriter(ctx context.Context, pool *sql.DB) (*writer, error) {
	w := &writer{pool: pool, queue: make(chan *op, maxBatch), stopped: make(chan struct{})}
	var err error
	if w.conn, err = pool.Conn(ctx); err != nil {
		return nil, err
	}
	if w.log, err = w.conn.PrepareContext(ctx, insertRequest); err != nil {
		return nil, errors.Join(err, w.conn.Close())
	}
	if w.sum, err = w.conn.PrepareContext(ctx, addToMonth); err != nil {
		return nil, errors.Join(err, w.conn.Close())
	}
	go w.run()
	return w, nil
}

// do queues an op and waits until it is on disk. The context is for the queue
// only: an op that is in it is carried out, and its outcome is always told.
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

// drain takes no more ops and waits for those that were taken.
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
	return errors.Join(w.log.Close(), w.sum.Close(), w.conn.Close(), w.pool.Close())
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

// gather adds what is in the queue, without waiting for more.
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

// commit writes a batch in one transaction. A change that fails is undone and
// has its own error; any other failure is that of the whole batch.
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
	}
	return err
}

func (w *writer) write(t tx, batch []*op) error {
	sums := make(map[sumKey]*sum)
	for _, o := range batch {
		if o.entry != nil {
			switch o.err = o.entry.insert(w.log); {
			case o.err == nil:
				o.entry.addTo(sums)
			case !isConstraint(o.err):
				return o.err
			} // a row that refers to no key is left out, alone
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
		if err := s.store(w.sum, k); err != nil {
			return err
		}
	}
	return nil
}
