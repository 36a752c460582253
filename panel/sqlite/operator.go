package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/panel"
)

// SetAside adds an operator's entry to the quarantine of a snapshot. The entry
// gives what it chooses (see panel.Quarantine) and a reason; its Rule is Listed and
// it is found now. One that was lifted is put back, and its reason gets
// "; restored <now>: " and the new one. It returns the entry as stored.
//
// A reason is one line of at most 1000 bytes. An entry that is in force, one that
// names what the snapshot lacks or what contradicts, and a bad reason are errors. While an
// import runs, the error is ErrBusy. An error changes nothing. SetAside publishes
// the snapshot as a whole, like Import.
func SetAside(ctx context.Context, db string, entry panel.Quarantine, now time.Time) (panel.Quarantine, error) {
	if entry.Rule != panel.Listed {
		const format = "rule: %s entries are derived on import; an operator's entry is %s"
		return entry, fmt.Errorf(format, entry.Rule, panel.Listed)
	}
	note, err := checkNote(entry.Reason, now)
	if err != nil {
		return entry, err
	}
	entry.Reason, entry.FoundAt, entry.Released = note, now.UTC(), false
	return amend(ctx, db, func(c *conn, entries []panel.Quarantine) (panel.Quarantine, error) {
		if err := checkPlace(c, &entry); err != nil {
			return entry, err
		}
		was := withKey(entries, &entry)
		if was != nil && !was.Released {
			return entry, fmt.Errorf("entry %d sets this aside already (%s)", was.ID, was.Reason)
		}
		return setAside(c, entry, was)
	})
}

func withKey(entries []panel.Quarantine, e *panel.Quarantine) *panel.Quarantine {
	for i := range entries {
		if entries[i].Key() == e.Key() {
			return &entries[i]
		}
	}
	return nil
}

// setAside stores an operator's entry, or puts back the lifted one of its key.
func setAside(c *conn, e panel.Quarantine, was *panel.Quarantine) (panel.Quarantine, error) {
	if was == nil {
		putEntry(c, &e)
		return e, nil
	}
	err := act{code: restored, at: e.FoundAt, reason: e.Reason}.do(c, was)
	return *was, err
}

// Match keeps an operator's verdict on a listing, beside those before it. A rejected listing is set aside
// as by SetAside, unless it is already; an accepted one is let go if it was rejected. Match returns the
// entry that changes; its id is 0 if none does. A verdict that the listing has already, or that is not after
// the newest one, is an error. Reasons, other errors and publication are those of SetAside.
func Match(ctx context.Context, db string, m panel.Match) (panel.Quarantine, error) {
	note, err := checkNote(m.Reason, m.At)
	if err != nil {
		return panel.Quarantine{}, err
	}
	m.Reason, m.At = note, m.At.UTC()
	return amend(ctx, db, func(c *conn, entries []panel.Quarantine) (none panel.Quarantine, err error) {
		e := panel.Quarantine{Listing: m.Listing, Reason: m.Reason, FoundAt: m.At}
		if err := checkPlace(c, &e); err != nil {
			return none, err
		}
		was := panel.Match{}
		for _, x := range matches.read(c) {
			if x.Listing == m.Listing {
				was = x
			}
		}
		switch {
		case was.Verdict == m.Verdict:
			return none, fmt.Errorf("listing %d is %s already (%s)", m.Listing, was.Verdict, was.Reason)
		case !m.At.After(was.At):
			return none, fmt.Errorf("listing %d was %s at %s: the newest verdict rules, so give a later --now",
				m.Listing, was.Verdict, was.At.Format(time.RFC3339Nano))
		}
		matches.writer(c)(&m)
		stored := withKey(entries, &e)
		inForce := stored != nil && !stored.Released
		switch {
		case m.Verdict == panel.Rejected && !inForce:
			return setAside(c, e, stored)
		case m.Verdict == panel.Accepted && inForce && was.Verdict == panel.Rejected:
			err = act{code: lifted, at: m.At, reason: m.Reason}.do(c, stored)
			return *stored, err
		}
		return none, nil
	})
}

// Lift lets an entry of the quarantine go: it sets nothing aside any more
// and is not derived again. Its reason gets "; lifted <now>: " and the given
// one. It returns the entry as stored. Reasons, errors and publication are those
// of SetAside.
func Lift(ctx context.Context, db string, id int64, reason string, now time.Time) (panel.Quarantine, error) {
	return decide(ctx, db, id, act{lifted, now.UTC(), reason, 0}, func(e *panel.Quarantine) error {
		if e.Released && e.WithdrawnAt.IsZero() {
			return fmt.Errorf("entry %d is lifted already (%s)", id, e.Reason)
		}
		return nil
	})
}

// Confirm makes a derived entry the operator's own: it is in force from now on, whatever rows come,
// until it is lifted. One that was lifted or withdrawn is put back. Its reason gets
// "; confirmed <now>: " and the given one. All else is as for Lift.
func Confirm(ctx context.Context, db string, id int64, reason string, now time.Time) (panel.Quarantine, error) {
	return decide(ctx, db, id, act{confirmed, now.UTC(), reason, 0}, func(e *panel.Quarantine) error {
		if !e.Derived() && !e.Released {
			return fmt.Errorf("entry %d is an operator's already (%s)", id, e.Reason)
		}
		if e.Rule == panel.Listed || e.Rule == panel.Corrected {
			return fmt.Errorf("entry %d is not derived but %s; to set its rows aside again, add it", id, e.Rule)
		}
		return nil
	})
}

// decide publishes the snapshot with an act on an entry, unless check refuses that.
func decide(ctx context.Context, db string, id int64, a act,
	check func(e *panel.Quarantine) error) (panel.Quarantine, error) {
	var err error
	if a.reason, err = checkNote(a.reason, a.at); err != nil {
		return panel.Quarantine{}, err
	}
	return amend(ctx, db, func(c *conn, entries []panel.Quarantine) (panel.Quarantine, error) {
		i := slices.IndexFunc(entries, func(e panel.Quarantine) bool { return e.ID == id })
		if i < 0 {
			return panel.Quarantine{}, fmt.Errorf("the quarantine has no entry %d", id)
		}
		e := &entries[i]
		err := check(e)
		if err == nil {
			err = a.do(c, e)
		}
		return *e, err
	})
}

// amend publishes the snapshot as f changes it. It returns what f returns.
func amend(ctx context.Context, db string,
	f func(c *conn, entries []panel.Quarantine) (panel.Quarantine, error)) (panel.Quarantine, error) {
	none := panel.Quarantine{}
	w, err := begin(db)
	if err != nil {
		if e, ok := errors.AsType[*atomicfile.Error](err); ok && e.Op == "import into" {
			e.Op = "change the quarantine of"
		}
		return none, err
	}
	defer w.abandon()
	if w.old == nil {
		return none, atomicfile.Fail("open snapshot", db, os.ErrNotExist, "")
	}
	e, err := f(w.conn, quarantine.read(w.conn))
	w.conn.exec("UPDATE unsettled SET entries = 1")
	if err = cmp.Or(w.conn.err, err, ctx.Err()); err != nil {
		return none, err
	}
	return e, w.publish()
}

// checkPlace refuses an entry that names what the snapshot lacks, or that no row
// can have. It gives an entry for a single row the row's store.
func checkPlace(c *conn, e *panel.Quarantine) error {
	refs := readRefs(c)
	if m := refs.missing(placesOf(e)); m != nil {
		flag := strings.Replace(m.what, "retailer product", "listing", 1)
		return fmt.Errorf("%s: the snapshot has no %s %#v", flag, m.what, m.id)
	}
	store := e.Store
	if e.Observation != 0 {
		var err error
		if _, store, err = refs.observation(c, e.Observation); err != nil {
			return fmt.Errorf("observation: the snapshot has no observation %d", e.Observation)
		}
	}
	if err := refs.checkEntry(c, e); err != nil { // the flags have the names of the columns without _id
		return errors.New(strings.Replace(err.Error(), "_id: ", ": ", 1))
	}
	e.Store = store
	return nil
}

// The largest reasons in bytes. With its quotes doubled, an entry is never
// longer than a record that import reads.
const (
	maxNote   = 1000
	maxReason = 30_000
)

// checkNote returns an operator's reason without white space around it.
func checkNote(reason string, now time.Time) (string, error) {
	reason = strings.TrimSpace(reason)
	breaks := func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) }
	switch year := now.UTC().Year(); {
	case reason == "":
		return "", errors.New("reason: it is blank; say why, for those who read the entry later")
	case !utf8.ValidString(reason):
		return "", errors.New("reason: it is no UTF-8 text")
	case strings.ContainsFunc(reason, breaks):
		return "", fmt.Errorf("reason: %q has a line break or another control character; write it in one line", reason)
	case len(reason) > maxNote:
		return "", fmt.Errorf("reason: it has %d bytes; at most %d are kept", len(reason), maxNote)
	case year < panel.FirstYear || year > panel.LastYear:
		text := now.UTC().Format(time.RFC3339)
		return "", fmt.Errorf("now: %s is not in the years %d to %d", text, panel.FirstYear, panel.LastYear)
	}
	return reason, nil
}
