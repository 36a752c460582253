package sqlite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
)

// Counts are the numbers of rows of one table by their fate.
type Counts struct {
	Added     int `json:"added"`
	Corrected int `json:"corrected"` // observations that took the place of stored ones
	Updated   int `json:"updated"`   // reference rows that were there with other values
	Unchanged int `json:"unchanged"` // rows that were there already
	Rejected  int `json:"rejected"`
}

// TableCounts are the counts of one file of the folder.
type TableCounts struct {
	Table string `json:"table"`
	Counts
}

// Summary is the result of an import.
type Summary struct {
	Tables    []TableCounts      // in the order of the panel directory's files
	Found     []panel.Quarantine // entries of the quality gate's rules that are new, or follow again
	Withdrawn []panel.Quarantine // such entries that no longer follow
	Shrunk    int                // packs that got smaller, newly recorded
	Unshrunk  int                // such records that rows that came late contradict
	Rejects   string             // the rejects file; empty if there are no rejects
	// Reasons say why rows were rejected: by file in the order of the panel directory's, since rows refer to
	// those of earlier files; of a file most rows first.
	Reasons []RejectReason
	Notes   []string // what to look at, though rows were taken
	Items   int      // active products that the snapshot has, if it changed
	Chains  int      // that shoppers compare, likewise
	Changed bool     // false: the snapshot's file was not touched
	None    bool     // no snapshot was there, and none was made, because every row was rejected
}

// RejectReason counts the rejects of one file for one column. The column is empty
// if the row as a whole is at fault.
type RejectReason struct {
	File, Column string
	Rows         int
	First        csvdir.Reject
}

// faulty returns the column that a reason begins with, or "".
func faulty(reason string, columns []string) string {
	if end := strings.IndexAny(reason, ": "); end > 0 && slices.Contains(columns, reason[:end]) {
		return reason[:end]
	}
	return ""
}

// addReject counts a reject for a column; "": the row as a whole is at fault.
func (s *Summary) addReject(r *csvdir.Reject, column string) {
	i := slices.IndexFunc(s.Reasons, func(x RejectReason) bool { return x.File == r.File && x.Column == column })
	if i < 0 {
		i = len(s.Reasons)
		s.Reasons = append(s.Reasons, RejectReason{File: r.File, Column: column, First: *r})
	}
	s.Reasons[i].Rows++
}

// Total returns the sums over all tables.
func (s Summary) Total() Counts {
	var sum Counts
	for _, t := range s.Tables {
		sum.Added += t.Added
		sum.Corrected += t.Corrected
		sum.Updated += t.Updated
		sum.Unchanged += t.Unchanged
		sum.Rejected += t.Rejected
	}
	return sum
}

// String returns the summary in one line.
func (s Summary) String() string {
	var parts []string
	for _, t := range s.Tables {
		var did []string
		for _, c := range []struct {
			n    int
			what string
		}{{t.Added, "added"}, {t.Corrected, "corrected"}, {t.Updated, "updated"}, {t.Rejected, "rejected"}} {
			if c.n > 0 {
				did = append(did, fmt.Sprintf("%d %s", c.n, c.what))
			}
		}
		if len(did) > 0 {
			parts = append(parts, t.Table+" "+strings.Join(did, ", "))
		}
	}
	withdrawn := "1 quarantine entry"
	if n := len(s.Withdrawn); n > 1 {
		withdrawn = fmt.Sprintf("%d quarantine entries", n)
	}
	add := func(n int, text string) {
		if n > 0 {
			parts = append(parts, text)
		}
	}
	add(len(s.Found), fmt.Sprintf("%d found to quarantine", len(s.Found)))
	add(len(s.Withdrawn), withdrawn+" withdrawn")
	add(s.Shrunk, phrase.Count(s.Shrunk, "pack")+" found to have shrunk")
	add(s.Unshrunk, phrase.Count(s.Unshrunk, "pack")+" no longer found to have shrunk")
	line := strings.Join(parts, "; ")
	switch n := s.Total().Unchanged; {
	case s.None:
		return "no snapshot was made, because every row was rejected: " + line
	case !s.Changed && line == "":
		return fmt.Sprintf("nothing changed: all %d rows are there already", n)
	case !s.Changed && n == 0:
		return "nothing changed: " + line
	case !s.Changed:
		return fmt.Sprintf("nothing changed: %s; %d rows are there already", line, n)
	case line == "" && n > 0:
		return fmt.Sprintf("what is derived was brought up to date; %d rows unchanged", n)
	case line == "":
		return "made an empty snapshot"
	case n > 0:
		line += fmt.Sprintf("; %d rows unchanged", n)
	}
	return line
}

func (im *importer) note(format string, a ...any) {
	im.summary.Notes = append(im.summary.Notes, fmt.Sprintf(format, a...))
}

// noteBaseWeek says which week the index is based on, where no setting does.
func (im *importer) noteBaseWeek(rows map[panel.Week]int) {
	if _, set := im.refs.settings["base_week"]; !set && len(rows) > 0 {
		im.note("the base week is %s, the first whole week of prices; "+
			"base_week in settings.csv can name another", panel.FirstWholeWeek(rows))
	}
}
