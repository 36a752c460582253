package sqlite

import (
	"database/sql/driver"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/larder-index/larder/panel"
)

// insertRows is how many rows one INSERT adds: an import of 3.6 million rows takes 12.5 s of processor time, and 15 s
// with one row each.
const insertRows = 64

// observationWriter adds observations to the draft, many at a time, and finds out which are there already.
type observationWriter struct {
	conn    *conn
	scan    *scanner
	byID    string         // finds a row
	last    int64          // the largest id before the import
	args    []driver.Value // the columns of the row at hand
	waiting []driver.Value // those of rows to insert
	list    []panel.Label  // by id
	labels  map[panel.Label]int64
	seen    idSet  // ids of the file's rows
	added   idSet  // ids of the rows that this import adds
	begun   idSet  // their listings
	next    int64  // no observation but corrections has a higher id
	keys    keyed  // the observations; nil until a row without an id comes
	whole   bool   // those too that this import adds: rows without ids don't come by listing, store and time
	newest  obsKey // of the last row added if it had no id

	correct     string         // why rows take the place of stored ones; empty: none does
	now         time.Time      // of corrections
	corrected   map[int64]bool // the observations that have a correction
	corrections keyed          // those that were there before; nil until they are needed
	correction  int64          // no correction has a higher id
}

// obsKey tells observations without an id apart.
type obsKey [3]int64 // listing, store and time

func keyOf(o *panel.Observation) obsKey {
	return obsKey{o.Listing, o.Store, o.ObservedAt.UnixNano()}
}

// keyed has the ids of observations by key, those of a series by time. A map of ten million keys takes gigabytes.
type keyed map[[2]int64][]stamp

type stamp struct{ at, id int64 }

func (x keyed) add(k obsKey, id int64) {
	series := [2]int64(k[:])
	s := x[series]
	i := sort.Search(len(s), func(i int) bool { return s[i].at > k[2] })
	x[series] = slices.Insert(s, i, stamp{k[2], id})
}

func (x keyed) ids(k obsKey) (ids []int64) {
	s := x[[2]int64(k[:])]
	for i := sort.Search(len(s), func(i int) bool { return s[i].at >= k[2] }); i < len(s) && s[i].at == k[2]; i++ {
		ids = append(ids, s[i].id)
	}
	return ids
}

func newObservationWriter(c *conn, correct string, now time.Time) *observationWriter {
	w := &observationWriter{
		conn: c, scan: newScanner(c), last: c.int("SELECT max(id) FROM observations"), list: readLabels(c),
		labels: map[panel.Label]int64{}, seen: idSet{}, added: idSet{}, begun: idSet{},
		correct: correct, now: now.UTC(), corrected: map[int64]bool{},
	}
	w.args = make([]driver.Value, 1+len(w.scan.columns))
	w.byID = w.scan.query("WHERE id = ?")
	for id, l := range w.list {
		w.labels[l] = int64(id)
	}
	w.next = c.int("SELECT max(id) FROM observations WHERE id < ?", int64(firstCorrection))
	w.correction = max(w.last, firstCorrection-1)
	for _, e := range quarantine.read(c) {
		if e.Rule == panel.Corrected {
			w.corrected[e.Observation] = true
		}
	}
	return w
}

// add adds an observation that has an id, or finds it in the snapshot.
func (w *observationWriter) add(c *Counts, o *panel.Observation) error {
	if !w.seen.add(o.ID) {
		return refuse("id: %d stands in the file before: %s", o.ID, keepOne)
	}
	was := w.stored(o.ID)
	if was == nil {
		c.Added++
		w.insert(o)
		return nil
	}
	column := w.differs(o, was)
	if column == "" {
		c.Unchanged++
		return nil
	}
	const format = "id: the snapshot has observation %d with another %s; observations are never overwritten"
	refused := fmt.Sprintf(format, o.ID, column)
	var s storedRow
	w.scan.row(was, &s)
	s.Listing = w.list[s.label].Listing
	if keyOf(&s.Observation) != keyOf(o) {
		return refusal(refused)
	}
	return w.correctStored(c, o, refused)
}

// stored returns the row that was there before the import with the id, or nil.
func (w *observationWriter) stored(id int64) (found row) {
	if id <= w.last {
		w.conn.each(w.byID, func(r row) { found = slices.Clone(r) }, id)
	}
	return found
}

// eachKey calls f with the stored observations from an id on.
func (w *observationWriter) eachKey(from int64, f func(k obsKey, id int64)) {
	w.flush()
	w.conn.each(`SELECT o.id, l.retailer_product_id, o.store_id, o.observed_at FROM observations AS o
		JOIN labels AS l ON l.id = o.label_id WHERE o.id >= ? ORDER BY o.id`, func(r row) {
		f(obsKey{r.int(1), r.int(2), r.int(3)}, r.int(0))
	}, from)
}

// addAnonymous adds an observation without an id, or finds it in the snapshot
// by its listing, store and time.
func (w *observationWriter) addAnonymous(c *Counts, o *panel.Observation) error {
	k := keyOf(o)
	again := w.begun.has(o.Listing) && (o.Listing != w.newest[0] || slices.Compare(k[:], w.newest[:]) <= 0)
	if w.keys == nil || again && !w.whole {
		w.keys, w.whole = keyed{}, again
		w.eachKey(0, w.keys.add)
	}
	ids := w.keys.ids(k)
	if ids == nil {
		if w.next == firstCorrection-1 {
			return refuse("id: there is no id above %d, the largest one in use; give the row an id", w.next)
		}
		o.ID = w.next + 1
		w.seen.add(o.ID)
		c.Added++
		w.insert(o)
		w.newest = k
		return nil
	}
	for _, id := range ids {
		if w.seen.has(id) {
			return refuse("the file has another row of retailer product %d at store %d at that time: %s, "+
				"or give both an id", o.Listing, o.Store, keepOne)
		}
	}
	// All of them were there before: the file's own rows are seen.
	column := w.differFrom(o, ids)
	if column == "" {
		w.seen.add(o.ID)
		c.Unchanged++
		return nil
	}
	return w.replace(c, o, ids, fmt.Sprintf("the snapshot has an observation of retailer product %d at store %d "+
		"at that time with another %s; observations are never overwritten", o.Listing, o.Store, column))
}

// insert puts an observation among those that wait.
func (w *observationWriter) insert(o *panel.Observation) {
	if w.whole {
		w.keys.add(keyOf(o), o.ID)
	}
	if o.ID < firstCorrection {
		w.next = max(w.next, o.ID)
	}
	w.begun.add(o.Listing)
	w.newest = obsKey{}
	w.added.add(o.ID)
	l := o.Label()
	id, ok := w.labels[l]
	if !ok {
		id = int64(len(w.list))
		l.ScrapedName, l.PackageSize = strings.Clone(l.ScrapedName), strings.Clone(l.PackageSize) // not the whole row
		w.labels[l] = id
		w.list = append(w.list, l)
		w.conn.exec(`INSERT INTO labels (id, retailer_product_id, scraped_name, package_size)
			VALUES (?, ?, nullif(?, ''), nullif(?, ''))`, id, l.Listing, l.ScrapedName, l.PackageSize)
	}
	w.encode(o, id)
	if w.waiting = append(w.waiting, w.args...); len(w.waiting) == insertRows*len(w.args) {
		w.flush()
	}
}

// flush inserts the observations that wait.
func (w *observationWriter) flush() {
	if n := len(w.waiting) / len(w.args); n > 0 {
		w.conn.exec("INSERT INTO observations ("+w.scan.names+") VALUES "+
			strings.TrimPrefix(strings.Repeat(", ("+placeholders(len(w.args))+")", n), ", "), w.waiting...)
		w.waiting = w.waiting[:0]
	}
}

// differFrom gives an observation the id of the stored one among the given ids that has its values. It
// returns the column in which the last of them differs if none has.
func (w *observationWriter) differFrom(o *panel.Observation, ids []int64) (column string) {
	for _, id := range ids {
		if was := w.stored(id); was != nil {
			o.ID = id
			if column = w.differs(o, was); column == "" {
				break
			}
		}
	}
	return column
}

// differs returns the first column in which a stored row differs from an
// observation, or the empty string.
func (w *observationWriter) differs(o *panel.Observation, was row) string {
	w.encode(o, w.labels[o.Label()])
	for i, arg := range w.args {
		switch {
		case arg == was[i]:
		case i == 0:
			return w.otherLabel(o, was.int(i))
		default:
			return w.scan.columns[i-1].Name
		}
	}
	return ""
}

// otherLabel returns the column of a panel directory in which a stored
// label differs from the observation's.
func (w *observationWriter) otherLabel(o *panel.Observation, id int64) string {
	switch l := &w.list[id]; {
	case l.Listing != o.Listing:
		return "retailer_product_id"
	case l.ScrapedName != o.ScrapedName:
		return "scraped_name"
	}
	return "package_size"
}

// encode makes the arguments those of an observation.
func (w *observationWriter) encode(o *panel.Observation, label int64) {
	w.args[0] = label
	for i, c := range w.scan.columns {
		w.args[1+i] = c.SQL(o)
	}
}

// idSet is a set of ids above 0, in runs of 64: small when ids are dense, as
// they usually are.
type idSet map[int64]uint64

// add adds an id. It returns false if the id is there already.
func (s idSet) add(id int64) bool {
	run, bit := s[id>>6], uint64(1)<<(id&63)
	s[id>>6] = run | bit
	return run&bit == 0
}

func (s idSet) has(id int64) bool { return s[id>>6]>>(id&63)&1 != 0 }
