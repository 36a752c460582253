package releaselog

import (
	"crypto/rand"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/larder-index/larder/internal/atomicfile"
)

// DefaultOrigin is the origin of a log whose publisher named none. The origin is the first line of
// a log's checkpoints, and the name of the key that signs them (c2sp.org/tlog-checkpoint).
const DefaultOrigin = "larder-releases"

// rootOf returns the root of the RFC 6962 tree of leaves, of which there is at least one.
func rootOf(leaves []tlog.Hash) tlog.Hash {
	n := len(leaves)
	if n == 1 {
		return leaves[0]
	}
	left := 1 << (bits.Len(uint(n-1)) - 1) // the largest power of two that leaves some on the right
	return tlog.NodeHash(rootOf(leaves[:left]), rootOf(leaves[left:]))
}

func textOf(origin string, size int, root tlog.Hash) string {
	return fmt.Sprintf("%s\n%d\n%s\n", origin, size, root)
}

// checkpointOf returns the head of the tree of the leaves of a log: a signed note, or its text
// alone without a signer.
func checkpointOf(origin string, leaves []tlog.Hash, signer note.Signer) (string, error) {
	text := textOf(origin, len(leaves), rootOf(leaves))
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
	case err != nil || text != textOf(name, size, root):
		return 0, root, errors.New("it is no checkpoint of a release log")
	case origin != "" && name != origin:
		return 0, root, fmt.Errorf("it is no checkpoint of the log %s, but of %s", origin, name)
	}
	return size, root, nil
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
	if err != nil {
		return nil, atomicfile.Fail("read key", path, atomicfile.Bare(err), "larder release --new-key makes one")
	}
	signer, err := note.NewSigner(strings.TrimSpace(string(b)))
	if err != nil {
		return nil, atomicfile.Fail("read key", path, errors.New("it holds no key of a release log"), "larder release --new-key makes one")
	}
	return signer, nil
}
