package releaselog

import (
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/jevons/release"
)

// VerifyOptions says what a log is checked against besides itself.
type VerifyOptions struct {
	// Verifier is the public key of the publisher. The newest checkpoint must have its
	// signature. Empty: signatures are not checked.
	Verifier string
	// Checkpoints were kept from earlier. The log must begin with their releases.
	Checkpoints []string
}

// Verified says what was checked.
type Verified struct {
	Releases int
	Changes  int // cells, of all releases
	Root     tlog.Hash
	Signed   bool // the newest checkpoint has a signature
}

// Verify recomputes all that a log says: what each release changed follows from the
// release before, its leaf from what it says, the counts from the changes, and every
// checkpoint from the leaves. The error names the first release that does not fit.
func Verify(path string, o VerifyOptions) (v Verified, err error) {
	c, err := read(path)
	if err != nil {
		return v, err
	}
	if v, err = c.verify(o); err != nil {
		return v, atomicfile.Fail("verify release log", path, err, "")
	}
	return v, nil
}

func (c *contents) verify(o VerifyOptions) (v Verified, err error) {
	var verifier note.Verifier
	if o.Verifier != "" {
		if verifier, err = note.NewVerifier(o.Verifier); err != nil {
			return v, fmt.Errorf("the verifier key %q is not one that larder release --new-key printed", o.Verifier)
		}
	}
	var before *Release
	_, err = c.replay(len(c.releases), func(r *Release, changes []release.Change, table state) error {
		v.Releases, v.Changes = v.Releases+1, v.Changes+len(changes)
		switch {
		case before != nil && !r.At.After(before.At):
			return fmt.Errorf("it is not later than %s", before.ID())
		case countChanges(changes, table.has) != r.Counts:
			return errors.New("its counts do not fit its changes")
		}
		before = r
		if r.KeepsPrices() {
			_, err := r.RowChanges()
			return err
		}
		return nil
	})
	if err != nil {
		return v, err
	}
	leaves := c.leaves()
	for i := range c.releases {
		r := &c.releases[i]
		size, root, err := openCheckpoint(c.origin, r.Checkpoint, nil)
		v.Root = rootOf(leaves[:r.Number])
		switch {
		case err == nil && size != r.Number:
			err = fmt.Errorf("it is of %s", idOf(size))
		case err == nil && root != v.Root:
			return v, fmt.Errorf("the checkpoint of release %s does not fit the releases up to it", r.ID())
		}
		if err != nil {
			return v, fmt.Errorf("the checkpoint of release %s: %w", r.ID(), err)
		}
	}
	if last := c.last(); last != nil {
		v.Signed = isSigned(last.Checkpoint)
		_, _, err := openCheckpoint(c.origin, last.Checkpoint, verifier)
		switch {
		case err != nil:
			return v, fmt.Errorf("the checkpoint of release %s: %w", last.ID(), err)
		case verifier != nil && !v.Signed:
			return v, fmt.Errorf("the checkpoint of release %s has no signature", last.ID())
		}
	}
	for _, text := range o.Checkpoints {
		size, root, err := openCheckpoint(c.origin, text, verifier)
		switch {
		case err != nil:
			return v, fmt.Errorf("the checkpoint kept from earlier: %w", err)
		case size < 1 || size > v.Releases:
			return v, fmt.Errorf("release %s is gone: the checkpoint kept from earlier has %d releases, the log %d", idOf(size), size, v.Releases)
		case rootOf(leaves[:size]) != root:
			return v, fmt.Errorf("releases r1 to %s are not those of the checkpoint kept from earlier", idOf(size))
		}
	}
	return v, nil
}
