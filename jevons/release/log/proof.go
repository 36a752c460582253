package releaselog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/larder-index/larder/jevons/release"
)

// ReadLeaf reads the canonical bytes of a release: what they say of it, and the cells that it changed.
func ReadLeaf(text []byte) (*Release, []release.Change, error) {
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	second, rest, ok := bytes.Cut(rest, []byte("\n"))
	h := head{Release: &Release{}}
	if string(first)+"\n" != firstLine || !ok || json.Unmarshal(second, &h) != nil {
		return nil, nil, errors.New("it is no leaf of a release log")
	}
	if _, err := fmt.Sscanf(h.ID, "r%d", &h.Number); err != nil {
		return nil, nil, fmt.Errorf("it is the leaf of %q, which names no release", h.ID)
	}
	var changes []release.Change
	known := lines{}
	for line := range bytes.Lines(rest) {
		c, err := known.change(line)
		if err != nil {
			return nil, nil, fmt.Errorf("line %d: %w", len(changes)+3, err)
		}
		changes = append(changes, c)
	}
	return h.Release, changes, nil
}

// Proof returns the hashes that lead from the leaf of release n to the root of its checkpoint, a line for each.
func (l *Log) Proof(n int) (string, error) {
	leaves := l.now.Load().leaves()[:n]
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) (list []tlog.Hash, err error) {
		for _, i := range indexes {
			list = append(list, stored[i])
		}
		return list, nil
	})
	for i, leaf := range leaves {
		more, err := tlog.StoredHashesForRecordHash(int64(i), leaf, reader)
		if err != nil {
			return "", err
		}
		stored = append(stored, more...)
	}
	proof, err := tlog.ProveRecord(int64(n), int64(n-1), reader)
	var text strings.Builder
	for _, hash := range proof {
		fmt.Fprintln(&text, hash)
	}
	return text.String(), err
}

// CheckProof fails unless a checkpoint is of a tree that has the leaf as its last. With a verifier, a public key, the
// checkpoint must have its signature.
func CheckProof(leaf []byte, proof, checkpoint, verifier string) error {
	var key note.Verifier
	if verifier != "" {
		var err error
		if key, err = note.NewVerifier(verifier); err != nil {
			return fmt.Errorf("the verifier key %q is not one that larder release --new-key printed", verifier)
		}
		if !isSigned(checkpoint) {
			return errors.New("the checkpoint has no signature")
		}
	}
	size, root, err := openCheckpoint("", checkpoint, key)
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
	if err := tlog.CheckRecord(hashes, int64(size), root, int64(size-1), tlog.RecordHash(leaf)); err != nil {
		return errors.New("the proof does not lead from the leaf to the checkpoint")
	}
	return nil
}
