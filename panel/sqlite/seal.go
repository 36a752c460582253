package sqlite

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"os"
)

const (
	sealSize   = 8 + sha256.Size
	hashBuffer = 1 << 18
)

// placeholder holds the place of the seal until it is known. Its bytes are not
// UTF-8, so no text in the snapshot can look like it.
var placeholder = func() []byte {
	sum := sha256.Sum256([]byte("larder: the seal goes here"))
	return append([]byte{0xff, 0xfe, 0xff, 0xfe, 0xff, 0xfe, 0xff, 0xfe}, sum[:]...)
}()

// hash is the SHA-256 of a file without its seal.
type hash [sha256.Size]byte

func (h hash) String() string { return hex.EncodeToString(h[:]) }

func writeSeal(f *os.File) (hash, error) {
	offset, err := findPlaceholder(f)
	if err != nil {
		return hash{}, err
	}
	sum, err := hashWithout(f, offset)
	if err != nil {
		return hash{}, err
	}
	_, err = f.WriteAt(encodeSeal(offset, sum), offset)
	return sum, err
}

func encodeSeal(offset int64, sum hash) []byte {
	return append(binary.BigEndian.AppendUint64(nil, uint64(offset)), sum[:]...)
}

// findPlaceholder returns the offset of the placeholder. It is on the only page
// of the table manifest.
func findPlaceholder(f *os.File) (int64, error) {
	c, err := open(f.Name(), readOnly)
	if err != nil {
		return 0, err
	}
	defer c.close()
	size, err := c.int("PRAGMA page_size")
	if err != nil {
		return 0, err
	}
	root, err := c.int("SELECT rootpage FROM sqlite_schema WHERE name = 'manifest'")
	if err != nil {
		return 0, err
	}
	page, start := make([]byte, size), (root-1)*size
	if _, err := f.ReadAt(page, start); err != nil {
		return 0, err
	}
	at := bytes.Index(page, placeholder)
	if at < 0 {
		return 0, errors.New("the place of the seal was not found")
	}
	return start + int64(at), nil
}

// hashWithout returns the SHA-256 of the file with zeros in place of the seal.
func hashWithout(f *os.File, offset int64) (hash, error) {
	h := sha256.New()
	buf := make([]byte, hashBuffer)
	for at := int64(0); ; {
		n, err := f.ReadAt(buf, at)
		part := buf[:n]
		if from, to := max(offset-at, 0), min(offset+sealSize-at, int64(n)); from < to {
			clear(part[from:to])
		}
		h.Write(part)
		at += int64(n)
		if err == io.EOF {
			return hash(h.Sum(nil)), nil
		}
		if err != nil {
			return hash{}, err
		}
	}
}

// checkSeal reports whether the file is as it was when it got its seal.
func checkSeal(f *os.File, seal []byte) (hash, error) {
	if len(seal) != sealSize {
		return hash{}, errors.New("it has no seal")
	}
	offset := int64(binary.BigEndian.Uint64(seal))
	there := make([]byte, sealSize) // a negative offset is an error of ReadAt
	if _, err := f.ReadAt(there, offset); err != nil || !bytes.Equal(there, seal) {
		return hash{}, errors.New("its seal is damaged")
	}
	sum, err := hashWithout(f, offset)
	if err != nil {
		return hash{}, err
	}
	if !bytes.Equal(sum[:], seal[8:]) {
		return hash{}, errors.New("its content does not fit its seal")
	}
	return sum, nil
}
