package releaselog

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/larder-index/larder/jevons/release"
)

const firstLineOfRows = "larder-rows/1\n"

// rowsText returns the canonical bytes of the rows of prices that a release changed; see the package doc.
func rowsText(changes []release.RowChanges) []byte {
	b := []byte(firstLineOfRows)
	for i := range changes {
		c := &changes[i]
		kind := mustJSON([]string{string(c.Change), c.Rule, c.Reason})
		b = append(b, kind[:len(kind)-1]...)
		last := int64(0)
		for from, to := 0, 0; from < len(c.IDs); from = to {
			for to = from + 1; to < len(c.IDs) && c.IDs[to] == c.IDs[to-1]+1; to++ {
			}
			b = fmt.Appendf(b, ",%d,%d", c.IDs[from]-last, to-from)
			last = c.IDs[to-1]
		}
		b = append(b, "]\n"...)
	}
	return b
}

// hashesOf returns the hashes of the lines of rows that readers see, and of the others, which follow. Without
// others the second is empty.
func hashesOf(text []byte) (seen, unseen string) {
	if i := bytes.Index(text, []byte("\n[\"unseen\"")); i >= 0 {
		text, unseen = text[:i+1], hashOf(text[i+1:])
	}
	return hashOf(text), unseen
}

func hashOf(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }

// KeepsPrices reports whether the log has the rows of prices that the release changed. It does not if an
// earlier version made the release, or if they could not be known: the release before had another version
// of the gate or of the snapshot's form.
func (r *Release) KeepsPrices() bool { return r.RowsHash != "" }

// RowChanges returns the rows of prices that the release changed, by change, rule and reason.
func (r *Release) RowChanges() (changes []release.RowChanges, err error) {
	text, err := inflate(r.rows)
	if seen, unseen := hashesOf(text); err != nil || seen != r.RowsHash || unseen != r.UnseenHash {
		return nil, errors.New("its rows of prices do not fit what it says")
	}
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte(firstLineOfRows))) {
		var fields []json.RawMessage
		c := release.RowChanges{}
		if err = json.Unmarshal(line, &fields); err != nil || len(fields) < 5 || len(fields)%2 == 0 {
			return nil, cmp.Or(err, errors.New("a line of its rows of prices has no pairs"))
		}
		err = cmp.Or(json.Unmarshal(fields[0], &c.Change), json.Unmarshal(fields[1], &c.Rule), json.Unmarshal(fields[2], &c.Reason))
		last := int64(0)
		for i := 3; i < len(fields) && err == nil; i += 2 {
			var gap, run int64
			err = cmp.Or(json.Unmarshal(fields[i], &gap), json.Unmarshal(fields[i+1], &run))
			for k := range run {
				c.IDs = append(c.IDs, last+gap+k)
			}
			last += gap + run - 1
		}
		if err != nil {
			return nil, err
		}
		changes = append(changes, c)
	}
	return changes, nil
}
