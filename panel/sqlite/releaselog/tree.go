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

// Origin is the first line of a checkpoint, and the name of keys.
const Origin = "larder-releases"

// tree has the hashes of an RFC 6962 tree as package tlog stores them.
type tree []tlog.Hash

// ReadHashes implements tlog.HashReader.
func (t tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	list := make([]tlog.Hash, len(indexes))
	for i, x := range indexes {
		list[i] = t[x]
	}
	return list, nil
}

func newTree(leaves []tlog.Hash) (t tree, err error) {
	for i, leaf := range leaves {
		more, err := tlog.StoredHashesForRecordHash(int64(i), leaf, t)
		if err != nil {
			return nil, err
		}
		t = append(t, more...)
	}
	return t, nil
}

// checkpointOf returns the head of the tree of the leaves: a signed note, or its text
// alone without a signer.
func checkpointOf(leaves []tlog.Hash, signer note.Signer) (string, error) {
	t, err := newTree(leaves)
	if err != nil {
		return "", err
	}
	root, err := tlog.TreeHash(int64(len(leaves)), t)
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("%s\n%d\n%s\n", Origin, len(leaves), root)
	if signer == nil {
		return text, nil
	}
	signed, err := note.Sign(&note.Note{Text: text}, signer)
	return string(signed), err
}

// isSigned reports whether a checkpoint has signatures.
func isSigned(checkpoint string) bool { return strings.Contains(checkpoint, "\n\n") }

// openCheckpoint returns the number of releases and the root that a checkpoint says.
// With a verifier a signed checkpoint must have its signature.
func openCheckpoint(checkpoint string, verifier note.Verifier) (size int, root tlog.Hash, err error) {
	text, _, signed := strings.Cut(checkpoint, "\n\n")
	if signed {
		text += "\n"
		if verifier != nil {
			n, err := note.Open([]byte(checkpoint), note.VerifierList(verifier))
			if err != nil {
				return 0, root, err
			}
			text = n.Text
		}
	}
	var hash string
	if n, err := fmt.Sscanf(text, Origin+"\n%d\n%s\n", &size, &hash); n != 2 || err != nil {
		return 0, root, errors.New("it is no checkpoint of a release log")
	}
	if root, err = tlog.ParseHash(hash); err != nil || text != fmt.Sprintf("%s\n%d\n%s\n", Origin, size, root) {
		return 0, root, errors.New("it is no checkpoint of a release log")
	}
	return size, root, nil
}

// NewKey makes a key that signs checkpoints and writes it to a new file, which only its
// owner can read. It returns the public key that verifies them.
func NewKey(path string) (verifier string, err error) {
	secret, verifier, err := note.GenerateKey(rand.Reader, Origin)
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", atomicfile.Fail("make key", path, atomicfile.Bare(err), "")
	}
	_, err = f.WriteString(secret + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
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
	if err != nil || signer.Name() != Origin {
		return nil, atomicfile.Fail("read key", path, errors.New("it holds no key of a release log"), "larder release --new-key makes one")
	}
	return signer, nil
}
