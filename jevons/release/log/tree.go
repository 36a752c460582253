package releaselog

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/larder-index/larder/internal/atomicfile"
)

// DefaultOrigin is the origin of a log whose publisher named none. The origin is the first line of
// a log's checkpoints, and the name of the key that signs them (c2sp.org/tlog-checkpoint).
const DefaultOrigin = "larder-releases"

// tree holds the hashes of the tree of RFC 6962, as package tlog stores them.
type tree []tlog.Hash

// treeOf returns the tree whose leaves are the releases.
func treeOf(releases []Release) (t tree) {
	for i := range releases {
		hashes, _ := tlog.StoredHashesForRecordHash(int64(i), releases[i].Leaf, t) // ReadHashes never fails
		t = append(t, hashes...)
	}
	return t
}

// ReadHashes implements tlog.HashReader.
func (t tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	list := make([]tlog.Hash, len(indexes))
	for i, at := range indexes {
		list[i] = t[at]
	}
	return list, nil
}

// root returns the root of the tree of the first n leaves.
func (t tree) root(n int) tlog.Hash {
	root, _ := tlog.TreeHash(int64(n), t) // ReadHashes never fails
	return root
}

func checkpointText(origin string, size int, root tlog.Hash) string {
	return fmt.Sprintf("%s\n%d\n%s\n", origin, size, root)
}

// checkpointOf returns the head of the tree of releases: a signed note, or its text alone without a signer.
func checkpointOf(origin string, releases []Release, signer note.Signer) (string, error) {
	text := checkpointText(origin, len(releases), treeOf(releases).root(len(releases)))
	if signer == nil {
		return text, nil
	}
	signed, err := note.Sign(&note.Note{Text: text}, signer)
	return string(signed), err
}

func isSigned(checkpoint string) bool { return strings.Contains(checkpoint, "\n\n") }

// openCheckpoint returns the number of releases and the root that a checkpoint says, of the log with
// an origin, or of any. With a verifier a signed checkpoint must have its signature.
func openCheckpoint(origin, checkpoint string, verifier note.Verifier) (size int, root tlog.Hash, err error) {
	text, _, signed := strings.Cut(checkpoint, "\n\n")
	if signed {
		text += "\n"
	}
	if signed && verifier != nil {
		if _, err := note.Open([]byte(checkpoint), note.VerifierList(verifier)); err != nil {
			return 0, root, err
		}
	}
	name, rest, _ := strings.Cut(text, "\n")
	var hash string
	if _, err = fmt.Sscanf(rest, "%d\n%s\n", &size, &hash); err == nil {
		root, err = tlog.ParseHash(hash)
	}
	switch {
	case err != nil || text != checkpointText(name, size, root):
		return 0, root, errors.New("it is no checkpoint of a release log")
	case origin != "" && name != origin:
		return 0, root, fmt.Errorf("it is no checkpoint of the log %s, but of %s", origin, name)
	}
	return size, root, nil
}

// newVerifier reads a public key. It is nil for the empty text.
func newVerifier(key string) (note.Verifier, error) {
	if key == "" {
		return nil, nil
	}
	v, err := note.NewVerifier(key)
	if err != nil {
		return nil, fmt.Errorf("the verifier key %q is not one that larder release --new-key printed", key)
	}
	return v, nil
}

// NewKey makes a key that signs the checkpoints of the log with an origin and writes it to a new
// file, which only its owner can read. It returns the public key that verifies them.
func NewKey(path, origin string) (verifier string, err error) {
	secret, verifier, err := note.GenerateKey(rand.Reader, origin)
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = f.WriteString(secret + "\n")
		err = errors.Join(err, f.Sync(), f.Close())
	}
	if err != nil {
		return "", atomicfile.Fail("make key", path, atomicfile.Bare(err), "")
	}
	return verifier, nil
}

// ReadKey reads a file that NewKey made.
func ReadKey(path string) (note.Signer, error) {
	b, err := os.ReadFile(path)
	hint := "larder release --new-key makes one"
	if err != nil {
		return nil, atomicfile.Fail("read key", path, atomicfile.Bare(err), hint)
	}
	signer, err := note.NewSigner(strings.TrimSpace(string(b)))
	if err != nil {
		return nil, atomicfile.Fail("read key", path, errors.New("it holds no key of a release log"), hint)
	}
	return signer, nil
}

// Proof returns the hashes that lead from the leaf of release n to the root of its checkpoint, a line for each.
func (l *Log) Proof(n int) (string, error) {
	proof, err := tlog.ProveRecord(int64(n), int64(n-1), treeOf(l.releases[:n]))
	var text strings.Builder
	for _, hash := range proof {
		fmt.Fprintln(&text, hash)
	}
	return text.String(), err
}

// CheckProof fails unless a checkpoint is of a tree that has the leaf as its last. With a public key, the
// checkpoint must have its signature.
func CheckProof(leaf []byte, proof, checkpoint, key string) error {
	verifier, err := newVerifier(key)
	if err != nil {
		return err
	}
	if verifier != nil && !isSigned(checkpoint) {
		return errors.New("the checkpoint has no signature")
	}
	size, root, err := openCheckpoint("", checkpoint, verifier)
	if err != nil {
		return fmt.Errorf("the checkpoint: %w", err)
	}
	var hashes tlog.RecordProof
	for line := range strings.Lines(proof) {
		hash, err := tlog.ParseHash(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return fmt.Errorf("the proof: %w", err)
		}
		hashes = append(hashes, hash)
	}
	if tlog.CheckRecord(hashes, int64(size), root, int64(size-1), tlog.RecordHash(leaf)) != nil {
		return errors.New("the proof does not lead from the leaf to the checkpoint")
	}
	return nil
}
