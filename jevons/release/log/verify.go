package releaselog

import (
	"errors"
	"fmt"

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
	l, err := Open(path)
	if err != nil {
		return v, err
	}
	if v, err = l.verify(o); err != nil {
		return v, atomicfile.Fail("verify release log", path, err, "")
	}
	return v, nil
}

func (l *Log) verify(o VerifyOptions) (v Verified, err error) {
	verifier, err := newVerifier(o.Verifier)
	if err != nil {
		return v, err
	}
	_, err = l.replay(len(l.releases), nil, func(r *Release, changes []release.Change, table state) error {
		v.Releases, v.Changes = v.Releases+1, v.Changes+len(changes)
		switch {
		case r.Number > 1 && !r.At.After(l.releases[r.Number-2].At):
			return fmt.Errorf("it is not later than %s", idOf(r.Number-1))
		case countChanges(changes, table.has) != r.Counts:
			return errors.New("its counts do not fit its changes")
		}
		return nil
	})
	if err != nil {
		return v, err
	}
	hashes := treeOf(l.releases)
	for i := range l.releases {
		r, key := &l.releases[i], verifier
		if r != l.last() {
			key = nil
		}
		v.Root, v.Signed = hashes.root(r.Number), isSigned(r.Checkpoint)
		size, root, err := openCheckpoint(l.origin, r.Checkpoint, key)
		switch {
		case err != nil:
			return v, fmt.Errorf("the checkpoint of release %s: %w", r.ID(), err)
		case size != r.Number:
			return v, fmt.Errorf("the checkpoint of release %s: it is of %s", r.ID(), idOf(size))
		case root != v.Root:
			return v, fmt.Errorf("the checkpoint of release %s does not fit the releases up to it", r.ID())
		case key != nil && !v.Signed:
			return v, fmt.Errorf("the checkpoint of release %s has no signature", r.ID())
		}
	}
	for _, text := range o.Checkpoints {
		size, root, err := openCheckpoint(l.origin, text, verifier)
		switch {
		case err != nil:
			return v, fmt.Errorf("the checkpoint kept from earlier: %w", err)
		case size < 1 || size > v.Releases:
			return v, fmt.Errorf("release %s is gone: the checkpoint kept from earlier has %d releases, the log %d",
				idOf(size), size, v.Releases)
		case hashes.root(size) != root:
			return v, fmt.Errorf("releases r1 to %s are not those of the checkpoint kept from earlier", idOf(size))
		}
	}
	return v, nil
}
