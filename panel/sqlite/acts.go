package sqlite

import (
	"database/sql/driver"
	"fmt"
	"time"

	"github.com/larder-index/larder/panel"
)

// The codes of acts.
const (
	corrected = "corrected" // an observation took the place of the one that the entry sets aside
	lifted    = "lifted"
	restored  = "restored"
	confirmed = "confirmed"
	withdrawn = "withdrawn" // by import
)

// act is what an operator or an import did to a quarantine entry. The acts on an entry say, one after the
// other, whether it is in force, and add to its reason. Those that a file tells of have no reason of their
// own: the file's reason has it.
type act struct {
	code   string
	at     time.Time
	reason string
	by     int64 // of corrected: the id of the observation
}

// apply changes an entry as the act does.
func (a *act) apply(e *panel.Quarantine) {
	switch a.code {
	case corrected:
		e.Reason = fmt.Sprintf("by observation %d: %s", a.by, a.reason)
		return
	case lifted:
		e.Released, e.WithdrawnAt, e.ConfirmedAt = true, time.Time{}, time.Time{}
	case restored:
		e.Released = false
	case confirmed:
		e.Released, e.WithdrawnAt, e.ConfirmedAt = false, time.Time{}, a.at
	case withdrawn:
		e.Released, e.WithdrawnAt = true, a.at
	}
	if a.reason != "" {
		e.Reason = joinReasons(e.Reason, fmt.Sprintf("%s %s: %s", a.code, a.at.Format(time.RFC3339), a.reason))
	}
}

// do applies an act to an entry and stores it.
func (a act) do(c *conn, e *panel.Quarantine) error {
	a.apply(e)
	if len(e.Reason) > maxReason {
		const format = "entry %d: with this its reason would have %d bytes; at most %d are kept"
		return fmt.Errorf(format, e.ID, len(e.Reason), maxReason)
	}
	at := driver.Value(nil)
	if !a.at.IsZero() {
		at = a.at.UnixNano()
	}
	c.exec(`INSERT INTO acts (entry_id, act, at, reason, observation_id)
		VALUES (?, ?, ?, nullif(?, ''), nullif(?, 0))`, e.ID, a.code, at, a.reason, a.by)
	return nil
}

func init() { quarantine.readRows, quarantine.putRow = readEntries, putEntry }

// readEntries returns the quarantine entries by id, as the acts on them leave them.
func readEntries(c *conn) []panel.Quarantine {
	entries, byID := quarantine.rows(c), map[int64]*panel.Quarantine{}
	for i := range entries {
		byID[entries[i].ID] = &entries[i]
	}
	c.each("SELECT entry_id, act, at, reason, observation_id FROM acts ORDER BY id", func(r row) {
		e := byID[r.int(0)]
		if e == nil {
			c.fail(fmt.Errorf("sqlite: an act names quarantine entry %d, which is missing", r.int(0)))
			return
		}
		a := act{code: r.text(1), reason: r.text(3), by: r.int(4)}
		if !r.null(2) {
			a.at = time.Unix(0, r.int(2)).UTC()
		}
		a.apply(e)
	})
	return entries
}

// putEntry stores an entry with its whole reason, in place of the one with its id and of the acts on that.
// An entry without an id gets one.
func putEntry(c *conn, e *panel.Quarantine) {
	quarantine.insert(c)(e)
	e.ID = c.int("SELECT last_insert_rowid()")
	c.exec("DELETE FROM acts WHERE entry_id = ?", e.ID)
	state := act{}
	switch {
	case !e.WithdrawnAt.IsZero():
		state = act{code: withdrawn, at: e.WithdrawnAt}
	case e.Released:
		state.code = lifted
	case !e.ConfirmedAt.IsZero():
		state = act{code: confirmed, at: e.ConfirmedAt}
	}
	if state.code != "" {
		stored := *e
		c.fail(state.do(c, &stored))
	}
}
