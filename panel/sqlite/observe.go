package sqlite

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
	"golang.org/x/sync/errgroup"
)

// batch is a run of rows of observations.csv on the way from the goroutine that
// reads them to the one that writes them.
type batch struct {
	rows    []observed
	rejects []csvdir.Reject
	offset  int64
}

type observed struct {
	panel.Observation
	line int
	text string // of the row in the file
}

const batchRows = 512

func (b *batch) reset() {
	b.rows, b.rejects = b.rows[:0], b.rejects[:0]
}

// observations imports observations.csv: first the rows with an id, then those
// without, which get the ids above the largest in the order of the file.
func (im *importer) observations() error {
	c := im.count("observations")
	w, err := newObservationWriter(im.conn, im.work.old)
	if err != nil {
		return err
	}
	defer w.close()
	anonymous := 0
	err = im.readObservations(true, func(o *observed) error {
		if o.ID == 0 {
			anonymous++
			return nil
		}
		if err := im.checkObservation(&o.Observation); err != nil {
			return err
		}
		return w.add(c, &o.Observation)
	})
	if err == nil && anonymous > 0 {
		if err = w.prepareAnonymous(); err == nil {
			err = im.readObservations(false, func(o *observed) error {
				if o.ID != 0 {
					return nil
				}
				if err := im.checkObservation(&o.Observation); err != nil {
					return err
				}
				return w.addAnonymous(c, &o.Observation)
			})
		}
	}
	if err != nil {
		return err
	}
	return w.flush()
}

func (im *importer) checkObservation(o *panel.Observation) error {
	m, err := im.needListing(o.Listing)
	if err != nil {
		return err
	}
	s, err := im.needStore(o.Store)
	if err != nil {
		return err
	}
	if m.Banner != s.Banner {
		return refuse("retailer_product_id: retailer product %d is of banner %q, store %d of %q", m.ID, m.Banner, s.ID, s.Banner)
	}
	return nil
}

// readObservations reads the file in one goroutine and calls f in this one.
// Rows that can't be read are rejected in the first pass only.
func (im *importer) readObservations(first bool, f func(*observed) error) error {
	r, err := csvdir.Read(im.dir, csvdir.Observations)
	if err != nil {
		return err
	}
	defer r.Close()
	c := im.count("observations")
	full, free := make(chan *batch, 4), make(chan *batch, 6)
	for range cap(free) {
		free <- &batch{}
	}
	g, ctx := errgroup.WithContext(im.ctx)
	g.Go(func() error {
		defer close(full)
		texts := texts{}
		for {
			var b *batch
			select {
			case b = <-free:
			case <-ctx.Done():
				return ctx.Err()
			}
			more := b.fill(r, texts)
			select {
			case full <- b:
			case <-ctx.Done():
				return ctx.Err()
			}
			if !more {
				return r.Err()
			}
		}
	})
	g.Go(func() error {
		for b := range full {
			if first {
				im.report(im.done + b.offset)
			} else {
				b.rejects = b.rejects[:0]
			}
			if err := im.takeBatch(c, r.File(), b, f); err != nil {
				return err
			}
			b.reset()
			free <- b
		}
		return ctx.Err()
	})
	if err := g.Wait(); err != nil {
		return err
	}
	if first {
		im.done += r.Offset()
	}
	return nil
}

// takeBatch calls f for the rows of a batch and notes its rejects, by line.
func (im *importer) takeBatch(c *Counts, file string, b *batch, f func(*observed) error) error {
	for i := range b.rows {
		o := &b.rows[i]
		err := f(o)
		if err == nil {
			continue
		}
		refused, ok := errors.AsType[refusal](err)
		if !ok {
			return fmt.Errorf("sqlite: %s, line %d: %w", file, o.line, err)
		}
		b.rejects = append(b.rejects, *csvdir.NewReject(file, o.line, string(refused), o.text, len(o.text)))
	}
	slices.SortFunc(b.rejects, func(x, y csvdir.Reject) int { return x.Line - y.Line })
	for i := range b.rejects {
		if err := im.reject(c, &b.rejects[i]); err != nil {
			return err
		}
	}
	return nil
}

// fill reads the next rows. It returns false at the end of the file or at an
// error.
func (b *batch) fill(r *csvdir.Reader[panel.Observation], texts texts) bool {
	for len(b.rows) < batchRows && len(b.rejects) < batchRows && r.Next() {
		if reject := r.Reject(); reject != nil {
			b.rejects = append(b.rejects, *reject)
			continue
		}
		o := *r.Record()
		o.ScrapedName, o.PackageSize = texts.one(o.ScrapedName), texts.one(o.PackageSize)
		b.rows = append(b.rows, observed{o, r.Line(), r.Text()})
	}
	b.offset = r.Offset()
	return len(b.rows) == batchRows || len(b.rejects) == batchRows
}

// texts are the titles and sizes that were read, each once. With one string for
// one text, the goroutine that writes finds labels in a quarter of the time.
type texts map[string]string

// maxTexts bounds the memory of texts.
const maxTexts = 1 << 20

// one returns a copy of a text: the same for every equal text.
func (t texts) one(text string) string {
	same, ok := t[text]
	if !ok {
		if len(t) == maxTexts {
			clear(t)
		}
		same = strings.Clone(text)
		t[same] = same
	}
	return same
}
